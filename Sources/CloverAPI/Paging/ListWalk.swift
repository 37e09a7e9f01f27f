/// Where the reading of one list stands: which page is needed next, and what its answer means. No input or output.
///
/// Offsets shift when rows come or go between two pages. So each page begins with the last record of the page before:
/// when it does begin with a known record, nothing between the two was missed, because the order of rows that stay does
/// not change. When it does not, rows before it have gone, and it is read again from further in front.
///
/// A page that is shorter than asked may be the last one, or the service may have cut it short. What tells is the answer
/// at the index behind it: nothing comes from there only when the list has ended.
struct ListWalk: Sendable, Equatable {
    /// What the next page's first record has to be.
    enum Expectation: Sendable, Equatable {
        /// Anything: the list begins here, or nothing better can be had.
        case anything
        /// A record that is known.
        case known
        /// There is none: the list has ended.
        case nothing
    }

    /// The page that is needed next; nil at the end of the list.
    private(set) var page: RecordQuery.Page?
    private(set) var expectation = Expectation.anything
    /// Records that the service puts into a page: smaller than asked when it keeps to another limit than it should.
    private(set) var pageSize: Int
    /// Records still wanted; nil for all.
    var wanted: Int?
    /// A list that fills its first page is expected to fill many more: from then on as many are asked ahead as may be. Other
    /// lists begin with fewer.
    private let isLong: Bool
    /// Pages that the list may have: so many are asked for at once. 1 when nothing is known, or it has turned out wrong.
    private var expectedPages: Int

    private let start: Int
    /// The index behind the last record that was read.
    private var covered: Int
    /// Pages that came in full since the last surprise: as long as they do, it is worth asking ahead.
    private var fullPages = 0
    /// How many records the last short page had.
    private var shortCount: Int?
    private var isConfirming = false
    /// Rows have moved, or pages were short without being the last: nothing is taken for granted any more.
    private var isSuspicious = false
    /// How far in front of the usual place the last try to find a known record was.
    private var distance = 0
    /// Pages in a row that brought nothing new although more was to come.
    private var stalls = 0
    /// How many of them there may be because the walk has gone back among known rows.
    private var knownPages = 0
    /// Records of this list that are known.
    private var known = 0
    private var lastReceived = 0
    /// Pages in a row that held the overlapping record alone.
    private var singles = 0

    /// Short pages in a row that brought next to nothing, and full ones likewise.
    private var trickles = 0
    private var tinyPages = 0
    /// Rows of the tiny pages in a row; nil when they were not always as many.
    private var tinySize: Int?
    /// So few new records are next to nothing: rows that arrived, rather than a part of the list.
    private let mostInTrickle: Int

    /// From so many on, rows seem to arrive behind the last one as fast as they are read.
    private static let manyTrickles = 4
    /// So many pages without anything new mean that the service gives the same rows whatever is asked.
    /// Not fewer, because rows may arrive nearly as fast as pages are read.
    private static let patience = 16
    /// So many looks behind the end that find another record mean the same. Where rows arrive between any two requests
    /// the end is found only when none does for once, which takes its time.
    private static let patienceAtEnd = 60
    /// A service that gives so few rows a page may be meant so, for a list of any length; only the longest end it.
    private static let patienceWithTinyPages = 10_000
    /// Pages of fewer new rows than this, or of different sizes, are more likely what arrived between two requests.
    private static let fewestMeantSo = 4
    private static let patienceWithArrivals = 200
    /// Further back nothing is remembered (`RepeatFilter`).
    private static let furthest = 4096

    init(offset: Int, wanted: Int?, pageSize: Int, isLong: Bool = false, expectedPages: Int = 1) {
        self.isLong = isLong
        self.expectedPages = expectedPages
        start = offset
        covered = offset
        self.wanted = wanted
        self.pageSize = pageSize
        mostInTrickle = min(pageSize / 16, 15)
        page = Self.page(offset: offset, wanted: wanted, pageSize: pageSize)
    }

