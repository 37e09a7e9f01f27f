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

    /// Finds conflicts of the options, and fields that the report does not have, before anything is read.
    ///
    /// - Parameter columns: those that the report may have.
    func check(_ columns: [ReportTable.Column]) throws {
        let table = ReportTable(title: "", period: "", clock: "", zone: "", currency: "", columns: columns, rows: [])
        var schema = try table.schema()
        schema.others += ["period", "zone", "currency"]
        try records.check(schema, in: environment)
    }

    /// - Parameters:
    ///   - tables: the table that was asked for, and further ones for a workbook or a page.
    ///   - proof: what the head says of the report's proof, such as `complete: 12 requests`.
    func print(_ tables: [ReportTable], proof: String) async throws -> FilterReport {
        let table = tables[0]
        var report = FilterReport()
        if isWorkbook {
            let bytes: [UInt8]
            do throws(ReportWorkbookError) {
                bytes = try ReportWorkbook.bytes(tables, proof: proof)
            } catch {
                throw ReportError.workbook(error)
            }
            try await environment.standardOutput.write(bytes)
            report.results = table.rows.count
        } else {
            report = try await printRows(table, proof)
        }
        try page?.write(ReportPage.html(tables, proof: proof))
        return report
    }

    private func printRows(_ table: ReportTable, _ proof: String) async throws -> FilterReport {
        var records = records
        // The head names the zone.
        records.format.isZoneNamed = true
        // Rows of different currencies have their own, and none needs the shop's.
        let hasCurrencies = table.currencyColumn != nil
        let currency = hasCurrencies ? table.rows.first.map(table.currency) : table.currency
        records.settings = MerchantSettings(
            zone: table.zone, currency: hasCurrencies && records.program != nil ? "" : currency ?? "")
        records.zones = table.shops.values.map(\.zone)
        records.differByShop = hasCurrencies || table.hasSeveralZones
        let isForPerson = try chart || records.isTable(table.schema(), in: environment)
        let hasColumns = isForPerson || records.format.format?.hasColumns ?? false
        let times = ownTimes(of: table, isTable: isForPerson || records.format.format == .table, hasColumns)
        let schema = try table.schema(hasTimes: times == nil)
        var lines: [String]
        if isForPerson {
            await environment.startPaging()
            try await StandardOutput.print(head(of: table, proof), in: environment)
            lines = table.rowLines(times) + table.totalLines
        } else {
            for remark in table.remarks { environment.diagnostics.notice(remark) }
            // Columns are those of the table; JSON says what its numbers are of.
            lines =
                hasColumns && records.format.fields.isEmpty
                ? table.rows.map { table.line($0, times) } : table.completeLines(times)
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

    /// How times are printed, in the time zone of their row's days; nil where the format does that, which is UTC in JSON.
    private func ownTimes(of table: ReportTable, isTable: Bool, _ hasColumns: Bool) -> ReportTable.TimeTexts? {
        let format = records.format
        let style = format.times ?? format.defaults.times
        if isTable {
            guard table.hasSeveralZones, style != .sent else { return nil }
        } else {
            let isAsked = table.hasSeveralZones && (format.zone ?? format.defaults.zone) == .merchant
            guard records.program == nil, format.times != .sent, hasColumns || isAsked && !format.fields.isEmpty
            else { return nil }
        }
        return ReportTable.TimeTexts(of: table, isShort: isTable && style != .iso)
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
    /// Writes times in the zone of their row.
    fileprivate struct TimeTexts {
        private let table: ReportTable
        private let zones: [String: TimeZoneRules]
        private let isShort: Bool

        /// - Parameter isShort: whether to write date, hour and minute; otherwise ISO 8601 with the offset.
        init(of table: ReportTable, isShort: Bool) {
            self.table = table
            self.isShort = isShort
            zones = table.zoneRules
        }

        func text(_ milliseconds: Int64, in row: [Value]) -> String {
            let zone = zones[table.shop(of: row).zone] ?? .utc
            if isShort { return zone.text(milliseconds: milliseconds) }
            var (writer, bytes) = (InstantWriter(zone), [UInt8]())
            return writer.appendISO(milliseconds, unit: .milliseconds, to: &bytes)
                ? String(decoding: bytes, as: UTF8.self) : InstantText.utc(milliseconds: milliseconds)
        }
    }

    /// The rows for people: a total of one period says so beside it, because a narrow table cuts the period.
    fileprivate func rowLines(_ times: TimeTexts?) -> [String] {
        let second = columns.indices.dropFirst().first { isShown($0) }
        return rows.enumerated().map { place, row in
            var values = named(row)
            if let second, place >= rows.count - summaryRows, row[second] == .none, row[0] != .text("change") {
                values[second] = .text("Total")
            }
            return line(values, times)
        }
    }

    /// The rows as lines of JSON, each with the period, the time zone and the currency of its numbers, as far as its columns do
    /// not have them.
    fileprivate func completeLines(_ times: TimeTexts?) -> [String] {
        let names = Set(columns.map(\.name))
        return rows.map { row in
            var facts = JSONLine()
            let shop = shop(of: row)
            if !names.contains("period") { facts.add("period", shop.period) }
            facts.add("zone", shop.zone)
            if !names.contains("currency") { facts.add("currency", currency.isEmpty ? nil : currency) }
            return line(row, times).dropLast() + "," + facts.text.dropFirst()
        }
    }

    /// The totals for people: `Total` in the first column that a table shows.
    var totalLines: [String] {
        totals.map { total in
            var values = total
            if let place = columns.indices.first(where: { isShown($0) }) { values[place] = .text("Total") }
            return line(values)
        }
    }

    /// - Parameter times: how times are written; nil for ISO 8601 in UTC.
    fileprivate func line(_ values: [Value], _ times: TimeTexts? = nil) -> String {
        var line = JSONLine()
        for (column, value) in zip(columns, values) {
            switch value {
            case .none: line.add(column.name, json: "null")
            case .text(let text): line.add(column.name, text)
            case .integer(let number):
                if let times, column.kind == .time {
                    line.add(column.name, times.text(number, in: values))
                } else {
                    line.add(column.name, json: column.kind.json(number))
                }
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

    /// The columns of which a column is the sum or difference: they stay as long as it does, because people check sums.
    private static let terms: [String: Set<String>] = [
        "netSales": ["grossSales", "discounts", "refunds", "manualRefunds", "includedTax"],
        "amountCollected": ["amount", "refunds", "manualRefunds", "tips"],
    ]

    /// The columns that a narrow table keeps longest: the sum that its reader looks for, and what that is made of.
    private var essential: Set<String> {
        let names = Set(columns.map(\.name))
        guard let sum = ["netSales", "amountCollected"].first(where: names.contains) else {
            return names.subtracting(Self.lessImportant)
        }
        return (Self.terms[sum] ?? []).union([sum, "name", "revenue", "quantity"])
    }

    private static let timeColumns: Set<String> = ["day", "week", "month", "weekday", "hour"]

    /// The measures that a narrow table without a sum drops first.
    private static let lessImportant: Set<String> = [
        "goods", "order", "payment", "id", "days", "lines", "manualRefundCount", "tipsOpen", "paymentsWithTip",
    ]

    /// - Parameter hasTimes: whether times are to be formatted; otherwise they are printed as they are.
    func schema(hasTimes: Bool = true) throws -> RecordSchema {
        let keyPlace = columns.indices.first { isShown($0) }
        let currency = try currencyColumn.map { try FieldPath(parsing: columns[$0].name) }
        var all: [RecordColumn] = []
        var shown: [RecordColumn] = []
        // Gift cards that were sold must not look like goods.
        let revenue = columns.firstIndex { $0.name == "revenue" }
        let isMixed = revenue.map { place in rows.contains { $0[place] == .text("no") } } ?? false
        let essential = essential
        let leading = leadingAmount
        for (place, column) in columns.enumerated() {
            let isLess = !essential.contains(column.name)
            var record = RecordColumn(
                try FieldPath(parsing: column.name),
                kind: hasTimes || column.kind != .time ? column.kind.recordKind(currency) : .plain,
                heading: column.heading)
            record.canShrink = column.kind == .text && !["month", "weekday"].contains(column.name)
            // The first day of a period tells it from the other one.
            if column.name == "period" { record.leastWidth = 11 }
            // An amount says nothing without its day, nor a day without an amount.
            let isKey = place == keyPlace || place == leading || Self.timeColumns.contains(column.name)
            record.importance = isKey ? .key : isLess ? .usual : .essential
            all.append(record)
            // Where all is revenue, the names need the width more.
            if isShown(place), place != revenue || isMixed { shown.append(record) }
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
