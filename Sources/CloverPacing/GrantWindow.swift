/// The decision of the rate ledger: when the next request may leave, given when the last ones did. No clock, no file.
///
/// The law it keeps: with a limit of N, the N-th grant after any grant is at least `span` later, so that no half-open
/// second holds more than N. `span` is a second and a margin for what happens between a grant and the service's own
/// clock: waking up late, and a network that is slower for one request than for another.
package struct GrantWindow: Equatable, Sendable {
    /// Nanoseconds added to the second.
    package static let margin: Int64 = 20_000_000
    /// Nanoseconds in which at most N grants fall.
    package static let span: Int64 = 1_000_000_000 + margin
    /// A request that leaves this many nanoseconds after its grant is stale: the rest of the margin stays for
    /// the network.
    package static let patience: Int64 = margin / 4
    /// Nanoseconds for which grants are remembered. A budget whose last N grants are no older is in full use.
    private static let memory = 3 * span / 2
    /// The most grants that are remembered. It bounds N, and keeps the ledger file within one page of memory.
    package static let historyLimit = 480
    /// The longest pause in nanoseconds: a day.
    package static let longestPause: Int64 = 86_400_000_000_000

    /// Grants that can still matter, in rising order without repeats; some may lie ahead.
    package private(set) var grants: [BootInstant]
    /// No request leaves before this moment, whoever asks.
    package private(set) var notBefore: BootInstant
    /// What the pause that `notBefore` ends was for, such as the name of a response header; empty when there was none.
    package private(set) var pauseCause: String
    /// When bulk work was last granted a request; zero when it never was.
    package private(set) var lastBulk: BootInstant
    /// What the service taught about requests in a second, and in flight.
    package private(set) var learntPerSecond: LearntLimit
    package private(set) var learntInFlight: LearntLimit

    /// A budget that nobody has used yet.
    package init() {
        grants = []
        notBefore = BootInstant(nanoseconds: 0)
        pauseCause = ""
        lastBulk = BootInstant(nanoseconds: 0)
        learntPerSecond = LearntLimit()
        learntInFlight = LearntLimit()
    }

    /// A budget of which nothing is known, so that all of it may have been used just now: the next grant is a whole
    /// span away, whatever the limit.
    package init(fullAt now: BootInstant) {
        self.init()
        notBefore = now.advanced(by: Self.span)
    }

    /// A budget as it was stored.
    ///
    /// - Throws: `.implausible` when no run of this program can have left it: grants out of order, before the machine
    ///   started, or further ahead than waiting requests can reach.
    package init(
        grants: [BootInstant], notBefore: BootInstant, pauseCause: String,
        lastBulk: BootInstant = BootInstant(nanoseconds: 0), learntPerSecond: LearntLimit = LearntLimit(),
        learntInFlight: LearntLimit = LearntLimit(), now: BootInstant
    ) throws(LedgerFault) {
        let start = BootInstant(nanoseconds: 0)
        guard notBefore >= start, notBefore <= now.advanced(by: Self.longestPause + Self.span) else {
            throw .implausible
        }
        if let first = grants.first, let last = grants.last {
            // Requests ahead hold slots, so that their number is small; a minute and a second for each remembered
            // grant is far beyond what they reach even at one request a second.
            let lead = Int64(grants.count + 60) * 1_000_000_000
            guard first >= start, last <= max(now, notBefore).advanced(by: lead), grants.count <= Self.historyLimit,
                zip(grants, grants.dropFirst()).allSatisfy({ $0 < $1 })
            else { throw .implausible }
        }
        self.grants = grants
        self.notBefore = notBefore
        self.pauseCause = pauseCause
        self.lastBulk = lastBulk
        self.learntPerSecond = learntPerSecond
        self.learntInFlight = learntInFlight
    }

    /// The answer to bulk work.
    package enum BulkAnswer: Equatable, Sendable {
        /// It may leave at this moment.
        case granted(BootInstant)
        /// Nothing was granted: it may ask again at this moment.
        case later(BootInstant)
    }

    /// Grants one more request of bulk work, unless a grant lies ahead already: whoever goes before it then finds at most
    /// one grant in the way.
    ///
    /// Bulk work that uses up the budget spreads its requests over half of the second instead of sending them all when it
    /// begins: somebody who comes in between would have to wait for the next one. What is lost by that is the half second
    /// once, when the work begins with a full budget: no request may be sooner than a span after the one that it follows,
    /// so that a distance which was made is never made up for. That is why it is not spread over all of it.
    package mutating func grantBulk(now: BootInstant, limit: Int) -> BulkAnswer {
        let moment = nextBulk(now: now, limit: limit)
        if moment > now, let newest = grants.last, newest > now { return .later(newest) }
        lastBulk = moment
        return .granted(append(moment, now: now))
    }

    /// Whether bulk work has stood back for others for so long that it takes its turn nevertheless: one request a second
    /// keeps it from starving.
    package func isBulkStarving(now: BootInstant) -> Bool {
        now.nanoseconds(since: lastBulk) >= Self.span
    }

    /// When bulk work may ask for a grant that it will get; nil when it may now.
    package func bulkMoment(now: BootInstant, limit: Int) -> BootInstant? {
        guard nextBulk(now: now, limit: limit) > now, let newest = grants.last, newest > now else { return nil }
        return newest
    }

    private func nextBulk(now: BootInstant, limit: Int) -> BootInstant {
        let moment = next(now: now, limit: limit)
        guard grants.count >= limit, let newest = grants.last,
            now.nanoseconds(since: grants[grants.count - limit]) < Self.memory
        else { return moment }
        return max(moment, newest.advanced(by: Self.span / (2 * Int64(limit))))
    }

    /// Grants one more request at the earliest moment that keeps the law.
    ///
    /// - Parameter limit: N, 1 to `historyLimit`. It may differ from call to call.
    /// - Returns: when the request may leave: `now` or later, not before `notBefore`.
    package mutating func grant(now: BootInstant, limit: Int) -> BootInstant {
        append(next(now: now, limit: limit), now: now)
    }

    /// The earliest moment that keeps the law and the order.
    private func next(now: BootInstant, limit: Int) -> BootInstant {
        var moment = max(now, notBefore)
        if grants.count >= limit {
            moment = max(moment, grants[grants.count - limit].advanced(by: Self.span))
        }
        // Distinct moments, so that `confirm` finds the right one. As long as all callers have the same limit, the
        // newest grant is never later than what was found above, and this adds a nanosecond at most.
        if let newest = grants.last {
            moment = max(moment, newest.advanced(by: 1))
        }
        return moment
    }

    private mutating func append(_ moment: BootInstant, now: BootInstant) -> BootInstant {
        forget(before: now)
        grants.append(moment)
        if grants.count > Self.historyLimit { grants.removeFirst() }
        return moment
    }

    /// Asks again about a grant whose moment has come.
    ///
    /// It holds when the caller is on time, nobody has paused meanwhile, and no request before it turned out to have
    /// left so late that the limit would be passed. Otherwise it moves to the first moment from now on before which a span
    /// holds fewer than N. Grants given ahead may then lie too close to it; they find that when they are confirmed, so
    /// that every request is checked against all that left before it, and nothing of the budget is lost. An unknown grant,
    /// because the ledger was started anew, is replaced by a new one.
    ///
    /// - Returns: the moment that counts now: `grant` itself, or a later one, which may lie ahead.
    package mutating func confirm(_ grant: BootInstant, now: BootInstant, limit: Int) -> BootInstant {
        guard let index = grants.lastIndex(of: grant) else { return self.grant(now: now, limit: limit) }
        if notBefore <= now, now.nanoseconds(since: grant) <= Self.patience, isFree(index, now: now, limit: limit) {
            return grant
        }
        grants.remove(at: index)
        return insert(earliest(from: max(now, notBefore), limit: limit))
    }

    /// Whether no span that ends with the grant, or with one after it that may have left by now, holds more than N.
    private func isFree(_ index: Int, now: BootInstant, limit: Int) -> Bool {
        var last = index
        while last < grants.count, last - limit <= index, last == index || grants[last] <= now {
            if last >= limit, grants[last - limit].advanced(by: Self.span) > grants[last] { return false }
            last += 1
        }
        return true
    }

    /// The first moment from `moment` on before which fewer than N grants lie within a span.
    private func earliest(from moment: BootInstant, limit: Int) -> BootInstant {
        var moment = moment
        while true {
            let before = grants.count { $0 <= moment }
            guard before >= limit else { return moment }
            let free = grants[before - limit].advanced(by: Self.span)
            if free <= moment { return moment }
            moment = free
        }
    }

    /// Puts a moment in its place in the rising order, a few nanoseconds later where it is taken.
    private mutating func insert(_ wanted: BootInstant) -> BootInstant {
        var moment = wanted
        var place = grants.endIndex
        while let equal = grants.lastIndex(of: moment) {
            moment = moment.advanced(by: 1)
            place = equal + 1
        }
        while place > 0, grants[place - 1] > moment { place -= 1 }
        grants.insert(moment, at: place)
        return moment
    }

    /// Notes that the request of a grant left later than it might have, because a connection had to be made or the
    /// processor was busy: from here on its true moment counts. Grants that were given ahead meanwhile may be too early
    /// now, which `confirm` finds when their moment comes. An unknown grant stays unknown: its ledger was started anew, as
    /// if everything had just been used.
    package mutating func note(departure moment: BootInstant, of grant: BootInstant) {
        guard moment > grant, let index = grants.lastIndex(of: grant) else { return }
        grants.remove(at: index)
        // Where the moment is taken, a nanosecond before: after it, whoever is confirmed at that moment would not see it.
        var free = moment
        while grants.contains(free) { free = free.advanced(by: -1) }
        grants.insert(free, at: grants.firstIndex { $0 > free } ?? grants.endIndex)
    }

    /// Forgets a grant whose request will not leave.
    package mutating func withdraw(_ grant: BootInstant) {
        if let index = grants.lastIndex(of: grant) { grants.remove(at: index) }
    }

    /// Lets nobody leave before `moment`. A longer pause that is under way stays as it is.
    package mutating func pause(until moment: BootInstant, cause: String) {
        guard moment > notBefore else { return }
        notBefore = moment
        pauseCause = cause
    }

    /// The limits to keep now: the configured ones, or less where the service taught so.
    package func effective(_ configured: RateLimits, now: BootInstant) -> RateLimits {
        RateLimits(
            requestsPerSecond: learntPerSecond.effective(configured: configured.requestsPerSecond, now: now),
            inFlight: learntInFlight.effective(configured: configured.inFlight, now: now))
    }

    /// The service refused a request.
    package mutating func learn(_ refusal: RateRefusal, configured: RateLimits, now: BootInstant) {
        switch refusal.kind {
        case .perSecond:
            learntPerSecond.learn(named: refusal.limit, configured: configured.requestsPerSecond, now: now)
        case .inFlight: learntInFlight.learn(named: refusal.limit, configured: configured.inFlight, now: now)
        }
    }

    /// Drops grants that no window reaching into the future can hold, and that tell nothing about how busy it has been.
    private mutating func forget(before now: BootInstant) {
        let horizon = now.advanced(by: -Self.memory)
        let old = grants.prefix { $0 <= horizon }.count
        if old > 0 { grants.removeFirst(old) }
    }
}
