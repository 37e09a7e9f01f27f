import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Responses that prove nothing, or something else than they seem to, against services of the test's own.
@Suite("charge: evidence")
struct ChargeEvidenceTests {
    private static let source = ["charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN"]
    private static let notFound = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
    private static let declined = LoopbackResponse(
        status: "402 Payment Required",
        #"{"message":"402","error":{"type":"card_error","code":"card_declined","message":"no"}}"#)

    @Test("without records that can be read, a decline ends nothing, and what is lost is not sent again")
    func unreadableRecords() async throws {
        let posts = Mutex(0)
        let isReadable = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            guard request.path == "/v1/charges" else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            guard request.method == "POST" else {
                return isReadable.withLock(\.self)
                    ? LoopbackResponse(#"{"data":[],"has_more":false}"#) : LoopbackResponse(status: "500 Error", "{}")
            }
            return posts.withLock {
                $0 += 1
                return $0 > 1 ? Self.declined : .reset
            }
        }) { sandbox, _ in
            expectFailure(try await sandbox.clover(Self.source), status: 80, saying: "outcome unknown", output: nil)
            #expect(posts.withLock(\.self) == 1)
            let declined = try await sandbox.clover(Self.source)
            expectFailure(
                declined, status: 80, saying: "it was declined (402), which no records confirm", output: nil)
            isReadable.withLock { $0 = true }
            let id = try #require(try declined.events.last?["charge"]?.string)
            let recovery = try await sandbox.clover("charge", "recover", id)
            #expect(try recovery.eventNames == ["declined"], "\(recovery)")
            #expect(posts.withLock(\.self) == 2)
        }
    }

