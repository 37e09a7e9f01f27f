import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: refused by a limit")
struct ChargeRefusalTests {
    /// A card service that rate limits all requests for a long time when switched to do so.
    private final class LimitingService: Sendable {
        enum Mood { case open, losing, limiting }
        let mood: Mutex<Mood>
        private let pause: String
        /// Whether it lets everybody again after the first refusal.
        private let isBrief: Bool

        init(_ mood: Mood, pause: String = "3600", isBrief: Bool = false) {
            self.mood = Mutex(mood)
            self.pause = pause
            self.isBrief = isBrief
        }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            switch (request.method, request.path, mood.withLock(\.self)) {
            case ("GET", "/pakms/apikey", .open), ("GET", "/pakms/apikey", .losing):
                return LoopbackResponse(#"{"apiAccessKey":"key"}"#)
            case ("POST", "/v1/charges", .open):
                return LoopbackResponse(#"{"id":"P1","amount":1250,"currency":"usd","status":"succeeded"}"#)
            case (_, "/v1/charges", .losing): return .reset
            case (_, _, .limiting):
                if isBrief { mood.withLock { $0 = .open } }
                return LoopbackResponse(
                    status: "429 Too Many Requests",
                    headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: \(pause)"], body: [])
            default: return .page([])
            }
        }
    }

    private static let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN"]
    private static let recovery = ["charge", "recover", "--all"]

    private static func run(
        _ service: LimitingService, weight: Int = 1, _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { request, _ in service.answer(request) }, weight: weight, body)
    }

    private static func posts(_ server: LoopbackServer) -> [LoopbackRequest] {
        server.requests.filter { $0.method == "POST" && $0.path == "/v1/charges" }
    }

    private static func journal(_ sandbox: Sandbox) async throws -> JSONValue {
        let result = try await sandbox.clover("charge", "list", "--json")
        return try #require(try JSONValue.lines(result.lines).first, "\(result)")
    }

    @Test("the emulator refuses a charge, or a card's token, by a configured limit; then it is charged once")
    func emulator() async throws {
        for fault in ["429-rate@1:/v1/charges", "429-concurrent@1:/v1/charges", "429-rate@1:/v1/tokens"] {
            try await ChargeFixture.run(emulator: ["--fault", fault]) { till in
                let result = try await till.charge()
                expectSuccess(result)
                #expect(try result.eventNames == ["created", "sent", "approved"], "\(fault): \(result)")
                let stats = try JSONValue(
                    String(decoding: try await till.emulator.page("/emulator/stats"), as: UTF8.self))
                #expect(stats["faults"]?.integer == 1, "\(fault)")
                try await till.expectAgreement()
            }
        }
    }

