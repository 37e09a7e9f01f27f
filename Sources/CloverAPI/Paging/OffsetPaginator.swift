/// The paging state of a list that is read by offset: which page to request next, and what its response means. No input
/// or output.
///
/// Offsets shift when rows come or go between two pages. So each page begins with the last record of the page before.
/// If that record is known, no row between the two was missed, because the order of remaining rows does not change. If
/// it is not, earlier rows were removed, and the page is read again from a smaller offset.
///
/// A page that is shorter than requested may be the last one, or the service may have cut it short, or have left out rows
/// after it applied the limit. The response at the offset after it decides: a whole page there is empty only if the list
/// has ended.
struct OffsetPaginator: Sendable, Equatable {
    /// What the first record of the next page must be.
    enum Expectation: Sendable, Equatable {
        /// Anything: the list begins here, or no overlap is possible.
        case anything
        case known
        /// Nothing: the list should have ended.
        case nothing
    }

    /// The next page to read; nil at the end of the list.
    private(set) var page: RecordQuery.Page?
    private(set) var expectation = Expectation.anything
    /// The page size; smaller than requested if the service seems to have a lower cap.
    private(set) var pageSize: Int
    private let requestedSize: Int
    /// The number of records still wanted; nil for all.
    var wanted: Int?
    /// A list that fills its first page is assumed to fill many more, so prefetching is unlimited from then on. Other
    /// lists begin with fewer.
    private let isLong: Bool
    /// The expected number of pages, all of which are requested at once; 1 if unknown or proven wrong.
    private var expectedPages: Int

    private let start: Int
    /// The offset after the last record that was read.
    private var covered: Int
    /// Full pages since the last surprise; while pages are full, prefetching pays.
    private var fullPages = 0
    /// The number of records on the last short page.
    private var shortCount: Int?
    private var isConfirming = false
    /// True once rows have moved, or a short page was not the last: the end must then be confirmed.
    private var isSuspicious = false
    /// How far before the expected offset the last attempt to find a known record was.
    private var distance = 0
    /// Consecutive pages without anything new although the list continues.
    private var stalls = 0
    /// How many of them are expected because the walk went back over known rows.
    private var knownPages = 0
    private var known = 0
    private var lastReceived = 0
    /// Consecutive pages with only the overlapping record.
    private var singles = 0

    /// Consecutive short pages, and full pages, that brought almost nothing new.
    private var trickles = 0
    private var tinyPages = 0
    /// The number of rows on each consecutive tiny page; nil if it varied.
    private var tinySize: Int?
    /// Up to this many new records count as almost nothing: newly created rows rather than a part of the list.
    private let trickleLimit: Int

    /// From this many on, rows seem to be created at the end as fast as they are read.
    private static let manyTrickles = 4
    /// After this many pages without anything new, the service apparently returns the same rows for any offset.
    /// Not fewer, because rows may be created almost as fast as pages are read.
    private static let maximumStalls = 16
    /// The same for checks at the end that find another record. If rows are created between any two requests, the end
    /// is only found once none is, which may take a while.
    private static let maximumChecksAtEnd = 60
    /// Pages this small may be intended by the service, for a list of any length; only the longest lists are given up.
    private static let maximumTinyPages = 10_000
    /// Pages with fewer new rows than this, or of varying size, are more likely rows created between two requests.
    private static let minimumIntendedRows = 4
    private static let maximumArrivalPages = 200
    /// Records further back are no longer remembered (`RecordDeduplicator`).
    private static let furthest = 4096

    init(offset: Int, wanted: Int?, pageSize: Int, isLong: Bool = false, expectedPages: Int = 1) {
        self.isLong = isLong
        self.expectedPages = expectedPages
        start = offset
        covered = offset
        self.wanted = wanted
        self.pageSize = pageSize
        requestedSize = pageSize
        trickleLimit = min(pageSize / 16, 15)
        page = Self.page(offset: offset, wanted: wanted, pageSize: pageSize)
    }

    var rows: Int { covered - start }

    /// Whether every check at the end finds another row. All rows that existed at first have been read once the last
    /// row is newer than the start of the run; the walk itself cannot tell.
    var followsArrivals: Bool { trickles + tinyPages >= Self.manyTrickles }

    /// Stops: later records are not wanted.
    mutating func end() {
        page = nil
    }

    /// Up to `count` pages to prefetch after `page`, assuming that all of them are full.
    func ahead(_ count: Int) -> [RecordQuery.Page] {
        guard let page, expectation != .nothing, shortCount == nil, page.limit > 1 else { return [] }
        let usual = isLong ? count * fullPages : 2 * fullPages
        let most = wanted == nil ? min(count, max(usual, expectedPages - fullPages - 1)) : count
        var pages: [RecordQuery.Page] = []
        var last = page
        var left = wanted.map { $0 - page.limit + (expectation == .known ? 1 : 0) }
        while pages.count < most, left.map({ $0 > 0 }) ?? true {
            let next = RecordQuery.Page(
                offset: last.offset + last.limit - 1, limit: left.map { min(pageSize, $0 + 1) } ?? pageSize)
            pages.append(next)
            left = left.map { $0 - next.limit + 1 }
            last = next
        }
        return pages
    }

