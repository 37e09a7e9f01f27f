/// The laws that every run must keep, checked on recorded times in nanoseconds.
package enum WindowLaw {
    package static let second: Int64 = 1_000_000_000

    /// The largest number of times in any half-open window `[t, t + length)`.
    package static func peak(_ times: [Int64], length: Int64 = second) -> Int {
        let sorted = times.sorted()
        var peak = 0
        var first = 0
        for last in sorted.indices {
            while sorted[last] - sorted[first] >= length { first += 1 }
            peak = max(peak, last - first + 1)
        }
        return peak
    }

    /// The largest number of spans that were open at the same time; a span that ends as another begins does not
    /// overlap it.
    package static func overlap(_ spans: [(from: Int64, to: Int64)]) -> Int {
        let changes = spans.flatMap { [($0.from, 1), ($0.to, -1)] }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        var open = 0
        var peak = 0
        for (_, change) in changes {
            open += change
            peak = max(peak, open)
        }
        return peak
    }
}
