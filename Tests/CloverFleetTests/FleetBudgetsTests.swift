import CloverAuth
import CloverFleet
import CloverHTTP
import CloverRateLimit
import CloverSystem
import CloverTables
import CloverTestSupport
import ProbeSupport
import Synchronization
import Testing

@Suite("The rate limit in PostgreSQL")
struct FleetBudgetsTests {
    /// A clock that moves by its user.
    private final class StillClock: Sendable {
        private let seconds = Mutex<Int64>(0)

        func pass(_ count: Int64) { seconds.withLock { $0 += count } }
        var now: BootInstant { BootInstant(nanoseconds: seconds.withLock(\.self) * 1_000_000_000) }
    }

    @Test("a database that took over a third of the time since the run last got further is the reason")
    func waits() {
        let clock = StillClock()
        let waits = DatabaseWaits { clock.now }
        #expect(waits.measure == nil)
        clock.pass(9)
        // Two sessions at once wait as long as one.
        waits.begin("a")
        clock.pass(2)
        waits.begin("a")
        clock.pass(1)
        waits.end()
        #expect(waits.measure == nil)
        clock.pass(2)
        let measure = waits.measure
        #expect(measure?.address == "a" && measure?.waited == 5 && measure?.elapsed == 14)
        waits.end()
        clock.pass(1)
        #expect(waits.measure == nil)
        waits.begin("a")
        clock.pass(10)
        waits.restart()
        #expect(waits.measure == nil)
        clock.pass(1)
        #expect(waits.measure?.address == "a")
        waits.end()
        clock.pass(2)
        #expect(waits.measure == nil)
    }

    @Test("a session counts the time that it waits for its server")
    func waitsOfSession() async throws {
        let world = try await FleetWorld()
        let clock = StillClock()
        // Each look at the clock takes a second.
        let waits = DatabaseWaits {
            clock.pass(1)
            return clock.now
        }
        #expect(waits.measure == nil)
        try FleetConnection(world.url, needsClock: false, waits: waits).run("SELECT 1")
        #expect(waits.measure?.address == world.url)
    }

