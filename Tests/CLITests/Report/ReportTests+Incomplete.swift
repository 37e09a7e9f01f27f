import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Lists that fail, are incomplete, or must not be read.
extension ReportTests {
    @Test("a list that fails or must not be read ends the report with its status; --without leaves it out and says so")
    func faults() async throws {
        try await Shop.run { sandbox, shop, _ in
            for list in ["payments", "refunds", "credits", "orders"] {
                shop.faults.withLock { $0 = [list: LoopbackResponse(status: "500 Error", "{}")] }
                let result = try await sandbox.clover(Self.sales + ["--retry", "0"])
                expectFailure(result, status: 69, saying: list)
                shop.faults.withLock { $0 = [list: LoopbackResponse(#"{"elements":[{"id":"#)] }
                expectFailure(try await sandbox.clover(Self.sales + ["--retry", "0"]), status: 76, saying: list)
            }
            shop.faults.withLock {
                $0 = ["refunds": LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)]
            }
            expectFailure(
                try await sandbox.clover(Self.sales), status: 77, saying: "PAYMENTS_R", "--without refunds")
            let without = try await sandbox.clover(
                Self.sales + ["--without", "refunds", "--jq", "[.grossSales,.refunds,.netSales]", "--receipt", "-"])
            #expect(without.ending == .exited(0) && without.outputText == "[1000,null,null]\n", "\(without)")
            #expect(without.errorText.contains("--without asks: refunds"), "\(without)")
            #expect(without.errorText.contains(#""complete":true,"reasons":[],"omitted":["refunds"]"#), "\(without)")
            #expect(without.errorText.contains(#""records":2,"recordsRead":2"#), "\(without)")
            expectFailure(
                try await sandbox.clover("report", "categories", "--without", "names"), status: 64,
                saying: "clover report items")
        }
    }

    @Test(
        "a field that the report never has, and options that exclude each other, are refused before anything is read",
        arguments: [
            ["report", "sales", "--fields", "grosSales"], ["report", "sales", "--fields", "day"],
            ["report", "sales", "--fields", "orders", "--jq", "."], ["report", "items", "--fields", "tax"],
            ["reconcile", "--fields", "kinds"], ["reconcile", "--fields", "kind", "--jq", "."],
        ])
    func refusedAtOnce(_ command: [String]) async throws {
        try await Shop.run { sandbox, _, server in
            let word = command.contains("--jq") ? "--fields" : command.last ?? ""
            expectFailure(try await sandbox.clover(command), status: 64, saying: word)
            #expect(server.requests.isEmpty)
            let known = ["report", "sales", "--by", "day", "--compare", "previous", "--period", "2026-10-05"]
            let fields = "period,day,zone,currency,includedTax,netSales"
            let result = try await sandbox.clover(known + ["--fields", fields, "--format", "csv"])
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test("a service that does not select by time ends a report and a reconciliation with 76, without advice for 'get'")
    func unselected() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.faults.withLock {
                $0 = [
                    "payments": LoopbackResponse(
                        headers: ["Content-Type: application/json", "X-Clover-Allowed-Filter-Fields: id,amount"],
                        body: LoopbackResponse.envelope([]))
                ]
            }
            for command in [Self.sales, ["reconcile", "--period", "2026-10-05"]] {
                let result = try await sandbox.clover(command)
                expectFailure(result, status: 76, saying: "does not filter by createdTime here", "id, amount")
                for advice in ["--no-check", "--jq"] { #expect(!result.errorText.contains(advice), "\(result)") }
            }
        }
    }

    @Test("refunds and credits are read until their order proves that the rest is older; reconcile reads all refunds")
    func earlyEnd() async throws {
        let noon = 1_791_302_400_000
        let hour = 3_600_000
        let returns = (0..<5000).map { place in
            #"{"id":"X\#(place)","amount":1,"createdTime":\#(noon + (40 - place) * hour)}"#
        }
        for sorts in [true, false] {
            let shop = Shop()
            try await Sandbox.run(server: { request, _ in
                guard let list = request.path.split(separator: "/").last, ["refunds", "credits"].contains(list) else {
                    return shop.answer(request)
                }
                let isAscending = request.values(of: "orderBy").first?.hasSuffix("ASC") ?? false
                let records = sorts && isAscending ? returns.reversed() : returns
                return ServedList(records: records).answer(to: request)
            }) { sandbox, server in
                let report = Self.sales + ["--jq", "[.refunds,.manualRefunds]"]
                #expect(try await sandbox.clover(report).lines == ["[48,48]"])
                let pages = { server.requests.count { $0.path.hasSuffix("/refunds") } }
                #expect(sorts ? pages() <= 3 : pages() >= 5, "\(pages())")
                let before = pages()
                _ = try await sandbox.clover("reconcile", "--period", "2026-10-05")
                #expect(pages() - before >= 5)
            }
        }
    }

    @Test("a report with an incomplete list is printed, and ends with 79")
    func incomplete() async throws {
        try await Shop.run { sandbox, shop, _ in
            let line = #"{"id":"L1","name":"Coffee","price":400},"#
            shop.records.withLock {
                $0["orders"] = [Self.order().replacing(line, with: String(repeating: line, count: 99))]
            }
            shop.faults.withLock { $0 = ["line_items": LoopbackResponse(status: "500 Error", "{}")] }
            for command in [Self.sales, ["reconcile", "--period", "2026-10-05..2026-10-06"]] {
                let receipt = sandbox.directory["receipt"]
                let result = try await sandbox.clover(command + ["--retry", "0", "--receipt", receipt])
                expectFailure(result, status: 79, saying: "lineItems of O1", output: nil)
                #expect(result.lines.count >= 1, "\(result)")
                let proof = try JSONValue(try String(contentsOfFile: receipt, encoding: .utf8))
                #expect(proof["complete"] == .bool(false), "\(proof)")
            }
        }
    }

    @Test("an order that comes without line items is asked for them; only if that fails, it is named, with 79")
    func lineless() async throws {
        try await Shop.run { sandbox, shop, server in
            let list = /"lineItems":\{"elements":(\[.*?\}\]\}\}\])\},/
            let order = Self.order()
            let lines = try #require(order.firstMatch(of: list))
            shop.records.withLock { records in
                records["orders"] = [order.replacing(list, with: "")]
                records["line_items"] = [String(lines.1.dropFirst().dropLast())]
            }
            let period = ["--period", "2026-10-05..2026-10-06"]
            let sales = try await sandbox.clover(Self.sales + ["--jq", "[.grossSales,.discounts,.refunds]"])
            #expect(sales.ending == .exited(0) && sales.outputText == "[1000,60,540]\n", "\(sales)")
            let asked = server.requests.filter { $0.path.hasSuffix("/orders/O1/line_items") }
            #expect(
                !asked.isEmpty && asked.allSatisfy { $0.values(of: "expand") == ["discounts,modifications"] },
                "\(asked)")
            expectSuccess(try await sandbox.clover(["reconcile"] + period))
            shop.faults.withLock { $0 = ["line_items": LoopbackResponse(status: "500 Error", "{}")] }
            for command in [Self.sales, ["reconcile"] + period] {
                let result = try await sandbox.clover(command + ["--retry", "0"])
                expectFailure(result, status: 79, saying: "line items", output: nil)
                #expect((result.outputText + result.errorText).contains("O1"), "\(result)")
            }
            // One that has none.
            shop.faults.withLock { $0 = [:] }
            shop.records.withLock {
                $0["line_items"] = []; $0["refunds"] = []
            }
            let none = try await sandbox.clover(Self.sales + ["--jq", ".grossSales"])
            #expect(none.ending == .exited(0) && none.outputText == "940\n", "\(none)")
        }
    }

    @Test("a refund whose lines may be cut ends a report with 79, because they cannot be read separately")
    func cutRefund() async throws {
        try await Shop.run { sandbox, shop, _ in
            let line = #"{"id":"L2","name":"Cake","price":600}"#
            for (count, status) in [(99, Int32(0)), (100, 79)] {
                let lines = [String](repeating: line, count: count).joined(separator: ",")
                shop.records.withLock {
                    $0["refunds"] = $0["refunds"]?.map { $0.replacing("[\(line)]", with: "[\(lines)]") }
                }
                let result = try await sandbox.clover(Self.sales)
                #expect(result.ending == .exited(status), "\(count): \(result)")
                #expect(result.errorText.contains("lineItems of R1") == (status == 79), "\(count): \(result)")
                shop.records.withLock {
                    $0["refunds"] = $0["refunds"]?.map { $0.replacing("[\(lines)]", with: "[\(line)]") }
                }
            }
        }
    }

    @Test("a refund of another period whose lines may be cut does not matter")
    func oldCutRefund() async throws {
        try await Shop.run { sandbox, shop, _ in
            let line = #"{"id":"L2","name":"Cake","price":600}"#
            let lines = [String](repeating: line, count: 100).joined(separator: ",")
            shop.records.withLock { records in
                let old = records["refunds"]?[0].replacing("[\(line)]", with: "[\(lines)]")
                    .replacing("R1", with: "R0").replacing("1791302400000", with: "1790000000000")
                    .replacing(":583,", with: ":1,")
                records["refunds"]?.append(old ?? "")
            }
            let result = try await sandbox.clover(Self.sales + ["--jq", ".refunds"])
            #expect(result.ending == .exited(0) && result.outputText == "540\n", "\(result)")
            expectSuccess(try await sandbox.clover("reconcile", "--period", "2026-10-05..2026-10-06"))
        }
    }

    @Test("the receipt of a report that failed has its requests")
    func failedReceipt() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.faults.withLock { $0 = ["orders": LoopbackResponse(status: "500 Error", "{}")] }
            for command in [Self.sales, ["reconcile", "--period", "2026-10-05..2026-10-06"]] {
                let receipt = sandbox.directory["receipt"]
                let result = try await sandbox.clover(command + ["--retry", "0", "--receipt", receipt])
                #expect(result.ending == .exited(69), "\(result)")
                let proof = try JSONValue(try String(contentsOfFile: receipt, encoding: .utf8))
                // The lists, and the settings in the first run.
                #expect((proof["calls"]?.integer ?? 0) >= 4 && proof["records"]?.integer == 2, "\(proof)")
            }
        }
    }

    @Test("without the permission for the shop's settings, a report ends with 77 and says how to do without")
    func settings() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.faults.withLock {
                $0 = ["properties": LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)]
            }
            for command in [Self.sales, ["reconcile"], ["export", "orders", "--day", "yesterday"]] {
                expectFailure(
                    try await sandbox.clover(command), status: 77, saying: "MERCHANT_R", "--zone America/New_York")
            }
            expectFailure(
                try await sandbox.clover("get", "orders", "--period", "yesterday"), status: 77, saying: "MERCHANT_R",
                "--zone America/New_York")
            let result = try await sandbox.clover(
                Self.sales + ["--zone", "America/New_York", "--jq", ".grossSales"])
            #expect(result.ending == .exited(0) && result.outputText == "1000\n", "\(result)")
            #expect(result.errorText.contains("The shop's currency is unknown"), "\(result)")
        }
    }

    @Test("a refund whose payment does not exist is a finding; one that only the list does not show is not")
    func unknownPayment() async throws {
        try await Shop.run { sandbox, shop, _ in
            let bare = #"{"id":"R1","amount":83,"createdTime":1791302400000,"payment":{"id":"P8"}}"#
            shop.records.withLock { $0["refunds"] = [bare] }
            shop.faults.withLock { $0 = ["P8": LoopbackResponse(status: "404 Not Found", "{}")] }
            let period = ["reconcile", "--period", "2026-10-05..2026-10-06"]
            let unknown = try await sandbox.clover(period + ["--jq", "[.kind,.refund,.payment]"])
            #expect(unknown.ending == .exited(82), "\(unknown)")
            #expect(unknown.outputText == #"["refund_of_unknown_payment","R1","P8"]"# + "\n", "\(unknown)")
            shop.faults.withLock {
                $0 = ["P8": LoopbackResponse(Self.payment.replacing("P1", with: "P8"))]
            }
            expectSuccess(try await sandbox.clover(period))
        }
    }
}
