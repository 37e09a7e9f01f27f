/// When a list is read again: soon after a change, at growing intervals while nothing changes, and never so often that
/// the readings take more than a small part of the request budget. No input or output; times are milliseconds.
package struct PollInterval: Sendable, Equatable {
    package static let shortest: Int64 = 2000
    /// Clover allows 16 requests of a token per second; with two, seven eighths are left to others.
    package static let perRequest: Int64 = 500
    /// A service that fails is asked at most this rarely.
    static let longestAfterFailure: Int64 = 300_000

    /// The longest interval of a list that one request reads.
    private let longest: Int64
    package private(set) var current: Int64
    /// The shortest interval that the last reading's cost permits.
    private var least = Self.perRequest

    package init(longest: Int64) {
        self.longest = max(longest, 1)
        current = min(Self.shortest, self.longest)
    }

    /// A reading was complete.
    package mutating func note(changes: Int, _ cost: FeedCost) {
        // Who waits for the budget leaves more of it to the others.
        let waited = Int64(min(cost.secondsWaited, 3600) * 4000)
        least = max(Int64(cost.requests), 1) * Self.perRequest + waited
        let next = changes > 0 ? current / 2 : current * 3 / 2
        current = max(least, min(Self.shortest, longest), min(next, longest))
    }

    /// A change was reported. If the list does not show it yet, it is read again soon.
    ///
    /// - Returns: how long after the last reading the list may be read again.
    package mutating func noteReport() -> Int64 {
        current = max(least, min(current, Self.shortest, longest))
        return least
    }

    /// A reading failed.
    package mutating func noteFailure() {
        current = min(max(current, Self.shortest) * 2, max(Self.longestAfterFailure, longest))
    }
}