    @Test("it says so and until when it waits, and goes out again under the same key; the journal has each step")
    func waitedOut() async throws {
        try await Self.run(LimitingService(.limiting, pause: "2", isBrief: true)) { sandbox, server in
            let result = try await sandbox.clover(Self.charge)
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try result.eventNames == ["created", "sent", "approved"])
            let words = "the service refused /v1/charges for now (X-RateLimit-tokenLimit); sending it"
            #expect(result.errorText.contains(words), "\(result)")
            #expect(result.errorText.contains("in 2.00 s; a signal ends the wait"), "\(result)")
            let posts = Self.posts(server)
            #expect(posts.count == 2)
            #expect(Set(posts.map { $0.header("Idempotency-Key") }).count == 1)
            let id = try #require(try result.events.last?["charge"]?.string)
            let shown = try JSONValue(try await sandbox.clover("charge", "show", id, "--json").outputText)
            #expect(
                shown["transitions"]?.elements?.compactMap { $0["state"]?.string }
                    == ["created", "sent", "sent", "sent", "approved"], "\(shown)")
            #expect(shown["reason"]?.string == nil, "\(shown)")
        }
    }

    @Test("the first signal ends the wait, and what was refused stays open to a look", arguments: [2, 15])
    func signal(_ signal: Int32) async throws {
        try await Self.run(LimitingService(.limiting), weight: 2) { sandbox, server in
            let command = try sandbox.start(Self.charge)
            try await command.waitForErrors(containing: "sending it again at")
            #expect(try await Self.journal(sandbox)["state"]?.string == "sent")
            command.send(signal)
            let result = try await command.result()
            #expect(result.ending == (signal == 15 ? .signalled(15) : .exited(80)), "\(result)")
            #expect(try result.eventNames == ["created", "sent", "unknown"])
            #expect(result.errorText.contains("stopping: no longer waiting for the service"), "\(result)")
            let row = try await Self.journal(sandbox)
            #expect(row["state"]?.string == "unknown", "\(row)")
            #expect(row["reason"]?.string?.hasPrefix("it was refused (429)") == true, "\(row)")
            #expect(Self.posts(server).count == 1)
        }
    }

    @Test("--max-time ends the wait with 83, however long the service asks for", arguments: ["3600", "86400"])
    func maximumTime(_ pause: String) async throws {
        try await Self.run(LimitingService(.limiting, pause: pause)) { sandbox, server in
            let result = try await sandbox.clover(Self.charge + ["--max-time", "10s"])
            expectFailure(result, status: 80, saying: "outcome unknown", "it was refused (429)", output: nil)
            #expect(try result.eventNames == ["created", "sent", "unknown"])
            // The pause is everybody's: the next one never leaves.
            let next = try await sandbox.with(["CLOVER_MAX_TIME": "1s"]).clover(Self.charge)
            expectFailure(next, status: 83, saying: "its time ran out before it was sent", output: nil)
            #expect(try next.eventNames == ["created", "cancelled"])
            #expect(Self.posts(server).count == 1)
        }
    }

    @Test("recovery looks before it ends a charge that was killed in the wait")
    func killed() async throws {
        try await Self.run(LimitingService(.limiting), weight: 2) { sandbox, server in
            let command = try sandbox.start(Self.charge)
            try await command.waitForErrors(containing: "sending it again at")
            #expect(try await Self.journal(sandbox)["state"]?.string == "sent")
            command.send(9)
            _ = try await command.result()
            let id = try #require(try await Self.journal(sandbox)["charge"]?.string)
            let before = server.requests.count
            let result = try await sandbox.clover("charge", "recover", id, "--max-time", "1s")
            expectFailure(result, status: 80, saying: "outcome unknown", output: nil)
            #expect(try result.eventNames == ["unknown"])
            // The service asked for a pause.
            #expect(server.requests.count == before)
        }
    }

    @Test(
        "recovery says that it waits and until when; the first signal and --max-time end it, and nothing is taken for done"
    )
    func recovery() async throws {
        let service = LimitingService(.losing)
        try await Self.run(service, weight: 0) { sandbox, server in
            expectFailure(try await sandbox.clover(Self.charge), status: 80, saying: "outcome unknown", output: nil)
            service.mood.withLock { $0 = .limiting }
            expectFailure(
                try await sandbox.clover("get", "orders", "--retry", "0"), status: 75, saying: "limits requests")
            let before = server.requests.count
            let command = try sandbox.start(Self.recovery)
            try await command.waitForErrors(
                containing:
                    "the service limits requests (X-RateLimit-tokenLimit); sending again when the limit ends, at ")
            command.send(15)
            let stopped = try await command.result()
            #expect(stopped.ending == .signalled(15), "\(stopped)")
            #expect(try stopped.eventNames == ["unknown"])
            let bounded = try await sandbox.clover(Self.recovery + ["--max-time", "1s"])
            expectFailure(bounded, status: 80, saying: "1 is still unknown", output: nil)
            #expect(
                try bounded.events.last?["reason"]?.string
                    == "--max-time ran out while waiting for the service's rate limit")
            #expect(server.requests.count == before)
            #expect(try await Self.journal(sandbox)["state"]?.string == "unknown")
        }
    }

    @Test(
        "amounts and times of any size in an answer are no approval, and end no charge and no recovery by a signal",
        arguments: ["9223372036854775807", "-9223372036854775808", "1e300"])
    func anyNumber(_ number: String) async throws {
        let loses = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            if request.method == "POST" {
                if loses.withLock(\.self) { return .reset }
                return LoopbackResponse(
                    #"{"id":"P1","amount":\#(number),"tip_amount":\#(number),"currency":"usd","status":"succeeded"}"#)
            }
            return LoopbackResponse(
                #"{"has_more":false,"data":[{"id":"X","amount":\#(number),"currency":"usd","created":\#(number)}]}"#)
        }) { sandbox, _ in
            let charged = try await sandbox.clover(Self.charge + ["--accept-partial"])
            expectFailure(charged, status: 80, saying: "a payment at Clover contradicts it", output: nil)
            let id = try #require(try charged.events.last?["charge"]?.string)
            expectSuccess(try await sandbox.clover("charge", "show", id))
            loses.withLock { $0 = true }
            expectFailure(try await sandbox.clover(Self.charge), status: 80, saying: "outcome unknown", output: nil)
            expectFailure(
                try await sandbox.clover(Self.recovery), status: 80, saying: "2 are still unknown", output: nil)
        }
    }
}
