import CloverEmulator
import Foundation
import Testing

@Suite("Pay Display: payments")
struct PayDisplayTests {
    private let till = PaymentFixture()

    private static func till(card: CardBehaviour) -> PaymentFixture {
        var settings = PaymentSettings()
        settings.card = card
        return PaymentFixture(settings: settings)
    }

    // MARK: Headers

    @Test("Calls need a token, a device of the shop, a POS, a key and JSON")
    func headers() async throws {
        let body = #"{"amount":1000}"#
        #expect(try await till.device("payments", body, key: "k", isAuthorized: false).status == 401)
        let stranger = try await till.device("payments", body, key: "k", headers: ["x-clover-device-id": "C999"])
        #expect(stranger.status == 400)
        #expect(stranger.json["code"]?.text == "processing_error")
        #expect(stranger.type == "api_error")
        for name in ["x-clover-device-id", "x-pos-id", "idempotency-key"] {
            let reply = try await till.device("payments", body, key: "k", headers: [name: ""])
            #expect(reply.status == 400)
            #expect(reply.type == "BAD_REQUEST")
            #expect(reply.json["requestType"]?.text == "PAY")
        }
        #expect(
            try await till.device("payments", body, key: "k", headers: ["content-type": "text/plain"]).status == 415)
        for timeout in ["301", "-1", "x"] {
            #expect(
                try await till.device("payments", body, key: "k", headers: ["x-clover-timeout": timeout]).status == 400)
        }
        #expect(try await till.device("payments", body, method: "DELETE", key: "k").status == 405)
        #expect(try await till.device("nothing", body).status == 404)
        #expect(try till.moved.isEmpty)
    }

    @Test("A device's id is not its serial")
    func deviceID() async throws {
        let id = try #require(try till.records("devices").first?.id)
        #expect(
            try await till.device("payments", #"{"amount":1}"#, key: "k", headers: ["x-clover-device-id": id]).status
                == 400)
    }

    @Test(
        "Calls that move money fail without a key",
        arguments: [
            "payments", "credits", "payments/X/capture", "payments/X/increment", "payments/X/refunds",
            "payments/X/tip-adjust", "payments/X/void",
        ])
    func keys(path: String) async throws {
        let reply = try await till.device(path, #"{"amount":1}"#)
        #expect(reply.status == 400)
        #expect(reply.json["message"]?.text == "Missing header: Idempotency-Key")
    }

    // MARK: Payments

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let members: String
        let movement: String
        let type: String
        let state: String
        let record: String
        var testDescription: String { name }
    }

    @Test(
        "final and capture select sale, auth and pre-auth",
        arguments: [
            Kind(
                name: "sale", members: #","final":true"#, movement: "charge", type: "AUTH", state: "CLOSED",
                record: "SUCCESS"),
            Kind(
                name: "auth", members: #","final":false"#, movement: "auth", type: "AUTH", state: "PENDING",
                record: "SUCCESS"),
            Kind(
                name: "pre-auth", members: #","capture":false"#, movement: "preauth", type: "PREAUTH", state: "PENDING",
                record: "AUTH"),
        ])
    func kinds(kind: Kind) async throws {
        let reply = try await till.pay(
            "{\"amount\":1250,\"externalPaymentId\":\"E1\",\"externalReferenceId\":\"INV-1\",\"taxAmount\":50\(kind.members)}"
        )
        #expect(reply.status == 200)
        let payment = try #require(reply.payment)
        #expect(payment["result"]?.text == "SUCCESS")
        #expect(payment["amount"]?.integer == 1250)
        #expect(payment["taxAmount"]?.integer == 50)
        #expect(payment["externalPaymentId"]?.text == "E1")
        #expect(payment["externalReferenceId"]?.text == "INV-1")
        #expect(payment["cardTransaction"]?["type"]?.text == kind.type)
        #expect(payment["cardTransaction"]?["state"]?.text == kind.state)
        #expect(reply.json["issues"]?.keys.isEmpty == true)
        for path in ["payments/\(payment.id)", "payments/external/E1"] {
            let found = try await till.device(path, method: "GET")
            #expect(found.status == 200)
            #expect(found.payment?.id == payment.id)
        }
        let records = try till.records("payments?filter=externalPaymentId=E1")
        #expect(records.map(\.id) == [payment.id])
        #expect(records.first?["result"]?.text == kind.record)
        #expect(records.first?["device"]?.id == (try till.records("devices").first?.id))
        let movements = try Node(till.report.json.encoded).elements
        #expect(movements.map { $0["kind"]?.text } == [kind.movement])
        #expect(movements.first?["externalId"]?.text == "E1")
    }

    @Test("A final payment includes its tip")
    func tip() async throws {
        let reply = try await till.pay(#"{"amount":1000,"tipAmount":150,"final":true}"#)
        #expect(reply.payment?["tipAmount"]?.integer == 150)
        #expect(try till.moved == [1150])
    }

    @Test(
        "Refuses invalid bodies and charges nothing",
        arguments: [
            "{}", #"{"amount":0}"#, #"{"amount":-1}"#, #"{"amount":1000000000}"#, #"{"amount":"5"}"#,
            #"{"amount":5.5}"#,
            #"{"amount":5,"final":true,"capture":false}"#, #"{"amount":5,"tipAmount":1}"#,
            #"{"amount":5,"final":false,"tipAmount":0}"#, #"{"amount":5,"taxAmount":6}"#,
            #"{"amount":5,"final":"yes"}"#,
            #"{"amount":5,"externalPaymentId":"123456789012345678901234567890123"}"#,
            #"{"amount":5,"externalReferenceId":"1234567890123"}"#, "{", "[]",
        ])
    func badBodies(body: String) async throws {
        let reply = try await till.pay(body)
        #expect(reply.status == 400)
        #expect(reply.type == "BAD_REQUEST")
        #expect(try till.moved.isEmpty)
    }

    @Test("Repeats the first response for the same key; refuses another call with it")
    func replay() async throws {
        let first = try await till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#)
        #expect(try await till.pay(#"{"externalPaymentId":"E","amount":1000}"#).text == first.text)
        #expect(try await till.pay(#"{"amount":1001,"externalPaymentId":"E"}"#).status == 400)
        #expect(try till.moved == [1000])
        #expect(till.report.duplicateCharges == 0)
        // Another key is another payment, and the report shows the external id twice.
        #expect(try await till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#, key: "other").status == 200)
        #expect(till.report.duplicateCharges == 1)
    }

    // MARK: Cards

    @Test("Returns a decline with status 200")
    func decline() async throws {
        let till = Self.till(card: .decline)
        let reply = try await till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#)
        #expect(reply.status == 200)
        #expect(reply.payment?["result"]?.text == "FAIL")
        #expect(try await till.device("payments/external/E", method: "GET").payment?["result"]?.text == "FAIL")
        #expect(try till.records("payments?limit=1").first?["result"]?.text == "FAIL")
        #expect(try till.moved == [0])
        let id = try #require(reply.payment?.id)
        #expect(try await till.device("payments/\(id)/refunds", #"{"fullRefund":true}"#, key: "r").status == 400)
    }

    @Test("Approves part of the amount and reports it as an issue")
    func partial() async throws {
        let till = Self.till(card: .partial)
        let reply = try await till.pay(#"{"amount":1001}"#)
        #expect(reply.payment?["result"]?.text == "SUCCESS")
        #expect(reply.payment?["amount"]?.integer == 500)
        let issue = try #require(reply.json["issues"]?["partialPayment"])
        #expect(issue["requestedAmount"]?.integer == 1001)
        #expect(issue["actualAmount"]?.integer == 500)
        #expect(try till.moved == [500])
        #expect(try till.records("orders?limit=1").first?["paymentState"]?.text == "PARTIALLY_PAID")
    }

    @Test("Duplicates, signatures and offline payments are issues", arguments: ["duplicate", "signature", "offline"])
    func issues(name: String) async throws {
        let till = Self.till(card: try #require(CardBehaviour(rawValue: name)))
        let reply = try await till.pay(#"{"amount":1000}"#)
        #expect(reply.payment?["result"]?.text == "SUCCESS")
        #expect(reply.json["issues"]?.keys == [name])
        #expect(reply.payment?["offline"]?.value as? Bool == (name == "offline"))
    }

    @Test("Returns 209 and records nothing when the customer cancels")
    func customerCancels() async throws {
        let till = Self.till(card: .cancel)
        let reply = try await till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#)
        #expect(reply.status == 209)
        #expect(try await till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#).status == 209)
        #expect(try await till.device("payments/external/E", method: "GET").status == 404)
        #expect(try till.moved == [0])
        #expect(till.report.charges == 0)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let kind: FaultKind
        let status: Int
        let moved: [Int]
        var testDescription: String { kind.rawValue }
    }

    @Test(
        "Faults of payments",
        arguments: [
            Fault(kind: .busy, status: 503, moved: []), Fault(kind: .unsupported, status: 501, moved: []),
            Fault(kind: .keyClash, status: 400, moved: []), Fault(kind: .deviceTimeout, status: 504, moved: [1000]),
            Fault(kind: .cancel, status: 209, moved: [0]), Fault(kind: .decline, status: 200, moved: [0]),
            Fault(kind: .partial, status: 200, moved: [500]), Fault(kind: .duplicate, status: 200, moved: [1000]),
            Fault(kind: .signature, status: 200, moved: [1000]),
        ])
    func faults(fault: Fault) async throws {
        let reply = try await till.pay(#"{"amount":1000}"#, fault: fault.kind)
        #expect(reply.status == fault.status)
        #expect(try till.moved == fault.moved)
        if fault.kind == .busy { #expect(reply.type == "RESOURCE_CONFLICT") }
        if fault.kind == .deviceTimeout {
            // The payment exists: the same call finds it.
            #expect(try await till.pay(#"{"amount":1000}"#).status == 200)
            #expect(try till.moved == [1000])
        }
    }

    // MARK: Credits

    @Test("Credits a card without a payment")
    func credits() async throws {
        let reply = try await till.device("credits", #"{"amount":700}"#, key: "c")
        #expect(reply.status == 200)
        let id = try #require(reply.json["credit"]?.id)
        #expect(try await till.device("credits", #"{"amount":700}"#, key: "c").text == reply.text)
        #expect(try till.moved == [-700])
        #expect(try till.records("credits").first?.id == id)
        #expect(try await till.device("credits/\(id)/receipt", "{}").status == 200)
        #expect(try await till.device("credits/X/receipt", "{}").status == 404)
    }

    // MARK: State

    @Test("Keeps payments, keys and follow-ups in the state file")
    func state() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)").path
        defer { unlink(path) }
        let first: PaymentFixture.Reply
        do {
            let till = try PaymentFixture(state: path)
            first = try await till.pay(#"{"amount":1000,"capture":false,"externalPaymentId":"E"}"#)
        }
        let till = try PaymentFixture(state: path)
        #expect(try await till.pay(#"{"amount":1000,"capture":false,"externalPaymentId":"E"}"#).text == first.text)
        let id = try #require(first.payment?.id)
        #expect(try await till.device("payments/\(id)/capture", #"{"amount":900}"#, key: "c").status == 200)
        #expect(try till.moved == [1000, -100])
    }
}
