/// Narrows a list to parts of the time range that it is sorted by.
struct TimeCut: Sendable, Equatable {
    /// The time field.
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

    /// The query narrowed to a part of the time range.
    func query(of part: TimeWindow) -> RecordQuery { query.narrowed(field, to: part) }
}
