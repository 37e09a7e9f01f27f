import CloverHTTP
package import CloverJSON

/// Reads all records of one endpoint: fetches pages in parallel and delivers records in order.
package struct RecordPager: Sendable {
    let client: ServiceClient
    let path: ResourcePath
    let query: RecordQuery
    let isChecked: Bool
    let now: Int64
    private let beginning: Int64?
    /// Whether refusals are reported; false for a list that may be refused as a normal result.
    package var reportsRefusals = true
    /// Whether the run ends with the first window that cannot be read, with its error; before the first record with a nested
    /// list that cannot be completed, with `TruncatedListError`; before a record that contradicts a filter of the query, with
    /// `FilterContradiction`; and before records that are not in the order of the query, with `SortContradiction`. Otherwise the
    /// summary names them.
    package var requiresAll = false
    private let toleratesIgnoredFilters: Bool

    /// - Parameters:
    ///   - now: the end of the time range if the query sets none; milliseconds since 1970.
    ///   - beginning: the start of the windows if the query sets none; nil to find it.
    ///   - toleratesIgnoredFilters: whether records are delivered although Clover does not name a field of the query among
    ///     those that it filters by. The summary names the field, a record that contradicts a filter, which is not delivered,
    ///     and records that are not in the order of the query, which are.
    package init(
        client: ServiceClient, path: ResourcePath, query: RecordQuery, isChecked: Bool, now: Int64,
        beginning: Int64? = nil, toleratesIgnoredFilters: Bool = false
    ) {
        self.toleratesIgnoredFilters = toleratesIgnoredFilters
        self.beginning = beginning
        self.client = client
        self.path = path
        self.query = query
        self.isChecked = isChecked
        self.now = now
    }

    /// Passes all records to `deliver` in batches, in the service's order, until the list ends or `deliver` returns
    /// `.stop`.
    ///
    /// A list with a 90-day rule is read window by window. A window that fails permanently does not end the run if
    /// there are others; the summary names it. If none could be read, the error of the first is thrown.
    ///
    /// - Parameters:
    ///   - plan: nil for an endpoint without pages, whose whole body is one record.
    ///   - brokenOff: receives the summary so far if the run fails or is cancelled, before the error is thrown.
    ///   - onPage: receives the progress after each page.
    package func run(
        plan: PagePlan?, brokenOff: (Summary) -> Void = { _ in }, onPage: (ListProgress) -> Void = { _ in },
        deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> Summary {
        try client.checkService(of: path)
        var windows = plan == nil ? nil : try TimeWindows(query, of: path, now: now)
        if let beginning { windows?.begin(at: beginning) }
        var completion =
            query.expand.isEmpty
            ? nil : NestedListCompletion(client: client, path: path, expand: query.expand, now: now)
        completion?.requiresAll = requiresAll
        var source = PageRequester(
            client: client, path: path, query: query, isChecked: isChecked, isEager: true,
            reportsRefusals: reportsRefusals, toleratesIgnoredFilters: toleratesIgnoredFilters)
        source.requiresAll = requiresAll
        guard let plan else {
            var reader = PageReader(source: source, completion: completion, now: now)
            let page = try await source.fetch(source.url(of: nil, in: nil, at: 0))
            reader.beginWindow(nil)
            _ = try await reader.read(page, page: nil, expecting: .anything, deliver)
            return reader.summary
        }
        if path.isPagedByCursor {
            var run = CursorFetchLoop(source: source, plan: plan, now: now)
            return try await run.read(brokenOff: brokenOff, onPage: onPage, deliver)
        }
        return try await withThrowingTaskGroup(of: PagesInFlight.Arrival.self) { group in
            defer { group.cancelAll() }
            var run = PageFetchLoop(source: source, completion: completion, plan: plan, windows: windows, now: now)
            return try await run.read(in: &group, brokenOff: brokenOff, onPage: onPage, deliver)
        }
    }

    /// Identifies this list among others: path and query. It may contain search terms of the user.
    package var listName: String { path.encoded + "?" + query.encoded(page: nil) }

    /// The unmodified response to the query, including its envelope, as one record.
    ///
    /// - Parameters:
    ///   - limit: the user's own page size, if any.
    ///   - offset: the user's own offset, if any.
    package func answer(limit: Int?, offset: Int?) async throws -> RecordBatch {
        try client.checkService(of: path)
        let source = rawSource(limit: limit, offset: offset)
        var fetched = try await source.fetch(source.url(of: nil, in: nil, at: 0))
        while true {
            var batch = RecordBatch()
            var scanner = PageScanner(expecting: .object)
            do {
                while let chunk = try await fetched.response.body.next() { try scanner.scan(chunk, into: &batch) }
                try scanner.finish(into: &batch)
                return batch
            } catch let error as PageError {
                fetched.response.body.cancel()
                try await client.recover(from: error, url: fetched.url, attempt: &fetched.attempt)
            } catch let error as HTTPTransportError {
                try await client.recover(from: error, url: fetched.url, attempt: &fetched.attempt)
            }
            fetched.response = try await source.get(fetched.url, attempt: &fetched.attempt)
        }
    }

    /// The response like that of `answer(limit:offset:)`, with the lists in its records completed that Clover truncated.
    ///
    /// - Parameter expand: the expansions of the query.
    /// - Throws: `TruncatedListError` for a list that cannot be completed.
    package func wholeAnswer(expand: [String]) async throws -> RecordBatch {
        var batch = try await answer(limit: nil, offset: nil)
        var completion = NestedListCompletion(client: client, path: path, expand: expand, now: now)
        completion.requiresAll = true
        completion.isOfPages = true
        if let failure = try await completion.complete(&batch).failure { throw failure.error }
        return batch
    }

    /// The source of the whole query, with the user's own page.
    func rawSource(limit: Int?, offset: Int?) -> PageRequester {
        var query = query
        if let limit { query.parameters.append(RecordQuery.Parameter(name: "limit", value: "\(limit)")) }
        if let offset { query.parameters.append(RecordQuery.Parameter(name: "offset", value: "\(offset)")) }
        return PageRequester(
            client: client, path: path, query: query, isChecked: isChecked, isEager: false,
            toleratesIgnoredFilters: toleratesIgnoredFilters)
    }
}

extension RecordPager {
    package struct Summary: Sendable, Equatable {
        package var records = 0
        /// The number of different records that the service returned. It differs from `records` if the tool filters.
        package var recordsRead = 0
        /// The number of records that lack a time that the tool filters by; they are not delivered.
        package var recordsWithoutTime = 0
        /// The time field whose order proved that no later record matches, so that the list was not read to its end.
        package var endedEarlyBy: String?
        package var pages = 0
        /// The most records on a page; 0 if not tracked.
        package var largestPage = 0
        /// Fields of the query's filters that Clover does not name among those that it filters by.
        package var ignoredFilters: Set<String> = []
        /// That a record contradicts a filter of the query; nil if none does, or they are not compared.
        package var contradiction: FilterContradiction?
        /// That records are not in the order of the query; nil if none show it, or they are not compared.
        package var sortContradiction: SortContradiction?
        /// As many records arrived as requested, so there may be more.
        package var mayHaveMore = false
        /// The windows in the order in which they were read; a single one without bounds for an undivided list.
        package var windows: [Window] = []
        package var windowCount: Int?
        /// The number of nested lists that may be truncated and could not be completed. Their records are delivered
        /// unchanged.
        package var truncatedCount = 0
        /// The first of these.
        package private(set) var truncatedRecords: [TruncatedRecord] = []
        /// The number of truncated nested lists that were completed.
        package var completedLists = 0
        /// Ids of records near which others may be missing, because rows changed faster than pages could be read.
        package var gapsNear: [String] = []
        /// Lists, or windows of a list, some of whose rows were no other records: some may not have come in any reading.
        package var shortages: [Shortage] = []
        /// Ids of records that came again with other contents. Only the first is delivered.
        package var twins: [String] = []

        package init() {}

        /// More are counted but not kept, so that memory does not grow with the number of records.
        private static let cutRecordsKept = 1000

        mutating func add(_ cut: [TruncatedRecord]) {
            truncatedCount += cut.count
            truncatedRecords += cut.prefix(Self.cutRecordsKept - truncatedRecords.count)
        }

        /// Takes back that the nested lists of these records may be truncated, because they are not needed.
        package mutating func forgiveTruncation(where isNeedless: (TruncatedRecord) -> Bool) {
            let count = truncatedRecords.count
            truncatedRecords.removeAll(where: isNeedless)
            truncatedCount -= count - truncatedRecords.count
        }

        /// Whether every window was read completely and every record is complete.
        package var isWhole: Bool {
            truncatedCount == 0 && gapsNear.isEmpty && shortages.isEmpty && twins.isEmpty
                && windows.allSatisfy { $0.failure == nil }
        }
    }

    /// A list with more rows than different records.
    package struct Shortage: Sendable, Equatable {
        package var rows: Int
        package var records: Int
        package var readings: Int
        /// Whether the same rows came twice in the same places of each reading, or on one page: the service repeats them, and its
        /// order does not change.
        package var isFixed = false

        package init(rows: Int, records: Int, readings: Int, isFixed: Bool = false) {
            self.rows = rows
            self.records = records
            self.readings = readings
            self.isFixed = isFixed
        }
    }

    package struct Window: Sendable, Equatable {
        /// Nil for an undivided list.
        package var bounds: TimeWindow?
        package var records = 0
        package var firstID: String?
        package var lastID: String?
        /// Why the window was not read, or not completely, as text such as `503 after 5 retries`.
        package var failure: String?
    }

    /// A record whose nested list may lack entries.
    package struct TruncatedRecord: Sendable, Equatable {
        /// Nil if the record has no id.
        package var id: String?
        /// The list, as an expansion name: `lineItems`.
        package var list: String
        package var reason: Reason

        package init(id: String?, list: String, reason: Reason) {
            self.id = id
            self.list = list
            self.reason = reason
        }

        package enum Reason: Sendable, Equatable {
            /// The list cannot be read separately.
            case noEndpoint
            /// Reading it failed; the reason as text.
            case failed(String)
            /// Read separately, it is shorter than inside the record.
            case shorter
            /// It exceeds the size limit of a record.
            case tooLarge
        }
    }
}

package struct ListProgress: Sendable, Equatable {
    package var records = 0
    package var pages = 0
    package var windows = 0
    /// The total number of windows; nil if unknown or the list is not split.
    package var windowCount: Int?
    /// The share of the list that was read, from 0 to 1: of its time range, or of the number of pages that it had last
    /// time. Nil if unknown.
    package var share: Double?

    package init() {}
}
