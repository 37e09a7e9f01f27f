import CloverFleet
import CloverHTTP
import CloverRateLimit
import CloverSystem
import ProbeSupport
import Testing

/// What every store must do, whatever keeps its budgets.
@Suite("The rate limit in files and in PostgreSQL")
struct StoreProtocolTests {
    /// Ledgers of one store.
    private struct Ledgers {
        let make: (_ token: String, RateLimits, RateLimits?) -> RateLedger
        let notices = FleetWorld.Notices()
        private let temporary: TemporaryDirectory?

        init(_ store: FleetWorld.Store) async throws {
            let notices = notices
            switch store {
            case .files:
                let temporary = try TemporaryDirectory()
                self.temporary = temporary
                make = { token, limits, app in
                    RateLedger(
                        directory: StateDirectory(path: temporary.path),
                        token: RateBudget(FleetWorld.scope(token), limits: limits),
                        app: app.map { RateBudget(LedgerScope(service: "x", appID: "A"), limits: $0) },
                        onNotice: notices.record)
                }
            case .postgreSQL:
                temporary = nil
                let world = try await FleetWorld()
                make = { token, limits, app in
                    RateLedger(
                        fleet: world.url, token: RateBudget(FleetWorld.scope(token), limits: limits),
                        app: app.map { RateBudget(LedgerScope(service: "x", appID: "A"), limits: $0) },
                        onNotice: notices.record)
                }
            }
        }

        func callAsFunction(
            _ token: String = "a", _ limits: RateLimits = RateLimits(), app: RateLimits? = nil
        ) -> RateLedger { make(token, limits, app) }
    }

    @Test(
        "a request takes a slot and a grant of both budgets, and gives both slots back",
        arguments: FleetWorld.Store.allCases)
    func both(_ store: FleetWorld.Store) async throws {
        let ledger = try await Ledgers(store)("a", app: .app)
        let permit = try await ledger.acquire()
        let during = try await ledger.budgets()
        permit.release()
        let after = try await ledger.budgets()
        #expect(during.map(\.slotsTaken) == [1, 1])
        #expect(after.map(\.slotsTaken) == [0, 0])
        #expect(after.map(\.ahead) == [0, 0])
    }

    @Test("a request beyond the limit is granted a span after the first one", arguments: FleetWorld.Store.allCases)
    func window(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let (one, other) = (
            ledgers("a", RateLimits(requestsPerSecond: 2)), ledgers("a", RateLimits(requestsPerSecond: 2))
        )
        var moments: [BootInstant] = []
        for ledger in [one, other, one, other, one] {
            let permit = try await ledger.acquire()
            moments.append(permit.moment)
            permit.release()
        }
        for (first, third) in zip(moments, moments.dropFirst(2)) {
            #expect(third.nanoseconds(since: first) >= SlidingWindowLimiter.span - 1_000_000)
        }
    }

    @Test("a request waits for a slot until another ledger releases one", arguments: FleetWorld.Store.allCases)
    func slots(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let app = RateLimits(requestsPerSecond: 400, inFlight: 2)
        let first = ledgers("a", RateLimits(requestsPerSecond: 400), app: app)
        let permits = [try await first.acquire(), try await first.acquire()]
        let other = ledgers("b", RateLimits(requestsPerSecond: 400), app: app)
        async let waiting = other.acquire()
        #expect(await eventually { ledgers.notices.notices.contains(.waitingForSlot(limit: 2, of: .app)) })
        #expect(try await first.budgets()[1].slotsTaken == 2)
        permits[0].release()
        try await waiting.release()
        permits[1].release()
        // The other ledger's slot is given back by its own session.
        #expect(try await eventually { try await first.budgets().map(\.slotsTaken) == [0, 0] })
    }

    @Test("a ledger that ends gives its slots back", arguments: FleetWorld.Store.allCases)
    func end(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let limits = RateLimits(requestsPerSecond: 400, inFlight: 1)
        do {
            let permit = try await ledgers("a", limits).acquire()
            _ = permit.moment
        }
        try await ledgers("a", limits).acquire().release()
    }

