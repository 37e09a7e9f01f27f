/// What a budget is at one moment, for whoever wants to know before sending anything.
package struct LedgerBudget: Equatable, Sendable {
    /// What is kept now; less than `configured` where the service taught so.
    package let limits: RateLimits
    /// What was asked for.
    package let configured: RateLimits
    /// Requests granted in the second before this moment.
    package let granted: Int
    /// Grants that lie ahead: requests that wait for their moment, or whose processes gave up.
    package let ahead: Int
    /// In-flight slots that are taken.
    package let slotsTaken: Int
    /// Those of requests that are under way; the others wait for their moment.
    package let underWay: Int
    /// Who has requests under way, as far as they said so.
    package let holding: [LedgerParty]
    /// Who waits for a slot or a grant, in the order in which they came.
    package let waiting: [LedgerParty]
    /// How long nobody may send, because the service said so; nil when there is no such pause.
    package let pause: Duration?
    /// What the pause is for, such as the name of a response header; nil without a pause.
    package let pauseCause: String?

    /// The largest limit of requests in a second that one of those keeps who sent in the second before this moment, are
    /// about to, or sent earlier and are still under way or wait to send again; nil when there are none.
    package let perSecondInUse: Int?
    /// The largest number of requests under way that one of those may have who hold or want a slot; nil when there are none.
    package let inFlightInUse: Int?
    /// Lower limits than `perSecondInUse` that some of the same keep, in rising order.
    package let lower: [Share]

    /// What those with a low limit share among themselves.
    package struct Share: Equatable, Sendable {
        /// Requests in a second.
        package let limit: Int
        /// Requests granted in the second before this moment to those who keep this limit or a lower one.
        package let granted: Int
    }

    private let window: GrantWindow
    private let now: BootInstant

    /// A budget with this history.
    package init(
        _ window: GrantWindow, limits: RateLimits, now: BootInstant, slotsTaken: Int = 0, underWay: Int = 0,
        holding: [LedgerParty] = [],
        waiting: [LedgerParty] = []
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
        // What is under way longer than a second is of the newest grants; who waits has sent before.
        let present = max(underWay, waiting.isEmpty ? 0 : 1)
        let inUse = Set(
            window.entries.suffix(max(recent, present)).map {
                window.learntPerSecond.effective(configured: $0.limit, now: now)
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

    /// Whether somebody waits.
    package var hasWaiters: Bool { !waiting.isEmpty }

    /// Requests that could leave at once, as far as the rate goes.
    package var free: Int {
        var trial = window
        var count = 0
        // Distinct moments are nanoseconds apart.
        while count < limits.requestsPerSecond,
            trial.grant(now: now, limit: configured.requestsPerSecond).nanoseconds(since: now) < 1_000_000
        { count += 1 }
        return count
    }

    /// How long it takes until the last of so many requests may leave, when nobody else sends any; zero for none.
    package func wait(for requests: Int) -> Duration {
        guard requests > 0 else { return .zero }
        let limit = limits.requestsPerSecond
        // From the second span on, one span follows the other.
        let spans = max(0, (requests - 1) / limit - 1)
        var trial = window
        var last = now
        for _ in 0..<requests - spans * limit {
            last = trial.grant(now: now, limit: configured.requestsPerSecond)
        }
        return .nanoseconds(max(0, last.nanoseconds(since: now)) + Int64(spans) * GrantWindow.span)
    }
}
