/// The decision of the rate ledger: when the next request may leave, given when the last ones did. No clock, no file.
///
/// The law it keeps: with a limit of N, the N-th grant after any grant is at least `span` later, so that no half-open
/// second holds more than N. `span` is a second and a margin for what happens between a departure and the service's own
/// clock: a network that is slower for one request than for another, and clocks that count in steps of some milliseconds,
/// as that of the kernel's own record of an arrival does. A request that wakes up late needs none of it, because
/// its true departure is noted; see `note(departure:of:)`.
///
/// Callers may have different limits. Each grant is kept with the limit of its caller, and the law of N counts those that
/// were given under N or less: whoever asks for four a second shares the four with all who ask for four or less, and
/// slows down nobody who asks for more. As all grants count for the largest limit, everybody together keeps that one.
package struct GrantWindow: Equatable, Sendable {
    /// Nanoseconds added to the second.
    package static let margin: Int64 = 15_000_000
    /// Nanoseconds in which at most N grants fall.
    package static let span: Int64 = 1_000_000_000 + margin
    /// A request that would leave this many nanoseconds after its grant is stale, and asks again before it leaves.
    package static let patience: Int64 = margin / 3
    /// Nanoseconds for which grants are remembered. A budget whose last N grants are no older is in full use.
    private static let memory = 3 * span / 2
    /// The most grants that are remembered. It bounds N, and keeps the ledger file within one page of memory.
    package static let historyLimit = 480
    /// The longest pause in nanoseconds: a day.
    package static let longestPause: Int64 = 86_400_000_000_000

    /// Grants that can still matter, in rising order without repeats; some may lie ahead.
    package private(set) var entries: [GrantEntry]
    /// No request leaves before this moment, whoever asks.
    package private(set) var notBefore: BootInstant
    /// What the pause that `notBefore` ends was for, such as the name of a response header; empty when there was none.
    package private(set) var pauseCause: String
    /// When bulk work was last granted a request; zero when it never was.
    package private(set) var lastBulk: BootInstant
    /// What the service taught about requests in a second, and in flight.
    package private(set) var learntPerSecond: LearntLimit
    package private(set) var learntInFlight: LearntLimit
    /// Pauses in a row of a length that the service did not name, without an answer between them: each is twice as long as
    /// the one before it, whoever of all processes was refused.
    package private(set) var refusals: Int

    /// So many are counted: the pauses have long reached their greatest length.
    package static let mostRefusals = 20

    /// A budget that nobody has used yet.
    package init() {
        entries = []
        notBefore = BootInstant(nanoseconds: 0)
        pauseCause = ""
        lastBulk = BootInstant(nanoseconds: 0)
        learntPerSecond = LearntLimit()
        learntInFlight = LearntLimit()
        refusals = 0
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
        entries: [GrantEntry], notBefore: BootInstant, pauseCause: String,
        lastBulk: BootInstant = BootInstant(nanoseconds: 0), learntPerSecond: LearntLimit = LearntLimit(),
        learntInFlight: LearntLimit = LearntLimit(), refusals: Int = 0, now: BootInstant
    ) throws(LedgerFault) {
        guard (0...Self.mostRefusals).contains(refusals) else { throw .implausible }
        let start = BootInstant(nanoseconds: 0)
        guard notBefore >= start, notBefore <= now.advanced(by: Self.longestPause + Self.span) else {
            throw .implausible
        }
        if let first = entries.first?.moment, let last = entries.last?.moment {
            // Requests ahead hold slots, so that their number is small; a minute and a second for each remembered
            // grant is far beyond what they reach even at one request a second.
            let lead = Int64(entries.count + 60) * 1_000_000_000
            guard first >= start, last <= max(now, notBefore).advanced(by: lead), entries.count <= Self.historyLimit,
                zip(entries, entries.dropFirst()).allSatisfy({ $0.moment < $1.moment }),
                entries.allSatisfy({ RateLimits.requestsPerSecondRange.contains($0.limit) })
            else { throw .implausible }
        }
        self.entries = entries
        self.notBefore = notBefore
        self.pauseCause = pauseCause
        self.lastBulk = lastBulk
        self.learntPerSecond = learntPerSecond
        self.learntInFlight = learntInFlight
        self.refusals = refusals
    }

    /// The moments of `entries`.
    package var grants: [BootInstant] { entries.map(\.moment) }

    /// The answer to a request that would stand in others' way if it were granted one too early.
    package enum Answer: Equatable, Sendable {
        /// It may leave at this moment.
        case granted(BootInstant)
        /// Nothing was granted: it may ask again at this moment.
        case later(BootInstant)
    }

    /// Grants one more request of this class, unless it had better ask again later; see `askMoment`.
    package mutating func grant(for pacingClass: PacingClass, now: BootInstant, limit: Int) -> Answer {
        if let later = askMoment(for: pacingClass, now: now, limit: limit) { return .later(later) }
        guard pacingClass == .bulk else { return .granted(grant(now: now, limit: limit)) }
        let moment = nextBulk(now: now, limit: limit)
        lastBulk = moment
        return .granted(add(moment, limit: limit, now: now))
    }

    /// Whether bulk work has stood back for others for so long that it takes its turn nevertheless: one request a second
    /// keeps it from starving.
    package func isBulkStarving(now: BootInstant) -> Bool {
        now.nanoseconds(since: lastBulk) >= Self.span
    }

    /// When a request had better ask for its grant; nil for now.
    ///
    /// Who has a lower limit than others and has used it up waits for its own sake: it asks when that is over, so that it
    /// keeps neither slots nor grants from the others meanwhile. And bulk work asks for no grant while one lies ahead:
    /// whoever goes before it then finds at most one grant in the way.
    package func askMoment(for pacingClass: PacingClass, now: BootInstant, limit: Int) -> BootInstant? {
        if let own = ownMoment(now: now, limit: limit) { return own }
        guard pacingClass == .bulk, let newest = newest(from: limit), newest > now,
            nextBulk(now: now, limit: limit) > now
        else { return nil }
        return newest
    }

    /// When a request that is held up by a lower limit than others have may go on; nil when it is not.
    package func ownMoment(now: BootInstant, limit: Int) -> BootInstant? {
        guard entries.contains(where: { $0.limit > limit }) else { return nil }
        let own = moment(of: limit, now: now)
        return own.nanoseconds(since: max(now, notBefore)) > Self.margin ? own : nil
    }

    /// The earliest moment for bulk work.
    ///
    /// Bulk work that uses up the budget spreads its requests over half of the second instead of sending them all when it
    /// begins: somebody who comes in between would have to wait for the next one. What is lost by that is the half second
    /// once, when the work begins with a full budget: no request may be sooner than a span after the one that it follows,
    /// so that a distance which was made is never made up for. That is why it is not spread over all of it.
    private func nextBulk(now: BootInstant, limit: Int) -> BootInstant {
        var moment = next(now: now, limit: limit)
        for law in laws(from: limit) {
            let most = kept(law, now: now)
            guard let oldest = newest(most, upTo: law), now.nanoseconds(since: oldest) < Self.memory,
                let newest = newest(1, upTo: law)
            else { continue }
            moment = max(moment, newest.advanced(by: Self.span / (2 * Int64(most))))
        }
        return moment
    }

    /// Grants one more request at the earliest moment that keeps the law.
    ///
    /// - Parameter limit: N, 1 to `historyLimit`, as configured; less is kept where the service taught so. It may differ
    ///   from call to call.
    /// - Returns: when the request may leave: `now` or later, not before `notBefore`.
    package mutating func grant(now: BootInstant, limit: Int) -> BootInstant {
        add(next(now: now, limit: limit), limit: limit, now: now)
    }

    /// The earliest moment that keeps the law and the order.
    private func next(now: BootInstant, limit: Int) -> BootInstant {
        var moment = max(now, notBefore)
        for law in laws(from: limit) { moment = max(moment, self.moment(of: law, now: now)) }
        // First come, first served among those whom the same laws bind; those with a lower limit may be behind. Distinct
        // moments, so that `confirm` finds the right one. As long as all callers have the same limit, the newest grant
        // is never later than what was found above, and this adds a nanosecond at most.
        if let newest = newest(from: limit) { moment = max(moment, newest.advanced(by: 1)) }
        return moment
    }

    /// The first moment at which the law of N allows one more, all that lie ahead counted as if they were over: so they
    /// stay allowed where they are.
    private func moment(of law: Int, now: BootInstant) -> BootInstant {
        newest(kept(law, now: now), upTo: law).map { $0.advanced(by: Self.span) } ?? now
    }

    /// The limits whose laws count a request under this one: its own, and the larger ones that are in use.
    private func laws(from limit: Int) -> [Int] {
        var laws = [limit]
        for entry in entries where entry.limit > limit && !laws.contains(entry.limit) { laws.append(entry.limit) }
        return laws
    }

    /// What is kept of a configured limit.
    private func kept(_ limit: Int, now: BootInstant) -> Int {
        learntPerSecond.effective(configured: limit, now: now)
    }

    /// The n-th newest grant under this limit or less; nil when there are fewer.
    private func newest(_ number: Int, upTo limit: Int) -> BootInstant? {
        var left = number
        for entry in entries.reversed() where entry.limit <= limit {
            left -= 1
            if left == 0 { return entry.moment }
        }
        return nil
    }

    /// The newest grant under this limit or more.
    private func newest(from limit: Int) -> BootInstant? {
        entries.last { $0.limit >= limit }?.moment
    }

    private mutating func add(_ moment: BootInstant, limit: Int, now: BootInstant) -> BootInstant {
        forget(before: now)
        let given = insert(GrantEntry(moment: moment, limit: limit))
        if entries.count > Self.historyLimit { entries.removeFirst() }
        return given
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
        guard let index = index(of: grant) else { return self.grant(now: now, limit: limit) }
        let limit = entries[index].limit
        if notBefore <= now, now.nanoseconds(since: grant) <= Self.patience, isFree(index, now: now) { return grant }
        entries.remove(at: index)
        return insert(GrantEntry(moment: earliest(from: max(now, notBefore), limit: limit, now: now), limit: limit))
    }

    private func index(of grant: BootInstant) -> Int? { entries.lastIndex { $0.moment == grant } }

    /// Whether no span that ends with the grant, or with one after it that may have left by now, holds more than N.
    private func isFree(_ index: Int, now: BootInstant) -> Bool {
        let grant = entries[index].moment
        return laws(from: entries[index].limit).allSatisfy { law in
            let most = kept(law, now: now)
            let counted = entries.lazy.filter { $0.limit <= law }.map(\.moment)
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

    /// The first moment from `moment` on before which fewer than N grants lie within a span.
    private func earliest(from moment: BootInstant, limit: Int, now: BootInstant) -> BootInstant {
        var moment = moment
        let laws = laws(from: limit)
        var isSettled = false
        while !isSettled {
            isSettled = true
            for law in laws {
                let most = kept(law, now: now)
                let before = entries.lazy.filter { $0.limit <= law && $0.moment <= moment }.map(\.moment)
                guard let oldest = before.suffix(most).first, before.count >= most else { continue }
                let free = oldest.advanced(by: Self.span)
                if free > moment {
                    moment = free
                    isSettled = false
                }
            }
        }
        return moment
    }

    /// Puts a grant in its place in the rising order, a few nanoseconds later where its moment is taken.
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

    /// Notes that the request of a grant left at another moment than it might have, most often later, because a connection had to be made or the
    /// processor was busy: from here on its true moment counts. Grants that were given ahead meanwhile may be too early
    /// now, which `confirm` finds when their moment comes. An unknown grant stays unknown: its ledger was started anew, as
    /// if everything had just been used.
    package mutating func note(departure moment: BootInstant, of grant: BootInstant) {
        // Before its moment it leaves only when it was held back for too long.
        guard moment > grant || grant.nanoseconds(since: moment) > Self.margin, let index = index(of: grant) else {
            return
        }
        let limit = entries.remove(at: index).limit
        // Where the moment is taken, a nanosecond before: after it, whoever is confirmed at that moment would not see it.
        var free = moment
        while self.index(of: free) != nil { free = free.advanced(by: -1) }
        let place = entries.firstIndex { $0.moment > free } ?? entries.endIndex
        entries.insert(GrantEntry(moment: free, limit: limit), at: place)
    }

    /// Forgets a grant whose request will not leave.
    package mutating func withdraw(_ grant: BootInstant) {
        if let index = index(of: grant) { entries.remove(at: index) }
    }

    /// Lets nobody leave before `moment`. A longer pause that is under way stays as it is.
    package mutating func pause(until moment: BootInstant, cause: String) {
        guard moment > notBefore else { return }
        notBefore = moment
        pauseCause = cause
    }

    /// The service refused a request and did not say for how long. Those that were under way side by side count once.
    ///
    /// - Returns: how many such pauses there were before this one without an answer.
    package mutating func refuse(now: BootInstant) -> Int {
        if refusals == 0 || notBefore <= now { refusals = min(refusals + 1, Self.mostRefusals) }
        return refusals - 1
    }

    /// A request was answered that left after the last refusal.
    package mutating func succeed() {
        refusals = 0
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
        let old = entries.prefix { $0.moment <= horizon }.count
        if old > 0 { entries.removeFirst(old) }
    }
}
