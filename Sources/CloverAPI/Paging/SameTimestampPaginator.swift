import CloverJSON

/// The paging state for records that share one timestamp and do not fit on one page. No input or output.
///
/// Such records can only be distinguished by offset, and offsets shift when rows come or go. So they are read in rounds,
/// each up to an empty page. The empty page gives an upper bound on the number of rows at that time. Once a later round
/// meets that many records that were already known, they account for every row that was there at that time, so none was
/// missed.
struct SameTimestampPaginator: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        var page: RecordQuery.Page
        /// Distinguishes a new request from an earlier one for the same page, which proves nothing about the list now.
        var look = 0
    }

    struct Answer: Sendable, Equatable {
        var received: Int
        var new: Int
        var beginsKnown = false
        /// The first record is the one that the round began with.
        var beginsAtFirstRecord = false
        /// The number of distinct records of this round that were known before it.
        var met = 0
        /// A record has no id, so records cannot be distinguished.
        var hasNameless = false
    }

    /// The next page to read; nil at the end.
    private(set) var step: Step?
    private(set) var round = 0
    /// True if a record in the response means that the list has not ended.
    private(set) var expectsEnd = false
    private(set) var isWhole = true

    private let pageSize: Int
    private let stride: Int
    private var checks = 0
    /// The offset after the last record that was read.
    private var covered = 0
    /// The first offset of this round.
    private var start = 0
    /// The number of known records that this round must meet.
    private var wanted: Int?
    private var firstCount = 0
    private var fullPages = 0
    private var distance = 0
    private var repeatedPages = 0
    private var idlePages = 0

    /// At most this many records are compared: `RecordDeduplicator` does not reliably remember more.
    private static let maximumCompared = 4000
    private static let maximumRounds = 60
    private static let maximumIdlePages = 60

    /// - Parameter cap: the server's page cap, if below the requested size; nil if unknown.
    init(pageSize: Int, cap: Int?) {
        self.pageSize = pageSize
        stride = min(pageSize, cap ?? pageSize)
        begin(at: 0)
    }

    /// Up to `count` pages to prefetch after `step`, assuming that all of them are full.
    func ahead(_ count: Int) -> [Step] {
        guard let step, !expectsEnd, stride > 1 else { return [] }
        return (0..<min(count, 2 * fullPages)).map { place in
            var next = step
            next.page.offset += (place + 1) * (stride - 1)
            return next
        }
    }

    mutating func read(_ answer: Answer) {
        guard let step else { return }
        if let wanted, answer.met >= wanted {
            self.step = nil
            return
        }
        if answer.hasNameless, round > 0 {
            self.step = nil
            return
        }
        guard answer.received > 0 else { return checkEnd(at: step.page.offset) }
        if step.page.offset == start { firstCount = answer.received }
        guard !isUnpagedList(answer, step) else { return }
        idlePages = answer.new > 0 ? 0 : idlePages + 1
        if step.page.offset > start, !answer.beginsKnown, round == 0, answer.new > 0 {
            // Rows in front were removed; unread records may start earlier.
            distance = max(1, distance * 2)
            fullPages = 0
            let offset = max(start, step.page.offset - distance)
            self.step = Step(page: RecordQuery.Page(offset: offset, limit: pageSize), look: step.look)
            return
        }
        distance = 0
        covered = max(covered, step.page.offset + answer.received)
        fullPages = answer.received >= stride ? fullPages + 1 : 0
        if idlePages > Self.maximumIdlePages + covered { return giveUp() }
        // Overlapping by one record makes no progress if pages hold a single record.
        let next = answer.received > 1 ? covered - 1 : covered
        self.step = Step(page: RecordQuery.Page(offset: max(start, next), limit: pageSize), look: step.look)
    }

    /// Processes an empty response where the next record would be.
    mutating func confirmEnd() {
        guard let step else { return }
        let count = step.page.offset
        round += 1
        guard round < Self.maximumRounds else { return giveUp() }
        let first = max(0, count - Self.maximumCompared)
        wanted = count - first
        if wanted == 0 {
            self.step = nil
        } else {
            begin(at: first)
        }
    }

    /// Processes a record where the list was expected to end.
    mutating func foundRecordAfterEnd() {
        expectsEnd = false
        idlePages += 1
        if idlePages > Self.maximumIdlePages + covered { return giveUp() }
        step = Step(page: RecordQuery.Page(offset: covered, limit: pageSize), look: checks)
    }

    private mutating func begin(at first: Int) {
        checks += 1
        (start, covered, fullPages, distance, idlePages) = (first, first, 0, 0, 0)
        expectsEnd = false
        step = Step(page: RecordQuery.Page(offset: first, limit: pageSize), look: checks)
    }

    /// Checks for the end with a new request: an earlier response may predate the last records read.
    private mutating func checkEnd(at offset: Int) {
        checks += 1
        covered = offset
        expectsEnd = true
        step = Step(page: RecordQuery.Page(offset: offset, limit: pageSize), look: checks)
    }

    /// Some short lists are always returned in full, whatever the offset.
    private mutating func isUnpagedList(_ answer: Answer, _ step: Step) -> Bool {
        guard step.page.offset > start, answer.new == 0, answer.beginsAtFirstRecord, answer.received == firstCount
        else {
            repeatedPages = 0
            return false
        }
        repeatedPages += 1
        guard repeatedPages > 2 else { return false }
        self.step = nil
        // A round number may equally be the size of pages that never change.
        isWhole = answer.received < pageSize && answer.received % 100 != 0
        return true
    }

    private mutating func giveUp() {
        step = nil
        isWhole = false
    }
}

/// Counts, in one round over records that are read repeatedly, how many distinct records were known before.
struct RoundStatistics {
    /// The number of distinct records that were known before the round.
    private(set) var met = 0
    /// The current page begins with the record that the round began with.
    private(set) var beginsAtFirstRecord = false
    private(set) var hasNameless = false
    /// False in the first round, which may hold any number of records.
    private let counts: Bool
    private var first: RecordKey?
    private var seen = RecordKeySet()

    init(counts: Bool) {
        self.counts = counts
    }

    mutating func beginPage() {
        beginsAtFirstRecord = false
    }

    /// - Parameters:
    ///   - isPageStart: true if the batch begins the page.
    ///   - isKnown: whether a record was known before this page.
    mutating func see(
        _ batch: RecordBatch, _ times: [Int64?], isPageStart: Bool, isKnown: (Record, Int64?) -> Bool
    ) {
        for (record, time) in zip(batch.records, times) {
            guard let time, let key = batch.key(of: record)?.version(of: time) else {
                hasNameless = true
                continue
            }
            if isPageStart, record.range == batch.records.first?.range {
                beginsAtFirstRecord = first == key
                first = first ?? key
            }
            if counts, seen.insert(key), isKnown(record, time) { met += 1 }
        }
    }
}
