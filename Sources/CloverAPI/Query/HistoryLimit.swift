/// Clover's 90-day rules: some lists answer for at most 90 days and say nothing about the rest (Clover: limits added to
/// payments and orders, API usage and rate limits).
package enum HistoryLimit {
    /// Days that a list answers for.
    package static let days = 90

    private static let millisecondsPerDay: Int64 = 86_400_000

    /// Order filters that bring the rule with them.
    private static let orderFields: Set<String> = [
        "cardTransaction.last4", "createdTime", "deletedTime", "externalReferenceId", "manualTransaction", "note",
        "payType", "state", "testMode", "title", "total", "touched",
    ]

    /// Whether the service may leave out older records in silence: the endpoint has the rule, and the query is not
    /// bounded to 90 days of `createdTime`.
    ///
    /// - Parameter now: milliseconds since 1970; the upper bound where the query has none.
    package static func mayCut(_ query: RecordQuery, of path: ResourcePath, now: Int64) -> Bool {
        guard hasRule(path, query), let earliest = bound(of: query, ">") else { return hasRule(path, query) }
        let latest = bound(of: query, "<") ?? now
        return latest - earliest > Int64(days) * millisecondsPerDay
    }

    private static func hasRule(_ path: ResourcePath, _ query: RecordQuery) -> Bool {
        guard path.endpoint?.shape == .list else { return false }
        switch path.segments.last {
        case "payments", "authorizations": return true
        case "orders": return query.filters.contains { orderFields.contains($0.field) }
        default: return false
        }
    }

    /// The value that `createdTime` is compared with by an operator that begins with `symbol`, or by `=`.
    private static func bound(of query: RecordQuery, _ symbol: Character) -> Int64? {
        query.filters.lazy
            .filter { $0.field == "createdTime" && ($0.condition.first == symbol || $0.condition.first == "=") }
            .compactMap { Int64($0.condition.drop { $0 == symbol || $0 == "=" }) }
            .first
    }
}
