import CloverTestSupport
import Testing

/// Ctrl-C at random times of a write, a charge and a refresh, against servers that count requests. Only a real process has the
/// signal, the request and its exit in their true order.
@Suite("writes interrupted at any time", .serialized)
struct InterruptedWriteTests {
    private static let rounds = Scale.pick(100, full: 20_000)

    /// Moments around the time that a whole run takes on this machine.
    private struct Moments {
        /// Microseconds.
        private var longest = 60_000.0

        /// Interrupts the command at a random moment, and waits for its end, which is too early if it has not printed `end`.
        mutating func interrupt(_ command: RunningCommand, end: String = "") async throws -> CommandResult {
            let moment = ContinuousClock.now + .microseconds(Double.random(in: 0..<longest))
            while ContinuousClock.now < moment { await Task.yield() }
            command.send(2)
            let result = try await command.result()
            let isEarly = result.output.isEmpty || !end.isEmpty && !result.outputText.contains(end)
            longest = isEarly ? min(longest * 1.03, 1_000_000) : max(longest * 0.95, 5_000)
            return result
        }
    }

    @Test("a write reported as not carried out did not reach the service")
    func interrupted() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{\"id\":\"A\"}") }, weight: 2) { given, server in
            let sandbox = given.limited(to: .seconds(7200))
            var denied: [String] = []
            var moments = Moments()
            for round in 0..<Self.rounds {
                let result = try await moments.interrupt(
                    try sandbox.start("post", "items", "-F", "name=n\(round)", "--no-pacing"))
                if result.errorText.contains("was not carried out") { denied.append("n\(round)") }
            }
            let arrived = Set(server.requests.compactMap { try? JSONValue($0.bodyText)["name"]?.string })
            #expect(!denied.isEmpty && !arrived.isEmpty)
            #expect(denied.filter(arrived.contains) == [])
            try Scale.report(
                "Ctrl-C at random times of `post items`", count: "\(Self.rounds) runs",
                result: "\(denied.count) reported as not carried out, of which none arrived;"
                    + " \(arrived.count) requests arrived")
        }
    }

    @Test("a charge that the journal has as not sent did not reach the service")
    func interruptedCharges() async throws {
        try await Sandbox.run(
            server: { request, number in
                guard request.method == "POST", request.path == "/v1/charges" else {
                    return LoopbackResponse(#"{"data":[]}"#)
                }
                let body = try? JSONValue(request.bodyText)
                let reference = body?["external_reference_id"]?.string ?? ""
                return LoopbackResponse(
                    """
                    {"id":"P\(number)","object":"charge","amount":123,"currency":"usd","captured":true,"paid":true,\
                    "status":"succeeded","external_reference_id":"\(reference)"}
                    """)
            }, weight: 2
        ) { given, server in
            let sandbox = given.limited(to: .seconds(7200))
            var moments = Moments()
            for _ in 0..<Self.rounds {
                _ = try await moments.interrupt(
                    try sandbox.start(
                        "charge", "--amount", "1.23", "--currency", "USD", "--source", "clv_1TSTTOKEN"),
                    end: "approved")
            }
            let list = try await sandbox.clover("charge", "list", "--limit", "100000", "--json")
            expectSuccess(list)
            let rows = try JSONValue.lines(list.lines)
            let unsent = rows.filter { ["created", "failed", "cancelled", "declined"].contains($0["state"]?.string) }
            let approved = rows.filter { $0["state"]?.string == "approved" }
            let keys = server.requests.filter { $0.path == "/v1/charges" && $0.method == "POST" }
                .compactMap { $0.header("idempotency-key") }
            let arrived = Set(keys)
            #expect(!unsent.isEmpty && !approved.isEmpty)
            #expect(unsent.compactMap { $0["idempotencyKey"]?.string }.filter(arrived.contains) == [])
            #expect(approved.compactMap { $0["idempotencyKey"]?.string }.filter { !arrived.contains($0) } == [])
            #expect(arrived.subtracting(rows.compactMap { $0["idempotencyKey"]?.string }) == [])
            try Scale.report(
                "Ctrl-C at random times of `charge`", count: "\(Self.rounds) runs",
                result: "\(unsent.count) recorded as not sent, of which none arrived;"
                    + " \(arrived.count) arrived, \(approved.count) recorded as approved")
        }
    }

    @Test("a refresh token that the service received is kept no longer without a word in the journal of its refresh")
    func interruptedRefreshes() async throws {
        try await Sandbox.run(
            server: { request, number in
                // An earlier token is taken again, so that one sign-in lasts for all rounds.
                LoopbackResponse(
                    """
                    {"access_token":"a-\(number)","access_token_expiration":4000000000,"refresh_token":"r-\(number)",\
                    "refresh_token_expiration":4100000000}
                    """)
            }, weight: 2
        ) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
                .limited(to: .seconds(7200))
            let received = try await sandbox.clover(
                "auth", "receive", "--environment", server.url, "--app-id", "APP", "--merchant", Sandbox.merchantID,
                input: .text("code-0000000001\n"))
            #expect(received.ending == .exited(0), "\(received)")
            var moments = Moments()
            var (unspent, renewed, recorded) = (0, 0, 0)
            for round in 0..<Self.rounds {
                let old = try #require(try sandbox.keptTokens().refresh)
                let before = server.requests.count
                _ = try await moments.interrupt(try sandbox.start("auth", "refresh"))
                let isSent = server.requests.dropFirst(before).contains {
                    $0.bodyText.contains("\"\(old)\"")
                }
                let isKept = try sandbox.keptTokens().refresh == old
                if !isKept {
                    renewed += 1
                } else if try sandbox.journal() != nil {
                    recorded += 1
                } else {
                    unspent += 1
                    #expect(!isSent, "round \(round): \(old) was spent, and nothing says so")
                }
            }
            #expect(unspent > 0 && renewed > 0)
            try Scale.report(
                "Ctrl-C at random times of a refresh", count: "\(Self.rounds) runs",
                result: "\(unspent) left the refresh token as it was, and none of these had arrived;"
                    + " \(renewed) renewed it; \(recorded) ended with the refresh in the journal")
        }
    }
}
