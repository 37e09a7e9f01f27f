import CloverTestSupport
import Testing

/// Ctrl-C at random times of a write, against a server that counts requests. Only a real process has the signal, the
/// request and its exit in their true order.
@Suite("writes interrupted at any time", .serialized)
struct InterruptedWriteTests {
    @Test("a write reported as not carried out did not reach the service")
    func interrupted() async throws {
        let rounds = Scale.pick(100, full: 20_000)
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{\"id\":\"A\"}") }, weight: 2) { given, server in
            let sandbox = given.limited(to: .seconds(7200))
            var denied: [String] = []
            // Microseconds, around the time that a whole run takes on this machine.
            var longest = 60_000.0
            for round in 0..<rounds {
                let name = "\"n\(round)\""
                let command = try sandbox.start("post", "items", "-F", "name=n\(round)", "--no-pacing")
                let moment = ContinuousClock.now + .microseconds(Double.random(in: 0..<longest))
                while ContinuousClock.now < moment { await Task.yield() }
                command.send(2)
                let result = try await command.result()
                if result.errorText.contains("was not carried out") { denied.append(name) }
                longest = result.output.isEmpty ? min(longest * 1.03, 1_000_000) : max(longest * 0.95, 5_000)
            }
            let arrived = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(!denied.isEmpty)
            #expect(denied.filter { name in arrived.contains { $0.contains(name) } } == [])
            try Scale.report(
                "Ctrl-C at random times of `post items`", count: "\(rounds) runs",
                result: "\(denied.count) reported as not carried out, of which none arrived;"
                    + " \(arrived.count) requests arrived")
        }
    }
}