    /// The end of the list runs away: behind the last row there is another whenever one looks. What was there at first has
    /// been read if the last row was made since; the walk itself cannot tell.
    var followsArrivals: Bool { trickles + tinyPages >= Self.manyTrickles }

    /// Nothing that comes behind is wanted.
    mutating func end() {
        page = nil
    }

    /// The pages after `page`, if it and they come in full; at most `count`.
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

    /// The page was read, and began as expected.
    ///
    /// - Parameters:
    ///   - received: records in it.
    ///   - new: those that were not known.
    ///   - repeated: known ones behind its first record, which rows that came in front have moved there.
    /// - Returns: false when the service keeps giving the same full page, so that what comes behind cannot be had, or when the
    ///   end was looked for too often.
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
            endWasFound()
        } else if received == 0 {
            page = nil
        } else {
            covered = (page?.offset ?? covered) + received
            if received >= asked || isCappedPage(received, new: new) {
                if new == 0 { stalls += 1 }
                guard stalls < Self.patience + knownPages else {
                    page = nil
                    return false
                }
                // Pages may be full because the rows that arrived were taken for the size of the service's pages.
                guard !isTired(received: received, new: new) else {
                    page = nil
                    return false
                }
                shortCount = nil
                fullPages += 1
                next()
            } else {
                return endsShort(received: received, new: new)
            }
        }
        return true
    }

    /// Behind a short page there was a record after all: the service had cut it, or rows have come in front.
    ///
    /// - Parameter isFirst: it is the one with which the list began.
    /// - Returns: false when nothing new comes although it ought to.
    mutating func endWasNot(isFirst: Bool) -> Bool {
        fullPages = 0
        expectedPages = 1
        stalls += 1
        isSuspicious = true
        isConfirming = false
        if isFirst, stalls > 1, lastReceived >= known {
            // Some of the service's short lists come in one piece whatever offset is asked for, and all of it is known.
            // A round number is as likely the size of pages that never change.
            page = nil
            return lastReceived % 100 != 0
        }
        guard stalls < Self.patienceAtEnd else {
            page = nil
            return false
        }
        // Overlapping pages get nowhere when the service gives one record a page.
        if singles >= 3 { pageSize = 1 }
        next()
        return true
    }

    /// The page did not begin with a known record, or held none: rows before it have gone.
    ///
    /// - Returns: false when no page near enough does: rows may have been missed, and the walk goes on where it was.
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
        // At the front of the list there is nothing that could have been missed.
        expectation = offset == 0 ? .anything : .known
        return true
    }

    /// The same short count twice, with more behind it: that is how large the service's pages are.
    private mutating func isCappedPage(_ received: Int, new: Int) -> Bool {
        guard received == shortCount, received > 1, new > 0 else { return false }
        pageSize = received
        return true
    }

    /// Counts pages with few new rows, and tells when there were too many of them in a row.
    private mutating func isTired(received: Int, new: Int) -> Bool {
        if new > mostInTrickle {
            tinyPages = 0
        } else if new > 0 {
            tinySize = tinyPages == 0 || tinySize == received ? received : nil
            tinyPages += 1
        }
        let isMeantSo = tinySize != nil && new >= Self.fewestMeantSo
        return tinyPages > (isMeantSo ? Self.patienceWithTinyPages : Self.patienceWithArrivals)
    }

    private mutating func endsShort(received: Int, new: Int) -> Bool {
        if isConfirming && new == 0 {
            page = nil
            return true
        }
        trickles = new > mostInTrickle ? 0 : trickles + 1
        if trickles > Self.patienceAtEnd {
            page = nil
            return false
        }
        fullPages = 0
        expectedPages = 1
        shortCount = received
        page = RecordQuery.Page(offset: covered, limit: 1)
        expectation = .nothing
        return true
    }

    private mutating func endWasFound() {
        guard isSuspicious, !isConfirming, covered > start else {
            page = nil
            return
        }
        // Rows move in this list: the end counts when its last record is still where it was.
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
