import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverReports

/// Prints the table of a report like any records: with a jq program, or in a format. A table for a person has a head
/// and a total, and may have a chart; a workbook and a page have all tables.
struct ReportPrinter: Sendable {
    private var records: RecordPrinting
    private let chart: Bool
    private let isWorkbook: Bool
    private let page: ReceiptFile?
    private let environment: CommandEnvironment

    /// - Parameter page: path of the HTML page; nil for none.
    init(records: RecordPrinting, chart: Bool, page: String?, environment: CommandEnvironment) throws {
        self.records = records
        self.chart = chart
        self.environment = environment
        isWorkbook = records.format.format == .xlsx
        if isWorkbook {
            self.records.format.format = nil
            if records.program != nil || records.slurp || chart || !records.format.fields.isEmpty {
                throw ReportError.notInWorkbook
            }
            if environment.terminal.isOutputTerminal { throw ReportError.workbookOnTerminal }
        }
        if chart {
            guard records.program == nil, !records.slurp, !records.isJSON,
                [nil, .table].contains(records.format.format)
            else { throw ReportError.chartNeedsTable }
            self.records.format.format = .table
        }
        self.page = try page.map { path throws(CoreError) in try ReceiptFile(path) }
    }

    /// Whether all tables of a report are wanted, not only the one that was asked for.
    var wantsAll: Bool { isWorkbook || page != nil }

    /// - Parameters:
    ///   - tables: the table that was asked for, and further ones for a workbook or a page.
    ///   - proof: what the head says of the report's proof, such as `complete: 12 requests`.
    func print(_ tables: [ReportTable], proof: String) async throws -> FilterReport {
        let table = tables[0]
        var report = FilterReport()
        if isWorkbook {
            do throws(ReportWorkbookError) {
                let bytes = try ReportWorkbook.bytes(tables, proof: proof)
                try await write(bytes)
            } catch {
                throw ReportError.workbook(error)
            }
            report.results = table.rows.count
        } else {
            report = try await printRows(table, proof)
        }
        try page?.write(ReportPage.html(tables, proof: proof))
        return report
    }

    private func write(_ bytes: [UInt8]) async throws(ReportWorkbookError) {
        do {
            try await environment.standardOutput.write(bytes)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    private func printRows(_ table: ReportTable, _ proof: String) async throws -> FilterReport {
        var records = records
        // The head names the zone.
        records.format.isZoneNamed = true
        // Rows of different currencies have their own, and none needs the shop's.
        let currency = table.currencyColumn == nil ? table.currency : table.rows.first.map(table.currency)
        records.settings = MerchantSettings(zone: table.zone, currency: currency ?? "")
        let schema = try table.schema()
        var lines = table.lines
        let isForPerson = try chart || records.isTable(schema, in: environment)
        if isForPerson {
            await environment.startPaging()
            try await StandardOutput.print(head(of: table, proof), in: environment)
            lines += table.totalLines
        } else {
            for remark in table.remarks { environment.diagnostics.notice(remark) }
        }
        let report = try await records.print(lines, schema, merchant: ConnectionChoice(), in: environment)
        if chart {
            let width = environment.terminal.width ?? 80
            let picture = ReportChart.lines(table, width: width, isColored: environment.screen.isColored)
            if !picture.isEmpty {
                try await StandardOutput.print("\n" + picture.map { $0 + "\n" }.joined(), in: environment)
            }
        }
        return report
    }

    private func head(of table: ReportTable, _ proof: String) -> String {
        let name = "\(table.title), \(table.period) (\(table.clock))"
        let width = environment.terminal.isOutputTerminal ? environment.terminal.width : nil
        var lines = ([name + "  " + proof] + table.sentences).flatMap {
            FoldedText.lines(Diagnostics.printable($0), indent: 0, width: width)
        }
        if environment.screen.isColored {
            // The name may fill several lines, and the proof begins on the last of them.
            var rest = name.count
            for place in lines.indices where rest > 0 {
                let part = lines[place].prefix(rest)
                lines[place] = TextStyle.strong.applied(to: String(part)) + lines[place].dropFirst(part.count)
                rest -= part.count + 1
            }
        }
        return lines.map { $0 + "\n" }.joined() + "\n"
    }
}

extension ReportTable {
    /// The rows as lines of JSON.
    var lines: [String] { rows.map { line($0) } }

    /// The totals for people: `Total` in the first column that a table shows.
    var totalLines: [String] {
        totals.map { total in
            var values = total
            if let place = columns.indices.first(where: { isShown($0) }) { values[place] = .text("Total") }
            return line(values)
        }
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
        let column = columns[place]
        let name = column.name == "id" ? "name" : column.name + "Name"
        return column.kind != .identifier || !columns.contains { $0.name == name }
    }

    /// The measures that a narrow table drops first.
    private static let lessImportant: Set<String> = [
        "manualRefunds", "serviceCharges", "nonRevenue", "unpaidBalance", "discounts", "refunds",
        "goods",
        "order", "payment", "id", "days", "lines", "revenue", "manualRefundCount", "refundCount", "tipsOpen",
        "paymentsWithTip",
    ]

    func schema() throws -> RecordSchema {
        let keyPlace = columns.indices.first { isShown($0) }
        let currency = try currencyColumn.map { try FieldPath(parsing: columns[$0].name) }
        var all: [RecordColumn] = []
        var shown: [RecordColumn] = []
        // Gift cards that were sold must not look like goods.
        let revenue = columns.firstIndex { $0.name == "revenue" }
        let isMixed = revenue.map { place in rows.contains { $0[place] == .text("no") } } ?? false
        for (place, column) in columns.enumerated() {
            let isLess = Self.lessImportant.contains(column.name) && !(column.name == "revenue" && isMixed)
            var record = RecordColumn(
                try FieldPath(parsing: column.name), kind: column.kind.recordKind(currency), heading: column.heading)
            record.canShrink = column.kind == .text && !["period", "month", "weekday"].contains(column.name)
            record.importance =
                place == keyPlace ? .key : isLess ? .usual : .essential
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

    /// - Parameter currency: where a record has its currency; nil for that of the table.
    fileprivate func recordKind(_ currency: FieldPath?) -> RecordColumn.Kind {
        switch self {
        case .money: .money(currency: currency)
        case .time: .time(.text)
        case .percent: .percent(decimals: 0)
        case .text, .identifier, .count, .quantity, .date: .plain
        }
    }
}
