import CloverTestSupport
import Synchronization
import Testing

/// What was done with a payment in the dashboard, and what Clover shows only after a person has settled a charge.
@Suite("charge: what Clover shows later")
struct DoneElsewhereTests {
    private static let charge = [
        "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN", "--quiet",
    ]

    /// A card service with one payment, X9, which it shows as configured.
    private final class Cards: Sendable {
        struct State {
            /// The members of X9 beside its ID and reference; nil loses charges and shows no payment.
            var members: String?
            /// Whether it fails when X9 is asked for.
            var isBusy = false
            var reference = ""
            /// The response to a refund, if that is another than its success.
            var refund: LoopbackResponse?

            var record: String? {
                members.map {
                    #"{"id":"X9","status":"succeeded","currency":"usd","external_reference_id":"\#(reference)",\#($0)}"#
                }
            }
        }

        let state: Mutex<State>

        init(_ members: String?) { state = Mutex(State(members: members)) }

        func show(_ members: String) { state.withLock { $0.members = members } }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse { state.withLock { Self.answer(request, &$0) } }

        private static func answer(_ request: LoopbackRequest, _ state: inout State) -> LoopbackResponse {
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/)
                state.reference = found.map { String($0.1) } ?? ""
                return state.record.map { LoopbackResponse($0) } ?? .reset
            case ("POST", "/v1/refunds"):
                if let refund = state.refund { return refund }
                let amount = request.bodyText.firstMatch(of: /"amount":(\d+)/).map { String($0.1) } ?? "0"
                return LoopbackResponse(
                    #"{"id":"R1","amount":\#(amount),"currency":"usd","charge":"X9","status":"succeeded"}"#)
            case ("POST", "/v1/charges/X9/capture"): return LoopbackResponse(status: "500 Error", "{}")
            case ("GET", "/v1/charges"):
                return LoopbackResponse(#"{"has_more":false,"data":[\#(state.record ?? "")]}"#)
            case ("GET", "/v1/charges/X9"):
                if state.isBusy { return LoopbackResponse(status: "500 Error", "{}") }
                return state.record.map { LoopbackResponse($0) } ?? DoneElsewhereTests.missing
            default: return DoneElsewhereTests.missing
            }
        }
    }

