import CloverJSON

/// Reads one list: window after window, with pages of later windows prefetched.
struct PageFetchLoop {
    private let source: PageRequester
    private let plan: PagePlan
    private var windows: TimeWindows?
    private var reader: PageReader
    private var inFlight = PagesInFlight()
    private var pageSize: Int
    /// How the list is narrowed to a time range; nil if it is not read in time order.
    private let cut: TimeRangeFilter?
    /// Whether the tool filters the records, so that a page may deliver fewer than it has.
    private let filtersHere: Bool
    /// The server's page cap, if below the requested size.
    private var cap: Int?
    /// Across windows the offset is counted locally, because the service applies it within each window. So it is if the
    /// tool filters.
    private let skipsHere: Bool
    /// The start of the run, in milliseconds since 1970.
    private let now: Int64

    /// True once a page in time order took long to arrive, which makes deep prefetching worthwhile.
    private var isSlow = false
    /// The number of pages to prefetch from a service that responds quickly.
    private static let prefetchWhenFast = 2
    /// The most pages to prefetch.
    private var maximumAhead: Int { plan.readsAhead ? PagesInFlight.most - 1 : 0 }
    /// A page with fewer records than this is taken for the last one if no proof is wanted. Clover's smallest pages have 100.
    private static let surelyLast = 50

    /// How often a list is read at most that has no fixed order.
    private static let maximumReadings = 5
    /// Give up after this many consecutive failed windows: the service is down.
    private static let maximumFailures = 3

    init(source: PageRequester, completion: NestedListCompletion?, plan: PagePlan, windows: TimeWindows?, now: Int64) {
        self.source = source
        self.plan = plan
        self.windows = windows
        self.now = now
        pageSize = plan.pageSize
        reader = PageReader(source: source, completion: completion, windowField: windows?.field, now: now)
        filtersHere = !source.query.localFilters.isEmpty
        skipsHere = filtersHere || (windows.map { $0.count != 1 } ?? false)
        cut =
            plan.isReadInTimeOrder && plan.limit == nil && plan.offset == 0
            ? TimeRangeFilter(source.query, windows) : nil
        if let key = source.query.sort.first, !key.isDescending, key.field == source.path.endpoint?.timeField {
            reader.timeField = key.field
        }
        if skipsHere { reader.recordsToSkip = plan.offset }
        if windows == nil { reader.earlyEnd = EarlyEnd(source.query, of: source.path) }
        reader.placeField = Self.placeField(source.query, windows)
    }

    /// Whether the list holds all of a merchant's records of a kind, such as every order. A small shop fits on one
    /// page, so nothing is prefetched before the first page: four needless requests would be a quarter of a token's
    /// requests per second.
    private var isLong: Bool {
        plan.limit == nil && windows == nil && source.query.filters.isEmpty && !filtersHere
            && source.path.segments.count == Self.segmentsOfOwnList && source.path.endpoint?.timeField != nil
    }

    /// `v3/merchants/{mId}/orders`. Lists inside a record are short.
    private static let segmentsOfOwnList = 4

    /// The number of pages to request at once, based on the last run. Not used with several windows: these are fetched
    /// in parallel anyway, and the distribution of records among them is unknown.
    private var expectedPages: Int { windows == nil || windows?.count == 1 ? plan.expectedPages : 1 }

    /// The number of records still to read; nil for all.
    private var wanted: Int? { plan.limit.map { $0 - reader.summary.records + reader.recordsToSkip } }

