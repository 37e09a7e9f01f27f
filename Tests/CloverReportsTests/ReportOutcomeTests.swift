import CloverCalendar
import CloverReports
import Testing

/// What a report says where something is not known, did not happen, or is of different kinds.
@Suite("Unknown, empty and mixed reports")
struct ReportOutcomeTests {
    private typealias Tests = ReportRunTests

    private static let noon: Int64 = 1_791_216_000_000  // 2026-10-05 12:00 in New York

    /// One sale of 10.00 with a tax of 0.80 and a tip of 1.00, of which 2.16 came back, and a manual refund of 1.00.
    private static let shop = Tests.Shop(
        payments: [
            #"{"id":"P1","order":{"id":"O1"},"amount":1080,"tipAmount":100,"taxAmount":80,"createdTime":\#(noon),"#
                + #""result":"SUCCESS","employee":{"id":"E1"},"tender":{"id":"T1","label":"Cash"}}"#
        ],
        refunds: [
            #"{"id":"R1","amount":216,"taxAmount":16,"createdTime":\#(noon),"payment":{"id":"P1","order":{"id":"O1"}}}"#
        ],
        credits: [#"{"id":"C1","amount":100,"createdTime":\#(noon)}"#],
        orders: [
            #"{"id":"O1","total":1080,"lineItems":{"elements":[{"id":"L1","name":"Cake","price":1000}]},"#
                + #""payments":{"elements":[{"id":"P1","amount":1080,"tipAmount":100,"taxAmount":80,"#
                + #""createdTime":\#(noon),"result":"SUCCESS"}]}}"#
        ])

    private static func request(
        _ report: ReportName, by grouping: ReportGrouping? = nil, without omitted: Set<ReportOmission> = [],
        currency: String = "USD"
    ) throws -> ReportRequest {
        var request = try Tests.request(report, by: grouping, currency: currency)
        request.omitted = omitted
        return request
    }

    private static func report(
        _ report: ReportName, by grouping: ReportGrouping? = nil, without omitted: Set<ReportOmission>
    ) throws -> ReportTable {
        var shop = shop
        if omitted.contains(.refunds) { shop.refunds = [] }
        if omitted.contains(.credits) { shop.credits = [] }
        let (table, findings) = try shop.report(request(report, by: grouping, without: omitted))
        #expect(findings.isEmpty, "\(findings)")
        return table
    }

    @Test("what depends on a list that was left out is empty, in rows and in totals")
    func without() throws {
        let sales = Tests.sums(try Self.report(.sales, without: [.refunds]))
        #expect(sales == ["orders": "1", "grossSales": "1000", "discounts": "0", "manualRefunds": "100"])
        let both = Tests.sums(try Self.report(.sales, without: [.credits]))
        #expect(
            both == [
                "orders": "1", "grossSales": "1000", "discounts": "0", "refunds": "200", "serviceCharges": "0",
                "tips": "100", "nonRevenue": "0",
            ])
        #expect(Tests.sums(try Self.report(.sales, without: []))["netSales"] == "700")
        let tenders = try Self.report(.tenders, without: [.refunds])
        #expect(
            Tests.row(tenders, tenders.rows[0]) == [
                "id": "T1", "name": "Cash", "payments": "1", "amount": "1080", "tips": "100", "manualRefundCount": "0",
                "manualRefunds": "0",
            ])
        let employees = Tests.sums(try Self.report(.employees, without: [.credits]))
        #expect(employees["manualRefunds"] == nil && employees["amountCollected"] == nil)
        #expect(employees["refunds"] == "216")
        let tips = Tests.sums(try Self.report(.tips, without: [.refunds]))
        #expect(tips["tips"] == nil && tips["percent"] == nil && tips["amount"] == "1080")
        #expect(Tests.sums(try Self.report(.taxes, without: [.credits])).isEmpty)
        let items = try Self.report(.items, without: [.refunds])
        #expect(items.rows.map { Tests.row(items, $0)["netSales"] } == [nil, "-100"])
        #expect(Tests.sums(items)["netSales"] == nil && Tests.sums(items)["grossSales"] == "1000")
        let fewer = try Self.report(.items, without: [.credits])
        #expect(fewer.rows.map { Tests.row(fewer, $0)["netSales"] } == ["1000", "-200"])
        #expect(Tests.sums(fewer)["netSales"] == nil)
        let days = Tests.sums(try Self.report(.refunds, by: .day, without: [.refunds]))
        #expect(days == ["manualRefundCount": "1"])
        // Of an unknown part, the sum of several shops is unknown, too.
        let parts = [("a", try Self.report(.sales, without: [.refunds])), ("b", try Self.report(.sales, without: []))]
        let sum = try #require(ReportTable(ofShops: parts))
        #expect(Tests.sums(sum)["netSales"] == nil && Tests.sums(sum)["grossSales"] == "2000")
    }

    @Test("without anything, reports of sums have a row of zeros without a name, and lists have no row")
    func nothing() throws {
        for report in ReportName.allCases {
            let table = try Tests.Shop().report(Self.request(report)).table
            #expect(table.isEmpty)
            switch report {
            case .items, .categories, .discounts, .refunds: #expect(table.rows.isEmpty, "\(report)")
            case .sales, .employees, .tenders, .taxes, .tips, .hours:
                #expect(table.rows.count == 1, "\(report)")
                #expect(Set(Tests.row(table, table.rows[0]).values) == ["0"], "\(report)")
            }
        }
    }

    @Test("shops with different currencies have a column with the currency, and a total for each")
    func currencies() throws {
        func shop(_ name: String, _ currency: String) throws -> (String, ReportTable) {
            (name, try Self.shop.report(Self.request(.sales, currency: currency)).table)
        }
        let table = try #require(
            ReportTable(ofShops: [try shop("a", "USD"), try shop("b", "JPY"), try shop("c", "USD")]))
        let rows = table.rows.map { Tests.row(table, $0) }
        #expect(rows.map { $0["currency"] } == ["USD", "JPY", "USD"])
        let totals = table.totals.map { Tests.row(table, $0) }
        #expect(totals.map { $0["currency"] } == ["JPY", "USD"])
        #expect(totals.map { $0["grossSales"] } == ["1000", "2000"])
        let page = ReportPage.html([table])
        for part in [">$20.00<", ">\(ReportTable.moneyText(1000, "JPY"))<"] { #expect(page.contains(part), "\(page)") }
        let same = try #require(ReportTable(ofShops: [try shop("a", "USD"), try shop("c", "USD")]))
        #expect(same.currencyColumn == nil && same.totals.count == 1)
    }

    @Test("gift cards have their own total, in comparisons and of several shops too")
    func giftCards() throws {
        let plain = try Self.report(.items, without: [])
        var mixed = Self.shop
        mixed.orders = mixed.orders.map {
            $0.replacing(
                #""lineItems":{"elements":["#, with: #""lineItems":{"elements":[{"price":50,"isRevenue":false},"#)
        }
        let both = try mixed.report(Self.request(.items)).table
        func sums(_ rows: [[ReportTable.Value]], _ table: ReportTable) -> [[String?]] {
            rows.map { Tests.row(table, $0) }.map { [$0["revenue"], $0["grossSales"]] }
        }
        #expect(sums(plain.totals, plain) == [["yes", "1000"]])
        #expect(sums(both.totals, both) == [["yes", "1000"], ["no", "50"]])
        let change = both.compared(with: plain)
        #expect(sums(change.rows.suffix(2), change) == [["yes", "0"], ["no", "50"]])
        let back = plain.compared(with: both)
        #expect(sums(back.rows.suffix(2), back) == [["yes", "0"], ["no", "-50"]])
        let shops = try #require(ReportTable(ofShops: [("a", both), ("b", plain), ("c", both)]))
        #expect(sums(shops.totals, shops) == [["yes", "3000"], ["no", "100"]])
    }

    @Test("a comparison keeps what must be known of the other period")
    func comparison() throws {
        let now = try Self.report(.sales, without: [])
        var before = now
        before.period = "2026-10-03 to 2026-10-04"
        before.remarks.append("Something of before.")
        let both = now.compared(with: before)
        #expect(both.remarks.last == "2026-10-03 to 2026-10-04: Something of before.")
        #expect(both.period == "2026-10-05 to 2026-10-06, compared with 2026-10-03 to 2026-10-04")
    }

    @Test(
        "a part of a week, month or year is compared with the same part of the one before",
        arguments: [
            // Wednesday 2026-11-18.
            ("this-week", "2026-11-18", "2026-11-09..2026-11-11"),
            ("last-week", "2026-11-18", "2026-11-02..2026-11-08"),
            ("this-month", "2026-11-18", "2026-10-01..2026-10-18"), ("2026-11", "2026-11-18", "2026-10-01..2026-10-18"),
            ("last-month", "2026-11-18", "2026-09"), ("this-month", "2026-03-30", "2026-02"),
            ("this-month", "2026-03-31", "2026-02"), ("this-month", "2026-02-28", "2026-01"),
            ("this-year", "2026-11-18", "2025-01-01..2025-11-18"), ("2026", "2026-12-31", "2025"),
            ("yesterday", "2026-11-18", "2026-11-16"),
            ("2026-11-03..2026-11-05", "2026-11-18", "2026-10-31..2026-11-02"),
            ("2026-11..2026-11-05", "2026-11-18", "2026-10-27..2026-10-31"),
            ("2026-09..2026-10", "2026-11-18", "2026-07..2026-08"),
        ])
    func previous(_ text: String, _ today: String, _ expected: String) throws {
        let today = try #require(CalendarDate.parse(today))
        let previous = try Period(parsing: text, today: today).previous
        let wanted = try Period(parsing: expected, today: 50_000)
        #expect(previous.first == wanted.first && previous.last == wanted.last, "\(previous)")
    }

    @Test("only records of the period contribute to a report")
    func counts() throws {
        var run = ReportRun([try Self.request(.sales)])
        let old = Self.shop.refunds[0].replacing("R1", with: "R0").replacing("\(Self.noon)", with: "1")
        for text in Self.shop.payments { try Array(text.utf8).withUnsafeBytes { try run.add(payment: $0) } }
        for text in Self.shop.refunds + [old] { try Array(text.utf8).withUnsafeBytes { try run.add(refund: $0) } }
        let other = Self.shop.orders[0].replacing("O1", with: "O2").replacing("\(Self.noon)", with: "1")
        for text in Self.shop.orders + [other] { try Array(text.utf8).withUnsafeBytes { try run.add(order: $0) } }
        #expect(["P1", "R1", "O1"].allSatisfy(run.counts) && !["R0", "O2", "X"].contains(where: run.counts))
    }
}