    @Test("a lease counts its waits for the server, and not the one for another process that has the lock")
    func waitsOfLease() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        let clock = StillClock()
        let waits = DatabaseWaits { clock.now }
        let waiter = FleetCredentialStore(
            database.url, keys: StateKeyFile(directory: world.directory.path), choices: world.store,
            state: StateDirectory(path: world.directory.path), waits: waits)
        let first = try await world.store.lease(world.key, patience: 5) {}
        let second = Task { try await waiter.lease(world.key, patience: 60) {} }
        let isWaiting = """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        while try await database.rows(isWaiting) != ["1"] { try await Task.sleep(for: .milliseconds(5)) }
        clock.pass(100)
        first.release()
        let lease = try await second.value
        #expect(waits.measure == nil)
        lease.release()

        // Each look at the clock takes a second.
        let moving = StillClock()
        let counted = DatabaseWaits {
            moving.pass(1)
            return moving.now
        }
        let store = FleetCredentialStore(
            database.url, keys: StateKeyFile(directory: world.directory.path), choices: world.store,
            state: StateDirectory(path: world.directory.path), waits: counted)
        let third = try await store.lease(world.key, patience: 5) {}
        third.release()
        #expect(counted.measure?.address == database.url)
    }

    @Test("a shared export counts the time that it waits for its server")
    func waitsOfExports() async throws {
        let world = try await FleetWorld()
        let clock = StillClock()
        let waits = DatabaseWaits {
            clock.pass(1)
            return clock.now
        }
        let unit = FleetExports.Unit(environment: "us", merchant: "M1", profile: nil, resource: "orders")
        let exports = try FleetExports(world.url, name: "n", destination: "d", [unit], waits: waits) { _ in }
        #expect(waits.measure?.address == world.url)
        // So does the session with the locks.
        waits.restart()
        for _ in 0..<4 { _ = try exports.next() }
        #expect(waits.measure?.address == world.url)
    }

    @Test("the functions of the schema decide as the limiter of files does, for random histories")
    func sameLaw() async throws {
        let world = try await FleetWorld()
        let connection = FleetConnection(world.url)
        var random = SeededGenerator(seed: 35)
        let now = BootInstant(nanoseconds: 1_700_000_000_000_000_000)
        for round in 0..<400 {
            let ceiling = Int.random(in: 0...8, using: &random)
            let limits = [Int.random(in: 1...6, using: &random), 16]
            var moments = Set<Int64>()
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                moments.insert(Int64.random(in: -2_000_000_000...400_000_000, using: &random))
            }
            let entries = moments.sorted().map {
                GrantEntry(moment: now.advanced(by: $0), limit: limits.randomElement(using: &random) ?? 16)
            }
            let notBefore = now.advanced(by: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random))
            let since = now.advanced(by: -Int64.random(in: 0...200_000_000_000, using: &random))
            let window = try SlidingWindowLimiter(
                entries: entries, notBefore: notBefore, pauseCause: "",
                learnedPerSecond: AdaptiveLimit(ceiling: ceiling, moment: since), now: now)
            let own = limits.randomElement(using: &random) ?? 16
            let row = Self.row(entries, notBefore, ceiling: ceiling, since: since)
            let found = try #require(
                try connection.run(
                    """
                    SELECT clover_state.next_moment(\(row), \(own), \(now.nanoseconds), false),
                        clover_state.next_moment(\(row), \(own), \(now.nanoseconds), true),
                        clover_state.ask_moment(\(row), \(own), \(now.nanoseconds), 1),
                        clover_state.ask_moment(\(row), \(own), \(now.nanoseconds), 0),
                        clover_state.own_limit_moment(\(row), \(own), \(now.nanoseconds)),
                        clover_state.is_early(\(row), \(own), \(now.nanoseconds), 0)
                    """
                ).first)
            var (plain, bulk) = (window, window)
            #expect(plain.grant(now: now, limit: own).nanoseconds == found[0].integer, "round \(round): \(window)")
            let ask = window.retryTime(for: .bulk, now: now, limit: own, ahead: FleetSchema.bulkAhead)
            #expect(window.retryTime(for: .interactive, now: now, limit: own)?.nanoseconds == found[2].integer)
            #expect(ask?.nanoseconds == found[3].integer, "round \(round), bulk: \(window)")
            #expect(window.ownLimitTime(now: now, limit: own)?.nanoseconds == found[4].integer)
            #expect((ask != nil) == found[5].isTrue)
            guard case .granted(let moment) = bulk.grant(for: .bulk, now: now, limit: own) else { continue }
            #expect(moment.nanoseconds == found[1].integer, "round \(round), bulk: \(window)")
        }
    }

    @Test("a grant whose time was missed moves where the limiter of files moves it, for random histories")
    func sameConfirmation() async throws {
        let world = try await FleetWorld()
        let connection = FleetConnection(world.url)
        var random = SeededGenerator(seed: 36)
        let now = BootInstant(nanoseconds: 1_700_000_000_000_000_000)
        for round in 0..<400 {
            let limits = [Int.random(in: 1...6, using: &random), 16]
            var moments = Set<Int64>()
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                moments.insert(Int64.random(in: -1_500_000_000...400_000_000, using: &random))
            }
            let entries = moments.sorted().map {
                GrantEntry(moment: now.advanced(by: $0), limit: limits.randomElement(using: &random) ?? 16)
            }
            let missed = entries.filter { now.nanoseconds(since: $0.moment) > SlidingWindowLimiter.freshness }
            guard let old = missed.randomElement(using: &random) else { continue }
            let notBefore = now.advanced(by: Int64.random(in: -1_000_000_000...200_000_000, using: &random))
            var window = try SlidingWindowLimiter(entries: entries, notBefore: notBefore, pauseCause: "", now: now)
            let others = entries.filter { $0.moment != old.moment }
            let found = try connection.run(
                """
                SELECT clover_state.earliest(\(Self.row(others, notBefore)), \(old.limit), \(now.nanoseconds),
                    \(now.nanoseconds))
                """)
            let expected = window.confirm(old.moment, now: now, limit: old.limit)
            #expect(expected.nanoseconds == found.first?.first?.integer, "round \(round)")
        }
    }

    /// A limit of three, of which a request that was granted a second ago and was not sent asks again: two others were sent
    /// just now, and another one is granted `ahead`, as the fourth within a span if this one goes before it.
    private static func askAgain(ahead: Int, _ world: FleetWorld) async throws -> (moment: Int, now: Int, ahead: Int) {
        let rows = try await world.rows(
            """
            INSERT INTO clover_state.budgets (name, moments, limits)
            SELECT 'n', ARRAY[now - 1000000000, now - 50000000, now - 40000000, now + \(ahead)], '{3,3,3,3}'
            FROM clover_state.now_ns() now;
            SELECT moment, now, given[4] FROM (SELECT moments FROM clover_state.budgets) b(given),
                clover_state.admit('{n}', '{3}', ARRAY[given[1]], 1, 1000000, false)
            """)
        let numbers = try #require(rows.first).split(separator: "|").compactMap { Int($0) }
        try #require(numbers.count == 3, "\(rows)")
        return (numbers[0], numbers[1], numbers[2])
    }

    @Test(
        "a request that was late overtakes none that is about to be sent, because that one cannot learn of it in time")
    func overtakesNone() async throws {
        let world = try await FleetWorld()
        let (moment, _, near) = try await Self.askAgain(ahead: 200_000_000, world)
        #expect(moment > near)
        let moments = try await world.rows("SELECT unnest(moments) FROM clover_state.budgets").compactMap { Int64($0) }
        #expect(moments.count == 4 && WindowLaw.peak(moments) <= 3)
    }

    @Test("a request that was late keeps its turn before those that can still wait")
    func keepsTurn() async throws {
        let world = try await FleetWorld()
        let (moment, now, _) = try await Self.askAgain(ahead: 900_000_000, world)
        #expect(moment == now + 1_000_000)
    }

    @Test(
        "requests with later times check them again only if one before them was sent so late that they are too close",
        arguments: [(late: 100_000_000, isClose: false), (late: 600_000_000, isClose: true)])
    func lateDeparture(late: Int, isClose: Bool) async throws {
        let world = try await FleetWorld()
        let (sender, other) = (FleetConnection(world.url), FleetConnection(world.url, channels: ["n"]))
        try other.run("SELECT 1")
        // A limit of two: the third has its time a span after the first, which was sent late.
        try sender.run(
            """
            INSERT INTO clover_state.budgets (name, moments, limits)
            SELECT 'n', ARRAY[now, now + 500000000, now + 1400000000], '{2,2,2}' FROM clover_state.now_ns() now
            """)
        try sender.run(
            "SELECT clover_state.move('n', moments[1], moments[1] + \(late)) FROM clover_state.budgets")
        let received = try await Self.notifications(of: other, isExpected: isClose)
        #expect(received == (isClose ? ["check"] : []))
    }

    /// The notifications that a session got. Waits for the first, if one is expected.
    private static func notifications(of session: FleetConnection, isExpected: Bool) async throws -> [String] {
        var received: [String] = []
        _ = try await eventually {
            try session.run("SELECT 1")
            received += try session.takeNotifications()
            return !isExpected || !received.isEmpty
        }
        return received
    }

    @Test("the first three who wait for a slot and are still there hear of a free one, and no others")
    func freeSlot() async throws {
        let world = try await FleetWorld()
        let sessions = (0..<7).map { _ in FleetConnection(world.url) }
        for (place, session) in sessions.enumerated() {
            // The third waits for a grant, and the fourth is of a higher priority.
            try session.run(
                """
                INSERT INTO clover_state.waiters VALUES ('n', pg_backend_pid(), \(place == 3 ? 1 : 0), \(place),
                    0, \(place == 2 ? LedgerClient.everySlot : 5))
                """)
        }
        sessions[0].close()
        // The server may need a while to notice.
        let isGone = try await eventually {
            try await world.rows(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                    + "AND application_name LIKE 'clover %:%'") == ["6"]
        }
        #expect(isGone)
        try FleetConnection(world.url).run(
            """
            DO $$ BEGIN
                UPDATE clover_state.waiters SET seen = clover_state.now_ns();
                PERFORM clover_state.tell_waiters('n');
            END $$
            """)
        for (place, rank) in [3: "0", 1: "1", 4: "2"] {
            #expect(try await Self.notifications(of: sessions[place], isExpected: true) == [rank])
        }
        for place in [2, 5, 6] { #expect(try await Self.notifications(of: sessions[place], isExpected: false) == []) }
    }

    @Test("a request with a slot and a near time is not announced to others")
    func quietWait() async throws {
        let world = try await FleetWorld()
        let ledger = world.ledger()
        try await ledger.acquire().release()
        _ = try await world.rows(
            """
            CREATE TABLE announced (budget text);
            CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO announced VALUES (new.budget); RETURN NULL; END $$;
            CREATE TRIGGER tell AFTER INSERT ON clover_state.waiters FOR EACH ROW EXECUTE FUNCTION tell();
            UPDATE clover_state.budgets SET limits = array_fill(16, ARRAY[16]), moments = (
                SELECT array_agg(clover_state.now_ns() - \(SlidingWindowLimiter.span) + 60000000 + g)
                FROM generate_series(1, 16) g)
            """)
        try await ledger.acquire().release()
        #expect(try await world.rows("SELECT count(*) FROM announced") == ["0"])
    }

    /// A row of the table of budgets.
    private static func row(
        _ entries: [GrantEntry], _ notBefore: BootInstant, ceiling: Int = 0, since: BootInstant = .boot
    ) -> String {
        let moments = entries.map { "\($0.moment.nanoseconds)" }.joined(separator: ",")
        let limits = entries.map { "\($0.limit)" }.joined(separator: ",")
        return "ROW('n', '{\(moments)}'::bigint[], '{\(limits)}'::int[], \(notBefore.nanoseconds), '', 0, \(ceiling), "
            + "\(since.nanoseconds), 0, 0, 0, 0)::clover_state.budgets"
    }

    /// Takes a slot of a budget with one slot, as a client with this number.
    private static func takeSlot(
        _ connection: FleetConnection, client: Int, again: Bool = false
    ) throws -> (slot: Int64?, hasForgotten: Bool) {
        let row = try connection.run(
            "SELECT slot, has_forgotten FROM clover_state.take_slot('n', 1, '{}', 1, false, 0, \(client), \(again))"
        ).first
        return (row?[0].integer, row?[1].isTrue ?? false)
    }

    @Test("the slot of a lost session is kept for its client for a while, and is free to others after that")
    func keptSlot() async throws {
        let world = try await FleetWorld()
        let (first, other) = (FleetConnection(world.url), FleetConnection(world.url))
        _ = try await world.rows("INSERT INTO clover_state.budgets (name) VALUES ('n')")
        #expect(try Self.takeSlot(first, client: 1).slot == 0)
        #expect(try Self.takeSlot(other, client: 2).slot == -1)
        first.close()
        // The server may need a while to notice.
        let isKept = try await eventually {
            #expect(try Self.takeSlot(other, client: 2).slot == -1)
            return try await world.rows("SELECT count(*) FROM clover_state.slots WHERE lost_at IS NOT NULL") == ["1"]
        }
        #expect(isKept)
        #expect(try Self.takeSlot(first, client: 1, again: true).slot == 0)
        first.close()
        // As if the time had passed.
        let isFree = try await eventually {
            _ = try await world.rows("UPDATE clover_state.slots SET lost_at = lost_at - 600000000")
            return try Self.takeSlot(other, client: 2).slot == 0
        }
        #expect(isFree)
        #expect(try Self.takeSlot(first, client: 1, again: true).slot == -1)
        try other.run("SELECT clover_state.give_slot('n', 0)")
        #expect(try Self.takeSlot(first, client: 1).slot == 0)
    }

    @Test("of a server that lost its tables, requests in flight take their slots before others")
    func slotsOfForgotten() async throws {
        let world = try await FleetWorld()
        let (first, other) = (FleetConnection(world.url), FleetConnection(world.url))
        let newcomer = try Self.takeSlot(other, client: 2)
        #expect(newcomer.slot == -1 && newcomer.hasForgotten)
        #expect(try Self.takeSlot(first, client: 1, again: true) == (0, false))
    }

    @Test("a request that is late is not sent while the database is away")
    func lateWhileAway() async throws {
        let world = try await FleetWorld(own: true)
        let ledger = world.ledger()
        let permit = try await ledger.acquire()
        try await world.server.stop()
        #expect(
            await eventually { BootInstant.now.nanoseconds(since: permit.moment) > 2 * SlidingWindowLimiter.freshness })
        #expect(!permit.departed())
        permit.release()
        try await world.server.restart()
        let next = try await ledger.acquire()
        #expect(next.departed())
        next.release()
    }

    @Test("a budget that the server lost counts as used up for a span")
    func lost() async throws {
        let world = try await FleetWorld()
        let ledger = world.ledger()
        try await ledger.acquire().release()
        _ = try await world.rows("TRUNCATE clover_state.budgets")
        let before = BootInstant.now
        let permit = try await ledger.acquire()
        #expect(permit.moment.nanoseconds(since: before) >= SlidingWindowLimiter.span - 1_000_000)
        permit.release()
        #expect(world.notices.notices.contains(.databaseForgot(address: world.url)))
    }

    @Test("a history that cannot be true, as of a clock that was set back, counts as used up for a span")
    func implausible() async throws {
        let world = try await FleetWorld()
        let ledger = world.ledger()
        try await ledger.acquire().release()
        _ = try await world.rows(
            "UPDATE clover_state.budgets SET moments = array_append(moments, clover_state.now_ns() + 3600000000000), "
                + "limits = array_append(limits, 16)")
        let before = BootInstant.now
        let permit = try await ledger.acquire()
        let wait = permit.moment.nanoseconds(since: before)
        #expect((SlidingWindowLimiter.span - 1_000_000..<60_000_000_000).contains(wait))
        permit.release()
    }

    @Test("reads wait for a server that is away and go on when it is back; a charge is refused before anything is sent")
    func away() async throws {
        let world = try await FleetWorld(own: true)
        let ledger = world.ledger()
        try await ledger.acquire().release()
        try await world.server.stop()
        await #expect {
            try await ledger.acquire(for: .charge)
        } throws: {
            if case LedgerError.away = $0 { true } else { false }
        }
        let waiting = Task { try await ledger.acquire() }
        #expect(
            await eventually {
                world.notices.notices.contains { if case .databaseAway = $0 { true } else { false } }
            })
        try await world.server.restart()
        let permit = try await waiting.value
        #expect(try await ledger.budget().slotsTaken == 1)
        permit.release()
        #expect(try await ledger.budget().slotsTaken == 0)
    }

    @Test("after a lost connection, nothing new is sent before the slots of requests in flight are had again")
    func slotsAfterLoss() async throws {
        let world = try await FleetWorld()
        let limits = RateLimits(requestsPerSecond: 400, inFlight: 2)
        let ledger = world.ledger(limits: limits)
        let first = try await ledger.acquire()
        _ = try await world.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                + "AND pid <> pg_backend_pid()")
        let second = try await ledger.acquire()
        #expect(try await world.ledger(limits: limits).budget().slotsTaken == 2)
        first.release()
        second.release()
        #expect(try await eventually { try await ledger.budget().slotsTaken == 0 })
    }

    @Test("the tables are created once, and an older or newer version is refused with both numbers")
    func versions() async throws {
        let world = try await FleetWorld(isEmpty: true)
        let migration = FleetMigration(world.url)
        func refusal() async -> LedgerError? {
            do {
                try await world.ledger().acquire().release()
                return nil
            } catch { return error as? LedgerError }
        }
        guard case .unusable(_, _, "create them: clover state init") = await refusal() else {
            Issue.record("a database without tables was used")
            return
        }
        #expect(throws: LedgerError.self) { _ = try migration.migrate(creates: false) }
        let made = try migration.migrate(creates: true)
        #expect(made == (0, FleetSchema.version))
        let again = try FleetMigration(world.url).migrate(creates: true)
        #expect(again == (FleetSchema.version, FleetSchema.version))
        #expect(await refusal() == nil)
        #expect(try !migration.check().server.isEmpty)
        _ = try await world.rows("UPDATE clover_state.schema_version SET version = version + 1")
        let numbers =
            "the tables have version \(FleetSchema.version + 1), and this program needs version \(FleetSchema.version)"
        guard case .unusable(_, numbers, _) = await refusal() else {
            Issue.record("tables of a newer version were used")
            return
        }
        #expect(throws: LedgerError.self) { _ = try FleetMigration(world.url).migrate(creates: true) }
    }
}

@Suite("The lead of grants")
struct GrantLeadTests {
    @Test("however often requests wake too late, none is granted so far ahead that it gives up what it holds")
    func bounded() {
        var lead = GrantLead()
        var random = SeededGenerator(seed: 37)
        for _ in 0..<2000 {
            if Bool.random(using: &random) { lead.wasTooShort() }
            let next = lead.next(trip: Int64.random(in: 0...30_000_000, using: &random))
            #expect((GrantLead.shortest...GrantLead.longest).contains(next))
        }
        #expect(2 * GrantLead.longest <= SlidingWindowLimiter.margin)
    }

    @Test("the lead grows with late requests, and falls back to the round trip")
    func falls() {
        var lead = GrantLead()
        #expect(lead.next(trip: 200_000) == 1_200_000)
        lead.wasTooShort()
        #expect(lead.next(trip: 200_000) > 2_000_000)
        for _ in 0..<200 { _ = lead.next(trip: 200_000) }
        #expect(lead.next(trip: 200_000) == 1_200_000)
    }
}

@Suite("The server's clock")
struct ServerClockTests {
    private let start = BootInstant(nanoseconds: 1_000_000_000_000)

    /// Whether the clock was set, by this response.
    private static func observe(
        _ clock: inout ServerClock, server: Int64, sent: BootInstant, received: BootInstant
    ) -> Bool {
        clock.observe(server: server, sent: sent, received: received)
    }

    @Test("the sample with the shortest round trip counts, and bounds the error by half of it")
    func samples() {
        var clock = ServerClock()
        #expect(!Self.observe(&clock, server: 5_000_000_000_000, sent: start, received: start.advanced(by: 8_000_000)))
        #expect(clock.error(at: start) <= 4_000_000)
        let later = start.advanced(by: 1_000_000_000)
        #expect(!Self.observe(&clock, server: 5_001_000_500_000, sent: later, received: later.advanced(by: 1_000_000)))
        #expect(clock.local(5_001_000_500_000) == later.advanced(by: 500_000))
        #expect(
            !Self.observe(&clock, server: 5_001_900_000_000, sent: later, received: later.advanced(by: 900_000_000)))
        #expect(clock.local(5_001_000_500_000) == later.advanced(by: 500_000))
    }

    @Test(
        "a clock that was set is noticed in both directions, and a slow response is not taken for it",
        arguments: [1, -1])
    func jumps(_ sign: Int64) {
        var clock = ServerClock()
        #expect(!Self.observe(&clock, server: 5_000_000_000_000, sent: start, received: start.advanced(by: 1_000_000)))
        let later = start.advanced(by: 1_000_000_000)
        #expect(
            !Self.observe(&clock, server: 5_005_900_000_000, sent: later, received: later.advanced(by: 6_000_000_000)))
        let server = 5_002_000_000_000 + sign * 500_000_000
        let sent = start.advanced(by: 2_000_000_000)
        #expect(Self.observe(&clock, server: server, sent: sent, received: sent.advanced(by: 1_000_000)))
        #expect(clock.local(server) == sent.advanced(by: 500_000))
    }
}
