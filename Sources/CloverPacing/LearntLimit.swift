/// A limit of the service that turned out to be lower than the one that is kept: every process of the user keeps the lower
/// one, which then rises again slowly, because what was learnt may hold no longer.
package struct LearntLimit: Equatable, Sendable {
    /// Nanoseconds after which the limit rises by one.
    package static let recovery: Int64 = 30_000_000_000
    /// Nanoseconds after a lesson in which refusals without a number teach nothing more: they answer requests that left before
    /// it.
    package static let pause: Int64 = 5_000_000_000

    /// What was learnt; 0 when nothing was.
    package private(set) var ceiling = 0
    /// When.
    package private(set) var moment = BootInstant(nanoseconds: 0)

    /// Nothing is known.
    package init() {}

    /// What was stored.
    package init(ceiling: Int, moment: BootInstant) {
        self.ceiling = max(0, ceiling)
        self.moment = moment
    }

    /// The limit that is kept now: the configured one, or less.
    package func effective(configured: Int, now: BootInstant) -> Int {
        guard ceiling > 0 else { return configured }
        let risen = max(0, now.nanoseconds(since: moment)) / Self.recovery
        return Int(min(Int64(configured), Int64(min(ceiling, configured)) + risen))
    }

    /// The service refused a request although the limit was kept: it becomes the number that the refusal names, at once, or
    /// is halved where it names none. A number that is no lower than ours says that somebody else uses the budget too, which
    /// is no lesson about the limit.
    package mutating func learn(named: Int?, configured: Int, now: BootInstant) {
        let kept = effective(configured: configured, now: now)
        if let named {
            guard named < kept else { return }
            ceiling = max(1, named)
        } else {
            guard ceiling == 0 || now.nanoseconds(since: moment) >= Self.pause else { return }
            ceiling = max(1, kept / 2)
        }
        moment = now
    }
}
