import CloverTestSupport
import Foundation
import Testing

@Suite("ecommerce: charges, refunds and orders are read from their own lists")
struct EcommerceReadTests {
    /// A shop with three charges, the oldest of which is refunded.
    private func withCharges(
        faults: [String] = [], _ body: (ChargeFixture, [String]) async throws -> Void
    ) async throws {
        try await ChargeFixture.run(emulator: faults.flatMap { ["--fault", $0] }) { till in
            var payments: [String] = []
            for amount in ["1.00", "2.00", "3.00"] {
                let result = try await till.charge(amount)
                #expect(result.ending == .exited(0), "\(result)")
                let last = try JSONValue(try #require(result.lines.last))
                payments.append(try #require(last["payment"]?.string))
            }
            let charges = try await till.journal()
            let oldest = try #require(charges.last?["charge"]?.string)
            expectSuccess(try await till.sandbox.clover("charge", "refund", oldest, "--quiet"))
            try await body(till, payments.reversed())
        }
    }

    static let faults: [[String]] = [
        [], ["cursor-again:/v1/charges"], ["no-has-more:/v1/charges"], ["bare-list:/v1/charges"],
        ["no-reference:/v1/charges"], ["429-rate@4:/v1/charges"],
    ]

    @Test("every charge comes once, newest first, whatever form the list has", arguments: faults)
    func charges(faults: [String]) async throws {
        try await withCharges(faults: faults) { till, payments in
            for path in ["charges", "/v1/charges"] {
                let result = try await till.sandbox.clover("get", path, "--all", "--json")
                #expect(result.ending == .exited(0), "\(result)")
                #expect(try JSONValue.lines(result.lines).map { $0["id"]?.string } == payments, "\(result)")
            }
            let one = try await till.sandbox.clover("get", "charges", payments[0], "--jq", ".amount")
            #expect(one.ending == .exited(0), "\(one)")
            for name in ["masked in 1 record: ", "ecomm.Source.exp_month", "ecomm.Source.exp_year", "ecomm.Source.id"] {
                #expect(one.errorText.contains(name), "\(one)")
            }
            #expect(one.lines == ["300"])
        }
    }

    @Test("a period selects by created, a receipt is kept, and refunds and orders have names of their own")
    func lists() async throws {
        try await withCharges { till, payments in
            let receipt = till.sandbox.directory["receipt.json"]
            let today = try await till.sandbox.clover(
                "get", "charges", "--all", "--period", "2000..2099", "--zone", "UTC", "--receipt", receipt)
            #expect(today.ending == .exited(0), "\(today)")
            #expect(today.lines.count == 3)
            let kept = try JSONValue(try String(contentsOfFile: receipt, encoding: .utf8))
            #expect(kept["records"]?.integer == 3)
            let before = try await till.sandbox.clover(
                "get", "charges", "--all", "--filter", "created<2000-01-01", "--zone", "UTC")
            #expect(before.ending == .exited(0) && before.lines == [], "\(before)")
            let refunds = try await till.sandbox.clover(
                "get", "ecommerce/refunds", "--filter", "charge=\(payments[2])", "-r", "--jq", ".charge")
            expectSuccess(refunds)
            #expect(refunds.lines.contains(payments[2]))
            let orders = try await till.sandbox.clover("get", "ecommerce/orders", "--all", "-r", "--jq", ".charge")
            #expect(orders.ending == .exited(0), "\(orders)")
            // The notice of masked fields.
            #expect(orders.errorText.contains("ecomm.Source.exp_month"))
            #expect(orders.lines == payments)
        }
    }

    @Test("charges are exported in full, and again only when something changed")
    func exported() async throws {
        try await withCharges { till, payments in
            let folder = till.sandbox.directory["out"]
            for _ in 0..<2 {
                let result = try await till.sandbox.clover("export", "charges", "--to", folder)
                #expect(result.ending == .exited(0), "\(result)")
            }
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".ndjson") }
            let lines = try files.flatMap { file in
                try String(contentsOfFile: folder + "/" + file, encoding: .utf8).split(separator: "\n").map(String.init)
            }
            let ids = try JSONValue.lines(lines).compactMap { $0["id"]?.string }
            #expect(Set(ids) == Set(payments) && ids.count == 3, "\(files)")
        }
    }

    @Test("a charge is not written past the journal, and a region without the API is named")
    func refused() async throws {
        try await Sandbox.run { sandbox in
            let post = try await sandbox.using("http://127.0.0.1:9").clover("post", "charges", "--field", "amount=1")
            expectFailure(post, status: 64, saying: "/v1/charges belongs to Clover's ecommerce service")
            let region = try await sandbox.using("eu").clover("get", "charges")
            expectFailure(region, status: 64, saying: "which 'eu' does not have")
            let filter = try await sandbox.using("http://127.0.0.1:9").clover(
                "get", "charges", "--filter", "customer!=K1")
            expectFailure(filter, status: 64, saying: "charges cannot be filtered by 'customer!=K1'")
        }
    }

    @Test("reconcile names a charge of the journal that the shop does not have, and a listed charge without a time")
    func reconcile() async throws {
        let charge = #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","paid":true,"captured":true}"#
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"): LoopbackResponse(charge)
            case (_, "/v1/charges"): LoopbackResponse(#"{"has_more":false,"data":[\#(charge)]}"#)
            case (_, let path) where path.hasSuffix("/properties"):
                LoopbackResponse(#"{"timezone":"UTC","defaultCurrency":"USD"}"#)
            default: LoopbackResponse(#"{"elements":[]}"#)
            }
        }) { sandbox, _ in
            let paid = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN")
            try #require(paid.ending == .exited(0), "\(paid)")
            let reconcile = ["reconcile", "--period", "yesterday..today", "--zone", "UTC"]
            let result = try await sandbox.clover(reconcile)
            expectFailure(result, status: 82, saying: "1 finding", output: nil)
            let finding = try JSONValue(result.outputText)
            #expect(finding["kind"]?.string == "charge_without_payment", "\(result)")
            #expect(finding["payment"]?.string == nil && finding["amount"]?.integer == 1250, "\(result)")
            let all = try await sandbox.clover(reconcile + ["--ecommerce"])
            expectFailure(all, status: 79, saying: "unreadable_record", output: nil)
            let kinds = try JSONValue.lines(all.lines).map { $0["kind"]?.string }
            #expect(kinds == ["charge_without_payment", "unreadable_record"], "\(all)")
        }
    }
}
