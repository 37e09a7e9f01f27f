import CloverTestSupport
import Synchronization
import Testing

/// Outcomes that a person enters with a payment, against services whose records can be set.
@Suite("charge: settled by hand with a payment")
struct ChargeSettleTests {
    private static let missing = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
    private static let outage = LoopbackResponse(status: "503 Service Unavailable", "{}")

    /// The record of the charge X9 as the card service shows it.
    private static func record(_ amount: Int = 1250, _ currency: String = "usd") -> LoopbackResponse {
        LoopbackResponse(
            #"{"id":"X9","amount":\#(amount),"currency":"\#(currency)","status":"succeeded","captured":true}"#)
    }

    /// A service with one answer for each method and path; nothing else is there.
    private final class Service: Sendable {
        private let answers: Mutex<[String: LoopbackResponse]>

        init(_ answers: [String: LoopbackResponse]) { self.answers = Mutex(answers) }

        func set(_ call: String, _ answer: LoopbackResponse) { answers.withLock { $0[call] = answer } }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            answers.withLock { $0["\(request.method) \(request.path)"] } ?? ChargeSettleTests.missing
        }
    }

    /// A card service that loses the response to each charge, and shows the charge X9 only.
    private static func cards(showing shown: LoopbackResponse) -> Service {
        Service([
            "POST /v1/charges": .reset, "GET /v1/charges": LoopbackResponse(#"{"has_more":false,"data":[]}"#),
            "GET /v1/charges/X9": shown,
        ])
    }

    /// The id of a new charge of 12.50 USD whose outcome is unknown.
    private static func lostCharge(in sandbox: Sandbox, _ way: String...) async throws -> String {
        let lost = try await sandbox.clover(["charge", "--amount", "12.50", "--currency", "USD"] + way)
        #expect(lost.ending == .exited(80), "\(lost)")
        return try #require(try lost.events.last?["charge"]?.string)
    }

    /// Runs `body` with a charge whose response the card service has lost.
    private static func run(
        showing shown: LoopbackResponse, _ body: (Sandbox, Service, LoopbackServer, _ id: String) async throws -> Void
    ) async throws {
        let service = cards(showing: shown)
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, server in
            let id = try await lostCharge(in: sandbox, "--source", "clv_1TOKEN")
            try await body(sandbox, service, server, id)
        }
    }

    private static func settle(_ id: String, with payment: String = "X9") -> [String] {
        ["charge", "settle", id, "--paid", "--payment", payment]
    }

    /// The state of the newest charge in the journal.
    private static func state(in sandbox: Sandbox) async throws -> String? {
        let list = try await sandbox.clover("charge", "list", "--json")
        return try list.events.first?["state"]?.string
    }

    @Test("a check names the amount or currency of a payment that is not that of the charge it was entered for")
    func check() async throws {
        try await Self.run(showing: Self.outage) { sandbox, service, _, id in
            let settled = try await sandbox.clover(Self.settle(id))
            #expect(settled.ending == .exited(0), "\(settled)")
            let rows: [(LoopbackResponse, Bool, String?)] = [
                (Self.record(), true, nil),
                (Self.record(2000), false, "Clover shows 20.00 USD, the journal has 12.50 USD"),
                (Self.record(600), false, "Clover shows 6.00 USD, the journal has 12.50 USD"),
                (Self.record(1250, "eur"), false, "Clover shows 12.50 EUR, the journal has 12.50 USD"),
            ]
            for (shown, agrees, words) in rows {
                service.set("GET /v1/charges/X9", shown)
                let result = try await sandbox.clover("charge", "show", id, "--check", "--json")
                expectSuccess(result)
                let view = try #require(try JSONValue(result.outputText)["service"])
                #expect(view["payment"]?.string == "X9", "\(result)")
                #expect(view["agrees"] == .bool(agrees), "\(result)")
                #expect(view["reason"]?.string == words, "\(result)")
            }
            let shown = #"{"id":"X9","currency":"usd","status":"succeeded","captured":true}"#
            service.set("GET /v1/charges/X9", LoopbackResponse(shown))
            let unsized = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let unsizedView = try #require(try JSONValue(unsized.outputText)["service"])
            #expect(unsizedView["found"] == .bool(true) && unsizedView["agrees"] == nil, "\(unsized)")
            #expect(unsizedView["reason"]?.string?.contains("does not show its amount") == true, "\(unsized)")
            let paid = #"{"id":"X9","amount":1250,"currency":"usd","paid":true,"captured":true}"#
            service.set("GET /v1/charges/X9", LoopbackResponse(paid))
            let open = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let openView = try #require(try JSONValue(open.outputText)["service"])
            #expect(openView["agrees"] == nil, "\(open)")
            #expect(openView["reason"]?.string == "Clover does not show the status of the payment", "\(open)")
            service.set("GET /v1/charges/X9", Self.record(1250, "eur"))
            let text = try await sandbox.cloverOnTerminal("charge", "show", id, "--check")
            let line = text.terminalText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(line.contains("service: approved, 12.50 EUR, payment X9, Clover shows 12.50 EUR"), "\(text)")
            #expect(line.contains("the journal has 12.50 USD; differs from the journal"), "\(text)")
        }
    }

