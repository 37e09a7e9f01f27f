import CloverCalendar
import CloverReports
import Testing

/// Reports of small shops whose numbers were worked out by hand.
@Suite("Reports")
struct ReportRunTests {
    /// A shop's records as JSON.
    struct Shop: Equatable {
        var payments: [String] = []
        var refunds: [String] = []
        var credits: [String] = []
        var orders: [String] = []
        /// Payments that exist and are of other days; nil if they cannot be looked up.
        var others: [String: String]?
        /// The line items of orders whose records lack them, as arrays.
        var lines: [String: String] = [:]

        func report(_ request: ReportRequest, names: ReportNames = ReportNames()) throws -> (
            table: ReportTable, findings: [ReportFinding]
        ) {
            var run = ReportRun([request])
            add(to: &run)
            if let others {
                for text in run.lookUpRefundedPayments().compactMap({ others[$0] }) {
                    Array(text.utf8).withUnsafeBytes { run.add(refundedPayment: $0) }
                }
            }
            return run.finish(names: names)[0]
        }

        func add(to run: inout ReportRun) {
            for text in payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
            for text in refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
            for text in credits { Array(text.utf8).withUnsafeBytes { run.add(credit: $0) } }
            for text in orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
            for (id, lines) in lines { run.add(.list(Array(lines.utf8)), ofOrder: id) }
        }
    }

    static func request(
        _ report: ReportName, by grouping: ReportGrouping? = nil, _ period: String = "2026-10-05..2026-10-06",
        zone: String = "America/New_York", start: Int = 0, currency: String = "USD"
    ) throws -> ReportRequest {
        let calendar = BusinessCalendar(zone: try TimeZoneRules(named: zone), startMinute: start)
        return ReportRequest(
            report, by: grouping, calendar: calendar, period: try Period(parsing: period, today: 30_000),
            currency: currency)
    }

    /// The values of a row by column; text and numbers as text.
    static func row(_ table: ReportTable, _ values: [ReportTable.Value]) -> [String: String] {
        var result: [String: String] = [:]
        for (column, value) in zip(table.columns, values) {
            switch value {
            case .text(let text): result[column.name] = text
            case .integer(let number): result[column.name] = String(number)
            case .none: continue
            }
        }
        return result
    }

    static func sums(_ table: ReportTable) -> [String: String] { row(table, table.total ?? table.rows[0]) }

    private static let noon: Int64 = 1_791_216_000_000  // 2026-10-05 12:00 in New York
    private static let day: Int64 = 86_400_000

    /// A payment with the time in its own fields, as a record and as an entry of its order.
    private static func payment(
        _ id: String, of order: String, _ amount: Int64, tip: Int64 = 0, tax: Int64 = 0, at time: Int64 = noon,
        _ more: String = #","result":"SUCCESS""#
    ) -> String {
        #"{"id":"\#(id)","order":{"id":"\#(order)"},"amount":\#(amount),"tipAmount":\#(tip),"taxAmount":\#(tax),"#
            + #""createdTime":\#(time),"employee":{"id":"E1"},"tender":{"id":"T1","label":"Cash"}\#(more)}"#
    }

