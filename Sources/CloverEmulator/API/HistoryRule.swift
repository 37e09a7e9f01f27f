/// The silent 90-day cuts of the service (API changelog of May 2023 and February 2025, page on limits of July 2023).
package enum HistoryRule: Sendable {
    /// 90 days, taken as 90 x 24 hours.
    package static let window = 90 * 86_400_000

    case none
    /// Only 90 days are searched when one of these fields is filtered; otherwise all history is served.
    case whenFiltered(Set<String>)
    /// Only 90 days come back, whatever is asked.
    case always

    /// The fields of orders that bring the cut (API changelog, May 2023).
    package static let orders = HistoryRule.whenFiltered([
        "deletedTime", "externalReferenceId", "createdTime", "total", "payType", "title", "note", "state",
        "manualTransaction", "cardTransaction.last4", "testMode", "touched",
    ])

    /// True when a request with these filters is cut.
    package func applies(to filters: [FilterExpression]) -> Bool {
        switch self {
        case .none: false
        case .always: true
        case .whenFiltered(let names): filters.contains { names.contains($0.field) }
        }
    }
}
