package import CloverRateLimit
import CloverSystem
import CloverTables

/// The budgets of a token and its app in a PostgreSQL database; see `FleetSchema`.
///
/// A request leaves at a time by the server's clock, which this machine maps to its own, so that an uneven way back of
/// responses moves no request closer to another. One call grants both budgets.
package final class FleetBudgets: Budgets {
    private let connection: FleetConnection
    private let tables: [BudgetTable]
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private var lead = GrantLead()

    package var all: [any Budget] { tables }
    package var signal: Int32 { connection.descriptor }
    /// The grant of the app moves the token's with it, so both can lie as far ahead as bulk work may ask for.
    package let shortWait = FleetSchema.bulkAhead + SlidingWindowLimiter.margin

    /// Nanoseconds between attempts to connect anew while requests are in flight.
    private static let reconnectDelay: Int64 = 250_000_000

    init(
        _ url: String, _ budgets: [RateBudget], command: String, patience: Double?, waits: DatabaseWaits?,
        thread: LedgerThread,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        let connection = FleetConnection(
            url, command: command, channels: budgets.map(\.scope.fileName), patience: patience, waits: waits
        ) { isSilent in
            onNotice(
                isSilent
                    ? .databaseAway(address: url, message: FleetConnection.noResponse) : .databaseBack(address: url))
        }
        self.connection = connection
        self.onNotice = onNotice
        let moments = GrantedMoments()
        tables = budgets.enumerated().map { index, budget in
            BudgetTable(budget, at: index, of: connection, moments, thread) {
                onNotice(.databaseForgot(address: url))
            }
        }
    }

    /// Notices a lost session at once, so that slots of requests in flight are taken again before others take them.
    package func attend() -> BootInstant? {
        do throws(LedgerError) {
            try connection.hear()
            if tables.contains(where: \.hasSlots) {
                for table in tables { try table.keepSlots() }
            }
            return nil
        } catch {
            return BootInstant.now.advanced(by: Self.reconnectDelay)
        }
    }

    package func grant(
        at index: Int, for priority: RequestPriority, _ moments: [BootInstant?]
    ) throws(LedgerError) -> (grant: Grant, moments: [BootInstant?])? {
        guard let grant = try ask(0...index, priority, moments) else { return nil }
        return (grant, moments.indices.map { $0 <= index ? grant.moment : moments[$0] })
    }

    package func confirm(at index: Int, _ moments: [BootInstant?]) throws(LedgerError) -> [BootInstant?] {
        for table in tables { try table.keepSlots() }
        try connection.hear()
        // The grant of the next budget, for which it waits, moves this one with it.
        if index + 1 < moments.count, moments[index + 1] == nil { return moments }
        let now = BootInstant.now
        let isFresh = moments.allSatisfy { moment in
            moment.map { now.nanoseconds(since: $0) <= SlidingWindowLimiter.freshness } ?? true
        }
        if isFresh, !connection.mustConfirm { return moments }
        connection.mustConfirm = false
        if !isFresh { lead.wasTooShort() }
        // All that have a time move together.
        let last = moments.lastIndex { $0 != nil } ?? index
        guard let grant = try ask(0...last, .interactive, moments) else { return moments }
        return moments.map { $0 == nil ? nil : grant.moment }
    }

    /// Asks for one time at several budgets. Those that have a time give it up for the new one.
    private func ask(
        _ indices: ClosedRange<Int>, _ priority: RequestPriority, _ moments: [BootInstant?]
    ) throws(LedgerError) -> Grant? {
        for table in tables { try table.keepSlots() }
        try connection.adjustClock()
        let asked = tables[indices]
        let olds = indices.map { index in moments[index].map { tables[index].moments.server($0, connection.clock) } ?? 0
        }
        let isClockSet = connection.isClockSet
        connection.isClockSet = false
        let row = try connection.timed(
            """
            SELECT now, moment, has_forgotten, pause, refusals
            FROM clover_state.admit($1::text[], $2::int[], $3::bigint[], $4::int, $5::bigint, $6::bool)
            """,
            [
                .text(Self.array(asked.map(\.name))), .text(Self.array(asked.map(\.limits.requestsPerSecond))),
                .text(Self.array(olds)), .integer(Int64(priority.rawValue)),
                .integer(lead.next(trip: connection.clock.shortestTrip)),
                .text(isClockSet ? "true" : "false"),
            ])
        if row[2].isTrue { onNotice(.databaseForgot(address: connection.url)) }
        guard !connection.isClockSet else {
            // The time of this response is by a clock that was set since: it is asked for again, and counts as used.
            return try ask(indices, priority, moments)
        }
        guard let moment = row[1].integer else { return nil }
        return Grant(
            moment: asked[asked.startIndex].moments.remember(moment, connection.clock), pause: row[3].text,
            refusals: Int(row[4].integer ?? 0))
    }

    private static func array(_ values: [some CustomStringConvertible]) -> String {
        "{" + values.map(\.description).joined(separator: ",") + "}"
    }
}

/// The server's times of granted requests, by this machine's. The clock's mapping may improve between a grant and its
/// end, and the server finds a grant by its exact time.
final class GrantedMoments {
    private var known: [BootInstant: Int64] = [:]
    private var order: [BootInstant] = []
    private static let limit = 4096

    func server(_ moment: BootInstant, _ clock: ServerClock) -> Int64 { known[moment] ?? clock.server(moment) }

    /// - Returns: this machine's time for it.
    func remember(_ server: Int64, _ clock: ServerClock) -> BootInstant {
        let moment = clock.local(server)
        if known.updateValue(server, forKey: moment) == nil { order.append(moment) }
        if order.count > Self.limit {
            for old in order.prefix(Self.limit / 2) { known[old] = nil }
            order.removeFirst(Self.limit / 2)
        }
        return moment
    }
}

extension RateLedger {
    /// A ledger in a PostgreSQL database, which many machines share. Nothing is opened before the first call.
    ///
    /// - Parameters:
    ///   - url: address without a password.
    ///   - patience: seconds after which the run gives up; nil without a limit.
    ///   - waits: counts the time that the run waits for the database.
    ///   - onNotice: called on the store's own thread; must be quick.
    package convenience init(
        fleet url: String, token: RateBudget, app: RateBudget? = nil, command: String = "", patience: Double? = nil,
        waits: DatabaseWaits? = nil, onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        let budgets = [token] + [app].compactMap(\.self)
        self.init(
            store: BudgetRateLimitStore(
                budgetCount: budgets.count, allowsUnconfirmed: false, onNotice: onNotice
            ) { thread in
                FleetBudgets(
                    url, budgets, command: command, patience: patience, waits: waits, thread: thread, onNotice: onNotice
                )
            })
    }
}
