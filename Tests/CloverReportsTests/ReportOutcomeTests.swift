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

    @Test("an empty id refers to nothing, so that the order's lines are found by the refund's own order")
    func emptyReference() throws {
        let lines = Self.shop.refunds[0].replacing(
            #""payment""#,
            with: #""orderRef":{"id":"O1"},"lineItems":{"elements":[{"id":"L1","price":1000}]},"payment""#)
        func sums(_ order: String) throws -> [String: String] {
            var shop = Self.shop
            shop.refunds = [lines.replacing(#""order":{"id":"O1"}"#, with: #""order":\#(order)"#)]
            return Tests.sums(try shop.report(Self.request(.sales)).table)
        }
        let named = try sums(#"{"id":"O1"}"#)
        #expect(named["refunds"] != nil)
        for order in [#"{"id":""}"#, "{}"] { #expect(try sums(order) == named, "\(order)") }
    }

    @Test("a report is not proved if refunds of its period are of no payment, of an unpaid one, or above it")
    func refundsThatContradict() throws {
        func kinds(_ refunds: [String], _ shop: Tests.Shop = Self.shop) throws -> [String] {
            var shop = shop
            shop.refunds = refunds
            return try shop.report(Self.request(.sales)).findings.map { "\($0.kind) \($0.amount ?? 0)" }
        }
        let part = Self.shop.refunds[0]
        #expect(try kinds([part]).isEmpty)
        #expect(try kinds([part, part]).isEmpty, "a list may have one twice")
        let rest = part.replacing(#""id":"R1","amount":216"#, with: #""id":"R2","amount":1000"#)
        #expect(try kinds([part, rest]) == ["refund_above_payment 36"])
        var several = Self.shop
        several.refunds = [part, rest]
        let sentence = try several.report(Self.request(.sales)).findings[0].sentence
        #expect(sentence == "more was refunded than was paid, by the refunds R1, R2")
        // Of a payment of another day, its own copy tells.
        let older = rest.replacing(#""id":"P1","#, with: #""id":"P0","amount":900,"createdTime":1,"#)
        #expect(try kinds([part, older]) == ["refund_above_payment 100"])
        #expect(try kinds([part, older.replacing(#""amount":900"#, with: #""amount":1900"#)]).isEmpty)
        #expect(try kinds([part, older.replacing(#""amount":900,"#, with: "")]).isEmpty, "nothing is known of it")
        let bare = part.replacing(#""id":"P1""#, with: #""id":"P0""#)
        for (payment, found): (String?, [String]) in [
            (nil, ["refund_of_unknown_payment 216"]),
            (#"{"id":"P0","amount":216,"result":"SUCCESS","createdTime":1}"#, []),
            (#"{"id":"P0","amount":200,"result":"SUCCESS","createdTime":1}"#, ["refund_above_payment 16"]),
            (#"{"id":"P0","amount":216,"result":"FAIL","createdTime":1}"#, ["refund_of_unpaid_payment 216"]),
        ] {
            var shop = Self.shop
            shop.others = ["P0": payment].compactMapValues(\.self)
            #expect(try kinds([bare], shop) == found)
        }
        let voided = older.replacing(#""amount":900"#, with: #""amount":1900,"result":"VOIDED""#)
        #expect(try kinds([part, voided]) == ["refund_of_unpaid_payment 1000"])
        let alone = part.replacing(#","payment":{"id":"P1","order":{"id":"O1"}}"#, with: "")
        #expect(try kinds([alone]) == ["refund_without_payment 216"])
        var test = Self.shop
        test.orders = test.orders.map { $0.replacing(#""id":"O1","#, with: #""id":"O1","testMode":true,"#) }
        #expect(try kinds([part, rest], test).isEmpty, "a test's money is none")
    }

    @Test(
        "an order that comes without line items needs them, has those that are read separately, and is named without them",
        arguments: [
            "", #""lineItems":null,"#, #""lineItems":{"elements":null},"#,
            #""lineItems":{"href":"https://clover.test"},"#,
        ])
    func lineless(lines: String) throws {
        let own = #"[{"id":"L1","name":"Cake","price":1000}]"#
        var shop = Self.shop
        shop.orders = shop.orders.map { $0.replacing(#""lineItems":{"elements":\#(own)},"#, with: lines) }
        for report in [ReportName.sales, .items, .discounts] {
            let request = try Self.request(report)
            var run = ReportRun([request])
            shop.add(to: &run)
            #expect(Array(run.linelessOrders.keys) == ["O1"] && run.missingOrders == ["O1"])
            let found = try shop.report(request).findings
            #expect(found.map(\.kind) == ["line_items_missing"] && found[0].identifiers == ["order": "O1"], "\(found)")
            run.add(.unavailable("503 after 5 retries"), ofOrder: "O1")
            #expect(!run.hasAll && run.linelessOrders.isEmpty && run.missingOrders.isEmpty)
            #expect(run.finish(names: ReportNames())[0].findings[0].sentence.contains("503 after 5 retries"))
            shop.lines = ["O1": own]
            #expect(try shop.report(request) == Self.shop.report(request))
            shop.lines = [:]
        }
        var reconciliation = ReconcileRun(try Self.request(.sales))
        for text in shop.payments { Array(text.utf8).withUnsafeBytes { reconciliation.add(payment: $0) } }
        for text in shop.orders { Array(text.utf8).withUnsafeBytes { reconciliation.add(order: $0) } }
        #expect(reconciliation.finish().map(\.kind) == ["line_items_missing"])
        reconciliation.add(.list(Array(own.utf8)), ofOrder: "O1")
        #expect(reconciliation.finish().isEmpty && reconciliation.hasAll)
    }

    @Test("an order that has no line items is one line of its total without tax, which is proved")
    func withoutLines() throws {
        for lines in [#""lineItems":{"elements":[]},"#, ""] {
            var shop = Self.shop
            shop.refunds = []
            shop.orders = shop.orders.map {
                $0.replacing(#""lineItems":{"elements":[{"id":"L1","name":"Cake","price":1000}]},"#, with: lines)
            }
            if lines.isEmpty { shop.lines = ["O1": "[]"] }
            let (table, findings) = try shop.report(Self.request(.sales))
            #expect(findings.isEmpty && Tests.sums(table)["grossSales"] == "1000", "\(findings) \(table)")
        }
    }

    @Test("orders without line items that do not count are not asked for theirs")
    func linelessOfOthers() throws {
        let order = Self.shop.orders[0].replacing(
            #""lineItems":{"elements":[{"id":"L1","name":"Cake","price":1000}]},"#, with: "")
        for (right, wrong) in [
            (#""id":"O1","#, #""id":"O1","testMode":true,"#), ("SUCCESS", "FAIL"), ("\(Self.noon)", "1000"),
        ] {
            var run = ReportRun([try Self.request(.sales)])
            Array(order.replacing(right, with: wrong).utf8).withUnsafeBytes { run.add(order: $0) }
            #expect(run.linelessOrders.isEmpty && run.hasAll, "\(wrong)")
        }
    }

    @Test("with --without names, ids stand for the names of tenders and employees, in rows of refunds, too")
    func withoutNames() throws {
        let tenders = try Self.shop.report(Self.request(.tenders, without: [.names])).table
        #expect(tenders.rows.map { Tests.row(tenders, $0)["name"] } == ["T1", "(no tender)"])
        #expect(
            try Self.shop.report(Self.request(.tenders)).table.rows.map { Tests.row(tenders, $0)["name"] } == [
                "Cash", "(no tender)",
            ])
        var shop = Self.shop
        shop.refunds = shop.refunds.map { $0.replacing(#""id":"R1","#, with: #""id":"R1","employee":{"id":"E9"},"#) }
        let refunds = try shop.report(Self.request(.refunds, without: [.names])).table
        #expect(refunds.rows.map { Tests.row(refunds, $0)["employeeName"] }.contains("E9"), "\(refunds.rows)")
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

    @Test("without anything, reports have a row of zeros without a name")
    func nothing() throws {
        for report in ReportName.allCases {
            let table = try Tests.Shop().report(Self.request(report)).table
            #expect(table.isEmpty)
            #expect(table.rows.count == 1, "\(report)")
            #expect(Set(table.rows.first.map { Tests.row(table, $0) }?.values.map(\.self) ?? []) == ["0"], "\(report)")
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
            $0.replacing(#"{"id":"L1""#, with: #"{"id":"L0","price":50,"isRevenue":false},{"id":"L1""#)
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

    @Test("a comparison matches columns by name where only one of the periods has sales with tax in the prices")
    func comparisonOfContainedTax() throws {
        var shop = Self.shop
        shop.orders = shop.orders.map { $0.replacing(#""total":1080"#, with: #""total":1000,"isVat":true"#) }
        let sold = try shop.report(Self.request(.sales)).table
        var closed = try Tests.Shop().report(Self.request(.sales)).table
        closed.period = "2026-10-03 to 2026-10-04"
        let names = ["grossSales", "includedTax", "netSales", "tips", "amountCollected"]
        func values(_ table: ReportTable) -> [[String?]] {
            table.rows.map { row in names.map { Tests.row(table, row)[$0] } }
        }
        let (sale, none) = (["1000", "80", "620", "100", "864"], ["0", "0", "0", "0", "0"])
        let now = sold.compared(with: closed)
        #expect(now.rows.allSatisfy { $0.count == now.columns.count })
        #expect(values(now) == [sale, none, sale])
        #expect(ReportPage.html([now]).contains("$6.20"))
        let before = closed.compared(with: sold)
        #expect(before.rows.allSatisfy { $0.count == before.columns.count })
        #expect(values(before) == [none, sale, sale.map { "-\($0)" }])
        #expect(before.summaryRows == 1)
        // Days have totals, which are rows of a comparison.
        let days = try shop.report(Self.request(.sales, by: .day)).table
        let closedDays = try Tests.Shop().report(Self.request(.sales, by: .day)).table
        let byDay = closedDays.compared(with: days)
        #expect(byDay.rows.allSatisfy { $0.count == byDay.columns.count })
        #expect(values(byDay) == [none, none, sale, none, none, sale, sale.map { "-\($0)" }])
        let shops = try #require(ReportTable(ofShops: [("a", closed), ("b", sold)]))
        #expect(values(shops) == [none, sale])
        // A day without sales has the column where it is wanted.
        var request = try Self.request(.sales)
        request.hasAllColumns = true
        let wanted = try Tests.Shop().report(request).table
        #expect(values(wanted) == [none] && wanted.columns == sold.columns)
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
        for text in Self.shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in Self.shop.refunds + [old] { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
        let other = Self.shop.orders[0].replacing("O1", with: "O2").replacing("\(Self.noon)", with: "1")
        for text in Self.shop.orders + [other] { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
        #expect(["P1", "R1", "O1"].allSatisfy(run.counts) && !["R0", "O2", "X"].contains(where: run.counts))
    }

    @Test("a record that cannot be read is named once, and the rest is reported")
    func unreadable() throws {
        typealias List = WritableKeyPath<Tests.Shop, [String]>
        typealias Change = (of: List, old: String, new: String, named: [String: String])
        let changes: [Change] = [
            (\.payments, #""amount":1080,"#, "", ["payment": "P2"]),
            (\.payments, #""amount":1080,"#, #""amount":"1080","#, ["payment": "P2"]),
            (\.payments, #""id":"P2""#, #""id":null"#, [:]),
            (\.refunds, #""amount":216,"#, "", ["refund": "R1"]),
            (\.refunds, #""amount":216,"#, #""amount":2.16,"#, ["refund": "R1"]),
            (\.credits, #""amount":100,"#, "", ["credit": "C1"]),
            (\.credits, #""createdTime":\#(Self.noon)"#, #""createdTime":"noon""#, ["credit": "C1"]),
            (\.orders, #""price":1000"#, #""price":"10.00""#, ["order": "O1"]),
            (\.orders, #""total":1080"#, #""total":[]"#, ["order": "O1"]),
            (\.orders, #""lineItems":{"elements""#, #""lineItems":"x","other":{"elements""#, ["order": "O1"]),
            (\.orders, #"[{"id":"L1""#, #"[null,{"id":"L1""#, ["order": "O1"]),
            (\.orders, #""id":"L1","#, "", ["order": "O1"]),
            (\.orders, #""id":"L1","#, #""id":"L1","item":"I1","#, ["order": "O1"]),
            (\.orders, #""id":"L1","#, #""id":"L1","item":{"id":1},"#, ["order": "O1"]),
            (\.orders, #""id":"L1","#, #""id":"L1","isRevenue":"false","#, ["order": "O1"]),
            (\.orders, #""id":"L1","#, #""id":"L1","exchanged":1,"#, ["order": "O1"]),
            (\.orders, #""id":"L1","#, #""id":"L1","discounts":[5],"#, ["order": "O1"]),
            (\.orders, #""total":1080"#, #""total":1080,"testMode":"true""#, ["order": "O1"]),
            (\.orders, #""total":1080"#, #""total":1080,"isVat":0"#, ["order": "O1"]),
            (\.orders, #""total":1080"#, #""total":1080,"serviceCharge":18"#, ["order": "O1"]),
            (\.refunds, #""amount":216,"#, #""amount":216,"voided":"true","#, ["refund": "R1"]),
            (\.refunds, #""amount":216,"#, #""amount":216,"deletedTime":"now","#, ["refund": "R1"]),
            (\.refunds, #""amount":216,"#, #""amount":216,"lineItems":"L1","#, ["refund": "R1"]),
            (\.credits, #""amount":100,"#, #""amount":100,"voided":{},"#, ["credit": "C1"]),
        ]
        for change in changes {
            var shop = Self.shop
            shop.payments.append(shop.payments[0].replacing("P1", with: "P2").replacing("O1", with: "O2"))
            let place = shop[keyPath: change.of].count - 1
            let text = shop[keyPath: change.of][place].replacing(change.old, with: change.new)
            #expect(text != shop[keyPath: change.of][place], "\(change.old)")
            shop[keyPath: change.of][place] = text
            shop[keyPath: change.of].append(text)
            let (table, findings) = try shop.report(Self.request(.sales))
            let unreadable = findings.filter { $0.kind == "unreadable_record" }
            #expect(unreadable.map(\.identifiers) == [change.named], "\(change.new): \(findings)")
            #expect(Tests.sums(table)["amountCollected"] != nil, "\(change.new)")
        }
    }

    @Test("records of which it is unknown whether they count are left out and named, by reports and by reconcile")
    func undecided() throws {
        typealias Case = (of: WritableKeyPath<Tests.Shop, [String]>, member: String, ids: [String: String])
        let lists: [Case] = [
            (\.payments, #""result""#, ["payment": "P2", "order": "O1"]),
            (\.refunds, #""status""#, ["refund": "R2", "order": "O1"]),
            (\.credits, #""result""#, ["credit": "C2"]),
        ]
        for list in lists {
            let words = [("NEW", true), ("FAIL", false)]
            let others = list.ids["payment"] == nil ? [("PENDING", true), ("SUCCESS", false)] : []
            for (word, isNamed) in words + others {
                var shop = Self.shop
                let text = shop[keyPath: list.of][0].replacing(/"id":"([PRC])1"/, maxReplacements: 1) {
                    #""id":"\#($0.1)2",\#(list.member):"\#(word)""#
                }
                shop[keyPath: list.of].append(text)
                let (table, findings) = try shop.report(Self.request(.sales))
                let named = isNamed ? [list.ids] : []
                #expect(findings.map(\.identifiers) == named, "\(text): \(findings)")
                if isNamed { #expect(findings.map(\.kind) == ["undecided_payment"]) }
                #expect(table.remarks.contains { $0.contains("'\(word)'") } == isNamed, "\(table.remarks)")
                let counted = try Self.shop.report(Self.request(.sales)).table
                #expect((Tests.sums(table) == Tests.sums(counted)) == (word != "SUCCESS"), "\(text)")
                var run = ReconcileRun(try Self.request(.sales))
                for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
                for text in shop.refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
                for text in shop.credits { Array(text.utf8).withUnsafeBytes { run.add(credit: $0) } }
                for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
                let found = run.finish().filter { $0.kind == "undecided_payment" }
                #expect(found.map(\.identifiers) == named, "\(text): \(found)")
                // Of a test order, it does not matter.
                guard list.ids["order"] != nil, isNamed else { continue }
                shop.orders = shop.orders.map { $0.replacing(#""total""#, with: #""testMode":true,"total""#) }
                #expect(try shop.report(Self.request(.sales)).findings.isEmpty)
            }
        }
    }

    @Test("members that are null, and an item without an id, are as if they were missing")
    func missingMembers() throws {
        var shop = Self.shop
        shop.orders = shop.orders.map {
            $0.replacing(
                #""id":"L1","#,
                with: #""id":"L1","item":{},"isRevenue":null,"exchanged":null,"discounts":null,"modifications":[],"#
            ).replacing(#""total""#, with: #""testMode":null,"isVat":false,"discounts":null,"total""#)
        }
        shop.refunds = shop.refunds.map { $0.replacing(#""amount""#, with: #""voided":null,"deletedTime":0,"amount""#) }
        let (table, findings) = try shop.report(Self.request(.sales))
        #expect(findings.isEmpty, "\(findings)")
        #expect(Tests.sums(table) == Tests.sums(try Self.shop.report(Self.request(.sales)).table))
    }

    @Test("a payment that cannot be read matters on its own day only")
    func unreadableOfAnotherDay() throws {
        for (time, kinds) in [
            (Self.noon, ["unreadable_record"]), (Self.noon + 5 * 86_400_000, []), (-1, ["unreadable_record"]),
        ] {
            let payment = #"{"id":"P2","order":{"id":"O2"},"amount":"ten","createdTime":\#(time),"result":"SUCCESS"}"#
            var shop = Self.shop
            shop.payments.append(payment)
            #expect(try shop.report(Self.request(.sales)).findings.map(\.kind) == kinds)
            var run = ReconcileRun(try Self.request(.sales))
            Array(payment.utf8).withUnsafeBytes { run.add(payment: $0) }
            #expect(run.finish().map(\.kind) == kinds)
        }
    }

    @Test("an order that lacks a payment of the list is named, by reports and by reconcile")
    func paymentNotInOrder() throws {
        var shop = Self.shop
        for order in shop.orders.indices {
            shop.orders[order] = shop.orders[order].replacing(#""payments":{"#, with: #""other":{"#)
        }
        let findings = try shop.report(Self.request(.sales)).findings
        #expect(findings.map(\.kind).contains("payment_not_in_order"), "\(findings)")
        #expect(try !Self.shop.report(Self.request(.sales)).findings.map(\.kind).contains("payment_not_in_order"))
        var run = ReconcileRun(try Self.request(.sales))
        for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
        #expect(run.finish().map(\.kind).contains("payment_not_in_order"))
    }

    @Test("an order is checked with the payments of the list, and what its own copies have otherwise is named")
    func contradictingCopies() throws {
        typealias Case = (old: String, new: String, ofList: [String], ofOrder: [String])
        let named = "payment_not_in_order"
        let cases: [Case] = [
            // The list's amount does not pay the total, and its tax is not what the total leaves for tax.
            (#""amount":1080"#, #""amount":1090"#, ["overpaid 10", "\(named) 10"], ["\(named) -10"]),
            (#""amount":1080"#, #""amount":1070"#, ["partly_paid -10", "\(named) -10"], ["\(named) 10"]),
            (#""taxAmount":80"#, #""taxAmount":70"#, ["\(named) -10", "tax_differs -10"], ["\(named) 10"]),
            (#""tipAmount":100"#, #""tipAmount":150"#, ["\(named) 50"], ["\(named) -50"]),
            // What an order's copy does not have, is no difference.
            (#""tipAmount":100,"taxAmount":80,"#, "", [], []),
        ]
        for one in cases {
            for isList in one.new.isEmpty ? [false] : [true, false] {
                var shop = Self.shop
                let list: WritableKeyPath<Tests.Shop, [String]> = isList ? \.payments : \.orders
                shop[keyPath: list] = shop[keyPath: list].map { $0.replacing(one.old, with: one.new) }
                #expect(shop[keyPath: list] != Self.shop[keyPath: list])
                let (table, findings) = try shop.report(Self.request(.sales))
                let wanted = isList ? one.ofList : one.ofOrder
                let ofReports = wanted.filter { !$0.contains("paid") }
                #expect(Set(findings.map { "\($0.kind) \($0.amount ?? 0)" }) == Set(ofReports), "\(one): \(findings)")
                let unchanged = Tests.sums(try Self.shop.report(Self.request(.sales)).table)
                #expect((Tests.sums(table) == unchanged) == !isList, "\(one)")
                var run = ReconcileRun(try Self.request(.sales))
                for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
                for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
                #expect(run.finish().map { "\($0.kind) \($0.amount ?? 0)" } == wanted.sorted(), "\(one)")
            }
        }
    }

    @Test("a payment that its order has on another day is named on the day of the list, too", arguments: [-5, 1])
    func otherDay(days: Int64) throws {
        var shop = Self.shop
        shop.orders = shop.orders.map { $0.replacing("\(Self.noon)", with: "\(Self.noon + days * 86_400_000)") }
        #expect(shop.orders != Self.shop.orders)
        #expect(try shop.report(Self.request(.sales)).findings.map(\.kind) == ["payment_not_in_order"])
        var run = ReconcileRun(try Self.request(.sales))
        for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
        #expect(run.finish().map(\.kind) == ["payment_not_in_order"])
    }

    @Test(
        "the first thousand unreadable records are named, and the others are mentioned", arguments: [1000, 1001, 3000])
    func manyUnreadable(count: Int) throws {
        var shop = Self.shop
        shop.payments += (0..<count).map { #"{"id":"X\#($0)"}"# }
        let unreadable = try shop.report(Self.request(.sales)).findings.filter { $0.kind == "unreadable_record" }
        #expect(unreadable.count == min(count, 1001))
        #expect(unreadable.last?.identifiers == (count > 1000 ? [:] : ["payment": "X999"]))
    }
}