    private static let missing = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)

    private static func run(
        _ members: String?, _ body: (Sandbox, Cards, LoopbackServer) async throws -> Void
    ) async throws {
        let cards = Cards(members)
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { try await body($0, cards, $1) }
    }

    private static func held(_ amount: Int) -> String {
        #""amount":\#(amount),"captured":false,"amount_captured":0,"amount_refunded":0"#
    }

    private static func taken(refunded: Int = 0) -> String {
        #""amount":1250,"captured":true,"amount_captured":1250,"amount_refunded":\#(refunded)"#
    }

    /// The charge as the journal has it, and as the service shows it.
    private static func show(_ id: String, in sandbox: Sandbox) async throws -> JSONValue {
        try JSONValue(try await sandbox.clover("charge", "show", id, "--check", "--json").outputText)
    }

    struct Hold: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let held: Int
        /// The members of the payment later.
        let later: String
        let status: Int32
        var says = ""
        let event: String
        /// The status in the journal afterwards.
        let word: String
        /// Why a check disagrees before.
        let reason: String
    }

    private static let released = "Clover shows a hold that was released, the journal has a hold"

    @Test(
        "a hold that was captured or released elsewhere is named as that, and the journal has it from then on",
        arguments: [
            Hold(
                testDescription: "captured in part", held: 1250,
                later: #""amount":1250,"captured":true,"amount_captured":300,"amount_refunded":0"#, status: 0,
                event: "approved", word: "captured",
                reason: "Clover shows 3.00 USD captured, the journal has 0.00 USD captured"),
            Hold(
                testDescription: "a part, captured in part", held: 500,
                later: #""amount":500,"captured":true,"amount_captured":300,"amount_refunded":0"#, status: 79,
                says: "5.00 USD of 12.50 USD was approved, and 3.00 USD of it taken elsewhere", event: "partial",
                word: "captured", reason: "Clover shows 3.00 USD captured, the journal has 0.00 USD captured"),
            Hold(
                testDescription: "released", held: 1250,
                later: #""amount":1250,"captured":false,"amount_refunded":1250,"refunded":true"#, status: 81,
                says: "12.50 USD was approved, and the hold was released elsewhere", event: "released", word: "voided",
                reason: released),
            Hold(
                testDescription: "a part, released", held: 500,
                later: #""amount":500,"captured":false,"amount_refunded":500,"refunded":true"#, status: 81,
                says: "5.00 USD was approved, and the hold was released elsewhere", event: "released", word: "voided",
                reason: released),
        ])
    func hold(_ row: Hold) async throws {
        try await Self.run(Self.held(row.held)) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge + ["--preauth"])
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(row.later)
            let before = try await Self.show(id, in: sandbox)
            #expect(before["service"]?["agrees"] == .bool(false), "\(before)")
            #expect(before["service"]?["reason"]?.string == row.reason, "\(before)")
            for _ in 1...2 {
                let result = try await sandbox.clover("charge", "recover", id)
                #expect(result.ending == .exited(row.status), "\(result)")
                #expect(result.errorText.contains(row.says) || row.says.isEmpty, "\(result)")
                let event = try #require(try result.events.last)
                #expect(event["event"]?.string == row.event, "\(result)")
                let isCaptured = row.word == "captured"
                #expect(event["capturedElsewhere"] == (isCaptured ? JSONValue.integer(300) : nil), "\(result)")
                #expect(event["releasedElsewhere"] == (isCaptured ? nil : JSONValue.bool(true)), "\(result)")
            }
            let after = try await Self.show(id, in: sandbox)
            #expect(after["status"]?.string == row.word, "\(after)")
            #expect(after["service"]?["agrees"] == .bool(true), "\(after)")
            let again = try await sandbox.clover("charge", "capture", id)
            expectFailure(again, status: 64, saying: "\(id) is \(row.word) already")
        }
    }

    @Test("more captured elsewhere than was held contradicts the hold until a person confirms it")
    func capturedAbove() async throws {
        try await Self.run(Self.held(1250)) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge + ["--preauth"])
            let id = try #require(try made.events.last?["charge"]?.string)
            let key = try #require(try await Self.show(id, in: sandbox)["idempotencyKey"]?.string)
            let charging = Self.charge + ["--preauth", "--idempotency-key", key]
            cards.show(#""amount":1250,"captured":true,"amount_captured":2000,"amount_refunded":0"#)
            let words = "Clover shows 20.00 USD captured, the journal has 12.50 USD held"
            for again in [charging, ["charge", "recover", id], ["charge", "recover", "--all"]] {
                expectFailure(
                    try await sandbox.clover(again), status: 80, saying: words, "clover charge settle", output: nil)
            }
            let before = try await Self.show(id, in: sandbox)
            #expect(before["contradiction"]?.string == words, "\(before)")
            #expect(before["service"]?["reason"]?.string == words, "\(before)")
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64, saying: words,
                "clover charge refund \(id) --amount AMOUNT")
            #expect(try await sandbox.clover("charge", "settle", id, "--paid").ending == .exited(0))
            for what in [id, "--all"] { expectSuccess(try await sandbox.clover("charge", "recover", what)) }
            let after = try await Self.show(id, in: sandbox)
            #expect(after["captured"] == .integer(2000) && after["contradiction"] == nil, "\(after)")
            // What was confirmed says nothing about refunds.
            cards.show(#""amount":1250,"captured":true,"amount_captured":2000,"amount_refunded":2500"#)
            let more = "Clover shows 25.00 USD refunded, the journal has 20.00 USD captured"
            for again in [["charge", "recover", id], charging, ["charge", "recover", "--all"]] {
                expectFailure(try await sandbox.clover(again), status: 80, saying: more, output: nil)
            }
            #expect(try await Self.show(id, in: sandbox)["service"]?["agrees"] == .bool(false))
        }
    }

    @Test("a hold whose payment cannot be asked for is not called held without a word")
    func unaskedHold() async throws {
        try await Self.run(Self.held(1250)) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge + ["--preauth"])
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.state.withLock { $0.isBusy = true }
            let result = try await sandbox.clover("charge", "recover", id)
            let reason = try result.events.last?["reason"]?.string ?? ""
            #expect(reason.hasPrefix("what became of the hold since is not known: "), "\(result)")
        }
    }

    @Test("a refund without an amount asks for what Clover shows as left after a refund elsewhere")
    func refund() async throws {
        try await Self.run(Self.taken()) { sandbox, cards, server in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(Self.taken(refunded: 500))
            let refunding = ["charge", "refund", id, "--idempotency-key", "r1", "--quiet"]
            for _ in 1...2 {
                let result = try await sandbox.clover(refunding)
                #expect(result.ending == .exited(0), "\(result)")
                #expect(try result.events.last?["amount"] == .integer(750), "\(result)")
            }
            let sent = server.requests.filter { $0.method == "POST" && $0.path == "/v1/refunds" }
            #expect(sent.count == 1)
            #expect(try JSONValue(sent[0].bodyText)["amount"] == .integer(750))
            cards.show(Self.taken(refunded: 1250))
            let row = try await Self.show(id, in: sandbox)
            #expect(row["refunded"] == .integer(1250) && row["refundedElsewhere"] == .integer(500), "\(row)")
            #expect(row["service"]?["agrees"] == .bool(true), "\(row)")
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64, saying: "refunded in full already")
        }
    }

    @Test(
        "a refund of what is left that was never sent is taken anew under its key, with what is left now",
        arguments: [(0, 500), (500, 0)])
    func changedRest(_ before: Int, _ after: Int) async throws {
        try await Self.run(Self.taken()) { sandbox, cards, server in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(Self.taken(refunded: before))
            let refunding = ["charge", "refund", id, "--idempotency-key", "r1"]
            let unwritten = try await sandbox.clover(refunding, output: .file("/dev/full"))
            expectFailure(unwritten, status: 74, saying: "nothing was carried out", output: nil)
            cards.show(Self.taken(refunded: after))
            for _ in 1...2 {
                let result = try await sandbox.clover(refunding + ["--quiet"])
                #expect(result.ending == .exited(0), "\(result)")
                #expect(try result.events.last?["amount"]?.integer == 1250 - after, "\(result)")
            }
            let sent = server.requests.filter { $0.method == "POST" && $0.path == "/v1/refunds" }
            #expect(sent.count == 1)
            #expect(try JSONValue(sent[0].bodyText)["amount"]?.integer == 1250 - after)
            expectFailure(
                try await sandbox.clover(refunding + ["--amount", "1.00"]), status: 64,
                saying: "the idempotency key belongs to something else")
        }
    }

    @Test("a refund without an amount names what was given back elsewhere, and what is left")
    func refundNotice() async throws {
        try await Self.run(Self.taken()) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(Self.taken(refunded: 500))
            let result = try await sandbox.clover("charge", "refund", id)
            let words = "Clover shows that 5.00 USD of it was refunded elsewhere: 7.50 USD is left"
            #expect(result.ending == .exited(0) && result.errorText.contains(words), "\(result)")
        }
    }

    @Test("a refund without an amount is not sent where Clover does not show what is left")
    func unknownRest() async throws {
        try await Self.run(Self.taken()) { sandbox, cards, server in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(#""amount":1250,"captured":true,"amount_captured":1250,"refunded":true"#)
            let hint = "clover charge refund \(id) --amount AMOUNT"
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64,
                saying: "Clover shows a refund without its amount", hint)
            cards.state.withLock { $0.isBusy = true }
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 69,
                saying: "how much of \(id) is left is not known", hint)
            #expect(!server.requests.contains { $0.path == "/v1/refunds" })
            expectSuccess(try await sandbox.clover("charge", "refund", id, "--amount", "5.00", "--quiet"))
        }
    }

    @Test(
        "a refund without an amount is not sent where Clover shows another charge than the journal, or not all of it",
        arguments: [
            (#""captured":true,"amount_captured":1250"#, "does not show how much of it is refunded"),
            (#""captured":true,"amount_captured":1250,"amount_refunded":"300""#, "how much of it is refunded"),
            (#""captured":true,"amount_captured":1250,"amount_refunded":-5"#, "how much of it is refunded"),
            (#""captured":true,"amount_captured":400,"amount_refunded":0"#, "Clover shows 4.00 USD captured"),
            (#""captured":true,"amount_captured":1250,"amount_refunded":0,"tip_amount":200"#, "a tip of 2.00 USD"),
            (#""captured":true,"amount_captured":1250,"amount_refunded":0,"paid":false"#, "but not paid"),
        ])
    func unclearRest(_ members: String, _ words: String) async throws {
        try await Self.run(Self.taken()) { sandbox, cards, server in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(#""amount":1250,"# + members)
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64, saying: words,
                "clover charge refund \(id) --amount AMOUNT")
            if words.contains("tip") {
                #expect(try await Self.show(id, in: sandbox)["service"]?["agrees"] == .bool(false))
            }
            #expect(!server.requests.contains { $0.path == "/v1/refunds" })
        }
    }

    @Test("a refund that was refused and carried out after all is not taken for one that was made elsewhere")
    func ownRefund() async throws {
        try await Self.run(Self.taken()) { sandbox, cards, server in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.state.withLock {
                let error = #""error":{"type":"invalid_request_error","code":"amount_too_large","message":"no"}"#
                $0.refund = LoopbackResponse(status: "400 Bad Request", #"{"message":"400 Bad Request",\#(error)}"#)
            }
            let refused = try await sandbox.clover("charge", "refund", id, "--amount", "5.00")
            #expect(try refused.events.last?["provisional"] == .bool(true), "\(refused)")
            let refund = try #require(try refused.events.last?["operation"]?.string)
            cards.show(Self.taken(refunded: 500))
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64,
                saying: "Clover shows 5.00 USD refunded, the journal has 0.00 USD refunded")
            #expect(server.requests.count { $0.path == "/v1/refunds" } == 1)
            #expect(try await sandbox.clover("charge", "settle", refund, "--paid").ending == .exited(0))
            let row = try await Self.show(id, in: sandbox)
            #expect(row["refunded"] == .integer(500) && row["refundedElsewhere"] == nil, "\(row)")
        }
    }

    @Test(
        "what was refunded elsewhere, and failed since, can be refunded again",
        arguments: [[], ["--amount", "12.50"]])
    func failedElsewhere(_ amount: [String]) async throws {
        try await Self.run(Self.taken()) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(Self.taken(refunded: 1250))
            expectFailure(
                try await sandbox.clover("charge", "refund", id), status: 64, saying: "refunded in full already")
            cards.show(Self.taken())
            let result = try await sandbox.clover(["charge", "refund", id, "--quiet"] + amount)
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try result.events.last?["amount"] == .integer(1250), "\(result)")
        }
    }

    @Test("a hold with a capture that is not settled is not called held without a word")
    func openCapture() async throws {
        try await Self.run(Self.held(1250)) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge + ["--preauth"])
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(#""amount":1250,"captured":true,"amount_captured":300,"amount_refunded":0"#)
            let capture = try await sandbox.clover("charge", "capture", id)
            #expect(capture.ending == .exited(80), "\(capture)")
            let operation = try #require(try capture.events.last?["operation"]?.string)
            let event = try #require(try await sandbox.clover("charge", "recover", id).events.last)
            #expect(event["reason"]?.string?.contains("\(operation) is not settled") == true, "\(event)")
        }
    }

    @Test("what a hold's payment does not show takes back nothing that was captured elsewhere")
    func holdNotShown() async throws {
        try await Self.run(Self.held(1250)) { sandbox, cards, _ in
            let made = try await sandbox.clover(Self.charge + ["--preauth"])
            let id = try #require(try made.events.last?["charge"]?.string)
            cards.show(#""amount":1250,"captured":true,"amount_captured":300,"amount_refunded":0"#)
            #expect(try await sandbox.clover("charge", "recover", id).ending == .exited(0))
            let captured = #""amount":1250,"captured":true,"amount_captured":300"#
            for members in [
                #""amount":1250"#, #""amount":1250,"captured":true"#, captured + #","paid":false"#,
                captured + #","refunded":true"#,
            ] {
                cards.show(members)
                let event = try #require(try await sandbox.clover("charge", "recover", id).events.last)
                #expect(event["capturedElsewhere"] == .integer(300), "\(members): \(event)")
                let reason = event["reason"]?.string ?? ""
                #expect(reason.hasPrefix("what became of the hold since is not known: "), "\(members): \(event)")
            }
        }
    }

    @Test("a payment that is shown after a person recorded the charge as not paid wins, also under the same key")
    func wins() async throws {
        try await Self.run(nil) { sandbox, cards, _ in
            let charging = Self.charge + ["--idempotency-key", "order-1"]
            let lost = try await sandbox.clover(charging)
            #expect(lost.ending == .exited(80), "\(lost)")
            let id = try #require(try lost.events.last?["charge"]?.string)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--not-paid", "--by", "Anna"))
            cards.show(Self.taken())
            let words = "Anna recorded that it was not carried out; asked later, the answer is that it was"
            for _ in 1...2 {
                expectFailure(try await sandbox.clover(charging), status: 80, saying: words, output: nil)
            }
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80, saying: words, output: nil)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--paid"))
            expectSuccess(try await sandbox.clover(charging))
        }
    }
}
