/// Counts events in the half-open second that ends at the newest one: an event exactly one second old is out.
package struct SlidingWindow: Sendable {
    private static let second = 1_000_000_000
    private var times: [Int] = []
    private var first = 0

    package init() {}

    /// Events in the second before `now` (nanoseconds, never falling), the instant itself included.
    package mutating func count(at now: Int) -> Int {
        while first < times.count, times[first] <= now - Self.second { first += 1 }
        if first > 64, first * 2 > times.count {
            times.removeFirst(first)
            first = 0
        }
        return times.count - first
    }

    /// Adds an event and gives the count with it.
    package mutating func add(_ now: Int) -> Int {
        times.append(now)
        return count(at: now)
    }
}
