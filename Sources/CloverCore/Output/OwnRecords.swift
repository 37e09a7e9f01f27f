import CloverAPI
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
        let batch = RecordBatch(lines: lines)
        try check(schema, batch)
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
        _ = try await filter.consume(batch)
        let report = try await filter.finish()
        if let notice { environment.diagnostics.notice(notice) }
        try printing.check(report)
        return report
    }

    /// Refuses a field that records of this kind do not have.
    private func check(_ schema: RecordSchema, _ batch: RecordBatch) throws(RecordFormatError) {
        let known = schema.columns.map(\.path.text) + schema.others
        let members = Set(known.map { $0.prefix { $0 != "." } })
        for field in format.fields {
            guard let name = field.names.first, !members.contains(name[...]),
                !batch.records.contains(where: { batch.value(of: name, in: $0) != nil })
            else { continue }
            throw .unknownField(field.text, records: nil, suggestions: NearestNames.of(field.text, among: known))
        }
    }
}
