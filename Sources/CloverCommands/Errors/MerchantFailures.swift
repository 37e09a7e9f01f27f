import CloverAuth
import CloverCore
import CloverHTTP
import CloverOutput

/// Failures of single merchants, which do not end a run over several.
struct MerchantFailures: Error, Equatable {
    /// What was to be done, as in `2 others were signed in`.
    let verb: String
    var done = 0
    /// Number of merchants for which an earlier run had done it.
    var kept = 0
    private var failed: [String] = []
    private var status: ExitStatus?

    init(verb: String) { self.verb = verb }

    /// Reports a failure.
    ///
    /// - Throws: the error, if it ends the whole run.
    @discardableResult
    mutating func add(
        _ merchant: String, _ error: any Error, _ environment: CommandEnvironment
    ) throws -> FailureDetails {
        guard !(error is CancellationError), !Task.isCancelled,
            case .report(var report) = ErrorReport.ending(of: error),
            report.status != .timeRanOut, report.code != ErrorReport.databaseAway
        else { throw error }
        // A run in which a merchant failed does not replace the file of --output.
        if environment.outputFile != nil { report.outputFacts = [] }
        failed.append(merchant)
        status = status ?? report.status
        var facts = report.facts
        facts.message = environment.diagnostics.mask.masked(facts.message)
        environment.diagnostics.failure(facts, of: merchant)
        return facts
    }

    /// Throws if something failed.
    func finish() throws {
        if !failed.isEmpty { throw self }
    }

    var report: ErrorReport {
        ErrorReport(
            code: isPartial ? "some_failed" : "all_failed", status: isPartial ? .partlyFailed : status ?? .unclassified,
            message: "\(failed.joined(separator: ", ")) failed; \(others)")
    }

    private var isPartial: Bool { done + kept > 0 }

    private var others: String {
        guard isPartial else { return "none was \(verb)" }
        func text(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : count == 1 ? "1 other \(one)" : "\(count) others \(many)"
        }
        return [
            text(done, "was \(verb)", "were \(verb)"),
            text(kept, "was imported before and is kept", "were imported before and are kept"),
        ].compactMap(\.self).joined(separator: ", ")
    }
}