    /// - Parameter lines: those that begin with their price get an id.
    private static func order(
        _ id: String, total: Int64, lines: [String], payments: [String] = [], _ more: String = ""
    ) -> String {
        let lines = lines.joined(separator: ",").replacing(#"{"price""#, with: #"{"id":"L","price""#)
        return #"{"id":"\#(id)","total":\#(total),"employee":{"id":"E1"},"#
            + #""lineItems":{"elements":[\#(lines)]},"#
            + #""payments":{"elements":[\#(payments.joined(separator: ","))]}\#(more)}"#
    }

    /// A coffee of 400 and a cake of 600 with 10 % off (60), tax 8 % of 940 = 75.2 -> 75, tip 150.
    private static let plain: Shop = {
        let paid = payment("P1", of: "O1", 1015, tip: 150, tax: 75)
        let lines = [
            #"{"id":"L1","item":{"id":"I1"},"name":"Coffee","price":400}"#,
            #"{"id":"L2","item":{"id":"I2"},"name":"Cake","price":600,"#
                + #""discounts":{"elements":[{"name":"Happy hour","percentage":10}]}}"#,
        ]
        return Shop(payments: [paid], orders: [order("O1", total: 1015, lines: lines, payments: [paid])])
    }()

    @Test("a plain sale")
    func sale() throws {
        let (table, findings) = try Self.plain.report(try Self.request(.sales))
        #expect(findings.isEmpty)
        #expect(
            Self.sums(table) == [
                "orders": "1", "grossSales": "1000", "discounts": "60", "refunds": "0", "manualRefunds": "0",
                "netSales": "940", "tax": "75", "serviceCharges": "0", "tips": "150", "nonRevenue": "0",
                "amountCollected": "1165", "unpaidBalance": "0",
            ])
        #expect(table.period == "2026-10-05 to 2026-10-06" && table.clock == "America/New_York")
    }

