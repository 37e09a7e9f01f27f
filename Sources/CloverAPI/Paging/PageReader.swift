import CloverHTTP
import CloverJSON

/// Reads pages and delivers their records: drops duplicates, completes truncated lists, and stops at the limit.
struct PageReader {
    let source: PageRequester
    let completion: NestedListCompletion?
    var summary = RecordPager.Summary()
    /// The number of records wanted from the page; nil for all.
    var left: Int?
    /// The number of records still to skip for `--offset`.
    var recordsToSkip = 0
    /// The time field that sorts the list from oldest to newest; nil for other orders.
    var timeField: String?
    /// The value of `timeField` in the last record, in milliseconds since 1970.
    private(set) var lastTime: Int64?
    /// The time field that sorts the list in either direction; nil if none does.
    var placeField: String?
    /// The value of `placeField` in the last record, in milliseconds since 1970.
    private(set) var place: Int64?
    /// The page's `has_more`, if the list is paged by cursor; nil without one.
    private(set) var hasMore: Bool?
    /// The ids of the page's first and last record, if the list is paged by cursor; nil if it has none.
    private(set) var pageFirstID: String?
    private(set) var pageLastID: String?
    /// True once the consumer wants no more records.
    private(set) var hasStopped = false
    /// The timestamps of a window that is read in time order; nil for other windows.
    private(set) var times: TimestampTracker?
    /// Statistics of the current round over records with the same timestamp; nil outside rounds.
    private(set) var round: RoundStatistics?
    /// Whether the order of the list shows that no later record matches the tool's own filter; nil if it cannot.
    var earlyEnd: EarlyEnd?
    private var repeats = RecordDeduplicator()
    private var contents = RecordContents()
    /// More are not named.
    private static let twinsKept = 100
    private var order = ListOrder(.list)
    private let localFilter: LocalFilter?
    private var filterCheck: FilterCheck?
    private var sortCheck: SortCheck?
    /// The field of the windows; nil for a list without them.
    private let windowField: String?

    /// - Parameter now: the start of the run, in milliseconds since 1970.
    init(source: PageRequester, completion: NestedListCompletion?, windowField: String? = nil, now: Int64) {
        self.source = source
        self.completion = completion
        self.windowField = windowField
        if source.isChecked, source.toleratesIgnoredFilters || source.requiresAll {
            filterCheck = FilterCheck(source.query.filters, now: now)
            sortCheck = SortCheck(source.query, of: source.path, now: now)
        }
        localFilter = source.query.deliversAll ? nil : LocalFilter(source.query.localFilters)
    }

    enum Outcome: Equatable {
        /// - Parameter repeated: known records where new ones were expected.
        case read(received: Int, new: Int, repeated: Int)
        /// The first record is not a known one, although it should be.
        case doesNotFit
        /// There is a record where the list should have ended.
        /// - Parameter isFirst: true for the record that the window began with.
        case foundRecordAfterEnd(isFirst: Bool)
    }

    /// - Parameter walkField: the time field, if the window is read in time order; nil otherwise.
    mutating func beginWindow(_ bounds: TimeWindow?, walkField: String? = nil) {
        summary.windows.append(RecordPager.Window(bounds: bounds))
        times = walkField.map { TimestampTracker(field: $0) }
        repeats.beginList()
        order = ListOrder(walkField == nil ? .list : .page)
    }

    /// Reads the window by offset from here on.
    mutating func beginReadingByPlace() {
        order = ListOrder(.list)
    }

    /// Reads the window again from its start. Only new records are delivered.
    mutating func beginReadingAgain() {
        repeats.beginListAgain()
        order.readAgain()
    }

    /// What is missing from the list, if it has no fixed order.
    ///
    /// - Parameter rows: the number of its places.
    func shortage(_ rows: Int, readings: Int) -> RecordPager.Shortage? {
        guard order.unexplained > 0, order.distinct < rows else { return nil }
        return RecordPager.Shortage(rows: rows, records: order.distinct, readings: readings, isFixed: order.isFixed)
    }

