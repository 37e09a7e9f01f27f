import CloverTestSupport
import Foundation
import Testing

@Suite("the shared budget: limits, classes, switches")
struct LimitsTests {
    private struct Client: Decodable {
        var pid: Int32
        var `class`: String
        var command: String
        var since: String
        var limitInFlight: Int?
    }

    private struct Share: Decodable, Equatable {
        var perSecond: Int
        var granted: Int
    }

    private struct Budget: Decodable {
        var scope: String
        var merchant: String
        var perSecond: Int
        var granted: Int
        var lowerLimits: [Share]
        var inFlight: Int
        var limitInFlight: Int
        var holding: [Client]
        var waiting: [Client]
        var pausedUntil: String?
        var pauseCause: String?
    }

    private func limits(_ sandbox: Sandbox) async throws -> [Budget] {
        let result = try await sandbox.clover("limits")
        expectSuccess(result)
        return try result.lines.map { try JSONDecoder().decode(Budget.self, from: Data($0.utf8)) }
    }

    /// Looks again and again until it is so, which takes a while on a busy machine.
    private func limits(_ sandbox: Sandbox, when isSo: ([Budget]) -> Bool) async throws -> [Budget] {
        for _ in 0..<200 {
            let budgets = try await limits(sandbox)
            if isSo(budgets) { return budgets }
        }
        return try await limits(sandbox)
    }

    @Test("the budget of a new sign-in is unused")
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
            LoopbackResponse(
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

    @Test("pauses of unspecified length grow from run to run until a response arrives")
    func sharedPauses() async throws {
        let refusals = 3
        try await Sandbox.run(
            server: { _, number in
                number <= refusals
                    ? LoopbackResponse(
                        status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16"], body: [])
                    : .page(Record.orders(1))
            }, weight: 0
        ) { sandbox, server in
            // The first run is refused twice, and says how long it waits after the first time.
            let first = try await sandbox.clover("get", "orders", "--limit", "1", "--retry", "1", "-v")
            #expect(first.ending == .exited(75), "\(first)")
            #expect(first.errorText.contains(/all requests wait 1\.[0-9]{2} s/), "\(first)")
            // However late the second run comes, its first refusal is the third.
            let second = try await sandbox.clover("get", "orders", "--limit", "1", "--retry", "1", "-v")
            #expect(second.status == 0, "\(second)")
            #expect(second.errorText.contains(/all requests wait 4\.[0-9]{2} s/), "\(second)")
            #expect(server.requests.count == refusals + 1)
        }
    }

    @Test("a request that waits for the end of a pause is shown as waiting, not as under way")
    func waitingInPause() async throws {
        try await Sandbox.run(
            server: { _, _ in
                LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 3600"],
                    body: [])
            }, weight: 2
        ) { sandbox, _ in
            let command = try sandbox.start("get", "orders", "--limit", "1")
            // Slots and waiting requests are read one after the other: a look at the moment of the refusal may show both.
            let budget = try #require(
                try await limits(sandbox) {
                    $0.first?.waiting.isEmpty == false && $0.first?.pausedUntil != nil
                        && $0.first?.holding.isEmpty == true
                }.first)
            #expect(budget.waiting.map(\.pid) == [command.pid])
            #expect(budget.holding.map(\.pid) == [])
            #expect(budget.inFlight == 0)
            command.send(SIGKILL)
            _ = try await command.result()
        }
    }

