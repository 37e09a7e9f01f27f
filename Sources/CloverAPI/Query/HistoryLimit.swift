/// Clover's 90-day rules: some lists answer for at most 90 days and say nothing about the rest (Clover: limits added to
/// payments and orders, API usage and rate limits). Which lists those are is in the catalogue.
package enum HistoryLimit {
    /// Days that a list answers for.
    package static let days = 90

    static let millisecondsPerDay: Int64 = 86_400_000

    /// What is left out, and how to get at it.
    package struct Rule: Sendable, Equatable {
        /// The time, fixed when a record is made, that the list can be filtered by; nil when there is none, so that
        /// older records cannot be had from this list at all.
        package var timeField: String?
    }

    /// The rule that this query meets; nil when the list answers with all there is.
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

    /// Whether the service may leave out older records in silence: the query meets the rule, and is not bounded to 90
    /// days.
    ///
    /// - Parameter now: milliseconds since 1970; the upper bound where the query has none.
    package static func mayCut(_ query: RecordQuery, of path: ResourcePath, now: Int64) -> Bool {
        guard let rule = rule(of: path, for: query) else { return false }
        // The names that an employee's orders are filtered by are not known, but the rule itself speaks of this one.
        let bounds = TimeBounds(of: rule.timeField ?? "createdTime", in: query.filters)
        guard let earliest = bounds.from else { return true }
        return (bounds.to ?? now) - earliest > Int64(days) * millisecondsPerDay
    }
}
