/// A half-open time range, from `from` up to but not including `to`; milliseconds since 1970.
package struct TimeWindow: Sendable, Equatable {
    package var from: Int64
    package var to: Int64

    package init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }
}

/// The windows in which a list with a 90-day rule is read. They are contiguous and do not overlap, and run from newest
/// to oldest, as the service's lists do, unless the query asks for the other order.
package struct TimeWindows: Sendable, Equatable {
    /// The maximum length of a window, except for one in the future. Whether the service's 90 days are exactly 90 × 24
    /// hours is not known.
    package static let longest: Int64 = 89 * HistoryLimit.millisecondsPerDay
    /// How far beyond now windows may reach: one day, for differences in clocks and time zones.
    static let allowance = HistoryLimit.millisecondsPerDay
    /// How far outside of its window a record may be, in milliseconds, because the service rounds times.
    package static let rounding: Int64 = TimePaginator.rounding
    /// The year 2010, in milliseconds since 1970; Clover had no merchants before.
    package static let beginning: Int64 = 1_262_304_000_000

    package let field: String
    /// The end, fixed before the first page: the query's own, or now.
    package let to: Int64
    /// The start: the query's own, or the one set by `begin(at:)`; nil until then.
    package private(set) var from: Int64?
    /// True if the oldest window comes first.
    package let isAscending: Bool

    private let query: RecordQuery
    /// The end of the windows of equal length: the end of the range, or shortly after now.
    private let near: Int64

    /// Returns nil if the query is not subject to a 90-day rule, or the list has no time to filter by.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Throws: `.sortAcrossWindows` if the query sorts by a field other than the windows' time.
    package init?(_ query: RecordQuery, of path: ResourcePath, now: Int64) throws(QueryError) {
        guard let field = HistoryLimit.rule(of: path, for: query)?.timeField else { return nil }
        let bounds = TimeBounds(of: field, in: query.filters)
        var rest = query
        rest.filters.removeAll { bounds.covered.contains($0) }
        self.query = rest
        self.field = field
        from = bounds.from
        // A start after now makes one window, which the service will report as empty.
        to = bounds.to ?? max(now, bounds.from.map { $0 + 1 } ?? now)
        near = min(to, now + Self.allowance)
        isAscending = query.sort.first.map { $0.field == field && !$0.isDescending } ?? false
        if let key = query.sort.first, key.field != field, count != 1 {
            throw .sortAcrossWindows(key.field, path: path.display, timeField: field)
        }
    }

    /// Sets the start if the query has none.
    package mutating func begin(at instant: Int64) {
        if from == nil { from = min(instant, near) }
    }

    /// The number of windows; nil until the start is known.
    package var count: Int? {
        from.map { max(1, pastCount(since: $0) + future.count) }
    }

    /// Whether the window's bounds are known.
    package func isKnown(_ index: Int) -> Bool {
        from != nil || index <= future.count && !isAscending
    }

    /// The window at a zero-based index; nil after the last one, or if it is not known yet.
    package func window(at index: Int) -> TimeWindow? {
        guard let from else { return isKnown(index) ? newest(index, since: .min) : nil }
        let count = pastCount(since: from)
        guard count + future.count > 0 else { return index == 0 ? TimeWindow(from: from, to: to) : nil }
        guard index < count + future.count else { return nil }
        guard isAscending else { return newest(index, since: from) }
        guard index < count else { return future[index - count] }
        let start = from + Int64(index) * Self.longest
        return TimeWindow(from: start, to: min(start + Self.longest, near))
    }

    /// The windows after `near`, oldest first. Records with a wrong clock's time may be there, at an unknown distance:
    /// one window as long as the others, and one for the rest.
    private var future: [TimeWindow] {
        let start = max(near, from ?? near)
        guard start < to else { return [] }
        guard to - start > Self.longest else { return [TimeWindow(from: start, to: to)] }
        let middle = start + Self.longest
        return [TimeWindow(from: start, to: middle), TimeWindow(from: middle, to: to)]
    }

    /// The number of windows of equal length, up to `near`.
    private func pastCount(since from: Int64) -> Int {
        from < near ? Int((near - from + Self.longest - 1) / Self.longest) : 0
    }

    /// The window at an index counted from the newest.
    private func newest(_ index: Int, since from: Int64) -> TimeWindow {
        let later = future
        if index < later.count { return later[later.count - 1 - index] }
        let end = near - Int64(index - later.count) * Self.longest
        return TimeWindow(from: max(end - Self.longest, from), to: end)
    }

    func query(of window: TimeWindow) -> RecordQuery {
        query.narrowed(field, to: window)
    }
}

extension RecordQuery {
    /// The query with the bounds of a window added.
    func narrowed(_ field: String, to window: TimeWindow) -> RecordQuery {
        var narrowed = self
        narrowed.filters.append(FilterExpression(field: field, condition: ">=\(window.from)"))
        narrowed.filters.append(FilterExpression(field: field, condition: "<\(window.to)"))
        return narrowed
    }
}

/// Narrows a list to parts of the time range that it is sorted by.
struct TimeRangeFilter: Sendable, Equatable {
    let field: String
    /// The query's own bounds; nil if those of windows apply.
    let bounds: TimeWindow?
    private let query: RecordQuery

    /// Returns nil unless the list is sorted from oldest to newest and bounded in that time.
    init?(_ query: RecordQuery, _ windows: TimeWindows?) {
        guard let key = query.sort.first, !key.isDescending else { return nil }
        field = key.field
        let own = TimeBounds(of: key.field, in: query.filters)
        if let windows {
            guard windows.field == key.field else { return nil }
            bounds = nil
        } else {
            guard let from = own.from, let to = own.to, from < to else { return nil }
            bounds = TimeWindow(from: from, to: to)
        }
        var rest = query
        rest.filters.removeAll { own.covered.contains($0) }
        self.query = rest
    }

    func query(of part: TimeWindow) -> RecordQuery { query.narrowed(field, to: part) }
}
