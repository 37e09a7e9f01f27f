/// How a list is narrowed to a part of the time in whose order it is asked for.
struct TimeCut: Sendable, Equatable {
    /// The member with the time.
    let field: String
    /// The bounds of the query's own; nil for those of windows.
    let bounds: TimeWindow?
    private let query: RecordQuery

    /// Nil for a list that is not asked for from the oldest record to the newest, or not between two bounds of that time.
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

    /// The query of a part: the user's own, with its bounds of time.
    func query(of part: TimeWindow) -> RecordQuery { query.narrowed(field, to: part) }
}
