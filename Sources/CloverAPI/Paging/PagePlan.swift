/// Which records of a list are asked for, decided without any input or output.
package struct PagePlan: Sendable, Equatable {
    /// Zero-based index of the first record.
    package var offset: Int
    /// Records wanted in all; nil for every record there is.
    package var limit: Int?
    /// Records a page at most.
    package var pageSize: Int
    /// Pages that the list is likely to have, when all of it is wanted: so many are asked for at once, at most five. Too many
    /// cost requests, and too few cost time. 1 when nothing is known.
    package var expectedPages = 1
    /// Pages that the list had when it was last read to its end, from which the time left is guessed; nil when nobody knows.
    package var formerPages: Int?

    /// All of the list is wanted, and where it is asked for in the order of a time and between two bounds of it, it is walked
    /// by that time and not by the places of the records.
    package var isWalkedByTime = false
    /// The most records that a page of the list had in another range of it; 0 when nothing is known.
    package var largestPage = 0

    /// From a service that lets a page be waited for as long, as many are asked for ahead as may be. From one that is near,
    /// pages come as fast as they are read, and more of them would only wait in memory.
    package var farAway = Duration.milliseconds(50)

    package init(offset: Int, limit: Int?, pageSize: Int) {
        self.offset = offset
        self.limit = limit
        self.pageSize = pageSize
    }
}
