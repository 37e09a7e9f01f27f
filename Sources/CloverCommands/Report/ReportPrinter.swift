import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverReports

/// Prints the table of a report like any records: with a jq program, or in a format. A table for a person has a head and a
/// total.
struct ReportPrinter: Sendable {
    var records: LocalRecords
    let environment: CommandEnvironment

    /// - Parameter proof: what the head says of the report's proof, such as `complete: 12 requests`.
    func print(_ table: ReportTable, proof: String) async throws -> FilterReport {
        var records = records
        records.settings = MerchantSettings(zone: table.zone, currency: table.currency)
        let schema = try table.schema()
        var lines = table.lines
        if try records.isTable(schema, in: environment) {
            await environment.startPaging()
            try await StandardOutput.print(head(of: table, proof), in: environment)
            if let total = table.totalLine { lines.append(total) }
        } else {
            for remark in table.remarks { environment.diagnostics.notice(remark) }
        }
        return try await records.print(lines, schema, merchant: ConnectionChoice(), in: environment)
    }

    private func head(of table: ReportTable, _ proof: String) -> String {
        let name = "\(table.title), \(table.period) (\(table.clock))"
        let line = environment.screen.isColored ? TextStyle.strong.applied(to: name) : name
        let notes = (table.notes + table.remarks).map { Diagnostics.printable($0) + "\n" }.joined()
        return "\(line)  \(proof)\n" + notes + "\n"
    }
}

extension ReportTable {
    /// The rows as lines of JSON.
    var lines: [String] { rows.map { line($0) } }

    /// The total for people: `Total` in the first column that a table shows.
    var totalLine: String? {
        guard let total else { return nil }
        var values = total
        if let place = columns.indices.first(where: { isShown($0) }) { values[place] = .text("Total") }
        return line(values)
    }

    private func line(_ values: [Value]) -> String {
        var line = JSONLine()
        for (column, value) in zip(columns, values) {
            switch value {
            case .none: line.add(column.name, json: "null")
            case .text(let text): line.add(column.name, text)
            case .integer(let number): line.add(column.name, json: column.kind.json(number))
            }
        }
        return line.text
    }

    /// Tables show names instead of the ids beside them.
    private func isShown(_ place: Int) -> Bool {
        columns[place].kind != .identifier || !columns.contains { $0.kind == .text && $0.name.lowercased().hasSuffix("name") }
    }

    func schema() throws -> RecordSchema {
        var all: [RecordColumn] = []
        var shown: [RecordColumn] = []
        for (place, column) in columns.enumerated() {
            let record = RecordColumn(
                try FieldPath(parsing: column.name), kind: column.kind.recordKind, heading: column.heading)
            all.append(record)
            if isShown(place) { shown.append(record) }
        }
        return RecordSchema(columns: all, tableColumns: shown)
    }
}

extension ReportTable.Kind {
    fileprivate func json(_ number: Int64) -> String {
        switch self {
        case .text, .identifier, .count, .money: "\(number)"
        case .quantity: Self.decimal(number, 3)
        case .percent: Self.decimal(number, 4)
        case .date: JSONString.quoted(CalendarDate.text(number))
        case .time: JSONString.quoted(InstantText.utc(milliseconds: number))
        }
    }

    /// A decimal number without trailing zeros.
    private static func decimal(_ number: Int64, _ decimals: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        var fraction = padded.suffix(decimals)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = padded.dropLast(decimals)
        return (number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }

    fileprivate var recordKind: RecordColumn.Kind {
        switch self {
        case .money: .money(currency: nil)
        case .time: .time(.text)
        case .text, .identifier, .count, .quantity, .percent, .date: .plain
        }
    }
}
