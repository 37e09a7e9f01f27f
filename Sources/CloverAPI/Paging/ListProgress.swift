/// How far the reading of a list is.
package struct ListProgress: Sendable, Equatable {
    package var records = 0
    package var pages = 0
    /// Windows that were read to their end.
    package var windows = 0
    /// How many windows there are in all; nil while that is not known, and for a list in one piece.
    package var windowCount: Int?
    /// How much of the list was read, from 0 to 1: of the time that it goes through, or of the pages that it had when it was
    /// last read. Nil where nobody knows.
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
