/// The rules of a time zone, read from the system's zone database.
///
/// Independent of the process's own zone: `localtime(3)` supports only one zone at a time, for all threads. The files
/// are those of tzfile(5) and RFC 9636.
package struct TimeZoneRules: Sendable, Equatable {
    /// The requested name, such as `America/New_York`.
    package let name: String
    /// The times at which the offset changes, in seconds since 1970, ascending.
    let transitions: [Int]
    /// The offset from each transition on, in seconds east of UTC.
    let offsets: [Int]
    /// The offset before the first transition.
    let firstOffset: Int
    /// The rules after the last transition.
    let future: RecurringRules?

    /// A time range with one offset.
    struct Span: Sendable, Equatable {
        /// Seconds since 1970; `until` is exclusive.
        var from: Int
        var until: Int
        /// Seconds east of UTC.
        var offset: Int

        func contains(_ seconds: Int) -> Bool {
            seconds >= from && seconds < until
        }
    }

    package static let utc = TimeZoneRules(name: "UTC", transitions: [], offsets: [], firstOffset: 0, future: nil)

    init(name: String, transitions: [Int], offsets: [Int], firstOffset: Int, future: RecurringRules?) {
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.firstOffset = firstOffset
        self.future = future
    }

    /// Whether instants are written with `Z`.
    package var isUTC: Bool {
        transitions.isEmpty && firstOffset == 0 && future.map { $0.standardOffset == 0 && $0.summer == nil } ?? true
    }

    /// The offset at an instant, given in seconds since 1970; in seconds east of UTC.
    package func offset(at seconds: Int) -> Int {
        span(at: seconds).offset
    }

    func span(at seconds: Int) -> Span {
        // The number of transitions up to this time.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        let from = low == 0 ? Int.min : transitions[low - 1]
        if low == transitions.count, let future {
            var span = future.span(at: seconds)
            span.from = max(span.from, from)
            return span
        }
        return Span(
            from: from, until: low < transitions.count ? transitions[low] : Int.max,
            offset: low == 0 ? firstOffset : offsets[low - 1])
    }
}