    @Test("a part is given back the next day: the refund counts on its own day, and on the line that came back")
    func partialRefund() throws {
        var shop = Self.plain
        // The cake cost 540 and 43.2 tax: 583.
        shop.refunds = [
            #"{"id":"R1","amount":583,"taxAmount":43,"createdTime":\#(Self.noon + Self.day),"employee":{"id":"E2"},"#
                + #""payment":{"id":"P1","amount":1015,"createdTime":\#(Self.noon),"order":{"id":"O1"}},"#
                + #""lineItems":{"elements":[{"id":"L2","name":"Cake","price":600}]}}"#
        ]
        let days = try shop.report(try Self.request(.sales, by: .day))
        #expect(days.findings.isEmpty)
        let rows = days.table.rows.map { Self.row(days.table, $0) }
        #expect(rows.map { $0["netSales"] } == ["940", "-540"])
        #expect(rows.map { $0["tax"] } == ["75", "-43"])
        #expect(rows.map { $0["amountCollected"] } == ["1165", "-583"])
        let items = try shop.report(try Self.request(.items))
        #expect(items.findings.isEmpty)
        let cake = try #require(items.table.rows.map { Self.row(items.table, $0) }.first { $0["name"] == "Cake" })
        #expect(cake["id"] == "I2" && cake["grossSales"] == "600" && cake["discounts"] == "60")
        #expect(cake["refunds"] == "540" && cake["netSales"] == "0" && cake["quantity"] == "1000")
        let refunds = try shop.report(try Self.request(.refunds))
        let back = Self.row(refunds.table, refunds.table.rows[0])
        #expect(back["days"] == "1" && back["goods"] == "540" && back["employee"] == "E2" && back["kind"] == "refund")
        let discounts = try shop.report(try Self.request(.discounts))
        #expect(
            Self.row(discounts.table, discounts.table.rows[0]) == ["name": "Happy hour", "count": "1", "amount": "60"])
    }

    @Test("what does not count: failed, voided, authorised, pending, test orders and open orders")
    func excluded() throws {
        var shop = Self.plain
        for (place, result) in ["FAIL", "VOIDED", "AUTH", "PENDING", "INITIATED"].enumerated() {
            let paid = Self.payment("F\(place)", of: "OF\(place)", 500, #","result":"\#(result)""#)
            shop.payments.append(paid)
            shop.orders.append(
                Self.order("OF\(place)", total: 500, lines: [#"{"price":500}"#], payments: [paid]))
        }
        shop.orders.append(Self.order("OPEN", total: 900, lines: [#"{"price":900}"#]))
        let test = Self.payment("PT", of: "OT", 700)
        shop.payments.append(test)
        shop.orders.append(
            Self.order("OT", total: 700, lines: [#"{"price":700}"#], payments: [test], #","testMode":true"#))
        shop.payments.append(Self.payment("PV", of: "OV", 300, #","result":"VOID_FAILED""#))
        let (table, findings) = try shop.report(try Self.request(.sales))
        #expect(findings.map(\.kind) == ["undecided_payment"])
        #expect(Self.sums(table) == Self.sums(try Self.plain.report(try Self.request(.sales)).table))
        #expect(table.remarks.contains { $0.contains("VOID_FAILED") && $0.contains("$3.00") }, "\(table.remarks)")
    }

    @Test("gift cards sold, service charges and order fees have their own columns")
    func otherMoney() throws {
        // 1000 goods + 2500 gift card = 3500; 10 % service charge on it: 350; a fee of 99; tax 80.
        let paid = Self.payment("P1", of: "O1", 4029, tax: 80)
        let lines = [
            #"{"price":1000,"name":"Lunch"}"#, #"{"price":2500,"name":"Gift card","isRevenue":false}"#,
            #"{"price":99,"name":"Fee","isOrderFee":true}"#,
        ]
        let shop = Shop(
            payments: [paid],
            orders: [
                Self.order(
                    "O1", total: 4029, lines: lines, payments: [paid], #","serviceCharge":{"percentageDecimal":100000}"#
                )
            ])
        let (table, findings) = try shop.report(try Self.request(.sales))
        #expect(findings.isEmpty, "\(findings)")
        let sums = Self.sums(table)
        #expect(sums["grossSales"] == "1000" && sums["netSales"] == "1000" && sums["nonRevenue"] == "2500")
        #expect(sums["serviceCharges"] == "449" && sums["unpaidBalance"] == "0")
        let items = try shop.report(try Self.request(.items))
        #expect(items.findings.isEmpty)
        #expect(
            items.table.rows.map { Self.row(items.table, $0) }.map { [$0["name"], $0["revenue"], $0["netSales"]] }
                == [["Gift card", "no", "2500"], ["Lunch", "yes", "1000"]])
    }

    @Test("in a shop whose prices contain tax, net sales do not")
    func included() throws {
        // 11.90 with 19 %: 1190 * 19 / 119 = 190. The refund of 2.38 contains 38.
        let paid = Self.payment(
            "P1", of: "O1", 1190, tax: 190,
            #","result":"SUCCESS","taxRates":{"elements":[{"id":"V","name":"MwSt","rate":1900000,"#
                + #""taxableAmount":1190}]}"#)
        let back =
            #"{"id":"R1","amount":238,"taxAmount":38,"createdTime":\#(Self.noon),"#
            + #""payment":{"id":"P1","order":{"id":"O1"}},"lineItems":{"elements":[{"id":"L2"}]}}"#
        let lines = [
            #"{"id":"L1","name":"Buch","price":952}"#, #"{"id":"L2","name":"Heft","price":238}"#,
        ]
        let shop = Shop(
            payments: [paid], refunds: [back],
            orders: [Self.order("O1", total: 1190, lines: lines, payments: [paid], #","isVat":true"#)])
        let (table, findings) = try shop.report(try Self.request(.sales, zone: "Europe/Berlin", currency: "EUR"))
        #expect(findings.isEmpty, "\(findings)")
        let sums = Self.sums(table)
        #expect(sums["grossSales"] == "1190" && sums["includedTax"] == "190")
        // 1190 - (238 - 38) - 190.
        #expect(sums["refunds"] == "200" && sums["netSales"] == "800" && sums["tax"] == "152")
        #expect(sums["amountCollected"] == "952" && sums["unpaidBalance"] == "0")
        // The items contain the tax, also those that came back.
        for (report, isWith) in [(ReportName.sales, false), (.items, true), (.categories, true)] {
            let notes = try shop.report(try Self.request(report, zone: "Europe/Berlin")).table.sentences
            #expect(notes.contains { $0.hasPrefix("Refunds are without tax and tip here") } != isWith, "\(notes)")
            #expect(notes.contains { $0.hasPrefix("Refunds are with tax, and without tip here") } == isWith)
        }
        let taxes = try shop.report(try Self.request(.taxes, zone: "Europe/Berlin"))
        #expect(taxes.findings.isEmpty)
        #expect(
            taxes.table.rows.map { Self.row(taxes.table, $0)["tax"] } == ["190", "-38"],
            "the refund names no rate, so its tax is in a separate row")
        let items = try shop.report(try Self.request(.items, zone: "Europe/Berlin"))
        #expect(items.findings.isEmpty, "\(items.findings)")
        #expect(items.table.rows.map { Self.row(items.table, $0)["netSales"] } == ["952", "0"])
    }

    @Test("taxes by month: each month has its rates, and what no rate is known of")
    func taxesByMonth() throws {
        let rate =
            #","result":"SUCCESS","taxRates":{"elements":[{"name":"Sales","rate":800000,"taxableAmount":940,"taxAmount":75}]}"#
        let month = 31 * Self.day
        let paid = [0, month].enumerated().map {
            Self.payment("P\($0)", of: "O\($0)", 1015, tax: 75, at: Self.noon + $1, rate)
        }
        let shop = Shop(
            payments: paid,
            credits: [
                #"{"id":"C1","amount":120,"taxAmount":20,"createdTime":\#(Self.noon + month),"tender":{"id":"T1"}}"#
            ],
            orders: paid.enumerated().map {
                Self.order("O\($0)", total: 1015, lines: [#"{"price":940}"#], payments: [$1])
            })
        let (table, findings) = try shop.report(try Self.request(.taxes, by: .month, "2026-10..2026-11"))
        #expect(findings.isEmpty, "\(findings)")
        #expect(
            table.rows.map { Self.row(table, $0) } == [
                ["month": "2026-10", "name": "Sales", "rate": "80000", "taxableAmount": "940", "tax": "75"],
                ["month": "2026-11", "name": "Sales", "rate": "80000", "taxableAmount": "940", "tax": "75"],
                ["month": "2026-11", "name": "(without a rate)", "taxableAmount": "0", "tax": "-20"],
            ])
        #expect(Self.sums(table) == ["tax": "130"])
        #expect(table.notes.contains { $0.hasPrefix("(without a rate) is tax") }, "\(table.notes)")
    }

    @Test(
        "quarters, and what they are compared with",
        arguments: [
            ("2026-Q3", "2026-07-01", "2026-09-30", "2026-04-01", "2026-06-30"),
            ("last-quarter", "2026-07-01", "2026-09-30", "2026-04-01", "2026-06-30"),
            ("this-quarter", "2026-10-01", "2026-11-20", "2026-07-01", "2026-08-20"),
            ("2026-q4", "2026-10-01", "2026-11-20", "2026-07-01", "2026-08-20"),
            ("2025-Q4..2026-Q1", "2025-10-01", "2026-03-31", "2025-04-01", "2025-09-30"),
        ])
    func quarters(_ text: String, _ first: String, _ last: String, _ before: String, _ until: String) throws {
        let today = try #require(CalendarDate.parse("2026-11-20"))
        let period = try Period(parsing: text, today: today)
        #expect([period.first, period.last].map(CalendarDate.text) == [first, last])
        #expect([period.previous.first, period.previous.last].map(CalendarDate.text) == [before, until])
        #expect(throws: PeriodError.malformed("2026-Q5")) { try Period(parsing: "2026-Q5", today: today) }
    }

    @Test("a comparison says by how much the amounts changed")
    func change() throws {
        let now = try Self.plain.report(try Self.request(.sales)).table
        var more = Self.plain
        more.credits = [#"{"id":"C1","amount":94,"createdTime":\#(Self.noon),"tender":{"id":"T1"}}"#]
        let before = try more.report(try Self.request(.sales)).table
        let notes = now.compared(with: before).notes
        let note = try #require(notes.first { $0.hasPrefix("Change: ") }, "\(notes)")
        #expect(note.contains("GROSS 0.0 %") && note.contains("NET +11.1 %"), "\(note)")
    }

    @Test("manual refunds, partly paid orders, payments twice and payments without an order are named")
    func unpaid() throws {
        let part = Self.payment("P1", of: "O1", 400)
        let twice = ["P2", "P3"].map { Self.payment($0, of: "O2", 500) }
        let shop = Shop(
            payments: [part, Self.payment("P4", of: "GONE", 250)] + twice,
            credits: [#"{"id":"C1","amount":120,"taxAmount":20,"createdTime":\#(Self.noon),"tender":{"id":"T1"}}"#],
            orders: [
                Self.order("O1", total: 1000, lines: [#"{"price":1000}"#], payments: [part]),
                Self.order("O2", total: 500, lines: [#"{"price":500}"#], payments: twice),
            ])
        let (table, findings) = try shop.report(try Self.request(.sales))
        #expect(findings.isEmpty, "\(findings)")
        let sums = Self.sums(table)
        // 1500 - 100 net, tax -20; collected 400 + 1000 + 250 - 120.
        #expect(sums["netSales"] == "1400" && sums["tax"] == "-20" && sums["amountCollected"] == "1530")
        // 600 owed, 500 too much, 250 without an order.
        #expect(sums["unpaidBalance"] == "-150")
        let note = try #require(
            table.remarks.first { $0.hasPrefix("Orders and payments that do not match, before tax:") })
        for part in [
            "1 order partly paid ($6.00)", "1 order paid more than once or too high (-$5.00: O2)",
            "1 payment without an order (-$2.50: P4 of GONE)",
        ] { #expect(note.contains(part), "\(note)") }
    }

    @Test("a day from 04:00, over the change of clocks")
    func clockChange() throws {
        // In New York, clocks go back on 2026-11-01 at 02:00 EDT. The business day of October 31 lasts from 04:00 EDT
        // to 04:00 EST: 25 hours.
        let start: Int64 = 1_793_433_600_000  // 2026-10-31 04:00 EDT
        var shop = Shop()
        for (place, hours) in [Int64(-1), 0, 22, 24, 25].enumerated() {
            let paid = Self.payment("P\(place)", of: "O\(place)", 100, at: start + hours * 3_600_000)
            shop.payments.append(paid)
            shop.orders.append(Self.order("O\(place)", total: 100, lines: [#"{"price":100}"#], payments: [paid]))
        }
        let request = try Self.request(.sales, by: .day, "2026-10-30..2026-11-01", start: 240)
        let (table, findings) = try shop.report(request)
        #expect(findings.isEmpty)
        let rows = table.rows.map { Self.row(table, $0) }
        // 22 hours after 04:00 EDT is 02:00 EDT, which becomes 01:00 EST; 24 hours after is 03:00 EST.
        #expect(rows.map { $0["orders"] } == ["1", "3", "1"])
        #expect(table.clock == "America/New_York, days from 04:00")
        let hours = try shop.report(try Self.request(.hours, "2026-10-31", start: 240))
        let times = hours.table.rows.map { Self.row(hours.table, $0) }
        #expect(
            times.map { [$0["weekday"], $0["hour"]] } == [["Saturday", "4"], ["Saturday", "1"], ["Saturday", "3"]],
            "in the order of the business day")
    }

    @Test("an order whose total contradicts its lines is a finding, and the report is still there")
    func contradiction() throws {
        let paid = Self.payment("P1", of: "O1", 900)
        let shop = Shop(
            payments: [paid], orders: [Self.order("O1", total: 900, lines: [#"{"price":1000}"#], payments: [paid])])
        let (table, findings) = try shop.report(try Self.request(.sales))
        #expect(findings.map(\.kind) == ["total_differs"] && findings[0].identifiers == ["order": "O1"])
        #expect(findings[0].amount == -100 && Self.sums(table)["grossSales"] == "1000")
    }

    @Test("a period without sales has its rows of zeros")
    func empty() throws {
        let sales = try Shop().report(try Self.request(.sales)).table
        #expect(sales.rows.count == 1 && Self.sums(sales).values.allSatisfy { $0 == "0" })
        let days = try Shop().report(try Self.request(.sales, by: .day)).table
        #expect(days.rows.count == 2)
        let items = try Shop().report(try Self.request(.items)).table
        #expect(items.rows.count == 1 && items.isEmpty)
    }
}
