import CloverTestSupport
import Foundation
import Testing

@Suite("the shared budget: limits, classes, switches")
struct LimitsTests {
    private struct Party: Decodable {
        var pid: Int32
        var `class`: String
        var command: String
        var since: String
    }

    private struct Budget: Decodable {
        var scope: String
        var merchant: String
        var perSecond: Int
        var granted: Int
        var inFlight: Int
        var limitInFlight: Int
        var holding: [Party]
        var waiting: [Party]
        var pausedUntil: String?
        var pauseCause: String?
    }

    private func limits(_ sandbox: Sandbox) async throws -> [Budget] {
        let result = try await sandbox.clover("limits")
        expectSuccess(result)
        return try result.lines.map { try JSONDecoder().decode(Budget.self, from: Data($0.utf8)) }
    }

    /// Looks again and again until it is so, which takes a moment on a busy machine.
    private func limits(_ sandbox: Sandbox, when isSo: ([Budget]) -> Bool) async throws -> [Budget] {
        for _ in 0..<200 {
            let budgets = try await limits(sandbox)
            if isSo(budgets) { return budgets }
        }
        return try await limits(sandbox)
    }

    @Test("nobody has used the budget of a new sign-in")
    func unused() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let budget = try #require(try await limits(sandbox).first)
            #expect(budget.scope == "token")
            #expect(budget.perSecond == 16)
            #expect(budget.limitInFlight == 5)
            #expect(budget.granted == 0)
            #expect(budget.inFlight == 0)
            #expect(budget.waiting.isEmpty)
            #expect(budget.pausedUntil == nil)
        }
    }

    @Test("a sign-in of an app draws on the token's budget and on the app's")
    func app() async throws {
        try await Sandbox.signedIn { sandbox, emulator, _ in
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            let budgets = try await limits(sandbox)
            #expect(budgets.map(\.scope) == ["token", "app"])
            #expect(budgets.map(\.perSecond) == [16, 50])
            #expect(budgets.map(\.limitInFlight) == [5, 10])
            let ledgers = sandbox.directory.files(below: "state/ratelimit").filter { $0.hasSuffix(".ledger") }
            #expect(ledgers.count == 2)
            #expect(try await emulator.stats().rejectedInAll == 0)
        }
    }

    @Test("who holds slots and who waits is shown with class, command and process, and no longer after a kill")
    func parties() async throws {
        try await Sandbox.run(emulator: ["--orders", "9", "--latency", "60s"]) { sandbox, _ in
            let bulk = try sandbox.start("get", "items", "--all", "--in-flight", "1")
            let held = try await limits(sandbox) { $0.first?.holding.count == 1 }
            #expect(held.first?.holding.map(\.command) == ["get items"])
            #expect(held.first?.holding.map(\.class) == ["bulk"])
            let waiting = try sandbox.start("get", "orders", "--limit", "1", "--in-flight", "1")
            let both = try await limits(sandbox) { $0.first?.waiting.count == 1 }
            #expect(both.first?.waiting.map(\.command) == ["get orders"])
            #expect(both.first?.waiting.map(\.class) == ["interactive"])
            #expect(both.first?.inFlight == 1)
            for command in [bulk, waiting] {
                command.send(SIGKILL)
                #expect(try await command.result().ending == .signalled(SIGKILL))
            }
            let after = try await limits(sandbox)
            #expect(after.first?.inFlight == 0)
            #expect(after.first?.holding.isEmpty == true)
            #expect(after.first?.waiting.isEmpty == true)
        }
    }

    @Test("a pause is shown with its cause, and --no-retry gives up at the first 429")
    func pause() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackAnswer(
                status: "429 Too Many Requests",
                headers: ["X-RateLimit-tokenConcurrentLimit: 5", "Retry-After: 3600"], body: [])
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--no-retry")
            #expect(result.ending == .exited(75), "\(result)")
            #expect(server.requests.count == 1)
            let budget = try #require(try await limits(sandbox).first)
            #expect(budget.pausedUntil != nil)
            #expect(budget.pauseCause == "X-RateLimit-tokenConcurrentLimit")
        }
    }

    @Test("a lower limit that the service names is learnt for all runs, and shown")
    func learnt() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1
                ? LoopbackAnswer(
                    status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 6", "Retry-After: 0"], body: [])
                : .page(Record.orders(1))
        }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            let budget = try #require(try await limits(sandbox).first)
            #expect(budget.perSecond == 8)
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(try await limits(sandbox).first?.perSecond == 8)
            #expect(server.requests.count == 3)
        }
    }

    @Test("--requests-per-second and --in-flight are kept instead of the documented limits")
    func settable() async throws {
        try await Sandbox.run(emulator: ["--orders", "15000", "--latency", "30ms"]) { sandbox, emulator in
            let result = try await sandbox.clover(
                "get", "orders", "--all", "-q", "--requests-per-second", "6", "--in-flight", "2")
            #expect(result.ending == .exited(0), "\(result)")
            let stats = try await emulator.stats()
            #expect(stats.peakPerSecond <= 6)
            #expect(stats.peakInFlight <= 2)
        }
    }

    @Test("--no-pacing leaves the ledger alone")
    func unpaced() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders", "--no-pacing"))
            #expect(sandbox.directory.files(below: "state/ratelimit") == [])
        }
    }

    @Test(
        "limits that cannot be are wrong usage",
        arguments: [
            ["--requests-per-second", "0"], ["--in-flight", "1001"], ["--no-pacing", "--in-flight", "2"],
            ["--retry", "3", "--no-retry"],
        ])
    func usage(_ options: [String]) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(["get", "orders"] + options)
            #expect(result.ending == .exited(64), "\(result)")
        }
    }

    @Test("with ten runs of bulk work at it, one get waits less than a second in the middle")
    func getAmongExports() async throws {
        let rounds = Scale.pick(7, full: 40)
        try await Sandbox.run(emulator: ["--orders", "60000", "--latency", "80ms"], weight: 4) { sandbox, emulator in
            let exports = try (0..<10).map { _ in try sandbox.start("get", "orders", "--all", "-r", "--jq", ".id") }
            _ = try await limits(sandbox) { $0.first?.waiting.isEmpty == false }
            var waits: [Double] = []
            for _ in 0..<rounds {
                let result = try await sandbox.clover("get", "orders", "--limit", "1", "--receipt", "-")
                #expect(result.ending == .exited(0), "\(result)")
                waits.append(
                    try JSONDecoder().decode(Receipt.self, from: Data(result.errorText.utf8)).secondsWaitedByRequests)
            }
            for export in exports {
                export.send(SIGKILL)
                _ = try await export.result()
            }
            let stats = try await emulator.stats()
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            #expect(stats.rejectedInAll == 0)
            let median = waits.sorted()[waits.count / 2]
            #expect(median < 1, "\(waits)")
            try Scale.report(
                "One `get` after the other among ten `get --all`", count: "\(rounds) gets",
                result: "\(median) s of waiting at the median, \(waits.max() ?? 0) s at most")
        }
    }

    private struct Receipt: Decodable {
        var secondsWaitedByRequests: Double
    }
}
