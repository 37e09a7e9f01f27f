import CloverRateLimit
import CloverSystem
import CloverTables
import Glibc
import Synchronization

/// The budget of one scope in the database. Slots are advisory locks of the session, which end with it.
final class BudgetTable: Budget {
    let limits: RateLimits
    let name: String
    let moments: GrantedMoments
    private let index: Int
    private let connection: FleetConnection
    private let thread: LedgerThread
    private let onForgotten: () -> Void
    /// The locks of the slots that are held, by the number of the taking. Nil: lost with a session, and not had again.
    private var locks: [Int: Int?] = [:]
    private var takings = 0
    private var generation = 0
    private var learnedInFlight = AdaptiveLimit()
    private var announced: RequestPriority?

    init(
        _ budget: RateBudget, at index: Int, of connection: FleetConnection, _ moments: GrantedMoments,
        _ thread: LedgerThread, onForgotten: @escaping () -> Void
    ) {
        limits = budget.limits
        name = budget.scope.fileName
        self.index = index
        self.connection = connection
        self.moments = moments
        self.thread = thread
        self.onForgotten = onForgotten
    }

    var isOfThisMachine: Bool { false }
    var turn: Int64 { SlidingWindowLimiter.span / Int64(max(1, limits.requestsPerSecond)) }
    var slotSignal: Int32 { connection.descriptor }
    private(set) var slotsOpenAt: BootInstant?
    var slotLimit: Int { learnedInFlight.effective(configured: limits.inFlight, now: .now) }

    // MARK: Slots

    var hasSlots: Bool { !locks.isEmpty }

    /// Takes the slots of requests in flight again if the session that had them is gone. Until then, nothing new is sent.
    func keepSlots() throws(LedgerError) {
        try connection.open()
        guard generation != connection.generation || locks.values.contains(where: { $0 == nil }) else { return }
        if generation != connection.generation {
            for taking in Array(locks.keys) { locks.updateValue(nil, forKey: taking) }
            announced = nil
            generation = connection.generation
        }
        for (taking, lock) in locks where lock == nil {
            let found = try takeLock(isNewcomer: false, .charge, since: .boot, isAgain: true)
            guard let found else {
                throw .away(address: connection.url, message: "the connection was lost, and others use its slots")
            }
            locks.updateValue(found, forKey: taking)
        }
    }

    func takeSlot(
        isNewcomer: Bool, for priority: RequestPriority, since: BootInstant
    ) throws(LedgerError) -> (any LedgerSlot)? {
        try keepSlots()
        guard let number = try takeLock(isNewcomer: isNewcomer, priority, since: since) else { return nil }
        takings += 1
        locks[takings] = number
        return TableSlot(number, taking: takings, of: index, thread)
    }

    private func takeLock(
        isNewcomer: Bool, _ priority: RequestPriority, since: BootInstant, isAgain: Bool = false
    ) throws(LedgerError) -> Int? {
        let held = "{" + locks.values.compactMap(\.self).map { "\($0)" }.joined(separator: ",") + "}"
        let row = try connection.timed(
            """
            SELECT now, slot, ceiling, ceiling_since, has_forgotten, opens_at
            FROM clover_state.take_slot($1, $2::int, $3::int[], $4::int, $5::bool, $6::bigint, $7::bigint, $8::bool)
            """,
            [
                .text(name), .integer(Int64(limits.inFlight)), .text(held), .integer(Int64(priority.rawValue)),
                .text(isNewcomer ? "true" : "false"), .integer(connection.clock.server(since)),
                .integer(connection.client), .text(isAgain ? "true" : "false"),
            ])
        if row[4].isTrue { onForgotten() }
        slotsOpenAt = row[5].integer.map { local($0).advanced(by: 1) }
        learnedInFlight = AdaptiveLimit(
            ceiling: Int(row[2].integer ?? 0), moment: local(row[3].integer ?? 0))
        guard let slot = row[1].integer, slot >= 0 else { return nil }
        return Int(slot)
    }

    /// Gives the lock of a slot back.
    func release(taking: Int) {
        guard let lock = locks.removeValue(forKey: taking), let lock, generation == connection.generation,
            connection.isConnected
        else { return }
        // If the session is lost, the lock is gone too.
        attempt { () throws(LedgerError) in
            try connection.run("SELECT clover_state.give_slot($1, $2::int)", [.text(name), .integer(Int64(lock))])
        }
    }

    func listenForSlots() throws(LedgerError) {
        try connection.hear()
        connection.slotRank = nil
    }

    // MARK: Waiters

    func earlierWaiters(of priority: RequestPriority, since: BootInstant, most: Int) throws(LedgerError) -> Int? {
        try connection.hear()
        defer { connection.slotRank = nil }
        return connection.slotRank
    }

