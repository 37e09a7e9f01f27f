import CloverHTTP
import CloverRateLimit
import CloverSystem
import ProbeSupport
import Testing

@Suite("A token's budget and its app's")
struct TwoBudgetsTests {
    private let temporary: TemporaryDirectory
    private let notices = NoticeRecorder()
    private let appScope = LedgerScope(service: "x", appID: "A")

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func scope(_ token: String) -> LedgerScope {
        LedgerScope(service: "A/\(token)", token: Secret("token"))
    }

    private func ledger(
        _ token: String, limits: RateLimits = RateLimits(requestsPerSecond: 400),
        app: RateLimits = RateLimits(requestsPerSecond: 400, inFlight: 10), in directory: TemporaryDirectory? = nil
    ) -> RateLedger {
        RateLedger(
            directory: StateDirectory(path: (directory ?? temporary).path),
            token: RateBudget(scope(token), limits: limits),
            app: RateBudget(appScope, limits: app), onNotice: notices.record)
    }

    @Test("a request occupies a slot and a grant of both, and gives both slots back")
    func both() async throws {
        // A grant is counted for a second.
        let (during, after) = try await promptly(within: .seconds(1)) {
            let temporary = try TemporaryDirectory()
            let ledger = ledger("a", in: temporary)
            let permit = try await ledger.acquire()
            let during = try await ledger.budgets()
            permit.release()
            return (during, try await ledger.budgets())
        }
        #expect(during.map(\.slotsTaken) == [1, 1])
        #expect(during.map(\.granted) == [1, 1])
        #expect(after.map(\.slotsTaken) == [0, 0])
    }

    @Test("tokens share the app's slots, and a waiting request is sent when another token releases one")
    func sharedSlots() async throws {
        let app = RateLimits(requestsPerSecond: 400, inFlight: 2)
        let first = ledger("a", app: app)
        let permits = [try await first.acquire(), try await first.acquire()]
        let other = ledger("b", app: app)
        async let waiting = other.acquire()
        #expect(await eventually { notices.notices.contains(.waitingForSlot(limit: 2, of: .app)) })
        #expect(try await other.budgets().map(\.slotsTaken) == [1, 2])
        permits[0].release()
        try await waiting.release()
        permits[1].release()
        #expect(try await other.budgets().map(\.slotsTaken) == [0, 0])
    }

    @Test("a token that is paused holds none of the app's slots or grants")
    func pausedToken() async throws {
        let ledger = ledger("a")
        try await ledger.pause(seconds: 3600, cause: "X-RateLimit-tokenLimit")
        let waiting = Task { try await ledger.acquire() }
        #expect(await eventually { !notices.notices.isEmpty })
        #expect(try await ledger.budgets().map(\.slotsTaken) == [1, 0])
        #expect(try await ledger.budgets().map(\.ahead) == [1, 0])
        try await self.ledger("b").acquire().release()
        waiting.cancel()
        _ = await waiting.result
    }

    @Test("a token that is paused while it waits for the app gives back what it has of the app")
    func pausedMeanwhile() async throws {
        // On a machine that is busy with other things the request may be gone before the pause is set: once more then.
        for round in 0..<100 {
            let ledger = ledger("a\(round)")
            let end = BootInstant.now.advanced(by: 3_000_000_000)
            try await ledger.pause(seconds: 3, cause: "X-RateLimit-crossTokenLimit", of: .app)
            let waiting = Task { try await ledger.acquire() }
            let isWaiting = try await eventually {
                try await ledger.budgets().map(\.slotsTaken) == [1, 1] || BootInstant.now > end
            }
            #expect(isWaiting)
            // Another process pauses the token, which this one finds when its time at the app has come.
            try await self.ledger("a\(round)").pause(seconds: 3600, cause: "X-RateLimit-tokenLimit")
            guard BootInstant.now < end else {
                waiting.cancel()
                _ = await waiting.result
                continue
            }
            #expect(try await eventually { try await ledger.budgets().map(\.slotsTaken) == [1, 0] })
            #expect(try await ledger.budgets().map(\.ahead) == [1, 0])
            waiting.cancel()
            _ = await waiting.result
            #expect(try await eventually { try await ledger.budgets().map(\.slotsTaken) == [0, 0] })
            return
        }
        Issue.record("the pause was never set in time")
    }

    @Test("a pause of the app stops all its tokens, that of a token only itself")
    func pauses() async throws {
        try await ledger("a").pause(seconds: 3600, cause: "X-RateLimit-crossTokenLimit", of: .app)
        for token in ["a", "b"] {
            let pauses = try await ledger(token).budgets().map(\.pauseCause)
            #expect(pauses == [nil, "X-RateLimit-crossTokenLimit"])
        }
    }

    @Test("without an app, its pause is the token's")
    func pauseWithoutApp() async throws {
        let ledger = RateLedger(
            directory: StateDirectory(path: temporary.path), scope: scope("a"), onNotice: notices.record)
        try await ledger.pause(seconds: 3600, cause: "X-RateLimit-crossTokenLimit", of: .app)
        #expect(try await ledger.budgets().map(\.pauseCause) == ["X-RateLimit-crossTokenLimit"])
    }

    @Test("what was granted to a request that is cancelled counts no more")
    func cancelled() async throws {
        let ledger = ledger("a")
        try await ledger.pause(seconds: 3600, cause: "X-RateLimit-crossTokenLimit", of: .app)
        let waiting = Task { try await ledger.acquire() }
        #expect(try await eventually { try await ledger.budgets()[1].ahead == 1 })
        waiting.cancel()
        _ = await waiting.result
        #expect(try await eventually { try await ledger.budgets().map(\.ahead) == [0, 0] })
        #expect(try await ledger.budgets().map(\.granted) == [0, 0])
    }
}