    @Test("a decline after a sending whose response was lost ends nothing, even if no list shows the charge yet")
    func declinedAfterLoss() async throws {
        let posts = Mutex(0)
        try await Sandbox.run(server: { request, _ in
            guard request.path == "/v1/charges" else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            guard request.method == "POST" else { return LoopbackResponse(#"{"data":[],"has_more":false}"#) }
            return posts.withLock {
                $0 += 1
                return $0 > 1 ? Self.declined : .reset
            }
        }) { sandbox, _ in
            let result = try await sandbox.clover(Self.source)
            #expect(posts.withLock(\.self) == 2)
            expectFailure(result, status: 80, saying: "outcome unknown", output: nil)
        }
    }

    @Test("a decline that names an earlier charge is a repeated response, and ends nothing")
    func repeatedDecline() async throws {
        let list = Mutex(#"{"data":[],"has_more":false}"#)
        try await Sandbox.run(server: { request, _ in
            guard request.path == "/v1/charges" else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            guard request.method == "POST" else { return LoopbackResponse(list.withLock(\.self)) }
            return LoopbackResponse(
                status: "402 Payment Required",
                #"{"message":"402","error":{"type":"card_error","code":"card_declined","message":"no","charge":"CH1"}}"#
            )
        }) { sandbox, _ in
            let first = try await sandbox.clover(Self.source)
            #expect(first.ending == .exited(81), "\(first)")
            #expect(try first.eventNames.last == "declined", "\(first)")
            let second = try await sandbox.clover(Self.source.dropLast() + ["clv_1OTHER"])
            #expect(second.ending == .exited(80), "\(second)")
            #expect(try second.eventNames.last == "unknown", "\(second)")
            #expect(try second.events.last?["payment"] != .string("CH1"), "\(second)")
        }
    }

    @Test("what a service repeats of the card, its code and the tokens is in no event, message or journal")
    func repeatedSecrets() async throws {
        let words = Mutex("")
        try await Sandbox.run(server: { request, _ in
            guard request.path == "/v1/charges" else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            guard request.method == "POST" else { return LoopbackResponse(#"{"data":[],"has_more":false}"#) }
            return LoopbackResponse(
                status: "402 Payment Required",
                #"{"message":"402","error":{"type":"card_error","code":"card_declined","message":""#
                    + words.withLock(\.self) + #"","charge":"CH1"}}"#)
        }) { sandbox, _ in
            let token = "0b0e7c1e-5a0f-4f7d-9a55-1f5d6c3b2a10"
            words.withLock {
                $0 = "card 4242 4242 4242 4242, cvv 987, cvc: 987, source clv_1SECRET, sent with \(token); try again"
            }
            let state = sandbox.directory["state-of-secrets"]
            let result = try await sandbox.with(["CLOVER_STATE_DIR": state, "CLOVER_ACCESS_TOKEN": token]).clover(
                Self.source.dropLast() + ["clv_1SECRET"])
            #expect(result.ending == .exited(81), "\(result)")
            #expect(result.outputText.contains("try again"), "\(result)")
            let journal = try FileManager.default.contentsOfDirectory(atPath: state)
                .filter { $0.hasPrefix("journal.sqlite") }.compactMap {
                    FileManager.default.contents(atPath: "\(state)/\($0)")
                }
            #expect(!journal.isEmpty)
            for secret in ["4242 4242", "clv_1SECRET", token] {
                #expect(!(result.outputText + result.errorText).contains(secret), "\(secret): \(result)")
                #expect(journal.allSatisfy { $0.range(of: Data(secret.utf8)) == nil }, "\(secret) is in the journal")
            }
            // Three digits may be in any ID, so that only the words around them tell.
            for words in ["cvv 987", "cvc: 987"] {
                #expect(!(result.outputText + result.errorText).contains(words), "\(words): \(result)")
                #expect(journal.allSatisfy { $0.range(of: Data(words.utf8)) == nil }, "\(words) is in the journal")
            }
        }
    }

    struct CardRefusal: CustomTestStringConvertible, Sendable {
        let response: String
        /// The body's `error`; nil for a message alone.
        let error: String?
        let status: Int32
        var isListed = true
        var testDescription: String { "\(response) \(error ?? "") \(isListed)" }
    }

    @Test(
        "a refusal of a card's charge is final only as a decline; what its list shows later wins",
        arguments: [
            CardRefusal(
                response: "400 Bad Request", error: #""type":"invalid_request_error","code":"amount_too_large""#,
                status: 64),
            CardRefusal(
                response: "404 Not Found", error: #""type":"validation_error","code":"resource_missing""#, status: 66),
            CardRefusal(
                response: "404 Not Found", error: #""type":"validation_error","code":"resource_missing""#, status: 80,
                isListed: false),
            CardRefusal(response: "400 Bad Request", error: #""code":"token_already_used""#, status: 80),
            CardRefusal(
                response: "400 Bad Request", error: #""code":"token_already_used""#, status: 80, isListed: false),
            CardRefusal(response: "302 Found", error: #""type":"card_error","code":"card_declined""#, status: 80),
            CardRefusal(response: "402 Payment Required", error: nil, status: 80),
        ])
    func cardRefused(_ row: CardRefusal) async throws {
        let error = row.error.map { ",\"error\":{\($0),\"message\":\"no\"}" } ?? ""
        let cards = Cards(LoopbackResponse(status: row.response, "{\"message\":\"\(row.response)\"\(error)}"))
        cards.isDown.withLock { $0 = !row.isListed }
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { sandbox, _ in
            let result = try await sandbox.clover(Self.source)
            #expect(result.ending == .exited(row.status), "\(result)")
            let text = result.outputText + result.errorText
            for word in ["nothing was", "not charged", "not carried out"] { #expect(!text.contains(word), "\(result)") }
            cards.isDown.withLock { $0 = false }
            cards.entry.withLock {
                $0 =
                    #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","external_reference_id":"EXTERNAL"}"#
            }
            let again = try await sandbox.clover("charge", "recover", "--all")
            #expect(try again.eventNames == ["approved"], "\(again)")
            #expect(again.ending == .exited(row.status == 80 ? 0 : 80), "\(again)")
        }
    }

    @Test("a refund that is answered with 401 is not denied: its outcome is unknown")
    func refundUnauthorized() async throws {
        let state = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                return LoopbackResponse(
                    #"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":true}"#)
            case ("POST", "/v1/refunds"):
                state.withLock { $0 = true }
                return LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
            default: return LoopbackResponse(#"{"id":"CH1","amount":1250,"captured":true,"status":"succeeded"}"#)
            }
        }) { sandbox, _ in
            let charge = try await sandbox.clover(Self.source)
            expectSuccess(charge)
            let id = try #require(try charge.events.first?["charge"]?.string)
            let refund = try await sandbox.clover("charge", "refund", id, "--amount", "1.00")
            #expect(refund.ending == .exited(80), "\(refund)")
            let wasAsked = state.withLock { $0 }
            #expect(wasAsked)
        }
    }

    @Test("a payment id that a response named is asked about by each recovery, also after one that failed")
    func keptPayment() async throws {
        try await Sandbox.run(server: { request, number in
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                return LoopbackResponse(#"{"id":"CH1","amount":1250,"currency":"usd","status":"pending"}"#)
            case ("GET", "/v1/charges/CH1"):
                return LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
            default: return LoopbackResponse(#"{"data":[]}"#)
            }
        }) { sandbox, server in
            let first = try await sandbox.clover(Self.source)
            #expect(first.ending == .exited(80), "\(first)")
            let before = server.requests.filter { $0.path == "/v1/charges/CH1" }.count
            for round in 1...2 {
                let again = try await sandbox.clover("charge", "recover", "--all")
                #expect(again.ending == .exited(80), "\(again)")
                #expect(server.requests.filter { $0.path == "/v1/charges/CH1" }.count >= before + round)
            }
        }
    }

    @Test("a record that comes as an array shows nothing: the charge is not reported as not captured")
    func captureShownAsArray() async throws {
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                return LoopbackResponse(
                    #"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":false}"#)
            case ("POST", _): return .reset
            default: return LoopbackResponse("[]")
            }
        }) { sandbox, _ in
            let charge = try await sandbox.clover(Self.source + ["--preauth", "--quiet"])
            #expect(charge.ending == .exited(0), "\(charge)")
            let id = try #require(try charge.events.first?["charge"]?.string)
            let capture = try await sandbox.clover("charge", "capture", id)
            #expect(capture.ending == .exited(80), "\(capture)")
            let recovery = try await sandbox.clover("charge", "recover", "--all")
            #expect(recovery.ending == .exited(80), "\(recovery)")
            let text = recovery.outputText + recovery.errorText
            #expect(!text.contains("the charge is not captured at the service"), "\(recovery)")
            #expect(text.contains("the response cannot be understood"), "\(recovery)")
        }
    }

    /// A card service that takes money and shows it as configured.
    private final class Cards: Sendable {
        let response: Mutex<LoopbackResponse>
        /// The entry of the list; nil when it is empty. EXTERNAL stands for the reference of the last charge.
        let entry = Mutex<String?>(nil)
        /// Whether the list cannot be read.
        let isDown = Mutex(false)
        private let reference = Mutex("")

        init(_ response: LoopbackResponse) { self.response = Mutex(response) }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            if request.method == "POST" {
                let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/)
                reference.withLock { $0 = found.map { String($0.1) } ?? "" }
                return response.withLock(\.self)
            }
            if request.path == "/v1/charges" {
                if isDown.withLock(\.self) { return .reset }
                let shown = entry.withLock(\.self)?.replacing("EXTERNAL", with: reference.withLock(\.self)) ?? ""
                return LoopbackResponse(#"{"has_more":false,"data":[\#(shown)]}"#)
            }
            if request.path == "/v1/charges/X9", let shown = entry.withLock(\.self) { return LoopbackResponse(shown) }
            return ChargeEvidenceTests.notFound
        }
    }

    @Test(
        "a status without Clover's form proves nothing: the charge is looked for, sent again under its key, and unknown",
        arguments: [
            "400 Bad Request", "401 Unauthorized", "402 Payment Required", "403 Forbidden", "429 Too Many Requests",
        ])
    func bareStatus(_ status: String) async throws {
        let cards = Cards(LoopbackResponse(status: status, "<html>proxy</html>"))
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { sandbox, server in
            let result = try await sandbox.clover(Self.source)
            expectFailure(result, status: 80, saying: "outcome unknown", output: nil)
            let posts = server.requests.filter { $0.method == "POST" }
            #expect(Set(posts.map { $0.header("Idempotency-Key") }).count == 1)
        }
    }

    @Test("a charge without a reference that looks alike is named, and a person chooses it")
    func candidate() async throws {
        let cards = Cards(.reset)
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { sandbox, server in
            cards.entry.withLock { $0 = #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded"}"# }
            let result = try await sandbox.clover(Self.source)
            // It may be the charge, so that nothing is sent a second time.
            #expect(server.requests.count { $0.method == "POST" } == 1)
            let id = try #require(try result.events.last?["charge"]?.string)
            expectFailure(
                result, status: 80, saying: "X9", "clover charge settle \(id) --paid --payment X9", output: nil)
            #expect(try result.events.last?["candidates"]?.elements == [.string("X9")])
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--paid", "--payment", "X9"))
            // The payment is this charge's now, and no candidate of the next one.
            let next = try await sandbox.clover(Self.source)
            #expect(next.ending == .exited(80), "\(next)")
            #expect(try next.events.last?["candidates"] == nil)
        }
    }

    @Test("the same key in two processes: the second waits, and gives the result of the first")
    func sameKey() async throws {
        try await ChargeFixture.run(emulator: ["--authorization-time", "2s"], weight: 2) { till in
            let device = try await till.device()
            expectSuccess(try await till.charge())
            let arguments = [
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device, "--idempotency-key",
                "order-1234567", "--quiet",
            ]
            let first = try till.sandbox.start(arguments)
            try await till.waitUntilUnderWay()
            let second = try till.sandbox.start(arguments)
            let results = [try await first.result(), try await second.result()]
            for result in results { expectSuccess(result) }
            #expect(try results[0].events.last?["payment"] == results[1].events.last?["payment"])
            #expect(try await till.taken().count == 2)
        }
    }

    @Test("a charge that was killed before it was sent is charged under the same key, also after recovery")
    func killedBeforeSent() async throws {
        for recovers in [false, true] {
            try await ChargeFixture.run(emulator: ["--latency", "1s"], weight: 2) { till in
                let arguments = [
                    "charge", "--amount", "12.50", "--currency", "USD", "--card", "-", "--idempotency-key",
                    "order-1234567",
                ]
                let command = try till.sandbox.start(arguments, input: ChargeFixture.card())
                try await command.waitForOutput("created") { String(decoding: $0, as: UTF8.self).contains("created") }
                command.send(9)
                _ = try await command.result()
                if recovers { expectSuccess(try await till.sandbox.clover("charge", "recover", "--all")) }
                let again = try await till.sandbox.clover(arguments: arguments, input: ChargeFixture.card())
                expectSuccess(again)
                #expect(try await till.taken().count == 1)
                try await till.expectAgreement()
            }
        }
    }
}
