package import CloverRecords

/// Prints records of our own, as those of the service are printed: by a jq program, or in a format.
package struct OwnRecords: Sendable {
    package var program: GetRequest.ProgramChoice?
    package var slurp = false
    package var format = FormatChoice()
    /// JSON was asked for, also on a terminal.
    package var isJSON = false

    package init() {}

    /// Whether a person looks, and nothing was said about the form: then a command may have its own.
    package func isOpen(in environment: CommandEnvironment) -> Bool {
        var asked = format
        asked.habits = FormatChoice().habits
        // Our own tables have times, and know zones.
        asked.zone = nil
        return environment.terminal.isOutputTerminal && !isJSON && program == nil && !slurp && asked == FormatChoice()
    }

    /// - Parameters:
    ///   - lines: the records, each on one line.
    ///   - merchant: whose time zone is asked for where times are written in it.
    package func print(
        _ lines: [String], _ schema: RecordSchema, merchant: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> FilterReport {
        var printing = RecordPrinting(
            program: program, format: format, isJSON: isJSON, slurp: slurp, compilesFirst: true)
        // Every amount of ours names its own currency; the layout wants one for those that do not.
        printing.facts.defaultCurrency = Currency.usDollar.code
        let plan = try printing.plan(schema, in: environment)
        var notice: String?
        if plan.needsTimeZone, lines.isEmpty {
            printing.facts.timezone = TimeZoneRules.utc.name
        } else if plan.needsTimeZone {
            let times = try await DisplayedTimes.ofMerchant(.merchant, merchant, merchant: merchant, in: environment)
            printing.facts.timezone = times.zone.name
            notice = times.notice
        }
        let filter = try await printing.makeFilter(
            plan, .ours, nil, merchantID: "", in: environment)
        _ = try await filter.consume(RecordBatch(lines: lines))
        let report = try await filter.finish()
        if let notice { environment.diagnostics.notice(notice) }
        try printing.check(report)
        return report
    }
}
