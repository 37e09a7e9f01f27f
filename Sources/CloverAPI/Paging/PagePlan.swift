/// Which records of a list to request. No input or output.
package struct PagePlan: Sendable, Equatable {
    /// The zero-based index of the first record.
    package var offset: Int
    /// The maximum number of records; nil for all.
    package var limit: Int?
    /// The maximum number of records per page.
    package var pageSize: Int
    /// The expected number of pages if the whole list is wanted. That many are requested at once, up to five: too many
    /// cost requests, too few cost time. 1 if unknown.
    package var expectedPages = 1
    /// The number of pages at the last complete run, for estimating the remaining time; nil if unknown.
    package var formerPages: Int?

    /// True if the whole list is wanted. If it is also sorted by a time and bounded in it, it is read by that time and
    /// not by offset.
    package var isWalkedByTime = false
    /// The most records on any page of another range of this list; 0 if unknown.
    package var largestPage = 0

    /// If the service takes at least this long for a page, prefetch as many as possible. From a closer service, pages
    /// arrive as fast as they are read, and more would only wait in memory.
    package var farAway = Duration.milliseconds(50)

    package init(offset: Int, limit: Int?, pageSize: Int) {
        self.offset = offset
        self.limit = limit
        self.pageSize = pageSize
    }
}