    @Test("a payment that the service shows as the charge's is recorded, and asked about once")
    func matching() async throws {
        try await Self.run(showing: Self.record()) { sandbox, _, server, id in
            let settled = try await sandbox.clover(Self.settle(id))
            expectSuccess(settled)
            #expect(try settled.events.last?["payment"]?.string == "X9", "\(settled)")
            let again = try await sandbox.clover(Self.settle(id))
            #expect(
                again.ending == .exited(0) && again.errorText.contains("is recorded as paid already, by "), "\(again)")
            #expect(server.requests.filter { $0.path == "/v1/charges/X9" }.count == 1)
        }
    }

    @Test(
        "a payment that is pending or failed at the service is not recorded as paid", arguments: ["pending", "failed"])
    func unpaid(_ status: String) async throws {
        let shown = #"{"id":"X9","amount":1250,"currency":"usd","status":"\#(status)","paid":false,"captured":false}"#
        try await Self.run(showing: LoopbackResponse(shown)) { sandbox, _, _, id in
            expectFailure(try await sandbox.clover(Self.settle(id)), status: 64, saying: "is not recorded as paid")
            #expect(try await Self.state(in: sandbox) == "unknown")
        }
    }

    @Test("a payment that is only held is not recorded as that of a sale")
    func held() async throws {
        let shown = #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","captured":false}"#
        try await Self.run(showing: LoopbackResponse(shown)) { sandbox, _, _, id in
            expectFailure(
                try await sandbox.clover(Self.settle(id)), status: 64,
                saying: "X9 is 'only held, not captured' at Clover")
            #expect(try await Self.state(in: sandbox) == "unknown")
        }
    }

    @Test("a payment that was refunded since is recorded with a warning", arguments: [1250, 500])
    func refunded(_ amount: Int) async throws {
        let shown =
            #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","captured":true,"amount_refunded":\#(amount)}"#
        try await Self.run(showing: LoopbackResponse(shown)) { sandbox, _, _, id in
            let settled = try await sandbox.clover(Self.settle(id))
            #expect(settled.ending == .exited(0), "\(settled)")
            let words = "Clover shows the payment X9 as \(amount / 100).\(amount % 100)"
            #expect(settled.errorText.contains(words) && settled.errorText.contains("USD refunded"), "\(settled)")
            #expect(try settled.events.last?["refundedElsewhere"]?.integer == amount, "\(settled)")
            let list = try await sandbox.clover("charge", "list", "--json")
            let row = try #require(try list.events.first)
            #expect(row["state"]?.string == "approved" && row["refunded"]?.integer == amount, "\(row)")
            let again = try await sandbox.clover("charge", "settle", id, "--paid")
            let kept = "refunded in full since: nothing of it is kept"
            #expect(again.errorText.contains(kept) == (amount == 1250), "\(again)")
        }
    }

    @Test("a payment that was voided since is not recorded as paid, nor a part of it", arguments: [1250, 600])
    func voided(_ amount: Int) async throws {
        let service = Service([
            "POST /connect/v1/payments": LoopbackResponse(status: "500 Error", "{}"),
            "GET /v3/merchants/\(Sandbox.merchantID)/properties": LoopbackResponse(#"{"defaultCurrency":"USD"}"#),
            "GET /v3/merchants/\(Sandbox.merchantID)/devices": .page([#"{"id":"D1","serial":"C1"}"#]),
        ])
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, _ in
            let lost = try await sandbox.clover("charge", "--amount", "12.50", "--currency", "USD", "--device", "C1")
            #expect(lost.ending == .exited(80), "\(lost)")
            let created = try #require(try lost.events.first)
            let id = try #require(created["charge"]?.string)
            let external = try #require(created["externalId"]?.string)
            let shown = #"{"id":"P9","amount":\#(amount),"result":"VOIDED","externalPaymentId":"\#(external)"}"#
            service.set("GET /connect/v1/payments/P9", LoopbackResponse(#"{"payment":\#(shown)}"#))
            expectFailure(
                try await sandbox.clover(Self.settle(id, with: "P9")), status: 64, saying: "P9 is 'voided' at Clover",
                "clover charge settle \(id) --not-paid")
            #expect(try await Self.state(in: sandbox) == "unknown")
        }
    }

    @Test("a refund of the payment that was recorded before does not count for the one that is recorded instead")
    func formerPayment() async throws {
        try await Self.run(showing: Self.record()) { sandbox, service, server, id in
            func refund(_ refund: String, _ amount: Int, of payment: String) -> LoopbackResponse {
                LoopbackResponse(
                    #"{"id":"\#(refund)","amount":\#(amount),"currency":"usd","charge":"\#(payment)","status":"succeeded"}"#
                )
            }
            expectSuccess(try await sandbox.clover(Self.settle(id)))
            service.set("POST /v1/refunds", refund("R1", 500, of: "X9"))
            let refunding = ["charge", "refund", id, "--amount", "5.00", "--idempotency-key", "r-1"]
            let first = try await sandbox.clover(refunding)
            expectSuccess(first)
            let former = try #require(try first.events.last?["operation"]?.string)
            service.set(
                "GET /v1/charges/Y9",
                LoopbackResponse(
                    #"{"id":"Y9","amount":1250,"currency":"usd","status":"succeeded","captured":true,"amount_refunded":0}"#
                ))
            let settled = try await sandbox.clover(Self.settle(id, with: "Y9"))
            #expect(settled.ending == .exited(0), "\(settled)")
            let words = "\(former), a refund of 5.00 USD, was carried out on the payment X9"
            #expect(settled.errorText.contains(words), "\(settled)")
            let show = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let row = try JSONValue(show.outputText)
            #expect(row["refunded"] == .integer(0) && row["service"]?["agrees"] == .bool(true), "\(row)")
            #expect(row["operations"]?.elements?.first?["formerPayment"]?.string == "X9", "\(row)")
            // Its key does not give the result of the other one's refund.
            expectFailure(
                try await sandbox.clover(refunding), status: 64,
                saying: "the idempotency key belongs to \(former), a refund of the payment X9, which \(id) had before")
            service.set("POST /v1/refunds", refund("R2", 1250, of: "Y9"))
            expectSuccess(try await sandbox.clover("charge", "refund", id, "--amount", "12.50"))
            let sent = try #require(server.requests.last { $0.path == "/v1/refunds" })
            #expect(try JSONValue(sent.bodyText)["charge"]?.string == "Y9")
        }
    }

    @Test(
        "an open refund of the former payment blocks none of the new one, and one never sent is not named",
        arguments: [true, false])
    func openOnFormerPayment(_ isSent: Bool) async throws {
        let shown = #","amount":1250,"currency":"usd","status":"succeeded","captured":true,"amount_refunded":0}"#
        try await Self.run(showing: LoopbackResponse(#"{"id":"X9""# + shown)) { sandbox, service, server, id in
            service.set("GET /v1/charges/Y9", LoopbackResponse(#"{"id":"Y9""# + shown))
            expectSuccess(try await sandbox.clover(Self.settle(id)))
            service.set("POST /v1/refunds", .reset)
            let refunding = ["charge", "refund", id, "--amount", "5.00", "--idempotency-key", "r-1"]
            let lost = try await sandbox.clover(refunding, output: isSent ? .kept : .file("/dev/full"))
            #expect(lost.ending == .exited(isSent ? 80 : 74), "\(lost)")
            let settled = try await sandbox.clover(Self.settle(id, with: "Y9"))
            #expect(settled.ending == .exited(0), "\(settled)")
            #expect(settled.errorText.contains("may have been carried out on the payment X9") == isSent, "\(settled)")
            let refund = #"{"id":"R2","amount":1250,"currency":"usd","charge":"Y9","status":"succeeded"}"#
            service.set("POST /v1/refunds", LoopbackResponse(refund))
            if isSent {
                let words = "a refund of the payment X9, which \(id) had before"
                expectFailure(try await sandbox.clover(refunding), status: 64, saying: words)
            }
            let result = try await sandbox.clover("charge", "refund", id)
            #expect(result.ending == .exited(0), "\(result)")
            let warning = "on the payment X9, which this charge had before, is not settled"
            #expect(result.errorText.contains(warning) == isSent, "\(result)")
            let sent = try #require(server.requests.last { $0.path == "/v1/refunds" })
            #expect(try JSONValue(sent.bodyText)["charge"]?.string == "Y9")
        }
    }

    @Test("an outcome without a payment is recorded without a request")
    func withoutPayment() async throws {
        try await Self.run(showing: Self.record(2000)) { sandbox, _, server, id in
            let before = server.requests.count
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--paid"))
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64,
                saying: "refund is not possible from here: the ID of \(id)'s payment is not known",
                "clover charge settle \(id) --paid --payment PAYMENT", output: nil)
            let changed = try await sandbox.clover("charge", "settle", id, "--not-paid")
            #expect(changed.ending == .exited(0))
            #expect(changed.errorText.contains("was recorded as paid by "), "\(changed)")
            #expect(changed.errorText.contains("it is now recorded as not paid"), "\(changed)")
            #expect(server.requests.count == before)
        }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let shown: LoopbackResponse
        let words: String
    }

    @Test(
        "a payment that the service shows to be another one is refused, and nothing is recorded",
        arguments: [
            Refused(
                testDescription: "more", shown: record(2000),
                words: "Clover shows X9 with 20.00 USD, and "),
            Refused(
                testDescription: "less", shown: record(600),
                words: "Clover shows X9 with 6.00 USD, and "),
            Refused(
                testDescription: "another currency", shown: record(1250, "eur"),
                words: "Clover shows X9 with 12.50 EUR, so it cannot be that of"),
            Refused(testDescription: "none", shown: missing, words: "Clover does not have X9"),
            Refused(
                testDescription: "an amount as text",
                shown: LoopbackResponse(#"{"id":"X9","amount":"1250","currency":"usd","status":"succeeded"}"#),
                words: "Clover shows X9 with an amount that is 0 or cannot be read"),
            Refused(
                testDescription: "another reference",
                shown: LoopbackResponse(
                    #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","external_reference_id":"OTHER"}"#),
                words: "Clover shows X9 with the reference OTHER"),
            Refused(
                testDescription: "older",
                shown: LoopbackResponse(
                    #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","created":1500000000000}"#),
                words: "Clover shows X9 with a time more than a day before"),
        ])
    func refused(_ row: Refused) async throws {
        try await Self.run(showing: row.shown) { sandbox, _, _, id in
            let result = try await sandbox.clover(Self.settle(id))
            expectFailure(result, status: 64, saying: row.words, "clover charge settle \(id) --paid")
            if ["more", "less", "another currency"].contains(row.testDescription) {
                #expect(result.errorText.contains("of 12.50 USD"), "\(result)")
            }
            #expect(try await Self.state(in: sandbox) == "unknown")
        }
    }

    @Test("a payment of another amount is recorded if a person confirms that amount", arguments: [2000, 600])
    func otherAmount(_ amount: Int) async throws {
        try await Self.run(showing: Self.record(amount)) { sandbox, _, _, id in
            let confirming = Self.settle(id) + ["--amount", "\(amount / 100).00"]
            expectFailure(
                try await sandbox.clover(Self.settle(id)), status: 64,
                saying: "to record it as the charge's payment with that amount: clover "
                    + confirming.joined(separator: " "))
            expectFailure(
                try await sandbox.clover(Self.settle(id) + ["--amount", "19.00"]), status: 64,
                saying: "Clover shows X9 with \(amount / 100).00 USD", "of 19.00 USD")
            expectFailure(
                try await sandbox.clover("charge", "settle", id, "--paid", "--amount", "20.00"), status: 64,
                saying: "--amount goes with --payment")
            #expect(try await Self.state(in: sandbox) == "unknown")
            for _ in 1...2 {
                let settled = try await sandbox.clover(confirming)
                #expect(settled.ending == .exited(0), "\(settled)")
                #expect(try settled.events.last?["amount"]?.integer == amount, "\(settled)")
            }
            let check = try JSONValue(try await sandbox.clover("charge", "show", id, "--check", "--json").outputText)
            #expect(check["approved"]?.integer == amount && check["service"]?["agrees"] == .bool(true), "\(check)")
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
            #expect(
                try await sandbox.clover("charge", "recover", id).ending == .exited(amount < 1250 ? 79 : 0))
        }
    }

    @Test(
        "a payment that the service cannot be asked about is recorded, with a warning",
        arguments: [
            ("503", "the service answered 503"), ("401", "the sign-in was not accepted"),
            ("404", "the service answered 404"), ("reset", ""),
            ("signed out", "there is no sign-in to the merchant of the charge"),
            ("another merchant", "the sign-in is to another merchant"),
        ])
    func unchecked(_ kind: String, _ words: String) async throws {
        let shown =
            switch kind {
            case "503": Self.outage
            case "401": LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
            // Not in Clover's form: a proxy may have answered.
            case "404": LoopbackResponse(status: "404 Not Found", "<html>proxy</html>")
            case "reset": LoopbackResponse.reset
            default: Self.record(2000)
            }
        try await Self.run(showing: shown) { sandbox, _, _, id in
            let settling =
                switch kind {
                case "signed out": sandbox.without("CLOVER_ACCESS_TOKEN")
                case "another merchant": sandbox.with(["CLOVER_MERCHANT_ID": "OTHERMERCHANT"])
                default: sandbox
                }
            let result = try await settling.clover(Self.settle(id))
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText.contains("the payment X9 was not checked: \(words)"), "\(result)")
            #expect(try result.events.last?["payment"]?.string == "X9", "\(result)")
            #expect(try await Self.state(in: sandbox) == "approved")
        }
    }

    @Test("without a network, an outcome with a payment is still recorded")
    func offline() async throws {
        try await Sandbox.run { empty in
            let service = Self.cards(showing: Self.record(2000))
            var server: LoopbackServer? = try LoopbackServer { request, _ in service.answer(request) }
            let sandbox = empty.using(try #require(server?.url))
            let id = try await Self.lostCharge(in: sandbox, "--source", "clv_1TOKEN")
            #expect(server?.requests.isEmpty == false)
            server = nil
            let result = try await sandbox.clover(Self.settle(id))
            #expect(result.ending == .exited(0), "\(result)")
            #expect(
                result.errorText.contains("the payment X9 was not checked: the service cannot be reached"),
                "\(result)")
            #expect(try await Self.state(in: sandbox) == "approved")
        }
    }

    @Test("a payment of a device that is off is found in the merchant's records", arguments: [1250, 2000])
    func deviceIsOff(_ amount: Int) async throws {
        let service = Service([
            "POST /connect/v1/payments": LoopbackResponse(status: "500 Error", "{}"),
            "GET /v3/merchants/\(Sandbox.merchantID)/properties": LoopbackResponse(#"{"defaultCurrency":"USD"}"#),
            "GET /v3/merchants/\(Sandbox.merchantID)/devices": .page([#"{"id":"D1","serial":"C1"}"#]),
            "GET /connect/v1/payments/P9": LoopbackResponse(
                status: "503 Service Unavailable", #"{"message":"503","type":"RESOURCE_CONFLICT"}"#),
            "GET /v3/merchants/\(Sandbox.merchantID)/payments/P9": LoopbackResponse(
                #"{"id":"P9","amount":\#(amount),"result":"SUCCESS","cardTransaction":{"currency":"USD"}}"#),
        ])
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, _ in
            let id = try await Self.lostCharge(in: sandbox, "--device", "C1")
            let result = try await sandbox.clover(Self.settle(id, with: "P9"))
            if amount == 1250 {
                expectSuccess(result)
            } else {
                expectFailure(result, status: 64, saying: "Clover shows P9 with 20.00 USD")
            }
        }
    }

    @Test("a refund is entered with a refund of its amount only", arguments: [500, 300])
    func refund(_ amount: Int) async throws {
        let service = Service([
            "POST /v1/charges": Self.record(), "GET /v1/charges/X9": Self.record(), "POST /v1/refunds": .reset,
            "GET /v1/refunds/R1": LoopbackResponse(
                #"{"id":"R1","amount":\#(amount),"currency":"usd","charge":"X9","status":"succeeded"}"#),
        ])
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, _ in
            let charge = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN")
            expectSuccess(charge)
            let id = try #require(try charge.events.last?["charge"]?.string)
            let lost = try await sandbox.clover("charge", "refund", id, "--amount", "5.00")
            #expect(lost.ending == .exited(80), "\(lost)")
            let refund = try #require(try lost.events.last?["operation"]?.string)
            let result = try await sandbox.clover(Self.settle(refund, with: "R1"))
            if amount == 500 {
                expectSuccess(result)
            } else {
                expectFailure(
                    result, status: 64, saying: "Clover shows R1 with 3.00 USD", "which is of 5.00 USD")
            }
        }
    }
}