    @Test(
        "a pause holds the requests of all ledgers, also one that is granted already",
        arguments: FleetWorld.Store.allCases)
    func pause(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let limits = RateLimits(requestsPerSecond: 4)
        let (one, other) = (ledgers("a", limits), ledgers("a", limits))
        // So many that some still wait when the pause begins, also on a busy machine.
        try await withThrowingTaskGroup(of: BootInstant.self) { group in
            for _ in 0..<24 {
                group.addTask {
                    let permit = try await other.acquire()
                    permit.release()
                    return permit.moment
                }
            }
            #expect(try await eventually { try await one.budget().ahead > 0 })
            try await one.pause(seconds: 3, cause: "X-RateLimit-tokenLimit")
            let begin = BootInstant.now
            // The pause is read after this, so that it does not end before `end`.
            let pause = try #require(try await one.budget().pause)
            let end = begin.advanced(by: Int64(pause / .nanoseconds(1)))
            let moments = try await group.reduce(into: [BootInstant]()) { $0.append($1) }
            #expect(moments.allSatisfy { $0 <= begin || $0.nanoseconds(since: end) > -20_000_000 }, "\(moments)")
            #expect(moments.contains { $0 > begin })
        }
        #expect(try await one.budget().pauseCause == nil)
    }

    @Test("a charge goes before other work that waits longer", arguments: FleetWorld.Store.allCases)
    func priorities(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let limits = RateLimits(requestsPerSecond: 400, inFlight: 1)
        let holder = try await ledgers("a", limits).acquire(for: .interactive)
        // Not bulk work, which goes first after a second without any.
        let (other, charge) = (ledgers("a", limits), ledgers("a", limits))
        let order = Order()
        async let first: Void = {
            let permit = try await other.acquire(for: .interactive)
            await order.append("other")
            permit.release()
        }()
        let looker = ledgers("a", limits)
        #expect(try await eventually { try await looker.budget().waiting.count == 1 })
        async let second: Void = {
            let permit = try await charge.acquire(for: .charge)
            await order.append("charge")
            permit.release()
        }()
        #expect(try await eventually { try await looker.budget().waiting.count == 2 })
        holder.release()
        try await first
        try await second
        #expect(await order.names == ["charge", "other"])
    }

    private actor Order {
        private(set) var names: [String] = []

        func append(_ name: String) { names.append(name) }
    }

    @Test(
        "pauses of unspecified length are counted by all ledgers, until a response",
        arguments: FleetWorld.Store.allCases)
    func refusals(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let (one, other) = (ledgers(), ledgers())
        // A budget that is new to a database counts as used up, and refusals count once while nothing may be sent.
        try await one.acquire().release()
        #expect(try await one.refusalsBefore(of: .token) == 0)
        #expect(try await other.refusalsBefore(of: .token) == 1)
        let permit = try await other.acquire()
        permit.answered()
        permit.release()
        // Behind the record on the same thread.
        _ = try await other.budget()
        #expect(try await one.refusalsBefore(of: .token) == 0)
    }

    @Test("a limit that the service names holds for all ledgers", arguments: FleetWorld.Store.allCases)
    func learned(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        try await ledgers().acquire().release()
        for (header, limit) in [("X-RateLimit-tokenLimit", "4"), ("X-RateLimit-tokenConcurrentLimit", "2")] {
            let refusal = try #require(RateLimitResponse(header: header, value: limit))
            try await ledgers().pause(seconds: 0, cause: header, because: refusal)
        }
        let other = ledgers()
        #expect(try await other.budget().limits == RateLimits(requestsPerSecond: 4, inFlight: 2))
        let permits = [try await other.acquire(), try await other.acquire()]
        async let third = other.acquire()
        #expect(await eventually { ledgers.notices.notices.contains(.waitingForSlot(limit: 2, of: .token)) })
        permits[0].release()
        try await third.release()
        permits[1].release()
    }

    @Test("a cancelled request gives back what it had", arguments: FleetWorld.Store.allCases)
    func cancelled(_ store: FleetWorld.Store) async throws {
        let ledgers = try await Ledgers(store)
        let ledger = ledgers("a")
        try await ledger.pause(seconds: 3600, cause: "X-RateLimit-tokenLimit")
        let waiting = Task { try await ledger.acquire() }
        #expect(try await eventually { try await ledger.budget().ahead == 1 })
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(
            try await eventually {
                let budget = try await ledger.budget()
                return budget.ahead == 0 && budget.slotsTaken == 0 && budget.waiting.isEmpty
            })
    }
}
