import CloverReports
import CloverTestSupport
import Testing

/// Workbooks, read back by LibreOffice, because no part of this project reads workbooks.
@Suite("Workbooks")
struct OutputWorkbookTests {
    /// The workbooks of the tests.
    private enum Book: CaseIterable {
        case plain, nameless, currencies, names

        var tables: [ReportTable] {
            switch self {
            case .plain: [OutputTables.days, OutputTables.items]
            case .nameless:
                [
                    ReportTable(
                        title: "Items", period: "2026-10-05", clock: "UTC", zone: "UTC", currency: "USD",
                        columns: [.init("name", "ITEM", .text), .init("net", "NET", .money)],
                        rows: [[.text(""), .integer(100)]])
                ]
            case .currencies:
                ReportTable(
                    ofShops: [
                        ("tokyo", Self.shop("JPY", "Asia/Tokyo")), ("york", Self.shop("USD", "America/New_York")),
                        ("gulf", Self.shop("KWD", "Asia/Kuwait")),
                    ]
                ).map { [$0] } ?? []
            case .names:
                [
                    "a/b:c", "A/B:C", "", String(repeating: "x", count: 40), String(repeating: "x", count: 50), "About",
                ].map { OutputTables.table($0, [.init("n", "N", .count)], [[.integer(1)]]) }
            }
        }

        private static func shop(_ currency: String, _ zone: String) -> ReportTable {
            ReportTable(
                title: "Refunds", period: "2026-10-05", clock: zone, zone: zone, currency: currency,
                columns: [.init("time", "TIME", .time), .init("amount", "AMOUNT", .money)],
                rows: [[.integer(1_791_216_000_000), .integer(1_234_567)]], total: [.none, .integer(1_234_567)])
        }
    }

    /// LibreOffice takes seconds to start, so it opens all workbooks in one run.
    private static let shown: Task<[Book: [String: [String]]], any Error> = Task {
        try await OutputWorkbookTests.show(Book.allCases)
    }

    /// The sheets as LibreOffice shows them in CSV, with formulas instead of their results, by name.
    private static func show(_ books: [Book]) async throws -> [Book: [String: [String]]] {
        let folder = try TemporaryDirectory()
        let paths = try books.map { try folder.write("\($0).xlsx", try ReportWorkbook.bytes($0.tables)) }
        let office = CommandRunner(
            executable: "/usr/bin/soffice",
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": folder.path])
        // Separator 44, quote 34, UTF-8 76, from line 1, all cells as shown, formulas as text, every sheet (-1).
        let result = try await office.run(
            [
                "--headless", "--convert-to",
                "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1",
                "--outdir", folder["csv"],
            ] + paths)
        #expect(result.status == 0, "\(result.errorText)")
        var sheets: [Book: [String: [String]]] = [:]
        for file in folder.files(below: "csv") {
            let name = file.dropFirst("csv/".count).dropLast(".csv".count)
            guard let book = books.first(where: { name.hasPrefix("\($0)-") }) else { continue }
            let text = String(decoding: try folder.read(file), as: UTF8.self)
            sheets[book, default: [:]][String(name.dropFirst("\(book)-".count))] =
                text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return sheets
    }

    private func sheets(_ book: Book) async throws -> [String: [String]] {
        try #require(try await Self.shown.value[book])
    }

    @Test(
        "LibreOffice opens a workbook: one sheet for each table, dates, numbers and amounts with decimals, no formulas")
    func content() async throws {
        let sheets = try await sheets(.plain)
        #expect(sheets.keys.sorted() == ["About", "Items", "Sales"])
        let days = try #require(sheets["Sales"])
        #expect(days[0] == "DAY,ORDERS,GROSS,NET")
        #expect(days[1] == "2026-10-01,48,\"1,200.00\",\"1,080.00\"")
        #expect(days[14] == "2026-10-14,2,50.00,-200.00")
        #expect(days[15].hasPrefix("Total,"))
        let items = try #require(sheets["Items"])
        #expect(items[0] == "ID,ITEM,QUANTITY,SHARE,NET,LAST SOLD")
        #expect(items[1] == "ITEM0,<script>alert(1)</script>,10.5,12.50%,\"1,234.567\",2026-09-21 10:13")
        #expect(items[2].hasPrefix("ITEM1,=1+1,9,12.50%,617.283,"))
        #expect(items[7].contains("two lines"))
        let about = try #require(sheets["About"])
        #expect(about.contains { $0 == "Clock,\"America/New_York, days from 04:00\"" })
        #expect(about.contains { $0.hasPrefix("Notes,A sale counts") || $0.hasPrefix("Notes,\"A sale counts") })
    }

    @Test("an item without a name is shown as in tables")
    func nameless() async throws {
        let sheets = try await sheets(.nameless)
        #expect(sheets["Items"]?.contains("(no name),1.00") == true, "\(sheets)")
    }

    @Test("in a report of several shops, each amount has the decimals of its currency, and each time is in its zone")
    func currencies() async throws {
        let sheets = try await sheets(.currencies)
        let rows = try #require(sheets["Refunds"])
        #expect(
            Array(rows.prefix(7)) == [
                "SHOP,CURRENCY,TIME,AMOUNT", "tokyo,JPY,2026-10-06 01:00,\"1,234,567\"",
                "york,USD,2026-10-05 12:00,\"12,345.67\"", "gulf,KWD,2026-10-05 19:00,\"1,234.567\"",
                "Total,JPY,,\"1,234,567\"", "Total,KWD,,\"1,234.567\"", "Total,USD,,\"12,345.67\"",
            ], "\(rows)")
    }

    @Test("titles that no sheet can have, or that repeat, become different names")
    func names() async throws {
        let names = try await sheets(.names).keys.sorted()
        let long = String(repeating: "x", count: 29) + " 2"
        #expect(names == ["ABC 2", "About", "About 2", "Report", "abc", long, String(repeating: "x", count: 31)])
    }

    @Test("more rows than a sheet has are refused")
    func tooMany() {
        let rows = [[ReportTable.Value]](repeating: [.integer(1)], count: ReportWorkbook.rowLimit + 1)
        #expect(throws: ReportWorkbookError.tooManyRows(rows.count)) {
            try ReportWorkbook.bytes([OutputTables.table("A", [.init("n", "N", .count)], rows)])
        }
    }
}
