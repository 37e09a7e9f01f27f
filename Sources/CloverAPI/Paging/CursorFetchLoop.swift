import CloverJSON

/// The paging state of an ecommerce list: each page is requested by the last record of the one before. No input or output.
///
/// A page may begin with the cursor's own record, and may lack `has_more` (Clover: ecommerce, paginating requests; get
/// charges). So a list ends where a page after the cursor has at most the cursor's own record, or is shorter than requested and
/// says that there is no more. A page of other records that are known shows that the service ignores the cursor.
package struct CursorPaginator: Sendable, Equatable {
    package struct Page: Sendable, Equatable {
        var received: Int
        /// How many of them were not known.
        var new: Int
        /// The value of `has_more`.
        var hasMore: Bool?
        /// The ids of its first and last record.
        var firstID: String?
        var lastID: String?

        package init(received: Int, new: Int, hasMore: Bool?, firstID: String?, lastID: String?) {
            self.received = received
            self.new = new
            self.hasMore = hasMore
            self.firstID = firstID
            self.lastID = lastID
        }
    }

    /// The id of the record that the next page comes after; nil for the first page.
    package private(set) var cursor: String?
    package private(set) var isOver = false
    /// The number of records still wanted; nil for all.
    var wanted: Int?
    private let pageSize: Int

    package init(pageSize: Int) { self.pageSize = pageSize }

    init(_ plan: PagePlan) {
        wanted = plan.limit.map { $0 + plan.offset }
        pageSize = plan.pageSize
    }

    /// The number of records to request. One more than wanted, where the cursor's own record may come again.
    var limit: Int { wanted.map { min(pageSize, $0 + (cursor == nil ? 0 : 1)) } ?? pageSize }

    /// Processes a page.
    ///
    /// - Returns: why later records cannot be read although there may be some; nil if there are none, or if they can.
    package mutating func read(_ page: Page) -> String? {
        isOver = true
        if page.new == 0 {
            if page.hasMore == true {
                return "the service says that there are more records, and returns none after \(cursor ?? "the first")"
            }
            let isCursorAlone = page.received == 1 && page.firstID == cursor && limit > 1
            return page.received == 0 || isCursorAlone
                ? nil : "the service returns the same records again and again, whatever the cursor"
        }
        if page.hasMore == false, page.received < limit { return nil }
        guard let lastID = page.lastID else {
            return page.hasMore == false ? nil : "the last record of a page has no id, which the next page needs"
        }
        (isOver, cursor) = (false, lastID)
        return nil
    }
}

/// Reads an ecommerce list page by page. Pages cannot be prefetched: each needs the id of the last record before it.
struct CursorFetchLoop {
    private let source: PageRequester
    private let plan: PagePlan
    private var reader: PageReader

    init(source: PageRequester, plan: PagePlan, now: Int64) {
        self.source = source
        self.plan = plan
        reader = PageReader(source: source, completion: nil, now: now)
        reader.recordsToSkip = plan.offset
    }

    /// Reads the list.
    ///
    /// - Parameters:
    ///   - brokenOff: receives the summary so far if the run fails, before the error is thrown.
    ///   - onPage: receives the progress after each page.
    mutating func read(
        brokenOff: (RecordPager.Summary) -> Void, onPage: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordPager.Summary {
        reader.beginWindow(nil)
        do {
            try await readPages(onPage, deliver)
        } catch {
            reader.breakOff()
            brokenOff(reader.summary)
            throw error
        }
        reader.summary.mayHaveMore = wanted == 0
        return reader.summary
    }

    /// The number of records still to read; nil for all.
    private var wanted: Int? { plan.limit.map { $0 - reader.summary.records + reader.recordsToSkip } }

    private mutating func readPages(
        _ onPage: (ListProgress) -> Void, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws {
        var paginator = CursorPaginator(plan)
        while !paginator.isOver {
            let page = RecordQuery.Page(offset: reader.summary.recordsRead, limit: paginator.limit)
            let fetched = try await source.fetch(source.url(limit: paginator.limit, after: paginator.cursor))
            reader.left = wanted
            let outcome = try await reader.read(fetched, page: page, expecting: .anything, deliver)
            guard case .read(let received, let new, _) = outcome, !reader.hasStopped, wanted != 0 else { return }
            let failure = paginator.read(
                CursorPaginator.Page(
                    received: received, new: new, hasMore: reader.hasMore, firstID: reader.pageFirstID,
                    lastID: reader.pageLastID))
            if let failure { reader.failWindow(failure) }
            paginator.wanted = wanted
            var progress = ListProgress()
            (progress.records, progress.pages) = (reader.summary.records, reader.summary.pages)
            onPage(progress)
        }
    }
}
