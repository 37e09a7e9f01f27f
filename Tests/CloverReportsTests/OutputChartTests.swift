import CloverOutput
import CloverReports
import CloverTestSupport
import Testing

@Suite("Charts in a terminal")
struct OutputChartTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let table: ReportTable
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "days", table: OutputTables.days), Case(name: "items", table: OutputTables.items),
        Case(name: "hours", table: OutputTables.hours),
    ]

    @Test("charts are as recorded, fit their width, and say the same with and without colors", arguments: cases)
    func snapshots(of chart: Case) throws {
        var text = ""
        for width in [40, 80, 200] {
            let plain = ReportChart.lines(chart.table, width: width, isColored: false)
            for line in plain { #expect(DisplayWidth.of(line) <= width, "\(line)") }
            let colored = ReportChart.lines(chart.table, width: width, isColored: true)
            #expect(colored.map(Self.withoutStyles) == plain)
            #expect(colored.contains { $0.contains("\u{1B}[32m") })
            text += "\(width) columns:\n" + plain.map { $0 + "\n" }.joined() + "\n"
        }
        text += "80 columns, with colors:\n"
        text +=
            ReportChart.lines(chart.table, width: 80, isColored: true).joined(separator: "\n")
            .replacing("\u{1B}", with: "^[") + "\n"
        try Snapshot.check(text, "chart-\(chart.name)")
    }

    @Test("many rows that are not times end with one line for the rest, and its sum")
    func rest() {
        let rows = (1...50).map { [ReportTable.Value.text("Item \($0)"), .integer(100)] }
        let table = OutputTables.table(
            "Items", [.init("name", "ITEM", .text), .init("amount", "AMOUNT", .money)], rows)
        let lines = ReportChart.lines(table, width: 80, isColored: false)
        #expect(lines.count == 42)
        #expect(lines.last == "and 10 more: $10.00")
    }

    @Test("an item with an empty name is not labelled with the period")
    func emptyName() {
        let rows: [[ReportTable.Value]] = [[.text("Tea"), .integer(200)], [.text(""), .integer(100)]]
        let columns: [ReportTable.Column] = [.init("name", "ITEM", .text), .init("amount", "AMOUNT", .money)]
        let lines = ReportChart.lines(OutputTables.table("Items", columns, rows), width: 80, isColored: false)
        #expect(lines.count == 3 && lines.last?.hasPrefix("(no name)  $1.00") == true, "\(lines)")
        let nothing = OutputTables.table("Items", columns, [[.none, .integer(0)]])
        let line = ReportChart.lines(nothing, width: 80, isColored: false).last
        #expect(line?.hasPrefix(nothing.period) == true)
    }

    @Test("rows that are sums of others are not drawn")
    func sums() {
        let compared = OutputTables.days.compared(with: OutputTables.days)
        let lines = ReportChart.lines(compared, width: 80, isColored: false)
        #expect(lines.count == 1 + 28)
        #expect(!lines.contains { $0.contains("change") || $0.contains("total") })
    }

    @Test("each bar of a comparison has its day, below its period", arguments: [40, 80, 120, 200])
    func comparedDays(width: Int) {
        var before = OutputTables.days
        before.period = "2026-09-17 to 2026-09-30"
        for row in before.rows.indices { before.rows[row][0] = .integer(20_713 + Int64(row)) }
        let lines = ReportChart.lines(OutputTables.days.compared(with: before), width: width, isColored: false)
        #expect(lines.first == "NET, 2026-10-01 to 2026-10-14" && lines[16] == "NET, 2026-09-17 to 2026-09-30")
        #expect(lines[1].hasPrefix("2026-10-01  $1080.00  ") && lines[17].hasPrefix("2026-09-17  $1080.00  "))
        for line in lines { #expect(DisplayWidth.of(line) <= width && !line.contains("…"), "\(line)") }
    }

    @Test("a period is whole at every width, above its bar if there is no room beside it", arguments: [30, 40, 80])
    func comparedPeriods(width: Int) {
        let columns: [ReportTable.Column] = [.init("netSales", "NET", .money)]
        let now = OutputTables.table("Sales", columns, [[.integer(123_456)]])
        var before = now
        before.period = "2026-09-17 to 2026-09-30"
        let lines = ReportChart.lines(now.compared(with: before), width: width, isColored: false)
        for period in [now.period, before.period] {
            #expect(lines.contains { $0.hasPrefix(period) }, "\(lines)")
        }
        for line in lines { #expect(DisplayWidth.of(line) <= width, "\(line)") }
    }

    /// Two shops that sold for different currencies.
    static func currencies() throws -> ReportTable {
        var dinars = OutputTables.days
        dinars.currency = "KWD"
        return try #require(ReportTable(ofShops: [("north", OutputTables.days), ("south", dinars)]))
    }

    @Test("each currency has its own chart, in a terminal and on a page")
    func currencies() throws {
        let table = try Self.currencies()
        let lines = ReportChart.lines(table, width: 80, isColored: false)
        #expect(lines[0] == "NET, USD, north" && lines[1].hasPrefix("2026-10-01  $1080.00"), "\(lines)")
        #expect(lines.contains("NET, KWD, south") && lines.contains { $0.contains("108.000 KWD") }, "\(lines)")
        let page = ReportPage.html([table])
        for caption in ["NET, USD, north", "NET, KWD, south"] {
            #expect(page.contains("<figcaption>\(caption)</figcaption>"))
        }
    }

    @Test("a report without rows or numbers has no chart")
    func nothing() {
        #expect(ReportChart.lines(OutputTables.table("A", [], []), width: 80, isColored: false).isEmpty)
        let names = OutputTables.table("A", [.init("name", "NAME", .text)], [[.text("x")]])
        #expect(ReportChart.lines(names, width: 80, isColored: false).isEmpty)
    }

    @Test("extreme amounts are drawn without a trap")
    func extremes() {
        let columns: [ReportTable.Column] = [
            .init("weekday", "WEEKDAY", .text), .init("hour", "HOUR", .count), .init("amount", "AMOUNT", .money),
        ]
        let rows: [[ReportTable.Value]] = [
            [.text("Monday"), .integer(1), .integer(.max)], [.text("Friday"), .integer(9), .integer(.min)],
        ]
        let table = OutputTables.table("A", columns, rows)
        #expect(!ReportChart.lines(table, width: 80, isColored: false).isEmpty)
        let bars = OutputTables.table("A", Array(columns[2...]), rows.map { [$0[2]] })
        #expect(!ReportChart.lines(bars, width: 1, isColored: false).isEmpty)
        #expect(ReportPage.html([table, bars]).contains("<svg"))
    }

    private static func withoutStyles(_ line: String) -> String {
        line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }
}
