import CloverHTTP
package import CloverRecords

/// Reads all records of one endpoint: fetches pages in parallel and delivers records in order.
package struct RecordPager: Sendable {
    let client: ServiceClient
    let path: ResourcePath
    let query: RecordQuery
    let isChecked: Bool
    let now: Int64
    private let beginning: Int64?

    /// - Parameters:
    ///   - now: the end of the time range if the query sets none; milliseconds since 1970.
    ///   - beginning: the start of the windows if the query sets none; nil to find it.
    package init(
        client: ServiceClient, path: ResourcePath, query: RecordQuery, isChecked: Bool, now: Int64,
        beginning: Int64? = nil
    ) {
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
        var windows = plan == nil ? nil : try TimeWindows(query, of: path, now: now)
        if let beginning { windows?.begin(at: beginning) }
        let completion =
            query.expand.isEmpty
            ? nil : NestedListCompletion(client: client, path: path, expand: query.expand, now: now)
        let source = PageSource(
            client: client, path: path, query: query, isChecked: isChecked, isEager: true)
        guard let plan else {
            var reader = PageReader(source: source, completion: completion)
            let page = try await source.fetch(source.url(of: nil, in: nil, at: 0))
            reader.beginWindow(nil)
            _ = try await reader.read(page, page: nil, expecting: .anything, deliver)
            return reader.summary
        }
        return try await withThrowingTaskGroup(of: PagesInFlight.Arrival.self) { group in
            defer { group.cancelAll() }
            var run = ListRun(source: source, completion: completion, plan: plan, windows: windows, now: now)
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

    /// The source of the whole query, with the user's own page.
    func rawSource(limit: Int?, offset: Int?) -> PageSource {
        var query = query
        if let limit { query.parameters.append(RecordQuery.Parameter(name: "limit", value: "\(limit)")) }
        if let offset { query.parameters.append(RecordQuery.Parameter(name: "offset", value: "\(offset)")) }
        return PageSource(client: client, path: path, query: query, isChecked: isChecked, isEager: false)
    }
}
