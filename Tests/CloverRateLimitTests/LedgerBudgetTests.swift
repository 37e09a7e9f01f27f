import CloverHTTP
import CloverRateLimit
import CloverSystem
import ProbeSupport
import Testing

@Suite("A look at the budget")
struct LedgerBudgetTests {
    private let temporary: TemporaryDirectory
    private let scope = LedgerScope(service: "https://api.example", token: Secret("canary"))

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func ledger(rate: Int = 16, slots: Int = 5) -> RateLedger {
        RateLedger(
            directory: StateDirectory(path: temporary.path), scope: scope,
            limits: RateLimits(requestsPerSecond: rate, inFlight: slots), onNotice: { _ in })
    }

    @Test("it makes no file, takes no grant and no slot")
    func takesNothing() async throws {
        let budget = try await ledger().budget()
        #expect(budget.free == 16)
        #expect(budget.granted == 0)
        #expect(budget.slotsTaken == 0)
        #expect(budget.pause == nil)
        #expect(try temporary.names() == [])
    }

    @Test("it sees the grants and slots of other ledgers of the token")
    func others() async throws {
        let user = ledger(rate: 400)
        var permits: [Permit] = []
        for _ in 0..<3 { permits.append(try await user.acquire()) }
        /// Grants no older than this; on a slow machine fewer than all of them.
        func count(within nanoseconds: Int64) -> Int {
            permits.count { BootInstant.now.nanoseconds(since: $0.moment) < nanoseconds }
        }
        // A grant is shown for a second, and counts against the budget a margin longer.
        let (mostShown, mostCounted) = (count(within: 1_000_000_000), count(within: SlidingWindowLimiter.span))
        let before = try await ledger(rate: 400).budget()
        #expect((count(within: 1_000_000_000)...mostShown).contains(before.granted))
        #expect(before.slotsTaken == 3)
        // What is free within a millisecond is free.
        let leastCounted = count(within: SlidingWindowLimiter.span - 1_000_000)
        #expect((400 - mostCounted...400 - leastCounted).contains(before.free))
        for _ in 0..<20 { _ = try await ledger(rate: 400).budget() }
        let after = try await ledger(rate: 400).budget()
        #expect(after.granted <= before.granted)
        #expect(Set(permits.map(\.slotNumber)).count == 3)
        for permit in permits { permit.release() }
        #expect(try await ledger(rate: 400).budget().slotsTaken == 0)
    }

    @Test("a pause is seen with its cause, and nothing is free in it")
    func pause() async throws {
        try await ledger().pause(seconds: 80_000, cause: "X-RateLimit-tokenLimit")
        let budget = try await ledger().budget()
        #expect(budget.pauseCause == "X-RateLimit-tokenLimit")
        let left = try #require(budget.pause)
        #expect(left > .seconds(40_000) && left <= .seconds(80_000))
        #expect(budget.free == 0)
        #expect(budget.wait(for: 1) > .seconds(40_000))
    }

    @Test("a ledger that cannot be used counts as used up, and is left where it is")
    func unusable() async throws {
        _ = try await ledger().acquire()
        let name = "ratelimit/\(scope.fileName).ledger"
        try temporary.write(name, bytes: [1, 2, 3])
        let budget = try await ledger().budget()
        #expect(budget.free == 0)
        #expect(try temporary.read(name) == [1, 2, 3])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let used: Int
        let requests: Int
        let spans: Int64
        var testDescription: String { "\(requests) requests after \(used)" }
    }

    static let rows = [
        Row(used: 0, requests: 0, spans: 0), Row(used: 0, requests: 1, spans: 0), Row(used: 0, requests: 16, spans: 0),
        Row(used: 0, requests: 17, spans: 1), Row(used: 0, requests: 32, spans: 1),
        Row(used: 0, requests: 33, spans: 2),
        Row(used: 0, requests: 1600, spans: 99), Row(used: 16, requests: 1, spans: 1),
        Row(used: 10, requests: 6, spans: 0), Row(used: 10, requests: 7, spans: 1),
    ]

    @Test("the wait for several requests equals that of granting them one by one", arguments: rows)
    func wait(_ row: Row) {
        let now = BootInstant(nanoseconds: 5_000_000_000)
        var window = SlidingWindowLimiter()
        for _ in 0..<row.used { _ = window.grant(now: now, limit: 16) }
        let budget = LedgerBudget(window, limits: RateLimits(), now: now)
        var last = now
        for _ in 0..<row.requests { last = window.grant(now: now, limit: 16) }
        let exact = last.nanoseconds(since: now)
        // A few nanoseconds keep the times distinct.
        let estimate = budget.wait(for: row.requests) / .nanoseconds(1)
        #expect(abs(estimate - Double(exact)) < 10_000)
        #expect(Int64((estimate / Double(SlidingWindowLimiter.span)).rounded()) == row.spans)
    }

    @Test("the limit in use is that of the present processes, even if none has sent in the last second")
    func limitInUse() {
        let sent = BootInstant(nanoseconds: 5_000_000_000)
        var window = SlidingWindowLimiter()
        _ = window.grant(now: sent, limit: 1)
        func inUse(after seconds: Int64, underWay: Int = 0, waiting: [LedgerClient] = []) -> Int? {
            LedgerBudget(
                window, limits: RateLimits(), now: sent.advanced(by: seconds * 1_000_000_000), slotsTaken: underWay,
                underWay: underWay, waiting: waiting
            ).perSecondInUse
        }
        #expect(inUse(after: 0) == 1)
        #expect(inUse(after: 3) == nil)
        #expect(inUse(after: 3, underWay: 1) == 1)
        let client = LedgerClient(pid: 1, priority: .bulk, command: "get orders", since: sent, seen: sent)
        #expect(inUse(after: 3, waiting: [client]) == 1)
    }
}
