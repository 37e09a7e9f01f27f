/// The wait after a concurrency limit was hit. The service tells its length in `retry-after`, and a call before its end
/// lengthens it (Clover REST documentation, API usage and rate limits); by how much is not told. Here it doubles, from
/// one second to at most 64.
package struct Penalty: Sendable {
    private static let longest = 64
    private var until = Int.min
    private var seconds = 1
    private var isKnown = false

    package init() {}

    /// True while callers have to wait. Times are in nanoseconds.
    package func isActive(at now: Int) -> Bool {
        now < until
    }

    /// True for a call whose sender has been told to wait longer.
    package func isEarly(at now: Int) -> Bool {
        isKnown && isActive(at: now)
    }

    /// Begins a wait, or lengthens the one under way when the caller knew of it. Gives its length in seconds.
    package mutating func strike(at now: Int) -> Int {
        if isEarly(at: now) {
            seconds = min(seconds * 2, Self.longest)
            until = now + seconds * 1_000_000_000
        } else if !isActive(at: now) {
            seconds = 1
            until = now + 1_000_000_000
            isKnown = false
        }
        return seconds
    }

    /// The caller has the answer now: from here on it can know.
    package mutating func wasTold() {
        isKnown = true
    }
}
