/// How lists may misbehave on purpose.
package struct ListQuirks: Sendable {
    /// The most records of a page; more is clamped in silence.
    package var largestLimit = ListQuery.largestLimit
    /// How often a page in the middle of a list is shorter than asked, from 0 to 1.
    package var shortPages = 0.0
    /// Records that are in lists, but whose own paths answer 500.
    package var missing: Set<String> = []
    /// After so many requests for orders, items and customers a row comes and one goes; nil for never.
    package var drift: Int?
    /// Changes of the shop per second that nobody asked for.
    package var churn = 0.0

    package init() {}
}
