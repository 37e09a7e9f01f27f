import CloverEmulator
import Testing

@Suite("Pay Display: after the payment")
struct PayDisplayFollowUpTests {
    private let till = PaymentFixture()

    @Test("A pre-authorization is increased, captured, and then takes a tip")
    func preauth() async throws {
        let id = try await till.paid("preauth")
        let more = try await till.device("payments/\(id)/increment", #"{"amount":500}"#, key: "i")
        #expect(more.payment?["amount"]?.integer == 1500)
        #expect(try await till.device("payments/\(id)/tip-adjust", #"{"tipAmount":1}"#, key: "t0").status == 400)
        #expect(try await till.device("payments/\(id)/refunds", #"{"fullRefund":true}"#, key: "r0").status == 400)
        #expect(try await till.device("payments/\(id)/capture", #"{"amount":1501}"#, key: "c0").status == 400)
        let captured = try await till.device("payments/\(id)/capture", #"{"amount":1400,"tipAmount":100}"#, key: "c")
        #expect(captured.text == "{\"id\":\"\(id)\",\"amount\":1400,\"tipAmount\":100}")
        #expect(try await till.device("payments/\(id)/capture", #"{"amount":1400}"#, key: "c2").status == 400)
        #expect(try await till.device("payments/\(id)/increment", #"{"amount":1}"#, key: "i2").status == 400)
        let tip = try await till.device("payments/\(id)/tip-adjust", #"{"tipAmount":250}"#, key: "t")
        #expect(tip.payment?["tipAmount"]?.integer == 250)
        #expect(try till.moved == [1000, 500, 0, 150])
        #expect(try till.records("payments?limit=1").first?["result"]?.text == "SUCCESS")
    }

    @Test("The last tip wins, until closeout; a sale takes none")
    func tips() async throws {
        let id = try await till.paid("auth")
        for (number, tip) in [200, 150, 0].enumerated() {
            let reply = try await till.device("payments/\(id)/tip-adjust", "{\"tipAmount\":\(tip)}", key: "t\(number)")
            #expect(reply.payment?["tipAmount"]?.integer == tip)
        }
        #expect(try till.moved == [1000, 200, -50, -150])
        let sale = try await till.paid("sale", key: "s")
        #expect(try await till.device("payments/\(sale)/tip-adjust", #"{"tipAmount":1}"#, key: "x").status == 400)
        _ = till.ledger.exchange { handler in handler.closeOut() }
        #expect(try await till.device("payments/\(id)/tip-adjust", #"{"tipAmount":1}"#, key: "y").status == 400)
        #expect(
            try await till.device("payments/\(id)", method: "GET").payment?["cardTransaction"]?["state"]?.text
                == "CLOSED")
    }

    @Test("A void reverses the payment", arguments: ["sale", "auth", "preauth"])
    func voids(kind: String) async throws {
        let id = try await till.paid(kind)
        #expect(try await till.device("payments/\(id)/void", "{}", key: "v0").status == 400)
        let reply = try await till.device("payments/\(id)/void", #"{"voidReason":"USER_CANCEL"}"#, key: "v")
        #expect(reply.payment?["result"]?.text == "VOIDED")
        #expect(reply.payment?["voidReason"]?.text == "USER_CANCEL")
        #expect(
            try await till.device("payments/\(id)/void", #"{"voidReason":"USER_CANCEL"}"#, key: "v").text == reply.text)
        for (verb, body) in [
            ("void", #"{"voidReason":"USER_CANCEL"}"#), ("refunds", #"{"fullRefund":true}"#),
            ("capture", #"{"amount":1}"#),
        ] {
            #expect(try await till.device("payments/\(id)/\(verb)", body, key: "again-\(verb)").status == 400)
        }
        #expect(try till.moved == [1000, -1000])
        let record = try #require(till.records("payments?limit=1").first)
        #expect(record["result"]?.text == "VOIDED")
        #expect(try till.records("payments?filter=voided=true").map(\.id) == [id])
    }

    @Test("Refunds on a late void, or after closeout", arguments: [true, false])
    func lateVoid(isClosedOut: Bool) async throws {
        var settings = PaymentSettings()
        if !isClosedOut { settings.voidWindow = .zero }
        let till = PaymentFixture(settings: settings)
        let id = try await till.paid("sale")
        if isClosedOut { _ = till.ledger.exchange { handler in handler.closeOut() } }
        let reply = try await till.device("payments/\(id)/void", #"{"voidReason":"USER_CANCEL"}"#, key: "v")
        #expect(reply.payment?["result"]?.text == "SUCCESS")
        #expect((reply.payment?["refunds"]?.value as? [Any])?.count == 1)
        #expect(try till.records("refunds?limit=1").first?["amount"]?.integer == 1000)
        #expect(try till.moved == [1000, -1000])
    }

    @Test("Refunds a payment in parts up to its amount")
    func refunds() async throws {
        let id = try await till.paid("sale")
        for body in ["{}", #"{"amount":1,"fullRefund":true}"#, #"{"amount":0}"#, #"{"amount":1001}"#] {
            #expect(try await till.device("payments/\(id)/refunds", body, key: "bad").status == 400)
        }
        let first = try await till.device("payments/\(id)/refunds", #"{"amount":300}"#, key: "r1")
        #expect(first.json["refund"]?["amount"]?.integer == 300)
        #expect(try await till.device("payments/\(id)/refunds", #"{"amount":300}"#, key: "r1").text == first.text)
        let rest = try await till.device("payments/\(id)/refunds", #"{"fullRefund":true}"#, key: "r2")
        #expect(rest.json["refund"]?["amount"]?.integer == 700)
        #expect(try await till.device("payments/\(id)/refunds", #"{"amount":1}"#, key: "r3").status == 400)
        #expect(try till.moved == [1000, -300, -700])
        #expect(try till.records("orders?limit=1").first?["paymentState"]?.text == "REFUNDED")
    }

    @Test(
        "Returns 404 for an unknown payment",
        arguments: ["capture", "increment", "tip-adjust", "void", "refunds", "receipt"])
    func missing(verb: String) async throws {
        #expect(try await till.device("payments/AAAAAAAAAAAAA/\(verb)", #"{"amount":1}"#, key: "k").status == 404)
        #expect(try await till.device("payments/AAAAAAAAAAAAA", method: "GET").status == 404)
        #expect(try await till.device("payments/external/none", method: "GET").status == 404)
    }

    @Test("Accepts receipts")
    func receipts() async throws {
        let id = try await till.paid("sale")
        let path = "payments/\(id)/receipt"
        #expect(try await till.device(path, "{}").text == "{}")
        #expect(
            try await till.device(path, #"{"deliveryOption":{"method":"EMAIL","additionalData":"a@b.c"}}"#).status
                == 200)
        #expect(try await till.device(path, #"{"deliveryOption":{"method":"PIGEON"}}"#).status == 400)
    }
}