    func announce(_ priority: RequestPriority, since: BootInstant, for wait: LedgerWait) throws(LedgerError) {
        let slots =
            switch wait {
            case .slot: slotLimit
            case .grant: LedgerClient.everySlot
            case .ownLimit: 0
            }
        try connection.run(
            """
            INSERT INTO clover_state.waiters (budget, session, priority, since, seen, slots)
            VALUES ($1, pg_backend_pid(), $2::int, $3::bigint, clover_state.now_ns(), $4::int)
            ON CONFLICT (budget, session) DO UPDATE SET seen = excluded.seen, slots = excluded.slots,
                since = excluded.since, priority = greatest(waiters.priority, excluded.priority)
            """,
            [
                .text(name), .integer(Int64(priority.rawValue)), .integer(connection.clock.server(since)),
                .integer(Int64(slots)),
            ])
        announced = max(priority, announced ?? .bulk)
    }

    func endWaiting() {
        guard let priority = announced else { return }
        announced = nil
        guard connection.isConnected else { return }
        // A row that stays counts for a heartbeat only. Hardly any request yields to bulk work.
        attempt { () throws(LedgerError) in
            try connection.run(
                """
                WITH gone AS (
                    DELETE FROM clover_state.waiters WHERE budget = $1 AND (session = pg_backend_pid()
                        OR seen < clover_state.now_ns() - 60000000000) RETURNING 1)
                SELECT CASE WHEN $2::bool THEN clover_state.tell_waiters($1) END FROM (SELECT count(*) FROM gone) g
                """, [.text(name), .text(priority == .bulk ? "false" : "true")])
        }
    }

    // MARK: The history

    func retryTime(for priority: RequestPriority, since: BootInstant) throws(LedgerError) -> RetryTime? {
        // First, because `since` is by the server's clock.
        try connection.open()
        let row = try connection.timed(
            """
            SELECT now, moment, is_own, earlier
            FROM clover_state.ask_time($1, $2::int, $3::int, $4::bigint, $5::int)
            """,
            [
                .text(name), .integer(Int64(limits.requestsPerSecond)), .integer(Int64(priority.rawValue)),
                .integer(connection.clock.server(since)), .integer(Int64(SlotBackoff(turn: turn).earlierWaiterLimit)),
            ])
        guard let moment = row[1].integer else { return nil }
        return RetryTime(
            moment: local(moment), isOwn: row[2].isTrue, earlierWaiters: Int(row[3].integer ?? 0))
    }

    func withdraw(_ grant: BootInstant) throws(LedgerError) {
        // A server that cannot be reached keeps the grant as used, which costs only time.
        guard connection.isConnected else { return }
        try move(grant, to: nil)
    }

    func note(departure moment: BootInstant, of grant: BootInstant) throws(LedgerError) {
        // The margin covers less.
        guard abs(moment.nanoseconds(since: grant)) > SlidingWindowLimiter.freshness else { return }
        try move(grant, to: moment)
    }

    private func move(_ grant: BootInstant, to moment: BootInstant?) throws(LedgerError) {
        try connection.run(
            "SELECT clover_state.move($1, $2::bigint, $3::bigint)",
            [.text(name), .integer(moments.server(grant, connection.clock)), SQLValue(moment.map(serverTime))])
    }

    /// This machine's time can be the time of another request by then.
    private func serverTime(_ moment: BootInstant) -> Int64 {
        let server = connection.clock.server(moment)
        return moments.server(moments.remember(server, connection.clock), connection.clock)
    }

    func pause(until moment: BootInstant, cause: String) throws(LedgerError) {
        try transaction { (window, _) in window.pause(until: moment, cause: cause) }
        try connection.run("SELECT pg_notify('clover_' || $1, '\(FleetSchema.check)')", [.text(name)])
    }

    func transaction<Value>(
        _ change: (inout SlidingWindowLimiter, BootInstant) -> Value
    ) throws(LedgerError) -> Value {
        try connection.open()
        try connection.adjustClock()
        return try connection.transaction { connection throws(LedgerError) in
            try connection.runInSession(
                "SELECT pg_advisory_xact_lock(hashtext('clover budget'), hashtext($1))", [.text(name)])
            let now = BootInstant.now
            var window = try history(now: now) ?? SlidingWindowLimiter(fullAt: now)
            let before = window
            let value = change(&window, now)
            learnedInFlight = window.learnedInFlight
            // The grants themselves change only by functions of the schema.
            guard window != before else { return value }
            try connection.runInSession(
                """
                INSERT INTO clover_state.budgets (name, not_before, pause_cause, rate_ceiling, rate_since,
                    slots_ceiling, slots_since, refusals, known_since)
                VALUES ($1, $2::bigint, $3, $4::int, $5::bigint, $6::int, $7::bigint, $8::int, clover_state.now_ns())
                ON CONFLICT (name) DO UPDATE SET not_before = excluded.not_before, pause_cause = excluded.pause_cause,
                    rate_ceiling = excluded.rate_ceiling, rate_since = excluded.rate_since,
                    slots_ceiling = excluded.slots_ceiling, slots_since = excluded.slots_since,
                    refusals = excluded.refusals
                """,
                [
                    .text(name), .integer(server(window.notBefore)), .text(window.pauseCause),
                    .integer(Int64(window.learnedPerSecond.ceiling)), .integer(server(window.learnedPerSecond.moment)),
                    .integer(Int64(window.learnedInFlight.ceiling)), .integer(server(window.learnedInFlight.moment)),
                    .integer(Int64(window.refusals)),
                ])
            return value
        }
    }