    /// Whether the rows so far came in an order that arrivals and removals explain.
    var hasFixedOrder: Bool { order.unexplained == 0 && !order.isReadAgain }

    /// Whether each record of the list can be recognized, so that reading it again delivers none twice.
    var canReadAgain: Bool { !repeats.hasForgotten && !order.hasNameless }

    /// Notes rows that came twice on one page of a window that is read in time order.
    mutating func noteTwins() {
        guard order.unexplained > 0, let window = summary.windows.last else { return }
        summary.shortages.append(
            RecordPager.Shortage(
                rows: window.records + order.unexplained, records: window.records, readings: 1, isFixed: true))
    }

    /// Starts reading records with the same timestamp from the first one; nil when done.
    mutating func beginRound(_ round: RoundStatistics?) {
        self.round = round
    }

    mutating func failWindow(_ reason: String) {
        guard let last = summary.windows.indices.last else { return }
        summary.windows[last].failure = reason
    }

    /// The run ends in the middle of the window.
    mutating func breakOff() {
        if let window = summary.windows.last, window.failure == nil { failWindow("broken off") }
    }

    mutating func noteGap() {
        summary.gapsNear.append(summary.windows.last?.lastID ?? "?")
    }

    /// Reads one page, and requests it again if it breaks off. Records delivered before that are not delivered twice,
    /// because the repeat filter knows them.
    ///
    /// - Parameter page: nil for a body that is one record.
    mutating func read(
        _ fetched: FetchedPage, page: RecordQuery.Page?, expecting expectation: OffsetPaginator.Expectation,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> Outcome {
        var fetched = fetched
        var counts = PageCounts(expectation: expectation)
        repeats.beginPage()
        order.beginPage(at: page?.offset ?? 0)
        sortCheck?.beginPage()
        times?.beginPage()
        round?.beginPage()
        summary.pages += 1
        summary.ignoredFilters.formUnion(fetched.ignoredFilters)
        pageLastID = nil
        while true {
            var scanner = PageScanner(expecting: source.shape(isPaged: page != nil))
            do {
                while !hasStopped, let chunk = try await fetched.response.body.next() {
                    var batch = RecordBatch()
                    try scanner.scan(chunk, into: &batch)
                    if let surprise = try await pass(&batch, isPaged: page != nil, &counts, deliver) {
                        fetched.response.body.cancel()
                        return surprise
                    }
                }
                if !hasStopped {
                    var batch = RecordBatch()
                    try scanner.finish(into: &batch)
                    if let surprise = try await pass(&batch, isPaged: page != nil, &counts, deliver) { return surprise }
                }
                fetched.response.body.cancel()
                if expectation == .known, scanner.recordCount == 0 { return .doesNotFit }
                hasMore = scanner.hasMore
                if !hasStopped { order.endPage() }
                return .read(received: scanner.recordCount, new: counts.new, repeated: counts.repeated)
            } catch let error as PageError {
                fetched.response.body.cancel()
                try await source.client.recover(from: error, url: fetched.url, attempt: &fetched.attempt)
            } catch let error as HTTPTransportError {
                try await source.client.recover(from: error, url: fetched.url, attempt: &fetched.attempt)
            }
            fetched.response = try await source.get(fetched.url, attempt: &fetched.attempt)
            repeats.beginPageAgain()
            order.beginPageAgain()
            sortCheck?.beginPage()
            times?.beginPageAgain()
            counts.beginAgain()
        }
    }

    private struct PageCounts {
        let expectation: OffsetPaginator.Expectation
        var new = 0
        var dropped = 0
        var isFirst = true
        var isAgain = false

        /// Records of a page that is read twice repeat by nature, which says nothing about the list.
        var repeated: Int { isAgain ? 0 : max(0, dropped - (expectation == .known ? 1 : 0)) }

        mutating func beginAgain() {
            isFirst = true
            isAgain = true
        }
    }

    /// Whether too many rows came in another reading of the list: which of them are new is no longer known, so the rest is
    /// neither compared nor delivered.
    var isBeyondComparison: Bool { order.isReadAgain && repeats.hasForgotten }

    private mutating func pass(
        _ batch: inout RecordBatch, isPaged: Bool, _ counts: inout PageCounts,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> Outcome? {
        guard let first = batch.records.first else { return nil }
        if isBeyondComparison {
            counts.isFirst = false
            return nil
        }
        if isPaged {
            if source.path.isPagedByCursor { noteCursors(of: batch, isPageStart: counts.isFirst) }
            var times = times?.times(of: batch)
            let isFirstKnown = counts.isFirst && knows(first, of: batch, time: times?.first ?? nil)
            let isPageStart = counts.isFirst
            if counts.isFirst {
                counts.isFirst = false
                switch counts.expectation {
                case .anything: break
                case .known: if !isFirstKnown { return .doesNotFit }
                case .nothing:
                    return .foundRecordAfterEnd(isFirst: repeats.isFirst(first, of: batch, time: times?.first ?? nil))
                }
            }
            if let times {
                self.times?.see(
                    times, beginsKnown: isFirstKnown,
                    beginsAtFirstRecord: repeats.isFirst(first, of: batch, time: times.first ?? nil))
                round?.see(batch, times, isPageStart: isPageStart) { [repeats, batch] record, time in
                    repeats.knows(record, of: batch, time: time)
                }
            }
            if sortCheck != nil { try checkOrder(of: batch) }
            let (received, metBefore) = (batch.records.count, order.firstMet)
            repeats.drop(from: &batch, times: &times, noting: &order)
            if let times { self.times?.have(times) }
            let new = order.isReadAgain ? order.firstMet - metBefore : batch.records.count
            counts.new += new
            counts.dropped += received - new
            if let earlyEnd { self.earlyEnd?.see(batch.records.map { batch.time(earlyEnd.sort.field, of: $0) }) }
            summary.recordsRead += batch.records.count
            if let localFilter { summary.recordsWithoutTime += localFilter.filter(&batch) }
            if filterCheck != nil { check(&batch) }
            if source.requiresAll, let contradiction = summary.contradiction, !contradiction.isDelivered {
                throw contradiction
            }
            skip(&batch)
            if let left { batch.keep(first: left) }
            guard !batch.records.isEmpty else { return nil }
        } else {
            if let fault = source.fault(of: first, in: batch) { throw fault }
            summary.recordsRead += batch.records.count
        }
        var truncation: TruncatedListError?
        if let completion {
            let result = try await completion.complete(&batch)
            summary.add(result.cut)
            summary.completedLists += result.completed
            if source.requiresAll, let failure = result.failure {
                truncation = failure.error
                batch.keep(first: failure.index)
            }
        }
        left? -= batch.records.count
        note(batch)
        summary.records += batch.records.count
        if !batch.records.isEmpty, try await deliver(batch) == .stop { hasStopped = true }
        if let truncation, !hasStopped { throw truncation }
        return nil
    }

    /// Notes the ids by which the page is asked for and recognized, and the records that came before with other contents.
    private mutating func noteCursors(of batch: RecordBatch, isPageStart: Bool) {
        if isPageStart { pageFirstID = batch.records.first.flatMap { batch.id(of: $0) } }
        pageLastID = batch.records.last.flatMap { batch.id(of: $0) }
        for record in batch.records where contents.differs(record, of: batch) && summary.twins.count < Self.twinsKept {
            summary.twins.append(batch.id(of: record) ?? "?")
        }
    }

    /// Compares records with the order that the query asks for.
    ///
    /// - Throws: `SortContradiction`, if the source requires everything as asked.
    private mutating func checkOrder(of batch: RecordBatch) throws {
        sortCheck?.see(batch)
        summary.sortContradiction = sortCheck?.contradiction
        if source.requiresAll, let contradiction = summary.sortContradiction { throw contradiction }
    }

    /// Compares records with the filters of the query, and removes those that contradict one.
    private mutating func check(_ batch: inout RecordBatch) {
        let bounds = summary.windows.last?.bounds
        let window = bounds.flatMap { bounds in windowField.map { (bounds: bounds, field: $0) } }
        filterCheck?.filter(&batch, in: window)
        summary.contradiction = filterCheck?.contradiction
    }

    /// Whether this reading of the list had the record before.
    private func knows(_ record: Record, of batch: RecordBatch, time: Int64?) -> Bool {
        guard order.isReadAgain else { return repeats.knows(record, of: batch, time: time) }
        return order.hasMet(RecordDeduplicator.key(of: record, in: batch, time))
    }

    private mutating func skip(_ batch: inout RecordBatch) {
        guard recordsToSkip > 0 else { return }
        let count = min(recordsToSkip, batch.records.count)
        var index = 0
        batch.removeRecords { _, _ in
            defer { index += 1 }
            return index < count
        }
        recordsToSkip -= count
        left? -= count
    }

    private mutating func note(_ batch: RecordBatch) {
        guard let last = summary.windows.indices.last, let first = batch.records.first, let end = batch.records.last
        else { return }
        if summary.windows[last].records == 0 { summary.windows[last].firstID = batch.id(of: first) }
        summary.windows[last].lastID = batch.id(of: end)
        if let timeField { lastTime = batch.value(of: timeField, in: end).flatMap { Int64($0) } }
        if let placeField { place = batch.value(of: placeField, in: end).flatMap { Int64($0) } }
        summary.windows[last].records += batch.records.count
    }
}

/// Tracks the timestamps of records in a window that is read in time order, in milliseconds since 1970.
struct TimestampTracker {
    let field: String
    /// The latest time of a known record; nil if there is none.
    private(set) var last: Int64?
    private(set) var knownAtLast = 0

    /// The times of the first and last record of the current page.
    private(set) var pageFirst: Int64?
    private(set) var pageLast: Int64?
    /// Every record of the page has a time, and none is earlier than the one before it.
    private(set) var isOrdered = true
    private(set) var beginsKnown = false
    /// It is the record that the window began with.
    private(set) var beginsAtFirstRecord = false
    private var hasBegun = false

    init(field: String) {
        self.field = field
    }

    mutating func beginPage() {
        beginPageAgain()
        (beginsKnown, beginsAtFirstRecord) = (false, false)
        hasBegun = false
    }

    /// The same page is read again from its start; its first record remains the one of the first attempt.
    mutating func beginPageAgain() {
        (pageFirst, pageLast, isOrdered) = (nil, nil, true)
    }

    /// The time of each record; nil for those without one.
    func times(of batch: RecordBatch) -> [Int64?] {
        batch.records.map { record in batch.value(of: field, in: record).flatMap { Int64($0) } }
    }

    /// Adds a received part of the page, by the times of its records.
    mutating func see(_ times: [Int64?], beginsKnown: Bool, beginsAtFirstRecord: Bool) {
        if !hasBegun { (self.beginsKnown, self.beginsAtFirstRecord) = (beginsKnown, beginsAtFirstRecord) }
        hasBegun = true
        for time in times {
            guard let time, time >= pageLast ?? .min else {
                isOrdered = false
                return
            }
            pageFirst = pageFirst ?? time
            pageLast = time
        }
    }

    /// Adds the records that were not known before.
    mutating func have(_ times: [Int64?]) {
        for case let time? in times where time >= last ?? .min {
            knownAtLast = time == last ? knownAtLast + 1 : 1
            last = time
        }
    }
}

extension RecordBatch {
    /// Drops everything after the first `count` records.
    mutating func keep(first count: Int) {
        guard count < records.count else { return }
        let kept = max(count, 0)
        bytes.removeSubrange(records[kept].range.lowerBound...)
        records.removeSubrange(kept...)
    }
}