    /// Processes a page that began as expected.
    ///
    /// - Parameters:
    ///   - received: the number of records on the page.
    ///   - new: how many of them were not known.
    ///   - repeated: known records after the first one, shifted there by rows inserted before them.
    /// - Returns: false if the service keeps returning the same full page, so that later records cannot be read, or if
    ///   the end was checked too often.
    mutating func read(received: Int, new: Int, repeated: Int = 0) -> Bool {
        guard let asked = page?.limit else { return true }
        if repeated > 0 { isSuspicious = true }
        if new > 0 {
            stalls = 0
            knownPages = 0
            isConfirming = false
        }
        known += new
        lastReceived = received
        singles = received == 1 && new == 0 && expectation == .known ? singles + 1 : 0
        distance = 0
        if wanted == 0 {
            page = nil
        } else if expectation == .nothing {
            confirmEnd()
        } else if received == 0 {
            page = nil
        } else {
            covered = (page?.offset ?? covered) + received
            if received >= asked || isCappedPage(received, new: new) {
                if new == 0 { stalls += 1 }
                guard stalls < Self.maximumStalls + knownPages else { return giveUp() }
                // Pages may seem full because the number of newly created rows was mistaken for the page cap.
                guard !exceedsTinyPages(received: received, new: new) else { return giveUp() }
                shortCount = nil
                fullPages += 1
                next()
            } else {
                return endsShort(received: received, new: new)
            }
        }
        return true
    }

    /// Processes a record after a short page: the service had cut the page, or rows were inserted before it.
    ///
    /// - Parameter isFirst: true if it is the record that the list began with.
    /// - Returns: false if nothing new arrives although it should.
    mutating func foundRecordAfterEnd(isFirst: Bool) -> Bool {
        fullPages = 0
        expectedPages = 1
        stalls += 1
        isSuspicious = true
        isConfirming = false
        if isFirst, stalls > 1, lastReceived >= known {
            // Some short lists are always returned in full, whatever the offset; every record is known.
            // A round number may equally be the size of pages that never change.
            page = nil
            return lastReceived % 100 != 0
        }
        guard stalls < Self.maximumChecksAtEnd else { return giveUp() }
        // Pages of one size may have had it by chance. Overlapping makes no progress if the service returns one record a
        // page.
        pageSize = singles >= 3 ? 1 : requestedSize
        next()
        return true
    }

    /// Processes a page that did not begin with a known record, or was empty: earlier rows were removed.
    ///
    /// - Returns: false if no page near enough does; rows may have been missed, and the walk continues where it was.
    mutating func doesNotFit() -> Bool {
        isSuspicious = true
        fullPages = 0
        expectedPages = 1
        let usual = max(covered - 1, start)
        distance = distance == 0 ? 1 : distance * 4
        if distance > Self.furthest || (page?.offset ?? 0) <= start && start > 0 {
            distance = 0
            page = Self.page(offset: usual, wanted: wanted.map { $0 + 1 }, pageSize: pageSize)
            expectation = .anything
            return false
        }
        let offset = max(usual - distance, start)
        knownPages = distance / max(1, pageSize - 1) + 1
        page = RecordQuery.Page(offset: offset, limit: pageSize)
        // At the start of the list nothing can have been missed.
        expectation = offset == 0 ? .anything : .known
        return true
    }

    /// Whether two pages of the same short size were followed by more, which reveals the service's page cap.
    private mutating func isCappedPage(_ received: Int, new: Int) -> Bool {
        guard received == shortCount, received > 1, new > 0 else { return false }
        pageSize = received
        return true
    }

    /// Counts consecutive pages with few new rows. Returns true if there were too many.
    private mutating func exceedsTinyPages(received: Int, new: Int) -> Bool {
        if new > trickleLimit {
            tinyPages = 0
        } else if new > 0 {
            tinySize = tinyPages == 0 || tinySize == received ? received : nil
            tinyPages += 1
        }
        let isIntended = tinySize != nil && new >= Self.minimumIntendedRows
        return tinyPages > (isIntended ? Self.maximumTinyPages : Self.maximumArrivalPages)
    }

    private mutating func endsShort(received: Int, new: Int) -> Bool {
        if isConfirming && new == 0 {
            page = nil
            return true
        }
        trickles = new > trickleLimit ? 0 : trickles + 1
        if trickles > Self.maximumChecksAtEnd { return giveUp() }
        fullPages = 0
        expectedPages = 1
        shortCount = received
        page = RecordQuery.Page(offset: covered, limit: requestedSize)
        expectation = .nothing
        return true
    }

    private mutating func giveUp() -> Bool {
        page = nil
        return false
    }

    private mutating func confirmEnd() {
        guard isSuspicious, !isConfirming, covered > start else {
            page = nil
            return
        }
        // Rows move in this list: accept the end only if its last record is still in place.
        isConfirming = true
        next()
    }

    private mutating func next() {
        page = Self.page(offset: max(covered - 1, start), wanted: wanted.map { $0 + 1 }, pageSize: pageSize)
        expectation = .known
        if pageSize == 1 {
            page?.offset = covered
            expectation = .anything
        }
    }

    private static func page(offset: Int, wanted: Int?, pageSize: Int) -> RecordQuery.Page? {
        let size = wanted.map { min(pageSize, $0) } ?? pageSize
        return size > 0 ? RecordQuery.Page(offset: offset, limit: size) : nil
    }
}
