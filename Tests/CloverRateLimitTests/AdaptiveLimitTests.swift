import CloverHTTP
import CloverRateLimit
import CloverSystem
import ProbeSupport
import Testing

@Suite("Limits learned from refusals")
struct AdaptiveLimitTests {
    private let start = BootInstant(nanoseconds: 5_000_000_000_000)

    @Test("A refusal sets the limit to the number it names; without one it halves it, and never below one")
    func halves() {
        func learned(_ named: Int?, _ configured: Int) -> Int {
            var limit = AdaptiveLimit()
            limit.learn(named: named, configured: configured, now: start)
            return limit.effective(configured: configured, now: start)
        }
        #expect(learned(nil, 16) == 8)
        #expect(learned(4, 16) == 4)
        #expect(learned(1, 16) == 1)
        #expect(learned(12, 16) == 12)
        #expect(learned(nil, 1) == 1)
    }

    @Test("A number that is no lower than ours teaches nothing")
    func sameNumber() {
        var limit = AdaptiveLimit()
        limit.learn(named: 16, configured: 16, now: start)
        limit.learn(named: 50, configured: 16, now: start)
        #expect(limit == AdaptiveLimit())
    }

    @Test("Refusals of requests that left before the lesson teach nothing more, later ones do")
    func once() {
        var limit = AdaptiveLimit()
        for _ in 0..<5 { limit.learn(named: nil, configured: 16, now: start) }
        #expect(limit.effective(configured: 16, now: start) == 8)
        let later = start.advanced(by: AdaptiveLimit.pause)
        limit.learn(named: nil, configured: 16, now: later)
        #expect(limit.effective(configured: 16, now: later) == 4)
        // A number is a number, whenever the request left.
        limit.learn(named: 3, configured: 16, now: later)
        #expect(limit.effective(configured: 16, now: later) == 3)
        limit.learn(named: 12, configured: 16, now: later)
        #expect(limit.effective(configured: 16, now: later) == 3)
    }

    @Test("The limit rises by one after each while, up to the configured one")
    func rises() {
        var limit = AdaptiveLimit()
        limit.learn(named: nil, configured: 16, now: start)
        func after(_ count: Int64) -> Int {
            limit.effective(configured: 16, now: start.advanced(by: count * AdaptiveLimit.recovery))
        }
        #expect([0, 1, 2, 7, 8, 9, 1000].map(after) == [8, 9, 10, 15, 16, 16, 16])
        #expect(limit.effective(configured: 16, now: start.advanced(by: -1)) == 8)
        #expect(limit.effective(configured: 3, now: start) == 3)
    }

    @Test("The four headers tell scope and kind; others tell nothing")
    func headers() {
        func read(_ header: String, _ value: String) -> (BudgetScope, RateLimitResponse.Kind, Int?)? {
            RateLimitResponse(header: header, value: value).map { ($0.scope, $0.kind, $0.limit) }
        }
        #expect(read("X-RateLimit-tokenLimit", "16").map { $0 == (.token, .perSecond, 16) } == true)
        #expect(read("x-ratelimit-tokenconcurrentlimit", "5").map { $0 == (.token, .inFlight, 5) } == true)
        #expect(read("X-RateLimit-crossTokenLimit", "many").map { $0 == (.app, .perSecond, nil) } == true)
        #expect(read("X-RateLimit-crossTokenConcurrentLimit", "0").map { $0 == (.app, .inFlight, nil) } == true)
        #expect(read("X-RateLimit-Remaining", "3") == nil)
    }

    @Test("What one process learned, every process keeps and shows", arguments: [0, 0.01])
    func shared(seconds: Double) async throws {
        // What was learned fades; so much time does not go by in a run that counts.
        let seen = try await promptly(within: .nanoseconds(AdaptiveLimit.recovery / 2)) {
            try await look(afterPauses: seconds)
        }
        #expect(seen.before.limits == RateLimits(requestsPerSecond: 2, inFlight: 2))
        #expect(seen.before.configured == RateLimits())
        #expect(seen.during?.slotsTaken == 2)
        #expect(seen.notices.contains(.waitingForSlot(limit: 2, of: .token)))
    }

    @Test("A refusal that names an unconfigured app halves the token's limits and ignores its number")
    func unknownApp() async throws {
        let temporary = try TemporaryDirectory()
        let ledger = RateLedger(
            directory: StateDirectory(path: temporary.path), scope: LedgerScope(service: "x", token: Secret("t")),
            onNotice: { _ in })
        for (header, value) in [("X-RateLimit-crossTokenConcurrentLimit", "10"), ("X-RateLimit-crossTokenLimit", "50")]
        {
            let refusal = try #require(RateLimitResponse(header: header, value: value))
            try await ledger.pause(seconds: 0, cause: header, because: refusal)
        }
        let limits = try await ledger.budget().limits
        #expect(limits.inFlight < RateLimits().inFlight && limits.requestsPerSecond < RateLimits().requestsPerSecond)
    }

    /// The budget after two refusals, and with a third request waiting for one of the two slots that are left; that one is
    /// nil when it did not wait. With the notices.
    private func look(
        afterPauses seconds: Double
    ) async throws -> (before: LedgerBudget, during: LedgerBudget?, notices: [LedgerNotice]) {
        let temporary = try TemporaryDirectory()
        let notices = NoticeRecorder()
        func ledger() -> RateLedger {
            RateLedger(
                directory: StateDirectory(path: temporary.path), scope: LedgerScope(service: "x", token: Secret("t")),
                onNotice: notices.record)
        }
        for header in ["X-RateLimit-tokenLimit", "X-RateLimit-tokenConcurrentLimit"] {
            let refusal = try #require(RateLimitResponse(header: header, value: "2"))
            try await ledger().pause(seconds: seconds, cause: header, because: refusal)
        }
        let other = ledger()
        let before = try await other.budget()
        let permits = [try await other.acquire(), try await other.acquire()]
        let third = Task { try await other.acquire() }
        let isWaiting = try await eventually { try await other.budget().waiting.count == 1 }
        let during = isWaiting ? try await other.budget() : nil
        _ = await eventually { !notices.notices.isEmpty }
        third.cancel()
        _ = await third.result
        for permit in permits { permit.release() }
        return (before, during, notices.notices)
    }
}
