/// A sliding-window rate limiter: decides when the next request may be sent, given when the last ones were. It uses no
/// clock and no file.
///
/// The invariant: with a limit of N, the N-th grant after any grant is at least `span` later, so that no half-open
/// interval of one second holds more than N. `span` is a second plus a margin for what happens between sending and the
/// service's own clock: a network that is slower for one request than for another, and clocks with a resolution of some
/// milliseconds, such as the one the kernel uses to timestamp arrivals. A request that wakes up late does not need the
/// margin, because its true send time is recorded; see `note(departure:of:)`.
///
/// Callers may have different limits. Each grant is stored with its caller's limit, and the rule for N counts the
/// grants made under N or less: a caller that asks for four a second shares those four with all callers that ask for
/// four or less, and slows down no caller that asks for more. Because all grants count toward the largest limit, all
/// callers together keep that one.
package struct SlidingWindowLimiter: Equatable, Sendable {
    /// Nanoseconds added to the second.
    package static let margin: Int64 = 15_000_000
    /// Length in nanoseconds of the window that holds at most N grants.
    package static let span: Int64 = 1_000_000_000 + margin
    /// A request that would be sent later than this many nanoseconds after its grant is stale, and must be confirmed
    /// first.
    package static let freshness: Int64 = margin / 3
    /// Nanoseconds for which grants are remembered. A budget whose last N grants are no older is fully used.
    private static let memory = 3 * span / 2
    /// Maximum number of remembered grants. It bounds N, and keeps the ledger file within one page of memory.
    package static let historyLimit = 480
    /// Longest pause in nanoseconds: one day.
    package static let longestPause: Int64 = 86_400_000_000_000

    /// Grants that can still matter, in ascending order without duplicates; some may be in the future.
    package private(set) var entries: [GrantEntry] = []
    /// No caller may send a request before this time.
    package private(set) var notBefore = BootInstant.boot
    /// The cause of the pause that ends at `notBefore`, such as the name of a response header; empty if there was none.
    package private(set) var pauseCause = ""
    /// Time of the last grant for bulk work; zero if there was none.
    package private(set) var lastBulk = BootInstant.boot
    /// Limits learned from the service, for requests per second and for requests in flight.
    package private(set) var learnedPerSecond = AdaptiveLimit()
    package private(set) var learnedInFlight = AdaptiveLimit()
    /// Number of consecutive pauses of unspecified length without a response between them. Each is twice as long as the
    /// one before it, whichever process was refused.
    package private(set) var refusals = 0

    /// Upper bound of `refusals`; pauses have reached their maximum length long before.
    package static let mostRefusals = 20

    package init() {}

    /// A budget with unknown history, all of which may just have been used: the next grant is a whole span away,
    /// whatever the limit.
    package init(fullAt now: BootInstant) {
        self.init()
        notBefore = now.advanced(by: Self.span)
    }

    /// A budget read from storage.
    ///
    /// - Throws: `.implausible` if no run of this program can have written it: grants out of order, before the machine
    ///   started, or further ahead than waiting requests can reach.
    package init(
        entries: [GrantEntry], notBefore: BootInstant, pauseCause: String,
        lastBulk: BootInstant = .boot, learnedPerSecond: AdaptiveLimit = AdaptiveLimit(),
        learnedInFlight: AdaptiveLimit = AdaptiveLimit(), refusals: Int = 0, now: BootInstant
    ) throws(LedgerFault) {
        guard (0...Self.mostRefusals).contains(refusals) else { throw .implausible }
        guard notBefore >= .boot, notBefore <= now.advanced(by: Self.longestPause + Self.span) else {
            throw .implausible
        }
        if let first = entries.first?.moment, let last = entries.last?.moment {
            // Requests granted ahead hold slots, so there are few of them. A minute plus a second for each remembered
            // grant is far beyond what they reach even at one request per second.
            let lead = Int64(entries.count + 60) * 1_000_000_000
            guard first >= .boot, last <= max(now, notBefore).advanced(by: lead), entries.count <= Self.historyLimit,
                zip(entries, entries.dropFirst()).allSatisfy({ $0.moment < $1.moment }),
                entries.allSatisfy({ RateLimits.requestsPerSecondRange.contains($0.limit) })
            else { throw .implausible }
        }
        self.entries = entries
        self.notBefore = notBefore
        self.pauseCause = pauseCause
        self.lastBulk = lastBulk
        self.learnedPerSecond = learnedPerSecond
        self.learnedInFlight = learnedInFlight
        self.refusals = refusals
    }

    package var grants: [BootInstant] { entries.map(\.moment) }

    /// The decision about a request that would delay others if it were granted too early.
    package enum Decision: Equatable, Sendable {
        /// The request may be sent at this time.
        case granted(BootInstant)
        /// Nothing was granted; ask again at this time.
        case later(BootInstant)
    }

    /// Grants one more request of this priority, or returns when to ask again; see `retryTime`.
    package mutating func grant(for priority: RequestPriority, now: BootInstant, limit: Int) -> Decision {
        if let later = retryTime(for: priority, now: now, limit: limit) { return .later(later) }
        guard priority == .bulk else { return .granted(grant(now: now, limit: limit)) }
        let moment = nextBulk(now: now, limit: limit)
        lastBulk = moment
        return .granted(add(moment, limit: limit, now: now))
    }

    /// Whether bulk work has yielded long enough to be granted a request regardless of others: one request per second
    /// prevents starvation.
    package func isBulkStarving(now: BootInstant) -> Bool {
        now.nanoseconds(since: lastBulk) >= Self.span
    }

    /// The time at which a request should ask for its grant; nil if it may ask now.
    ///
    /// A caller that has used up a limit below other callers' asks again when that limit allows it, so that meanwhile
    /// it takes neither slots nor grants from the others. Bulk work asks for no grant while one lies further ahead than
    /// `ahead`, so that a request of a higher priority is behind few of them.
    ///
    /// - Parameter ahead: nanoseconds; with 0, it is behind one grant at most.
    package func retryTime(
        for priority: RequestPriority, now: BootInstant, limit: Int, ahead: Int64 = 0
    ) -> BootInstant? {
        if let own = ownLimitTime(now: now, limit: limit) { return own }
        let horizon = now.advanced(by: ahead)
        guard priority == .bulk, let newest = newest(from: limit), newest > horizon,
            nextBulk(now: now, limit: limit) > horizon
        else { return nil }
        return newest.advanced(by: -ahead)
    }

    /// When a request that is held up by a limit below other callers' may continue; nil if it is not held up.
    package func ownLimitTime(now: BootInstant, limit: Int) -> BootInstant? {
        guard entries.contains(where: { $0.limit > limit }) else { return nil }
        let own = moment(of: limit, now: now)
        return own.nanoseconds(since: max(now, notBefore)) > Self.margin ? own : nil
    }

    /// The earliest time for bulk work.
    ///
    /// Bulk work that uses up the budget spreads its requests over half of the second instead of sending them all at
    /// once; otherwise a request that arrives in between would have to wait for the next second. The cost is half a
    /// second, once, when the work begins with a full budget: no request may be sooner than a span after the one it
    /// follows, so a gap, once made, is never recovered. That is why requests are not spread over the whole second.
    private func nextBulk(now: BootInstant, limit: Int) -> BootInstant {
        var moment = next(now: now, limit: limit)
        for bound in limitsInUse(from: limit) {
            let most = effectiveLimit(bound, now: now)
            guard let oldest = newest(most, upTo: bound), now.nanoseconds(since: oldest) < Self.memory,
                let newest = newest(1, upTo: bound)
            else { continue }
            moment = max(moment, newest.advanced(by: Self.span / (2 * Int64(most))))
        }
        return moment
    }

    /// Grants one more request at the earliest time that keeps the limit.
    ///
    /// - Parameter limit: N, 1 to `historyLimit`, as configured; a learned limit may lower it. It may differ between
    ///   calls.
    /// - Returns: when the request may be sent: `now` or later, and not before `notBefore`.
    package mutating func grant(now: BootInstant, limit: Int) -> BootInstant {
        add(next(now: now, limit: limit), limit: limit, now: now)
    }

    /// The earliest time that keeps the limit and the order.
    private func next(now: BootInstant, limit: Int) -> BootInstant {
        var moment = max(now, notBefore)
        for bound in limitsInUse(from: limit) { moment = max(moment, self.moment(of: bound, now: now)) }
        // First come, first served among callers bound by the same limits; callers with a lower limit may be behind.
        // Times are distinct, so that `confirm` finds the right grant. As long as all callers have the same limit, the
        // newest grant is never later than the time found above, and this adds at most a nanosecond.
        if let newest = newest(from: limit) { moment = max(moment, newest.advanced(by: 1)) }
        return moment
    }

    /// The first time at which a limit of N allows one more grant. Grants that lie ahead are counted as past, which
    /// keeps them valid where they are.
    private func moment(of bound: Int, now: BootInstant) -> BootInstant {
        newest(effectiveLimit(bound, now: now), upTo: bound).map { $0.advanced(by: Self.span) } ?? now
    }

    /// The limits that count a request made under this one: its own, and the larger ones in use.
    private func limitsInUse(from limit: Int) -> [Int] {
        var limits = [limit]
        for entry in entries where entry.limit > limit && !limits.contains(entry.limit) { limits.append(entry.limit) }
        return limits
    }

    /// The effective value of a configured limit.
    private func effectiveLimit(_ limit: Int, now: BootInstant) -> Int {
        learnedPerSecond.effective(configured: limit, now: now)
    }

    /// The n-th newest grant under this limit or a lower one; nil if there are fewer.
    private func newest(_ number: Int, upTo limit: Int) -> BootInstant? {
        var left = number
        for entry in entries.reversed() where entry.limit <= limit {
            left -= 1
            if left == 0 { return entry.moment }
        }
        return nil
    }

    /// The newest grant under this limit or a higher one.
    private func newest(from limit: Int) -> BootInstant? {
        entries.last { $0.limit >= limit }?.moment
    }

    private mutating func add(_ moment: BootInstant, limit: Int, now: BootInstant) -> BootInstant {
        forget(before: now)
        let given = insert(GrantEntry(moment: moment, limit: limit))
        if entries.count > Self.historyLimit { entries.removeFirst() }
        return given
    }

    /// Confirms a grant whose time has come.
    ///
    /// The grant holds if the caller is on time, no pause has begun meanwhile, and no earlier request was sent so late
    /// that the limit would be exceeded. Otherwise it moves to the first time from now on that is preceded by fewer
    /// than N grants within a span. Grants given ahead may then be too close to it; that is found when they are
    /// confirmed, so every request is checked against all requests sent before it, and no part of the budget is lost. A
    /// grant that is unknown, because the ledger was recreated, is replaced by a new one.
    ///
    /// - Returns: the time that counts now: `grant` itself, or a later one, which may lie ahead.
    package mutating func confirm(_ grant: BootInstant, now: BootInstant, limit: Int) -> BootInstant {
        guard let index = index(of: grant) else { return self.grant(now: now, limit: limit) }
        let limit = entries[index].limit
        if notBefore <= now, now.nanoseconds(since: grant) <= Self.freshness, isFree(index, now: now) { return grant }
        entries.remove(at: index)
        return insert(GrantEntry(moment: earliest(from: max(now, notBefore), limit: limit, now: now), limit: limit))
    }

    private func index(of grant: BootInstant) -> Int? { entries.lastIndex { $0.moment == grant } }

    /// Whether no span that ends with this grant, or with a later one that may have been sent by now, holds more than
    /// N.
    private func isFree(_ index: Int, now: BootInstant) -> Bool {
        let grant = entries[index].moment
        return limitsInUse(from: entries[index].limit).allSatisfy { bound in
            let most = effectiveLimit(bound, now: now)
            let counted = entries.lazy.filter { $0.limit <= bound }.map(\.moment)
            let moments = Array(counted)
            guard let index = moments.lastIndex(of: grant) else { return true }
            var last = index
            while last < moments.count, last - most <= index, last == index || moments[last] <= now {
                if last >= most, moments[last - most].advanced(by: Self.span) > moments[last] { return false }
                last += 1
            }
            return true
        }
    }

    /// The first time at or after `moment` that is preceded by fewer than N grants within a span.
    private func earliest(from moment: BootInstant, limit: Int, now: BootInstant) -> BootInstant {
        var moment = moment
        let limits = limitsInUse(from: limit)
        var isStable = false
        while !isStable {
            isStable = true
            for bound in limits {
                let most = effectiveLimit(bound, now: now)
                let before = entries.lazy.filter { $0.limit <= bound && $0.moment <= moment }.map(\.moment)
                guard let oldest = before.suffix(most).first, before.count >= most else { continue }
                let free = oldest.advanced(by: Self.span)
                if free > moment {
                    moment = free
                    isStable = false
                }
            }
        }
        return moment
    }

    /// Inserts a grant in ascending order, a few nanoseconds later if its time is taken.
    private mutating func insert(_ wanted: GrantEntry) -> BootInstant {
        var moment = wanted.moment
        var place = entries.endIndex
        while place > 0, entries[place - 1].moment > moment { place -= 1 }
        if place > 0, entries[place - 1].moment == moment {
            moment = moment.advanced(by: 1)
            while place < entries.count, entries[place].moment == moment {
                moment = moment.advanced(by: 1)
                place += 1
            }
        }
        entries.insert(GrantEntry(moment: moment, limit: wanted.limit), at: place)
        return moment
    }

    /// Records the true send time of a granted request. It is usually later than the grant, because a connection had to
    /// be made or the processor was busy; from now on the true time counts. Grants given ahead meanwhile may now be too
    /// early, which `confirm` finds when their time comes. An unknown grant is ignored: its ledger was recreated as
    /// fully used.
    package mutating func note(departure moment: BootInstant, of grant: BootInstant) {
        // A request is sent before its grant only if it was held back for too long.
        guard moment > grant || grant.nanoseconds(since: moment) > Self.margin, let index = index(of: grant) else {
            return
        }
        let limit = entries.remove(at: index).limit
        // If the time is taken, use a nanosecond before it: a request that is confirmed at that time would not see a
        // later one.
        var free = moment
        while self.index(of: free) != nil { free = free.advanced(by: -1) }
        let place = entries.firstIndex { $0.moment > free } ?? entries.endIndex
        entries.insert(GrantEntry(moment: free, limit: limit), at: place)
    }

    /// Removes a grant whose request will not be sent.
    package mutating func withdraw(_ grant: BootInstant) {
        if let index = index(of: grant) { entries.remove(at: index) }
    }

    /// Prevents all requests before `moment`. A longer pause in progress is kept.
    package mutating func pause(until moment: BootInstant, cause: String) {
        guard moment > notBefore else { return }
        notBefore = moment
        pauseCause = cause
    }

    /// Records that the service refused a request without saying for how long. Refusals of concurrent requests count
    /// once.
    ///
    /// - Returns: the number of consecutive such pauses before this one, without a response between them.
    package mutating func refuse(now: BootInstant) -> Int {
        if refusals == 0 || notBefore <= now { refusals = min(refusals + 1, Self.mostRefusals) }
        return refusals - 1
    }

    /// Records a response to a request that was sent after the last refusal.
    package mutating func succeed() {
        refusals = 0
    }

    /// The limits in effect: the configured ones, or lower learned ones.
    package func effective(_ configured: RateLimits, now: BootInstant) -> RateLimits {
        RateLimits(
            requestsPerSecond: learnedPerSecond.effective(configured: configured.requestsPerSecond, now: now),
            inFlight: learnedInFlight.effective(configured: configured.inFlight, now: now))
    }

    /// Learns from a request that the service refused.
    package mutating func learn(_ refusal: RateLimitResponse, configured: RateLimits, now: BootInstant) {
        switch refusal.kind {
        case .perSecond:
            learnedPerSecond.learn(named: refusal.limit, configured: configured.requestsPerSecond, now: now)
        case .inFlight: learnedInFlight.learn(named: refusal.limit, configured: configured.inFlight, now: now)
        }
    }

    /// Drops grants that no window reaching into the future can contain and that do not show how busy the budget has
    /// been.
    private mutating func forget(before now: BootInstant) {
        let horizon = now.advanced(by: -Self.memory)
        let old = entries.prefix { $0.moment <= horizon }.count
        if old > 0 { entries.removeFirst(old) }
    }
}

/// A grant as the ledger stores it.
package struct GrantEntry: Equatable, Sendable {
    /// When its request may be sent, or was sent.
    package let moment: BootInstant
    /// The requests per second that its caller was configured with.
    package let limit: Int

    package init(moment: BootInstant, limit: Int) {
        self.moment = moment
        self.limit = limit
    }
}
