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
        return environment.terminal.isOutputTerminal && !isJSON && program == nil && !slurp && asked == FormatChoice()
    }

    /// - Parameter lines: the records, each on one line.
    package func print(
        _ lines: [String], _ schema: RecordSchema, in environment: CommandEnvironment
    ) async throws -> FilterReport {
        var printing = RecordPrinting(
            program: program, format: format, isJSON: isJSON, slurp: slurp, compilesFirst: true)
        // Every amount of ours names its own currency; the layout wants one for those that do not.
        printing.facts.defaultCurrency = Currency.usDollar.code
        let filter = try await printing.makeFilter(
            try printing.plan(schema, in: environment), .ours, nil, merchantID: "", in: environment)
        _ = try await filter.consume(RecordBatch(lines: lines))
        let report = try await filter.finish()
        try printing.check(report)
        return report
    }
}