    func look() throws(LedgerError) -> LedgerBudget {
        try connection.open()
        let holders = try connection.run(
            """
            SELECT a.application_name, clover_state.now_ns()
                - (extract(epoch FROM clock_timestamp() - a.state_change) * 1000000)::bigint * 1000
            FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND l.classid = (hashtext('clover slot ' || $1)::bigint & 4294967295)::oid
            """, [.text(name)]
        ).map { client($0[0].text, since: $0[1].integer) }
        let waiting = try connection.run(
            """
            SELECT a.application_name, w.since, w.priority, w.slots, w.seen
            FROM clover_state.waiters w JOIN pg_stat_activity a ON a.pid = w.session
            WHERE w.budget = $1 AND abs(clover_state.now_ns() - w.seen) <= \(LedgerClient.credit) ORDER BY w.since
            """, [.text(name)]
        ).map { row in
            client(row[0].text, since: row[1].integer, priority: row[2].integer, slots: row[3].integer)
        }
        let now = BootInstant.now
        let ahead = waiting.count { $0.reservedSlots == LedgerClient.everySlot }
        return LedgerBudget(
            try history(now: now) ?? SlidingWindowLimiter(), limits: limits, now: now, slotsTaken: holders.count,
            underWay: max(0, holders.count - ahead), holding: holders, waiting: waiting)
    }

    /// The history, in this machine's times; nil if the server has none.
    private func history(now: BootInstant) throws(LedgerError) -> SlidingWindowLimiter? {
        let row = try connection.runInSession(
            """
            SELECT array_to_string(moments, ','), array_to_string(limits, ','), not_before, pause_cause, last_bulk,
                rate_ceiling, rate_since, slots_ceiling, slots_since, refusals
            FROM clover_state.budgets WHERE name = $1
            """, [.text(name)]
        ).first
        guard let row else { return nil }
        func numbers(_ value: SQLValue) -> [Int64] { (value.text ?? "").split(separator: ",").compactMap { Int64($0) } }
        func learned(_ at: Int) -> AdaptiveLimit {
            AdaptiveLimit(ceiling: Int(row[at].integer ?? 0), moment: local(row[at + 1].integer ?? 0))
        }
        let entries = zip(numbers(row[0]), numbers(row[1])).map { moment, limit in
            GrantEntry(moment: local(moment), limit: Int(limit))
        }
        do throws(LedgerFault) {
            return try SlidingWindowLimiter(
                // Older ones than this machine no longer matter.
                entries: entries.filter { $0.moment > .boot }, notBefore: local(row[2].integer ?? 0),
                pauseCause: row[3].text ?? "", lastBulk: local(row[4].integer ?? 0), learnedPerSecond: learned(5),
                learnedInFlight: learned(7), refusals: Int(row[9].integer ?? 0), now: now)
        } catch {
            // The next request resets it.
            return SlidingWindowLimiter(fullAt: now)
        }
    }

    /// Zero is "never", for both.
    private func local(_ server: Int64) -> BootInstant {
        server == 0 ? .boot : max(.boot, connection.clock.local(server))
    }

    private func server(_ local: BootInstant) -> Int64 { local == .boot ? 0 : connection.clock.server(local) }

    /// The holder of a session, from its name: `clover HOST:PID COMMAND`.
    private func client(
        _ name: String?, since: Int64?, priority: Int64? = nil, slots: Int64? = nil
    ) -> LedgerClient {
        let parts = (name ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        let place = (parts.count > 1 ? parts[1] : "").split(separator: ":")
        return LedgerClient(
            pid: place.last.flatMap { Int32($0) } ?? 0,
            priority: priority.flatMap { RequestPriority(rawValue: UInt8(clamping: $0)) } ?? .interactive,
            command: (parts.count > 2 ? parts[2] : "") + (place.first.map { " on \($0)" } ?? ""),
            since: local(since ?? 0), seen: .now, reservedSlots: Int(slots ?? 0))
    }

    /// Runs what may fail without harm, because the end of the session does it too.
    private func attempt(_ body: () throws(LedgerError) -> Void) {
        do throws(LedgerError) { try body() } catch {}
    }
}

/// A slot, as a lock that the store's session has.
final class TableSlot: LedgerSlot {
    let number: Int
    private let taking: Int
    private let index: Int
    private let thread: LedgerThread
    private let isHeld = Mutex(true)

    init(_ number: Int, taking: Int, of index: Int, _ thread: LedgerThread) {
        self.number = number
        self.taking = taking
        self.index = index
        self.thread = thread
    }

    func release() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        guard wasHeld else { return }
        thread.post(index) { [taking] budget in (budget as? BudgetTable)?.release(taking: taking) }
    }

    deinit { release() }
}
