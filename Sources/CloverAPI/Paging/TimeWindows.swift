/// A part of time: from an instant up to, and not including, another; milliseconds since 1970.
package struct TimeWindow: Sendable, Equatable {
    package var from: Int64
    package var to: Int64

    package init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }
}

/// The windows in which a list with a 90-day rule is read. They join without gaps or overlaps, and go from the newest to
/// the oldest, as the service's lists do, unless the query asks for the other order.
package struct TimeWindows: Sendable, Equatable {
    /// No window is longer, but for one that lies in the future. Whether the service's 90 days are exactly 90 times 24 hours is not known.
    package static let longest: Int64 = 89 * HistoryLimit.millisecondsPerDay
    /// A bound further in the future than this is not read up to in windows: a day of doubt about clocks and time zones.
    static let allowance = HistoryLimit.millisecondsPerDay
    /// By so many milliseconds a record may be outside of its window, because the service rounds times.
    package static let rounding: Int64 = TimeWalk.rounding
    /// Clover had no merchant before 2010.
    package static let beginning: Int64 = 1_262_304_000_000

    /// The filter field.
    package let field: String
    /// The end, fixed before the first page: the query's own, or now.
    package let to: Int64
    /// The beginning: the query's own, or what `begin(at:)` was told; nil until then.
    package private(set) var from: Int64?
    /// The oldest window comes first.
    package let isAscending: Bool

    private let query: RecordQuery
    /// Where the windows of equal length end: the end, or soon after now.
    private let near: Int64

    /// Nil when the query does not meet a 90-day rule, or the list has no time to be filtered by.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Throws: `.sortAcrossWindows` when the records would have to be in another order than that of the windows.
    package init?(_ query: RecordQuery, of path: ResourcePath, now: Int64) throws(QueryError) {
        guard let field = HistoryLimit.rule(of: path, for: query)?.timeField else { return nil }
        let bounds = TimeBounds(of: field, in: query.filters)
        var rest = query
        rest.filters.removeAll { bounds.covered.contains($0) }
        self.query = rest
        self.field = field
        from = bounds.from
        // A beginning after now is one window that will be empty: the service is to say so.
        to = bounds.to ?? max(now, bounds.from.map { $0 + 1 } ?? now)
        near = min(to, now + Self.allowance)
        isAscending = query.sort.first.map { $0.field == field && !$0.isDescending } ?? false
        if let key = query.sort.first, key.field != field, count != 1 {
            throw .sortAcrossWindows(key.field, path: path.display, timeField: field)
        }
    }

    /// Sets the beginning where the query has none.
    package mutating func begin(at instant: Int64) {
        if from == nil { from = min(instant, near) }
    }

    /// How many there are; nil while the beginning is not known.
    package var count: Int? {
        from.map { max(1, pastCount(since: $0) + future.count) }
    }

    /// Whether the window's place in time can be told.
    package func isKnown(_ index: Int) -> Bool {
        from != nil || index <= future.count && !isAscending
    }

    /// The window at a zero-based place; nil behind the last one, or while it is not known.
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

    /// The windows behind the near end, the oldest first. What a wrong clock has dated may be there, but nobody knows how
    /// far off: one window as long as the others, and one for all the rest.
    private var future: [TimeWindow] {
        let start = max(near, from ?? near)
        guard start < to else { return [] }
        guard to - start > Self.longest else { return [TimeWindow(from: start, to: to)] }
        let middle = start + Self.longest
        return [TimeWindow(from: start, to: middle), TimeWindow(from: middle, to: to)]
    }

    /// The windows of equal length, up to the near end.
    private func pastCount(since from: Int64) -> Int {
        from < near ? Int((near - from + Self.longest - 1) / Self.longest) : 0
    }

    /// A window by its place from the newest on.
    private func newest(_ index: Int, since from: Int64) -> TimeWindow {
        let later = future
        if index < later.count { return later[later.count - 1 - index] }
        let end = near - Int64(index - later.count) * Self.longest
        return TimeWindow(from: max(end - Self.longest, from), to: end)
    }

    /// The query of one window: the user's own, with its bounds of time.
    func query(of window: TimeWindow) -> RecordQuery {
        query.narrowed(field, to: window)
    }
}

extension RecordQuery {
    /// The query with the bounds of a window besides.
    func narrowed(_ field: String, to window: TimeWindow) -> RecordQuery {
        var narrowed = self
        narrowed.filters.append(FilterExpression(field: field, condition: ">=\(window.from)"))
        narrowed.filters.append(FilterExpression(field: field, condition: "<\(window.to)"))
        return narrowed
    }
}
