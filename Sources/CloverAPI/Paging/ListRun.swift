import CloverRecords

/// One run over a list: its windows one after the other, with the pages of the next ones under way.
struct ListRun {
    private let source: PageSource
    private let plan: PagePlan
    private var windows: TimeWindows?
    private var reader: PageReader
    private var inFlight = PagesInFlight()
    private var pageSize: Int
    /// The service counts the user's offset within a window; across windows we do.
    private var skipsHere: Bool
    /// The start of the run, in milliseconds since 1970.
    private let now: Int64

    /// So many windows in a row that fail for good are not one bad page: the service is down.
    private static let patience = 3

    init(source: PageSource, completion: NestedListCompletion?, plan: PagePlan, windows: TimeWindows?, now: Int64) {
        self.source = source
        self.plan = plan
        self.windows = windows
        self.now = now
        pageSize = plan.pageSize
        reader = PageReader(source: source, completion: completion)
        skipsHere = windows.map { $0.count != 1 } ?? false
        if let key = source.query.sort.first, !key.isDescending, key.field == source.path.endpoint?.timeField {
            reader.timeField = key.field
        }
        if skipsHere { reader.toSkip = plan.offset }
        reader.placeField = Self.placeField(source.query, windows)
    }

    /// All that a merchant's trade has left behind, such as every order. A small shop has all of it on one page, so that
    /// nothing is asked ahead of the first one: four requests for nothing are a quarter of what a token has in a second.
    private var isLong: Bool {
        plan.limit == nil && windows == nil && source.query.filters.isEmpty
            && source.path.segments.count == Self.segmentsOfOwnList && source.path.endpoint?.timeField != nil
    }

    /// `v3/merchants/{mId}/orders`: lists inside of a record are short.
    private static let segmentsOfOwnList = 4

    /// Pages that one may ask for at once because the list had as many before. Not for windows: they are under way side by
    /// side anyway, and nobody knows in which of them the records are.
    private var expectedPages: Int { windows == nil || windows?.count == 1 ? plan.expectedPages : 1 }

    /// Records still to be read; nil for all.
    private var wanted: Int? { plan.limit.map { $0 - reader.summary.records + reader.toSkip } }

    /// - Parameters:
    ///   - brokenOff: gets what was read until the run fails, before that is thrown.
    ///   - onPage: gets how far the list is, after each page.
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
        // With everything asked for, the windows' first pages are under way side by side from the start.
        if plan.limit == nil || windows?.isAscending == true { try await findBeginning() }
        while isThere(index) {
            reader.beginWindow(windows?.window(at: index))
            do {
                try await readWindow(index, in: &group, onPage, deliver)
                failures = 0
            } catch let error as ServiceError where error.concernsOneRequest && windows != nil && windows?.count != 1 {
                failures += 1
                if firstError == nil { firstError = error }
                reader.failWindow(error.brief)
                inFlight.keep { $0.window != index }
            }
            if reader.hasStopped || wanted == 0 { break }
            if failures == Self.patience {
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

    private func isThere(_ index: Int) -> Bool {
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
        var walk = ListWalk(
            offset: skipsHere ? 0 : plan.offset, wanted: wanted, pageSize: pageSize, isLong: isLong,
            expectedPages: expectedPages)
        while let page = walk.page {
            let request = request(page, of: index)
            askAhead(request, walk, in: &group)
            let fetched = try await inFlight.take(request, from: &group)
            reader.left = wanted
            let outcome = try await reader.read(fetched, page: page, expecting: walk.expectation, deliver)
            if reader.hasStopped { return }
            walk.wanted = wanted
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
            case .endWasNot(let isFirst):
                if !walk.endWasNot(isFirst: isFirst) { reader.noteGap() }
            }
            pageSize = walk.pageSize
            onPage(
                ListProgress(
                    records: reader.summary.records, pages: reader.summary.pages, windows: index,
                    windowCount: windows?.count, share: share(index)))
        }
    }

    /// How much of the list was read. Windows count alike: what is in those to come nobody knows.
    private func share(_ index: Int) -> Double? {
        guard plan.limit == nil else { return nil }
        guard let windows else {
            if let key = source.query.sort.first {
                let bounds = TimeBounds(of: key.field, in: source.query.filters)
                if let from = bounds.from, let to = bounds.to {
                    return part(of: TimeWindow(from: from, to: to), isAscending: !key.isDescending)
                }
            }
            // Behind its former end a list is as long as nobody knows.
            guard let former = plan.formerPages, reader.summary.pages <= former + 1 else { return nil }
            return min(1, Double(reader.summary.pages) / Double(former))
        }
        guard let count = windows.count, let window = windows.window(at: index) else { return nil }
        return (Double(index) + part(of: window, isAscending: windows.isAscending)) / Double(count)
    }

    /// The member of a record by which the list goes through its windows, or from one bound of a filter to the other.
    private static func placeField(_ query: RecordQuery, _ windows: TimeWindows?) -> String? {
        guard let windows else { return query.sort.first?.field }
        return query.sort.first.map { $0.field == windows.field } ?? true ? windows.field : nil
    }

    /// How much of the window's time lies behind the last record; 0 while that cannot be told.
    private func part(of window: TimeWindow, isAscending: Bool) -> Double {
        guard let place = reader.place, window.to > window.from else { return 0 }
        let behind = isAscending ? place - window.from : window.to - place
        return min(1, max(0, Double(behind) / Double(window.to - window.from)))
    }

    /// Sees to it that the page, and as many as may be of those that come after it, are under way.
    private mutating func askAhead(_ request: PageRequest, _ walk: ListWalk, in group: inout PagesInFlight.Group) {
        var wanted = [request] + walk.ahead(PagesInFlight.most - 1).map { self.request($0, of: request.window) }
        if plan.limit == nil, let windows {
            var next = request.window + 1
            while wanted.count < PagesInFlight.most, windows.window(at: next) != nil {
                wanted.append(self.request(RecordQuery.Page(offset: 0, limit: pageSize), of: next))
                next += 1
            }
        }
        inFlight.keep { wanted.contains($0) }
        for (place, next) in wanted.enumerated() where !inFlight.holds(next) {
            // The page that is needed now is asked for whatever else is still under way.
            guard place == 0 || inFlight.room > 0 else { break }
            inFlight.start(next, in: &group) { [source, windows] in
                try await source.fetch(next.url, windowField: windows?.field)
            }
        }
    }

    private func request(_ page: RecordQuery.Page, of window: Int) -> PageRequest {
        PageRequest(window: window, page: page, url: source.url(of: page, in: windows, at: window))
    }

    /// How far back there can be records at all: nothing of a merchant is older than the merchant.
    private mutating func findBeginning() async throws {
        guard var known = windows, known.from == nil else { return }
        let earliest: Int64?
        do {
            earliest = try await ListAge(source.client, source.path).earliest()
        } catch  where !(error is CancellationError) {
            // More requests, no less certainty.
            earliest = nil
        }
        known.begin(at: earliest ?? TimeWindows.beginning)
        windows = known
    }
}
