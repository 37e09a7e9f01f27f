import CloverTestSupport
import Foundation
import Testing

/// What must hold whatever happens to a page of Hosted Checkout. `make soak` runs the same with the full counts.
@Suite("checkout: proofs", .serialized)
struct CheckoutProofs {
    @Test("a page whose request is killed at any time can be paid once for its key, and no payment is denied")
    func killed() async throws {
        let rounds = Scale.pick(8, full: 200)
        let faults = ["--fault", "lose-answer:0.15:/invoicingcheckoutservice", "--fault", "hidden-rows:0.2:/orders"]
        try await ChargeFixture.run(emulator: ["--no-limits"] + faults) { given in
            let till = ChargeFixture(sandbox: given.sandbox.limited(to: .seconds(900)), emulator: given.emulator)
            var killed = 0
            var paid = 0
            for round in 0..<rounds {
                let arguments = [
                    "checkout", "create", "--item", "Tea=1.\(10 + round % 90)", "--currency", "USD",
                    "--idempotency-key", "page-\(round)",
                ]
                var sessions: Set<String> = []
                for attempt in 0..<Int.random(in: 1...4) {
                    let command = try till.sandbox.start(arguments)
                    // Only the time of the kill is random.
                    if attempt < 3 {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 0...(round % 2 == 0 ? 60 : 250))))
                        command.send(9)
                    }
                    let result = try await command.result()
                    if result.ending == .signalled(9) { killed += 1 }
                    for event in try JSONValue.lines(result.lines.filter { $0.hasSuffix("}") }) {
                        if let session = event["session"]?.string { sessions.insert(session) }
                    }
                    if Bool.random() { _ = try await till.sandbox.clover("charge", "recover", "--all") }
                }
                try await till.waitUntilIdle()
                var last = try await till.sandbox.clover(arguments)
                // A response may be lost once more.
                while last.status == 69 { last = try await till.sandbox.clover(arguments) }
                expectSuccess(last)
                let page = try #require(try last.events.last)
                if let session = page["session"]?.string { sessions.insert(session) }
                // What was ever shown is one page: a customer cannot pay on two.
                #expect(sessions.count == 1, "\(sessions)")
                guard Bool.random(), let id = page["operation"]?.string, let session = sessions.first else { continue }
                let payment = try await till.pay(session)["id"]
                paid += 1
                let waiting = try till.sandbox.start(["checkout", "wait", id, "--interval", "0.1", "--json"])
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...120)))
                waiting.send(9)
                _ = try await waiting.result()
                let wait = try await till.wait(id)
                #expect(wait.status == 0, "\(wait)")
                #expect(try wait.events.last?["payment"] == payment)
            }
            #expect(killed > 0)
            #expect(try await till.taken().count == paid)
            try Scale.report(
                "Pages of Hosted Checkout killed at random moments, then continued at random",
                count: "\(rounds) pages, \(killed) killed",
                result: "one page for each key, \(paid) paid, none twice, nothing denied")
        }
    }
}
