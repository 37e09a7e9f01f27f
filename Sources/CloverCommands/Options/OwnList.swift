import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput

/// A list that clover keeps itself, such as of sign-ins: a special table on a terminal, otherwise records like those of
/// `get`.
struct OwnList {
    /// The records as lines of JSON.
    let lines: [String]
    /// Names of their members with a single value: the columns of CSV, TSV and tables.
    let columns: [String]
    /// Those of `columns` that are times, in ISO 8601.
    var times: Set<String> = []
    /// Whether the table for a terminal shows them.
    var tableHasTimes = true
    /// Names of the other members.
    var others: [String] = []

    /// Prints the list.
    ///
    /// - Parameters:
    ///   - table: the table for a terminal, if no format and no jq program was given; with the zone of its times.
    ///   - choice: the connection whose settings apply.
    /// - Returns: the exit status.
    func print(
        _ options: RecordOutputOptions, _ messages: MessageOptions, _ choice: ConnectionChoice = ConnectionChoice(),
        in environment: CommandEnvironment, table: (DisplayedTimes) throws -> TextPage
    ) async throws -> Int32 {
        let records = try await options.records(messages, in: environment)
        if records.isOpen(in: environment) {
            let zone = try await DisplayedTimes.ofMachine(choice, zone: records.format.zone, in: environment)
            try await StandardOutput.show(try table(zone), in: environment)
            if !times.isEmpty, tableHasTimes, !lines.isEmpty { environment.diagnostics.notice(zone.sentence) }
            return ExitStatus.done.rawValue
        }
        let report = try await records.print(lines, try schema(), merchant: choice, in: environment)
        return options.jq.ending(of: report, in: environment)
    }

    /// What the records have, for a list that is printed as it is read.
    func schema() throws(RecordFormatError) -> RecordSchema {
        var shown: [RecordColumn] = []
        for name in columns {
            shown.append(RecordColumn(try FieldPath.parsed(name), kind: times.contains(name) ? .time(.text) : .plain))
        }
        var schema = RecordSchema(columns: shown)
        schema.others = others
        return schema
    }
}
