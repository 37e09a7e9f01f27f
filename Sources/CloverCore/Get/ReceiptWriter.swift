import CloverAPI
import Synchronization

/// Keeps what the receipt of a run is made of, and writes it at the end.
final class ReceiptWriter: Sendable {
    private let receipt: Mutex<Receipt>
    private let digest: OutputDigest
    /// Nil for standard error.
    private let file: ReceiptFile?
    private let diagnostics: Diagnostics

    /// Nil without a place to write to.
    init?(_ place: String?, path: String, startedAt: Int64, in environment: CommandEnvironment) async throws(CoreError)
    {
        guard let place else { return nil }
        file = place == "-" ? nil : try ReceiptFile(place)
        diagnostics = environment.diagnostics
        receipt = Mutex(Receipt(path: path, startedAt: startedAt))
        digest = await OutputDigest.watching(environment.standardOutput)
    }

    /// What is known of a run that broke off.
    func add(_ summary: RecordPager.Summary, _ statistics: ServiceClient.Statistics) {
        receipt.withLock {
            $0.summary = summary
            $0.statistics = statistics
        }
    }

    /// The run came to its end. Throws when the receipt cannot be written.
    func finish(
        _ summary: RecordPager.Summary, _ statistics: ServiceClient.Statistics, problem: CoreError?, at instant: Int64
    ) async throws(CoreError) {
        receipt.withLock {
            $0.summary = summary
            $0.statistics = statistics
            $0.reasons = problem.map(Self.reasons) ?? []
        }
        do {
            try write(at: instant)
        } catch {
            // What is missing in the output is the worse news; that of the receipt comes before it.
            guard problem != nil else { throw error }
            diagnostics.failure("the receipt could not be written", code: "unwritable_file", status: 73)
        }
    }

    /// The run broke off; a receipt that cannot be written is only mentioned.
    func finish(failure: any Error, at instant: Int64) async {
        receipt.withLock { $0.reasons = Self.reasons(failure) }
        do {
            try write(at: instant)
        } catch {
            diagnostics.failure("the receipt could not be written", code: "unwritable_file", status: 73)
        }
    }

    private func write(at instant: Int64) throws(CoreError) {
        let text = receipt.withLock { receipt in
            receipt.endedAt = instant
            return receipt.text(digest: digest)
        }
        if let file { try file.write(text) } else { diagnostics.write(report: text) }
    }

    private static func reasons(_ error: any Error) -> [String] {
        switch error {
        case CoreError.incomplete(let shortfall): shortfall.reasons
        case CoreError.historyLimited(let path, let days, _):
            ["\(path) reach back for \(days) days at most, and no further window can be asked for"]
        case CoreError.timeRanOut: ["--max-time ran out"]
        case let refusal as TokenRefusal:
            refusal.isAboutPermission ? ["a permission is missing"] : ["the service failed: 401"]
        case let error as ServiceError: ["the service failed: \(error.brief)"]
        default: ["the run broke off"]
        }
    }
}