    /// Reads the list.
    ///
    /// - Parameters:
    ///   - brokenOff: receives the summary so far if the run fails, before the error is thrown.
    ///   - onPage: receives the progress after each page.
    mutating func read(
        in group: inout PagesInFlight.Group, brokenOff: (RecordPager.Summary) -> Void,
        onPage: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordPager.Summary {
        do {
            return try await readWindows(in: &group, onPage, deliver)
        } catch {
            reader.breakOff()
            brokenOff(reader.summary)
            throw error
        }
    }

    private mutating func readWindows(
        in group: inout PagesInFlight.Group, _ onPage: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordPager.Summary {
        var index = 0
        var failures = 0
        var firstError: ServiceError?
        // If everything is wanted, the first pages of the windows are fetched in parallel from the start.
        if plan.limit == nil || windows?.isAscending == true { try await findBeginning() }
        while hasWindow(index) {
            reader.beginWindow(windows?.window(at: index), walkField: cut?.field)
            do {
                try await readWindow(index, in: &group, onPage, deliver)
                failures = 0
            } catch let error as ServiceError
                where error.concernsOneRequest && windows != nil && windows?.count != 1 && !source.requiresAll
            {
                failures += 1
                if firstError == nil { firstError = error }
                reader.failWindow(error.brief)
                inFlight.keep { $0.window != index }
            }
            if reader.hasStopped || wanted == 0 { break }
            if failures == Self.maximumFailures {
                failTheRest(after: index)
                break
            }
            index += 1
            if windows?.isKnown(index) == false { try await findBeginning() }
        }
        reader.summary.windowCount = windows?.count
        reader.summary.mayHaveMore = wanted == 0
        if let firstError, reader.summary.windows.allSatisfy({ $0.failure != nil }), reader.summary.records == 0 {
            throw firstError
        }
        return reader.summary
    }

    private func hasWindow(_ index: Int) -> Bool {
        guard let windows else { return index == 0 }
        return windows.window(at: index) != nil
    }

    private mutating func failTheRest(after index: Int) {
        var next = index + 1
        while let window = windows?.window(at: next) {
            reader.beginWindow(window)
            reader.failWindow("not tried")
            next += 1
        }
    }

    private mutating func readWindow(
        _ index: Int, in group: inout PagesInFlight.Group, _ onPage: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws {
        if let cut, let window = windows?.window(at: index) ?? cut.bounds {
            let outcome = try await readInTimeOrder(cut, window, of: index, in: &group, onPage, deliver)
            guard outcome == .isUnordered else {
                reader.noteTwins()
                return
            }
            reader.beginReadingByPlace()
        }
        var readings = 1
        while let rows = try await readByPlace(index, readings, in: &group, onPage, deliver),
            let shortage = reader.shortage(rows, readings: readings)
        {
            guard readings < Self.maximumReadings, reader.canReadAgain, !shortage.isFixed else {
                reader.summary.shortages.append(shortage)
                return
            }
            readings += 1
            reader.beginReadingAgain()
        }
    }

    /// Reads a window by offset.
    ///
    /// - Parameter reading: counts from 1. A list without a fixed order is read again, in pages of another size: where a
    ///   page ends decides which rows are lost.
    /// - Returns: the number of places; nil if the list was not read to its end, because no more is wanted.
    private mutating func readByPlace(
        _ index: Int, _ reading: Int, in group: inout PagesInFlight.Group, _ onPage: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> Int? {
        let isAgain = reading > 1
        let size = isAgain ? max(2, pageSize * (10 - reading) / 10) : pageSize
        var walk = OffsetPaginator(
            offset: skipsHere ? 0 : plan.offset, wanted: isAgain || filtersHere ? nil : wanted, pageSize: size,
            isLong: !isAgain && isLong, expectedPages: isAgain ? 1 : expectedPages)
        while let page = walk.page {
            // Negative for a check at the end, which an earlier request for the same page does not answer.
            let look = walk.expectation == .nothing ? -reading : reading - 1
            let request = request(page, of: index, only: nil, look: look)
            let ahead = walk.ahead(maximumAhead).map { self.request($0, of: index, only: nil, look: look) }
            askAhead([request] + ahead, in: &group)
            let fetched = try await inFlight.take(request, from: &group)
            reader.left = wanted
            let outcome = try await reader.read(fetched, page: page, expecting: walk.expectation, deliver)
            if reader.hasStopped || (isAgain || filtersHere) && wanted == 0 { return nil }
            if reader.isBeyondComparison {
                reader.failWindow("more rows came in reading \(reading) of the list than can be compared")
                return nil
            }
            if !isAgain, !filtersHere { walk.wanted = wanted }
            switch outcome {
            case .read(let received, let new, let repeated):
                let isSound = walk.read(received: received, new: new, repeated: repeated)
                if walk.followsArrivals, let time = reader.lastTime, time > now {
                    walk.end()
                } else if !isSound {
                    reader.noteGap()
                }
            case .doesNotFit:
                if !walk.doesNotFit() { reader.noteGap() }
            case .foundRecordAfterEnd(let isFirst):
                if !walk.foundRecordAfterEnd(isFirst: isFirst) { reader.noteGap() }
            }
            if !isAgain { pageSize = walk.pageSize }
            reportProgress(index, onPage)
            // If the list seems to end here, checking that costs no more than checking its order.
            if walk.page != nil, walk.expectation != .nothing, try await endsEarly() { return nil }
        }
        return wanted == 0 ? nil : walk.rows
    }

    /// Whether no later record can match the tool's own filter.
    private mutating func endsEarly() async throws -> Bool {
        guard let earlyEnd = reader.earlyEnd, earlyEnd.isPast, reader.hasFixedOrder else { return false }
        if earlyEnd.isSortProved == nil {
            let probe = ListHistoryProbe(source.client, source.path)
            reader.earlyEnd?.seeOpposite(try await probe.firstTime(in: earlyEnd.sort.reversed, of: source.query))
        }
        guard reader.earlyEnd?.isSortProved == true else { return false }
        reader.summary.endedEarlyBy = earlyEnd.sort.field
        return true
    }

    /// Reads a window in time order.
    ///
    /// - Returns: `.isUnordered` if the service does not return records in time order, so that it must be read by
    ///   offset.
    private mutating func readInTimeOrder(
        _ cut: TimeRangeFilter, _ window: TimeWindow, of index: Int, in group: inout PagesInFlight.Group,
        _ onPage: (ListProgress) -> Void, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> TimePaginator.Outcome {
        var walk = TimePaginator(
            window, pageSize: plan.pageSize, cap: cap, largestPage: max(plan.largestPage, reader.summary.largestPage))
        while let step = walk.step {
            let steps = [step] + walk.ahead(isSlow ? maximumAhead : min(maximumAhead, Self.prefetchWhenFast))
            let requests = steps.map { step in
                request(step.page, of: index, only: TimeWindow(from: step.from, to: window.to), look: step.look)
            }
            askAhead(requests, in: &group)
            let began = ContinuousClock.now
            let fetched = try await inFlight.take(requests[0], from: &group)
            if ContinuousClock.now - began >= plan.slowResponseThreshold { isSlow = true }
            let read = try await reader.read(
                fetched, page: step.page, expecting: walk.expectsEnd ? .nothing : .anything, deliver)
            if reader.hasStopped { return .continues }
            switch read {
            case .read(let received, _, _) where !plan.provesEnd && received < min(step.page.limit, Self.surelyLast):
                return .continues
            case .read(let received, let new, _) where !walk.expectsEnd:
                let answer = TimePaginator.Answer(
                    received: received, new: new, first: reader.times?.pageFirst, last: reader.times?.pageLast,
                    isOrdered: reader.times?.isOrdered ?? false, beginsKnown: reader.times?.beginsKnown ?? false,
                    beginsAtFirstRecord: reader.times?.beginsAtFirstRecord ?? false)
                let outcome = walk.read(answer, last: reader.times?.last, knownAtLast: reader.times?.knownAtLast ?? 0)
                cap = walk.cap
                reader.summary.largestPage = walk.largestPage
                switch outcome {
                case .continues: break
                case .isUnordered: return outcome
                case .lostOrder:
                    reader.failWindow("the service stopped sorting by \(cut.field)")
                    return outcome
                case .endless:
                    reader.failWindow(
                        "new records appear before its end as fast as they are read; is this machine's clock ahead of "
                            + "the service's?")
                    return outcome
                case .instant(let instant):
                    try await readInstant(instant, of: index, in: &group, onPage, deliver)
                    if reader.hasStopped { return .continues }
                    walk.skipTimestamp(instant)
                }
            case .read, .doesNotFit: walk.confirmEnd()
            case .foundRecordAfterEnd(let isFirst): walk.foundRecordAfterEnd(isFirst: isFirst)
            }
            reportProgress(index, onPage)
        }
        return .continues
    }

    /// Reads all records with one timestamp, within a window that is read in time order.
    private mutating func readInstant(
        _ instant: Int64, of index: Int, in group: inout PagesInFlight.Group, _ onPage: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws {
        var walk = SameTimestampPaginator(pageSize: plan.pageSize, cap: cap)
        var round = walk.round
        reader.beginRound(RoundStatistics(counts: false))
        defer { reader.beginRound(nil) }
        while let step = walk.step {
            if walk.round != round {
                round = walk.round
                reader.beginRound(RoundStatistics(counts: true))
            }
            let steps = [step] + walk.ahead(maximumAhead)
            let requests = steps.map { step in
                // Negative, because the time walk numbers its own checks from 1.
                // The largest possible timestamp has no successor.
                request(
                    step.page, of: index, only: TimeWindow(from: instant, to: max(instant, instant &+ 1)),
                    look: -step.look)
            }
            askAhead(requests, in: &group)
            let fetched = try await inFlight.take(requests[0], from: &group)
            let read = try await reader.read(
                fetched, page: step.page, expecting: walk.expectsEnd ? .nothing : .anything, deliver)
            if reader.hasStopped { return }
            switch read {
            case .read(let received, let new, _) where !walk.expectsEnd:
                walk.read(
                    SameTimestampPaginator.Answer(
                        received: received, new: new, beginsKnown: reader.times?.beginsKnown ?? false,
                        beginsAtFirstRecord: reader.round?.beginsAtFirstRecord ?? false, met: reader.round?.met ?? 0,
                        hasNameless: reader.round?.hasNameless ?? false))
            case .read, .doesNotFit: walk.confirmEnd()
            case .foundRecordAfterEnd: walk.foundRecordAfterEnd()
            }
            reportProgress(index, onPage)
        }
        if !walk.isWhole { reader.noteGap() }
    }

    private func reportProgress(_ index: Int, _ onPage: (ListProgress) -> Void) {
        var progress = ListProgress()
        progress.records = reader.summary.records
        progress.pages = reader.summary.pages
        progress.windows = index
        progress.windowCount = windows?.count
        progress.share = share(index)
        onPage(progress)
    }

    /// The share of the list that was read. Windows count equally, because the contents of later ones are unknown.
    private func share(_ index: Int) -> Double? {
        guard plan.limit == nil else { return nil }
        guard let windows else {
            if let key = source.query.sort.first {
                let bounds = TimeBounds(of: key.field, in: source.query.filters)
                if let from = bounds.from, let to = bounds.to {
                    return part(of: TimeWindow(from: from, to: to), isAscending: !key.isDescending)
                }
            }
            // Beyond its former end, the length of a list is unknown.
            guard let former = plan.formerPages, reader.summary.pages <= former + 1 else { return nil }
            return min(1, Double(reader.summary.pages) / Double(former))
        }
        guard let count = windows.count, let window = windows.window(at: index) else { return nil }
        return (Double(index) + part(of: window, isAscending: windows.isAscending)) / Double(count)
    }

    /// The field that shows progress: the one that divides the list into windows, or that the filter bounds.
    private static func placeField(_ query: RecordQuery, _ windows: TimeWindows?) -> String? {
        guard let windows else { return query.sort.first?.field }
        return query.sort.first.map { $0.field == windows.field } ?? true ? windows.field : nil
    }

    /// The share of the window's time before the last record; 0 if unknown.
    private func part(of window: TimeWindow, isAscending: Bool) -> Double {
        guard let place = reader.place, window.to > window.from else { return 0 }
        // The service's times may be arbitrary numbers.
        let (reached, from, to) = (Double(place), Double(window.from), Double(window.to))
        let behind = isAscending ? reached - from : to - reached
        return min(1, max(0, behind / (to - from)))
    }

    /// Ensures that the first of the pages is being fetched, and as many as possible of the others and of later
    /// windows.
    private mutating func askAhead(_ requests: [PageRequest], in group: inout PagesInFlight.Group) {
        var wanted = requests
        if plan.limit == nil, plan.readsAhead, let windows, let window = requests.first?.window {
            let size = cut == nil ? pageSize : plan.pageSize
            var next = window + 1
            while wanted.count < PagesInFlight.most, let bounds = windows.window(at: next) {
                wanted.append(
                    self.request(RecordQuery.Page(offset: 0, limit: size), of: next, only: cut.map { _ in bounds }))
                next += 1
            }
        }
        inFlight.keep { wanted.contains($0) }
        for (place, next) in wanted.enumerated() where !inFlight.holds(next) {
            // The page that is needed now is requested regardless of what is in flight.
            guard place == 0 || inFlight.room > 0 else { break }
            inFlight.start(next, in: &group) { [source, windows] in
                try await source.fetch(next.url, windowField: windows?.field)
            }
        }
    }

    /// - Parameter part: the time range to request of a window that is read in time order; nil for all of it.
    private func request(
        _ page: RecordQuery.Page, of window: Int, only part: TimeWindow?, look: Int = 0
    ) -> PageRequest {
        let url =
            if let cut, let part {
                source.url(of: page, of: cut.query(of: part))
            } else {
                source.url(of: page, in: windows, at: window)
            }
        return PageRequest(window: window, page: page, url: url, look: look)
    }

    /// Finds the start of the list, if the query has none.
    private mutating func findBeginning() async throws {
        guard var known = windows, known.from == nil else { return }
        let earliest: Int64
        do {
            earliest = try await ListHistoryProbe(source.client, source.path).beginning(by: known.field).instant
        } catch let error as ImpossibleOldestRecord {
            throw error
        } catch  where !(error is CancellationError) {
            // Fall back to Clover's beginning: more requests, but equally complete.
            earliest = TimeWindows.beginning
        }
        known.begin(at: earliest)
        windows = known
    }
}
