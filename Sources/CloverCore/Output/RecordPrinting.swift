import CloverAPI
import CloverJQ
import CloverRecords

/// How a command prints its records: by a jq program, or in a format. The one way from records to standard output.
struct RecordPrinting: Sendable {
    var program: GetRequest.ProgramChoice?
    var format = FormatChoice()
    /// JSON was asked for, also on a terminal.
    var isJSON = false
    var slurp = false
    /// A program that does not compile is found before anything is sent, rather than while the first answer is awaited.
    var compilesFirst = false
    /// Keeps the first record that cannot be printed; nil where each of them is told at once.
    var firstFailure: FirstFailure?
    /// The currency and time zone of records that belong to no merchant of the service's, or that were asked for before.
    var facts = MerchantFacts()
    /// The service was asked for `facts`.
    var hasFacts = false

    /// How records are printed; conflicts are found before anything is sent.
    ///
    /// - Parameter schema: what is known of the records. It is asked only where columns may be printed: to read the
    ///   catalogue takes a millisecond of a short run.
    func plan(
        _ schema: @autoclosure () throws(RecordFormatError) -> RecordSchema, in environment: CommandEnvironment
    ) throws(RecordFormatError) -> FormatPlan {
        let situation = FormatPlan.Situation(
            isForPerson: environment.terminal.isOutputTerminal && !isJSON, programOption: program?.option,
            isSlurping: slurp)
        let mayHaveColumns =
            situation.isForPerson || !format.fields.isEmpty || format.format.map(\.hasColumns) ?? false
        return try FormatPlan(format, in: situation, schema: mayHaveColumns ? try schema() : .unknown)
    }

    /// - Parameters:
    ///   - client: tells the merchant's currency and time zone where the format needs them; nil asks nobody.
    ///   - guide: tells at the end what the columns and the records have not in common.
    func makeFilter(
        _ plan: FormatPlan, _ guide: FieldGuide, _ client: ServiceClient?, merchantID: String,
        in environment: CommandEnvironment
    ) async throws -> any RecordFilter {
        // A table is made harmless cell by cell, and has colours of its own.
        if environment.terminal.isOutputTerminal {
            await environment.standardOutput.sanitize(terminalForm(plan))
        }
        guard let program else {
            return try await makePrinter(plan, guide, client, merchantID: merchantID, in: environment)
        }
        var options = JQOptions()
        options.rawOutput = program.rawOutput
        options.joinOutput = program.joinOutput
        options.slurp = slurp
        options.arguments = program.arguments.map {
            JQOptions.Argument(name: $0.name, value: $0.isJSON ? .json($0.value) : .string($0.value))
        }
        let compiled = try JQProgram(source: try text(of: program.source), options: options)
        let diagnostics = environment.diagnostics
        let isSlurping = slurp
        let firstFailure = firstFailure
        let filter = JQFilter(
            program: compiled, output: environment.standardOutput, workers: max(1, environment.processors()),
            onFailure: { failure in
                let record = failure.id.map { "record \($0)" } ?? "record number \(failure.index + 1)"
                let name = isSlurping ? "the array of all records" : record
                if let firstFailure { return firstFailure.add("\(name): \(failure.message)") }
                diagnostics.failure("jq failed on \(name): \(failure.message)", code: "record_failed", status: 65)
            },
            onMessage: { diagnostics.pass($0) })
        if compilesFirst { try await filter.compiled() } else { filter.prepare() }
        return filter
    }

    private func makePrinter(
        _ plan: FormatPlan, _ guide: FieldGuide, _ client: ServiceClient?, merchantID: String,
        in environment: CommandEnvironment
    ) async throws -> any RecordFilter {
        var facts = facts
        var trouble: ServiceError?
        if let client, !hasFacts, plan.needsTimeZone || plan.needsCurrency {
            do {
                facts = try await MerchantFacts.read(client, merchantID: merchantID)
            } catch let error as ServiceError where Self.isOfThisAnswer(error) {
                trouble = error
            }
        }
        var layout: RecordLayout
        do throws(RecordFormatError) {
            layout = try plan.layout(
                timeZone: facts.timezone, currency: facts.defaultCurrency, terminalWidth: environment.terminal.width)
        } catch {
            // Whoever asked for it by name wants to know why it is not known.
            if let trouble { throw trouble }
            throw error
        }
        layout.isColored = environment.screen.isColored
        layout.hasLoneHeader = !Self.tellsInWords(plan, in: environment)
        let diagnostics = environment.diagnostics
        let hidden = HiddenColumns()
        let notices = layout.notices
        let cause = (trouble.map(Self.words) ?? facts.trouble).map {
            "the merchant's own settings could not be read: \($0)"
        }
        let firstFailure = firstFailure
        return try layout.makeFilter(
            output: environment.standardOutput,
            onFailure: { failure in
                if let firstFailure { return firstFailure.add("\(failure)") }
                diagnostics.failure("\(failure)", code: "record_failed", status: 65)
            },
            onHidden: { hidden.note($0) },
            onEnd: { report in
                if let notice = hidden.notice { diagnostics.notice(notice) }
                let due = notices.filter { $0.isDue(report) }
                if let cause, !due.isEmpty { diagnostics.notice(cause) }
                for notice in due { diagnostics.notice(notice.text) }
                for line in guide.notices(report, hasChosenFields: plan.hasChosenFields) { diagnostics.notice(line) }
            })
    }

    /// Whether it says that this one answer is not to be had; where nothing is, the records tell it.
    private static func isOfThisAnswer(_ error: ServiceError) -> Bool {
        switch error {
        case .refused, .failed, .unreadable: true
        case .unauthorized, .forbidden, .notFound, .rateLimited, .paused, .unreachable, .redirected, .filterIgnored:
            false
        }
    }

    private static func words(_ error: ServiceError) -> String {
        switch error {
        case .failed(let status, _, let retries, _):
            "the service failed with \(status)"
                + (retries > 0 ? " after \(retries) \(retries == 1 ? "retry" : "retries")" : "")
        case .refused(let status, _, _): "the service answered \(status)"
        case .unreadable(let error, _, _): "\(error)"
        default: "\(error)"
        }
    }

    /// Whether a person is told in words that there were no records, who would wonder at titles with nothing below them.
    static func tellsInWords(_ plan: FormatPlan, in environment: CommandEnvironment) -> Bool {
        plan.format == .table && environment.terminal.isOutputTerminal
    }

    /// How what would steer a terminal is kept from it.
    private func terminalForm(_ plan: FormatPlan) -> TerminalFilter.Form? {
        if let program { return program.rawOutput || program.joinOutput ? .text : .json }
        return switch plan.format {
        case .ndjson, .json: .json
        case .csv, .tsv: .text
        case .table: nil
        }
    }

    private func text(of source: GetRequest.ProgramChoice.Source) throws -> String {
        switch source {
        case .text(let text): text
        case .file(let path): try TextFile.read(path)
        }
    }

    /// What a run that came to its end says of records that it could not print.
    func check(_ report: FilterReport) throws(CoreError) {
        guard report.failures > 0, report.halt == nil else { return }
        throw program == nil
            ? .recordsNotPrinted(report.failures) : .recordsFailed(report.failures, isArray: slurp)
    }
}
