/// Which pages to ask for, decided without any input or output.
package struct PagePlan: Sendable, Equatable {
    /// Zero-based index of the first record.
    package var offset: Int
    /// Records wanted in all; nil for every record there is.
    package var limit: Int?
    /// Records a page at most.
    package var pageSize: Int

    package init(offset: Int, limit: Int?, pageSize: Int) {
        self.offset = offset
        self.limit = limit
        self.pageSize = pageSize
    }

    /// Pages in flight at most: Clover allows five requests of a token at once.
    static let maximumInFlight = 5

    /// The page at a zero-based position; nil past the end of what is wanted.
    package func page(at position: Int) -> RecordQuery.Page? {
        let start = position * pageSize
        let size = limit.map { min(pageSize, $0 - start) } ?? pageSize
        return size > 0 ? RecordQuery.Page(offset: offset + start, limit: size) : nil
    }

    /// How many pages may be asked for at once when `read` pages have been read in full. The first page tells whether
    /// there is a second one at all; asking for pages that do not exist would waste everybody's budget.
    func window(pagesRead read: Int) -> Int {
        guard limit == nil else { return Self.maximumInFlight }
        return min(2 * read + 1, Self.maximumInFlight)
    }
}
