import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("report and reconcile")
struct ReportTests {
    /// A shop with one order of 2026-10-05, 12:00 in New York, that was paid with 10.15 and a tip of 1.50, of which 5.83
    /// were given back on the next day.
    final class Shop: Sendable {
        /// What a list is answered with in place of its records.
        let faults = Mutex<[String: LoopbackResponse]>([:])
        /// The currencies of merchants; USD for others.
        let currencies = Mutex<[String: String]>([:])
        /// The time zones of merchants; New York for others.
        let zones = Mutex<[String: String]>([:])
        /// The merchant whose payments cannot be read.
        let failing = Mutex<String?>(nil)
        let records = Mutex<[String: [String]]>([
            "payments": [ReportTests.payment], "orders": [ReportTests.order()],
            "refunds": [
                #"{"id":"R1","amount":583,"taxAmount":43,"createdTime":1791302400000,"employee":{"id":"E2"},"#
                    + #""payment":{"id":"P1","amount":1015,"tipAmount":150,"order":{"id":"O1"}},"#
                    + #""lineItems":{"elements":[{"id":"L2","name":"Cake","price":600}]}}"#
            ],
            "employees": [#"{"id":"E1","name":"Ann"}"#, #"{"id":"E2","name":"Bo"}"#],
        ])

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            let list = String(request.path.split(separator: "/").last ?? "")
            if let merchant = failing.withLock({ $0 }), request.path.contains("/\(merchant)/payments") {
                return LoopbackResponse(status: "500 Error", "{}")
            }
            if let fault = faults.withLock({ $0[list] }) { return fault }
            if list == "properties" {
                let merchant = request.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
                let currency = currencies.withLock { $0[merchant] } ?? "USD"
                let zone = zones.withLock { $0[merchant] } ?? "America/New_York"
                return LoopbackResponse(#"{"timezone":"\#(zone)","defaultCurrency":"\#(currency)"}"#)
            }
            if request.path.split(separator: "/").dropLast().last == "merchants" {
                return LoopbackResponse(#"{"id":"\#(list)","name":"Shop"}"#)
            }
            return .page(records.withLock { $0[list] ?? [] })
        }

        static func run(_ body: (Sandbox, Shop, LoopbackServer) async throws -> Void) async throws {
            let shop = Shop()
            try await Sandbox.run(server: { request, _ in shop.answer(request) }) { try await body($0, shop, $1) }
        }
    }

    static let payment =
        #"{"id":"P1","order":{"id":"O1"},"amount":1015,"tipAmount":150,"taxAmount":75,"createdTime":1791216000000,"#
        + #""result":"SUCCESS","employee":{"id":"E1"},"tender":{"id":"T1","label":"Cash"}}"#

    static func order(total: Int = 1015) -> String {
        #"{"id":"O1","total":\#(total),"employee":{"id":"E1"},"lineItems":{"elements":["#
            + #"{"id":"L1","name":"Coffee","price":400},{"id":"L2","name":"Cake","price":600,"#
            + #""discounts":{"elements":[{"name":"Happy hour","percentage":10}]}}]},"payments":{"elements":[\#(payment)]}}"#
    }

    /// What each row says of its numbers.
    static let facts = #""period":"2026-10-05 to 2026-10-06","zone":"America/New_York","currency":"USD""#

    static let sales = ["report", "sales", "--period", "2026-10-05..2026-10-06"]

    @Test("--max-time ends a jq program that never ends: 83", arguments: [["report", "sales"], ["reconcile"]])
    func endlessProgram(command: [String]) async throws {
        try await Shop.run { sandbox, _, _ in
            let result = try await sandbox.clover(
                command + ["--period", "2026-10-05", "--jq", "last(range(1e12))", "--slurp", "--max-time", "2"])
            #expect(result.status == 83, "\(result)")
        }
    }

    @Test("a narrow table keeps what its net sales are made of")
    func narrow() async throws {
        try await Shop.run { sandbox, _, _ in
            let result = try await sandbox.startOnTerminal(Self.sales, columns: 80).result()
            #expect(result.ending == .exited(0), "\(result)")
            let head = result.terminalText.split(whereSeparator: \.isNewline).first { $0.contains("GROSS") }
            for title in ["GROSS", "DISCOUNTS", "REFUNDS", "MANUAL REFUNDS", "NET"] {
                #expect(head?.contains(title) == true, "\(result)")
            }
        }
    }

    @Test("item names have the width that is there; whether a row is revenue is a column only where not all are")
    func itemNames() async throws {
        let name = "A name of forty-five characters, more or less"
        for (kind, isMixed) in [("true", false), ("false", true)] {
            try await Shop.run { sandbox, shop, _ in
                let coffee = #""name":"\#(name)","isRevenue":\#(kind)"#
                shop.records.withLock { records in
                    records["orders"] = [Self.order().replacing(#""name":"Coffee""#, with: coffee)]
                }
                let items = ["report", "items", "--period", "2026-10-05", "--no-pager"]
                let result = try await sandbox.startOnTerminal(items, columns: 100).result()
                #expect(result.ending == .exited(0), "\(result)")
                #expect(result.terminalText.contains("REVENUE") == isMixed, "\(result)")
                #expect(result.terminalText.contains(name + " ") != isMixed, "\(result)")
            }
        }
    }

    @Test("a table of 40 columns keeps an amount beside each day of a comparison")
    func narrowComparison() async throws {
        try await Shop.run { sandbox, _, _ in
            let result = try await sandbox.startOnTerminal(
                Self.sales + ["--by", "day", "--compare", "previous", "--no-pager"], columns: 40
            ).result()
            #expect(result.ending == .exited(0), "\(result)")
            for line in [
                "2026-10-05 …  2026-10-05  $10.00   $9.40", "2026-10-03 …  2026-10-04   $0.00   $0.00",
                "2026-10-05 …  Total       $10.00   $4.00",
            ] {
                #expect(result.terminalText.contains(line), "\(line): \(result)")
            }
        }
    }

    @Test("a full disk ends a workbook and a page with 74, as other output")
    func fullDisk() async throws {
        try await Shop.run { sandbox, _, _ in
            for options in [["--format", "xlsx"], ["--format", "csv"]] {
                let result = try await sandbox.clover(Self.sales + options, output: .file("/dev/full"))
                expectFailure(result, status: 74, saying: "No space left")
            }
            let page = try await sandbox.clover(Self.sales + ["--html", "/dev/full"])
            expectFailure(page, status: 74, saying: "cannot write /dev/full: No space left", output: nil)
        }
    }

    @Test("a report has its measures, in the shop's days")
    func sales() async throws {
        try await Shop.run { sandbox, _, _ in
            let days = try await sandbox.clover(Self.sales + ["--by", "day"])
            expectSuccess(days)
            #expect(
                days.lines == [
                    #"{"day":"2026-10-05","orders":1,"grossSales":1000,"discounts":60,"refunds":0,"manualRefunds":0,"#
                        + #""netSales":940,"tax":75,"serviceCharges":0,"tips":150,"nonRevenue":0,"#
                        + #""amountCollected":1165,"unpaidBalance":0,\#(Self.facts)}"#,
                    #"{"day":"2026-10-06","orders":0,"grossSales":0,"discounts":0,"refunds":540,"manualRefunds":0,"#
                        + #""netSales":-540,"tax":-43,"serviceCharges":0,"tips":0,"nonRevenue":0,"#
                        + #""amountCollected":-583,"unpaidBalance":0,\#(Self.facts)}"#,
                ], "\(days)")
            let employees = try await sandbox.clover(
                "report", "employees", "--period", "2026-10-05..2026-10-06", "--format", "csv", "--fields",
                "name,orders,refunds")
            #expect(employees.outputText == "name,orders,refunds\r\nAnn,1,0\r\nBo,0,583\r\n", "\(employees)")
            // In Tokyo it was 01:00 on the next day.
            let tokyo = try await sandbox.clover(
                "report", "sales", "--period", "2026-10-06", "--zone", "Asia/Tokyo", "--jq", ".orders")
            #expect(tokyo.outputText == "1\n", "\(tokyo)")
            let late = try await sandbox.clover(
                "report", "sales", "--period", "2026-10-04", "--day-start", "13:00", "--jq", ".orders")
            #expect(late.outputText == "1\n", "\(late)")
        }
    }

    @Test("--explain names the lists, the days and whose they are, and reads no list")
    func explain() async throws {
        try await Shop.run { sandbox, _, server in
            for command in [Self.sales, ["reconcile", "--period", "2026-10-05..2026-10-06"]] {
                let result = try await sandbox.clover(command + ["--explain", "--day-start", "04:00"])
                expectSuccess(result)
                let line = try JSONValue(result.outputText)
                #expect(line["from"]?.string == "2026-10-05T08:00:00.000Z", "\(result)")
                #expect(line["to"]?.string == "2026-10-07T08:00:00.000Z", "\(result)")
                #expect(line["zone"]?.string == "America/New_York", "\(result)")
                #expect(line["callsAtLeast"] == .integer(3), "\(result)")
            }
            #expect(server.requests.map(\.path).allSatisfy { $0.hasSuffix("/properties") })
            #expect(server.requests.count == 1)
        }
    }

    @Test("a table has a head, which says what the report is proved by, and a total")
    func table() async throws {
        try await Shop.run { sandbox, _, _ in
            let session = try sandbox.startOnTerminal(Self.sales + ["--by", "day"], columns: 200)
            #expect(try await session.result().ending == .exited(0))
            let text = session.screen.text
            for part in [
                "Sales by day, 2026-10-05 to 2026-10-06 (America/New_York)", "all totals agree", "DAY", "2026-10-06",
                "Total            1  $10.00", "$5.82",
            ] { #expect(text.contains(part), "\(part): \(text)") }
        }
    }

    @Test("a comparison has both periods and the change")
    func comparison() async throws {
        try await Shop.run { sandbox, _, _ in
            let result = try await sandbox.clover(
                "report", "sales", "--period", "2026-10-06", "--compare", "previous", "--jq", "[.period,.netSales]")
            expectSuccess(result)
            #expect(
                result.lines == [#"["2026-10-06",-540]"#, #"["2026-10-05",940]"#, #"["change",-1480]"#], "\(result)")
        }
    }

    @Test("a report that does not add up is printed, names the orders, and ends with 79; its receipt is not complete")
    func contradiction() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.records.withLock {
                $0["orders"] = [Self.order(total: 1500).replacing("\"price\":400", with: "\"price\":885")]
            }
            let part = try await sandbox.clover(Self.sales + ["--jq", ".unpaidBalance"])
            #expect(part.ending == .exited(0) && part.outputText == "485\n", "\(part)")
            #expect(part.errorText.contains("1 order partly paid ($4.85)"), "\(part)")
            shop.records.withLock { $0["orders"] = [Self.order(total: 900)] }
            let result = try await sandbox.clover(Self.sales + ["--receipt", sandbox.directory["receipt"]])
            expectFailure(result, status: 79, saying: "O1", "does not add up: 1 finding", output: nil)
            #expect(result.outputText.contains(#""grossSales":1000"#))
            let receipt = try JSONValue(try String(contentsOfFile: sandbox.directory["receipt"], encoding: .utf8))
            #expect(receipt["complete"] == .bool(false) && receipt["path"] == .string("report sales"), "\(receipt)")
            let table = try await sandbox.startOnTerminal(Self.sales, columns: 200).result()
            #expect(table.terminalText.contains("  does not add up: "), "\(table)")
            #expect(!table.terminalText.contains("complete:"), "\(table)")
        }
    }

    @Test("money without an amount, or a negative one, is named; the rest is printed, with the status 79")
    func unusableAmounts() async throws {
        try await Shop.run { sandbox, shop, _ in
            for (old, new, field) in [
                (#""amount":1015,"#, "", "amount"), (#""amount":1015,"#, #""amount":null,"#, "amount"),
                (#""amount":1015,"#, #""amount":-1015,"#, "amount"),
                (#""tipAmount":150"#, #""tipAmount":-1"#, "tipAmount"),
            ] {
                shop.records.withLock { $0["payments"] = [Self.payment.replacing(old, with: new)] }
                for report in [Self.sales, ["report", "tenders", "--period", "2026-10-05"]] {
                    let result = try await sandbox.clover(report)
                    expectFailure(result, status: 79, saying: "P1", "no usable '\(field)'", output: nil)
                    #expect(result.lines.count == 1, "\(result)")
                }
            }
        }
    }

    @Test("an order without lines counts with its total, without tax")
    func noLines() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.records.withLock {
                $0["orders"] = [#"{"id":"O1","total":1015,"payments":{"elements":[\#(Self.payment)]}}"#]
            }
            let result = try await sandbox.clover(
                "report", "sales", "--period", "2026-10-05", "--jq", "[.grossSales,.tax,.unpaidBalance]")
            #expect(result.ending == .exited(0) && result.lines == ["[940,75,0]"], "\(result)")
            let items = try await sandbox.clover(
                "report", "items", "--period", "2026-10-05", "--jq", "[.name,.netSales]")
            #expect(items.lines.contains(#"["(no line items)",940]"#), "\(items)")
            expectSuccess(try await sandbox.clover("reconcile", "--period", "2026-10-05"))
        }
    }

    @Test("reconcile is silent if all agrees, and otherwise names what does not, with 82")
    func reconcile() async throws {
        try await Shop.run { sandbox, shop, _ in
            let period = ["reconcile", "--period", "2026-10-05..2026-10-06"]
            let quiet = try await sandbox.clover(period)
            expectSuccess(quiet)
            #expect(quiet.outputText == "")
            let second = Self.payment.replacing("P1", with: "P2")
            shop.records.withLock {
                $0["payments"]?.append(second)
                $0["orders"] = [Self.order().replacing("\(Self.payment)]", with: "\(Self.payment),\(second)]")]
            }
            let result = try await sandbox.clover(period)
            expectFailure(result, status: 82, saying: "1 finding for 2026-10-05 to 2026-10-06", output: nil)
            let finding = try JSONValue(result.outputText)
            #expect(finding["kind"] == .string("paid_twice") && finding["order"] == .string("O1"), "\(result)")
            #expect(finding["payment"] == .string("P2") && finding["amount"]?.integer == 1015, "\(result)")
        }
    }

    @Test("the note that prices contain tax comes in a pipe, too")
    func containedTax() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.records.withLock {
                $0["orders"] = [Self.order(total: 940).replacing(#""total""#, with: #""isVat":true,"total""#)]
            }
            for report in ["items", "sales"] {
                let result = try await sandbox.clover("report", report, "--period", "2026-10-05")
                #expect(result.errorText.components(separatedBy: "Prices contain tax").count == 2, "\(result)")
            }
            // Also on a day without sales.
            for (day, tax) in [("2026-10-05", 75), ("2026-10-03", 0)] {
                let result = try await sandbox.clover(
                    "report", "sales", "--period", day, "--fields", "includedTax", "--format", "csv")
                #expect(result.ending == .exited(0), "\(result)")
                #expect(result.outputText == "includedTax\r\n\(tax)\r\n", "\(result)")
            }
            // The tax of a payment whose order is gone is in no item.
            shop.records.withLock {
                $0["payments"]?.append(Self.payment.replacing("P1", with: "P9").replacing("O1", with: "O9"))
            }
            shop.faults.withLock { $0["O9"] = LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#) }
            let gone = try await sandbox.clover("report", "items", "--period", "2026-10-05")
            #expect(gone.ending == .exited(0) && !gone.errorText.contains("add up"), "\(gone)")
        }
    }

    @Test("several shops have a row each and a total, and a shop with two names counts once")
    func shops() async throws {
        try await Shop.run { sandbox, shop, server in
            for (merchant, name) in [("M1", "north"), ("M2", "south"), ("M2", "southern")] {
                let result = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", merchant, "--environment", server.url, "--profile",
                    name,
                    input: .text("\(merchant)-token\n"))
                try #require(result.ending == .exited(0), "\(result)")
            }
            let result = try await sandbox.clover(Self.sales + ["--profiles", "all", "--jq", "[.shop, .orders]"])
            #expect(result.ending == .exited(0) && result.lines == [#"["north",1]"#, #"["south",1]"#], "\(result)")
            #expect(result.errorText.contains("southern is the same shop as south"), "\(result)")
            let session = try sandbox.startOnTerminal(Self.sales + ["--profiles", "north,south"], columns: 200)
            #expect(try await session.result().ending == .exited(0))
            #expect(session.screen.text.contains("Total       2  $20.00"), "\(session.screen.text)")
            // Of two currencies.
            shop.currencies.withLock { $0 = ["M1": "EUR"] }
            let money = Self.sales + ["--profiles", "north,south"]
            try FileManager.default.removeItem(atPath: sandbox.directory["state/merchant-settings"])
            let mixed = try await sandbox.clover(money + ["--format", "csv", "--fields", "shop,currency,grossSales"])
            #expect(
                mixed.outputText == "shop,currency,grossSales\r\nnorth,EUR,1000\r\nsouth,USD,1000\r\n", "\(mixed)")
            let table = try sandbox.startOnTerminal(money, columns: 200)
            #expect(try await table.result().ending == .exited(0))
            for part in ["Total  EUR", "€10.00", "Total  USD", "$10.00"] {
                #expect(table.screen.text.contains(part), "\(part): \(table.screen.text)")
            }
            // One shop that fails leaves the others.
            shop.failing.withLock { $0 = "M1" }
            let part = try await sandbox.clover(
                Self.sales + ["--profiles", "all", "--jq", "[.shop, .orders]", "--retry", "0"])
            expectFailure(
                part, status: 82, saying: "north: ", "north failed; the report has the other shops only", output: nil)
            #expect(part.lines == [#"["south",1]"#] && part.errorText.contains("Not in this report: north."), "\(part)")
            expectFailure(
                try await sandbox.clover(Self.sales + ["--profiles", "north", "--retry", "0"]), status: 69,
                saying: "500", output: nil)
            expectFailure(
                try await sandbox.clover(Self.sales + ["--profiles", "all", "--zone", "Mars/X"]), status: 64,
                saying: "Mars/X")
            expectFailure(
                try await sandbox.clover(Self.sales + ["--profiles", "west"]), status: 77,
                saying: "no sign-in has the name")
        }
    }

    @Test(
        "wrong usage is refused before anything is sent",
        arguments: [
            (["report", "sale"], "sale"), (["report", "items", "--by", "day"], "no --by"),
            (["report", "sales", "--by", "employee"], "day, week, month, hour"),
            (["report", "sales", "--period", "yesterdya"], "did you mean yesterday"),
            (["report", "sales", "--period", "2026-02-30"], "is not a period"),
            (["report", "sales", "--day-start", "4"], "--day-start 04:00"),
            (["report", "sales", "--zone", "Europe/Berlim"], "Europe/Berlin"),
            (["reconcile", "--period", "soon"], "is not a period"),
            (["report", "sales", "--profiles", ""], "--profiles takes names separated by commas, or all"),
            (["report", "sales", "--profiles", ","], "--profiles takes names separated by commas, or all"),
            (["report", "refunds", "--without", "refunds"], "needs the refunds, which --without excludes"),
        ])
    func usage(_ arguments: [String], _ part: String) async throws {
        try await Shop.run { sandbox, _, server in
            expectFailure(try await sandbox.clover(arguments), status: 64, saying: part)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a period that is reversed or has not begun is refused, and one without sales is zeros and a notice")
    func periods() async throws {
        try await Shop.run { sandbox, _, _ in
            expectFailure(
                try await sandbox.clover("report", "sales", "--period", "2026-10-06..2026-10-05"), status: 64,
                saying: "ends before it begins")
            expectFailure(
                try await sandbox.clover("report", "sales", "--period", "2199"), status: 64, saying: "has not begun",
                "at the shop")
            let empty = try await sandbox.clover("report", "sales", "--period", "2025-01", "--jq", ".orders")
            #expect(empty.ending == .exited(0) && empty.outputText == "0\n", "\(empty)")
            #expect(empty.errorText == "clover: no sales in this period\n", "\(empty)")
            let hours = try await sandbox.clover("report", "hours", "--period", "2025-01")
            #expect(
                hours.outputText
                    == #"{"weekday":null,"hour":null,"orders":0,"grossSales":0,"discounts":0,"period":"2025-01-01 to 2025-01-31","#
                    + #""zone":"America/New_York","currency":"USD"}"# + "\n", "\(hours)")
            let items = try await sandbox.clover("report", "items", "--period", "2025-01")
            let zeros = #""quantity":0,"lines":0,"grossSales":0,"discounts":0,"refunds":0,"netSales":0,"period":"#
            #expect(items.outputText.hasPrefix(#"{"id":null,"name":null,"revenue":null,"# + zeros), "\(items)")
            #expect(items.errorText == "clover: no sales in this period\n", "\(items)")
            let refunds = try await sandbox.clover(
                "report", "refunds", "--period", "2025-01", "--jq", "[.id,.amount,.goods,.tax,.tip,.days]")
            #expect(refunds.lines == ["[null,0,0,0,0,null]"], "\(refunds)")
            #expect(refunds.errorText == "clover: no refunds in this period\n", "\(refunds)")
        }
    }

    @Test("the emulator's shop: the amount collected is that of the raw lists, and every report adds up")
    func emulator() async throws {
        try await Sandbox.run(emulator: ["--orders", "400"]) { sandbox, _ in
            func sum(_ list: String, _ program: String) async throws -> Int {
                let result = try await sandbox.clover("get", list, "--all", "--slurp", "--jq", program)
                return try #require(Int(result.outputText.dropLast()), "\(result)")
            }
            let taken = try await sum(
                "payments", #"map(select(.result == "SUCCESS") | .amount + (.tipAmount // 0)) | add // 0"#)
            let back = try await sum("refunds", "map(select(.voided != true) | .amount) | add // 0")
            let credits = try await sum(
                "credits", #"map(select(.voided != true and (.result // "SUCCESS") == "SUCCESS") | .amount) | add // 0"#
            )
            var collected = 0
            for year in 2025...2027 {
                let result = try await sandbox.clover(
                    "report", "sales", "--period", "\(year)", "--jq", ".amountCollected")
                guard result.ending != .exited(64) else { continue }
                #expect(result.ending == .exited(0), "\(result)")
                collected += try #require(Int(result.outputText.dropLast()))
            }
            #expect(taken > 0 && collected == taken - back - credits)
            for report in [
                "items", "categories", "employees", "tenders", "taxes", "tips", "discounts", "refunds", "hours",
            ] {
                let result = try await sandbox.clover("report", report, "--period", "this-year")
                #expect(result.ending == .exited(0), "\(result)")
            }
        }
    }
}
