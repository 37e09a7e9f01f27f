/// How much of a list has been read.
package struct ListProgress: Sendable, Equatable {
    package var records = 0
    package var pages = 0
    /// The number of windows read completely.
    package var windows = 0
    /// The total number of windows; nil if unknown or the list is not split.
    package var windowCount: Int?
    /// The share of the list that was read, from 0 to 1: of its time range, or of the number of pages that it had last
    /// time. Nil if unknown.
    package var share: Double?

    package init(
        records: Int = 0, pages: Int = 0, windows: Int = 0, windowCount: Int? = nil, share: Double? = nil
    ) {
        self.share = share
        self.records = records
        self.pages = pages
        self.windows = windows
        self.windowCount = windowCount
    }
}