    @Test("the limit that is shown is that of the runs that send")
    func limitInUse() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1", "--requests-per-second", "7"))
            let budget = try #require(try await limits(sandbox).first)
            // None when the machine took longer than a second to look.
            #expect(budget.perSecond == (budget.granted > 0 ? 7 : 16))
        }
    }

    @Test("in a pause, --no-retry ends at once with its reason and sends nothing, in reading and in writing")
    func noWaiting() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 3600"],
                body: #"{"message":"slow down"}"#.utf8)
        }) { sandbox, server in
            let first = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover("get", "orders", "--no-retry")
            #expect(first.ending == .exited(75), "\(first)")
            #expect(first.errorText.contains(#""http":429"#), "\(first)")
            #expect(first.errorText.contains("slow down"), "\(first)")
            for command in [["get", "orders"], ["post", "orders", "--field", "title=x"]] {
                let result = try await sandbox.clover(command + ["--no-retry"])
                expectFailure(result, status: 75, saying: "X-RateLimit-tokenLimit")
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "--max-time that runs out in a pause names what was hit, for who was refused and for the next",
        arguments: [
            ["get", "orders"], ["post", "orders", "--field", "title=x"],
        ])
    func pauseNamed(_ command: [String]) async throws {
        try await Sandbox.run(
            server: { _, _ in
                LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 3600"],
                    body: [])
            }, weight: 0
        ) { sandbox, server in
            // As much time as a busy machine may need for one request.
            let first = try sandbox.start(command + ["--max-time", "20s"])
            _ = try await limits(sandbox) { $0.first?.pausedUntil != nil }
            let second = try await sandbox.clover(command + ["--max-time", "20s"])
            expectFailure(try await first.result(), status: 83, saying: "X-RateLimit-tokenLimit")
            expectFailure(second, status: 83, saying: "X-RateLimit-tokenLimit")
            #expect(server.requests.count == 1)
        }
    }

    @Test("a pause begins with the headers of the 429, not with the end of its body")
    func pauseBeforeBody() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 3600"],
                body: #"{"mess"#.utf8, declaredLength: 400, ending: .hold)
        }) { sandbox, _ in
            let command = try sandbox.start("get", "orders")
            let budget = try #require(try await limits(sandbox) { $0.first?.pausedUntil != nil }.first)
            #expect(budget.pauseCause == "X-RateLimit-tokenLimit")
            #expect(!command.hasEnded)
            command.send(SIGKILL)
            _ = try await command.result()
        }
    }

    @Test("Retry-After may be a date, also of a service that does not say what time it is")
    func dateWithoutDate() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let end = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 1800).rounded())
        let text = formatter.string(from: end)
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: "429 Too Many Requests", headers: ["Retry-After: \(text)"], body: [])
        }) { sandbox, _ in
            #expect(try await sandbox.clover("get", "orders", "--no-retry").ending == .exited(75))
            let until = try #require(try await limits(sandbox).first?.pausedUntil)
            let stamp = try Date(until, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            // The clock may have gone from one second to the next when it was read, and the pause never ends too early.
            #expect((-1...2).contains(stamp.timeIntervalSince(end)), "\(until), \(text)")
        }
    }

    @Test("the limits that other runs were given are shown while they run, also lower ones beside them")
    func others() async throws {
        try await Sandbox.run(emulator: ["--latency", "20s"], weight: 3) { sandbox, _ in
            let low = try sandbox.start("get", "items", "--all", "--requests-per-second", "4", "--in-flight", "2")
            let alone = try await limits(sandbox) { $0.first?.holding.isEmpty == false }
            let first = try #require(alone.first)
            #expect(first.perSecond == 4 && first.limitInFlight == 2, "\(first)")
            #expect(first.holding.allSatisfy { $0.limitInFlight == 2 }, "\(first)")
            #expect(first.lowerLimits == [])
            let high = try sandbox.start("get", "orders", "--all", "--requests-per-second", "12", "--in-flight", "4")
            let both = try await limits(sandbox) { budgets in
                Set(budgets.first?.holding.map(\.command) ?? []) == ["get items", "get orders"]
            }
            let second = try #require(both.first)
            #expect(second.limitInFlight == 4, "\(second)")
            #expect(second.perSecond == 12 && second.lowerLimits.map(\.perSecond) == [4], "\(second)")
            let session = try sandbox.startOnTerminal(["limits"])
            _ = try await session.result()
            #expect(session.screen.text.contains(/a second +[0-9]+ of +12\b/), "\(session.screen.text)")
            #expect(session.screen.text.contains(/at 4\/s +[0-9]+ of +4\b/), "\(session.screen.text)")
            #expect(session.screen.text.contains(/at once +[0-9]+ of +4\b/), "\(session.screen.text)")
            for run in [low, high] {
                run.send(9)
                _ = try await run.result()
            }
        }
    }

    @Test("a lower limit that the service names is learnt for all runs, and shown")
    func learnt() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1
                ? LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 6", "Retry-After: 0"], body: [])
                : .page(Record.orders(1))
        }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            let budget = try #require(try await limits(sandbox).first)
            #expect(budget.perSecond == 6)
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(try await limits(sandbox).first?.perSecond == 6)
            #expect(server.requests.count == 3)
        }
    }

    /// Limits that are set, and how long the service takes, so that one of them binds.
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let perSecond: Int
        let inFlight: Int
        let latency: String
        let binds: @Sendable (EmulatorProcess.Stats) -> Bool
    }

    static let settings = [
        Setting(testDescription: "6 a second", perSecond: 6, inFlight: 5, latency: "10ms") { $0.peakPerSecond == 6 },
        Setting(testDescription: "more than documented", perSecond: 20, inFlight: 8, latency: "10ms") {
            $0.peakPerSecond > 16
        },
        Setting(testDescription: "2 in flight", perSecond: 16, inFlight: 2, latency: "300ms") { $0.peakInFlight == 2 },
        Setting(testDescription: "8 in flight", perSecond: 16, inFlight: 8, latency: "900ms") { $0.peakInFlight == 8 },
    ]

    @Test(
        "--requests-per-second and --in-flight are kept instead of the documented limits, and used", arguments: settings
    )
    func settable(_ setting: Setting) async throws {
        try await Sandbox.run(
            emulator: [
                "--orders", "400", "--clamp", "10", "--latency", setting.latency, "--requests-per-second", "100",
                "--in-flight", "10",
            ], weight: 0
        ) { sandbox, emulator in
            // What gets through in one second depends on what else the machine does: once more then.
            for _ in 0..<10 {
                let runs = try (0..<2).map { _ in
                    try sandbox.start(
                        "get", "orders", "--all", "-q", "-r", "--jq", ".id", "--requests-per-second",
                        String(setting.perSecond), "--in-flight", String(setting.inFlight))
                }
                for run in runs { expectSuccess(try await run.result()) }
                let stats = try await emulator.stats()
                #expect(stats.peakPerSecond <= setting.perSecond)
                #expect(stats.peakInFlight <= setting.inFlight)
                if setting.binds(stats) { return }
            }
            Issue.record("the limit was never reached")
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
}
