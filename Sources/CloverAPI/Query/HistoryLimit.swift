/// Clover's 90-day rules: some lists return at most 90 days, without a sign that there is more (Clover: limits added to
/// payments and orders, API usage and rate limits). The catalogue knows which lists these are.
package enum HistoryLimit {
    /// The number of days that such a list returns.
    package static let days = 90

    static let millisecondsPerDay: Int64 = 86_400_000

    /// A rule that applies to a query.
    package struct Rule: Sendable, Equatable {
        /// The creation time that the list can be filtered by; nil if there is none, so that older records cannot be
        /// read from this list.
        package var timeField: String?
    }

    /// The rule that applies to this query; nil if the list returns all records.
    package static func rule(of path: ResourcePath, for query: RecordQuery) -> Rule? {
        guard let endpoint = path.endpoint, endpoint.shape == .list else { return nil }
        switch endpoint.history {
        case .whole: return nil
        case .cut: break
        case .cutByFilter(let fields):
            guard query.filters.contains(where: { fields.contains($0.field) }) else { return nil }
        }
        return Rule(timeField: endpoint.timeField)
    }

    /// Whether the service may silently leave out older records: the rule applies, and the query is not limited to 90
    /// days.
    ///
    /// - Parameter now: milliseconds since 1970; the upper bound where the query has none.
    package static func mayCut(_ query: RecordQuery, of path: ResourcePath, now: Int64) -> Bool {
        guard let rule = rule(of: path, for: query) else { return false }
        // The filter names of an employee's orders are not known, but the rule itself mentions `createdTime`.
        let bounds = TimeBounds(of: rule.timeField ?? "createdTime", in: query.filters)
        guard let earliest = bounds.from else { return true }
        return (bounds.to ?? now) - earliest > Int64(days) * millisecondsPerDay
    }
}
