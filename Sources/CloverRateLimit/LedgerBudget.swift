/// A snapshot of a budget, for inspection before sending.
package struct LedgerBudget: Equatable, Sendable {
    /// The limits in effect; lower than `configured` if the service has enforced lower ones.
    package let limits: RateLimits
    package let configured: RateLimits
    /// Requests granted in the second before the snapshot.
    package let granted: Int
    /// Grants that lie ahead: of requests that wait for their time, or whose processes gave up.
    package let ahead: Int
    package let slotsTaken: Int
    /// Slots of requests that are in flight; the other slots belong to requests that wait for their time.
    package let underWay: Int
    /// The owners of requests in flight, as far as they are recorded.
    package let holding: [LedgerClient]
    /// The waiters for a slot or a grant, in order of arrival.
    package let waiting: [LedgerClient]
    /// Remaining time of a pause that the service demanded; nil if there is none.
    package let pause: Duration?
    /// The cause of the pause, such as the name of a response header; nil without a pause.
    package let pauseCause: String?

    /// The largest limit of requests per second among processes that sent in the second before the snapshot, are about
    /// to send, or sent earlier and still have requests in flight or waiting; nil if there are none.
    package let perSecondInUse: Int?
    /// The largest in-flight limit among processes that hold or want a slot; nil if there are none.
    package let inFlightInUse: Int?
    /// Limits below `perSecondInUse` that some of the same processes keep, in ascending order.
    package let lower: [Share]

    /// The usage of processes that share a low limit.
    package struct Share: Equatable, Sendable {
        /// Requests per second.
        package let limit: Int
        /// Requests granted in the second before the snapshot to processes with this limit or a lower one.
        package let granted: Int
    }

    private let window: SlidingWindowLimiter
    private let now: BootInstant

    /// A snapshot of this history.
    package init(
        _ window: SlidingWindowLimiter, limits: RateLimits, now: BootInstant, slotsTaken: Int = 0, underWay: Int = 0,
        holding: [LedgerClient] = [],
        waiting: [LedgerClient] = []
    ) {
        self.window = window
        configured = limits
        self.limits = window.effective(limits, now: now)
        self.now = now
        self.slotsTaken = slotsTaken
        self.underWay = underWay
        self.holding = holding
        self.waiting = waiting
        let second = now.advanced(by: -1_000_000_000)
        granted = window.grants.count { $0 > second && $0 <= now }
        let recent = window.entries.count { $0.moment > second }
        // Requests in flight longer than a second belong to the newest grants; a waiter has sent before.
        let present = max(underWay, waiting.isEmpty ? 0 : 1)
        let inUse = Set(
            window.entries.suffix(max(recent, present)).map {
                window.learnedPerSecond.effective(configured: $0.limit, now: now)
            }
        ).sorted()
        perSecondInUse = inUse.last
        lower = inUse.dropLast().map { limit in
            Share(
                limit: limit,
                granted: window.entries.count { $0.moment > second && $0.moment <= now && $0.limit <= limit })
        }
        inFlightInUse = (holding + waiting).compactMap(\.inFlightLimit).max()
        ahead = window.grants.count { $0 > now }
        let isPaused = window.notBefore > now
        pause = isPaused ? .nanoseconds(window.notBefore.nanoseconds(since: now)) : nil
        pauseCause = isPaused && !window.pauseCause.isEmpty ? window.pauseCause : nil
    }

    package var hasWaiters: Bool { !waiting.isEmpty }

    /// Number of requests that the rate limit would let through immediately.
    package var free: Int {
        var trial = window
        var count = 0
        // Distinct grants are nanoseconds apart.
        while count < limits.requestsPerSecond,
            trial.grant(now: now, limit: configured.requestsPerSecond).nanoseconds(since: now) < 1_000_000
        { count += 1 }
        return count
    }

    /// The time until the last of this many requests may be sent if no other process sends any; zero for none.
    package func wait(for requests: Int) -> Duration {
        guard requests > 0 else { return .zero }
        let limit = limits.requestsPerSecond
        // From the second span on, the spans follow each other without a gap.
        let spans = max(0, (requests - 1) / limit - 1)
        var trial = window
        var last = now
        for _ in 0..<requests - spans * limit {
            last = trial.grant(now: now, limit: configured.requestsPerSecond)
        }
        return .nanoseconds(max(0, last.nanoseconds(since: now)) + Int64(spans) * SlidingWindowLimiter.span)
    }
}
