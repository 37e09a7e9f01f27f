/// The moment at which several calls together must be done. Time in which the machine sleeps does not count.
package struct Deadline: Sendable {
    /// What was allowed in all.
    package let limit: Duration
    private let end: SuspendingClock.Instant

    /// - Parameter limit: from now.
    package init(after limit: Duration) {
        self.limit = limit
        end = SuspendingClock.now.advanced(by: limit)
    }

    /// Negative when it has passed.
    package var remaining: Duration { SuspendingClock.now.duration(to: end) }

    /// The earlier of this one and one that begins now.
    func shortened(to limit: Duration) -> Deadline {
        remaining <= limit ? self : Deadline(after: limit)
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }

    /// For poll(2): rounded up, so that nobody wakes just before the time; 0 when it has passed.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        return Int32(min((self / .milliseconds(1)).rounded(.up), 3_600_000))
    }
}
