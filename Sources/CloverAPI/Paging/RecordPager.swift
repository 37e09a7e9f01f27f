import CloverHTTP
package import CloverRecords

/// Reads the records of one endpoint: page after page, several in flight, delivered in order, and all of them.
package struct RecordPager: Sendable {
    let client: ServiceClient
    let path: ResourcePath
    let query: RecordQuery
    let isChecked: Bool
    let now: Int64
    private let beginning: Int64?

    /// - Parameters:
    ///   - now: the end of the time that is read, where the query sets none; milliseconds since 1970.
    ///   - beginning: where windows begin, where the query does not say it; nil for the merchant's own beginning.
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

    /// Gives every batch of records to `deliver` in the service's order, until the pages end or `deliver` says stop.
    ///
    /// A list with a 90-day rule is read window by window when `plan` wants its end proved. A window that fails for good
    /// does not end the run when there are others; the summary names it. It throws what the first one threw when none
    /// could be read at all.
    ///
    /// - Parameters:
    ///   - plan: nil for an endpoint that is not read in pages: its whole body is one record.
    ///   - brokenOff: gets what was read of a list until the run failed or was cancelled, before it throws.
    ///   - onPage: gets how far the list is, after each page.
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

    /// What tells this list from others at the service: path and query. It may hold what the user looks for.
    package var listName: String { path.encoded + "?" + query.encoded(page: nil) }

    /// The service's one answer to the query as it is, envelope and all, as one record.
    ///
    /// - Parameter page: what of it was asked for by the user.
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

    /// The query in one piece, with the user's own page.
    func rawSource(limit: Int?, offset: Int?) -> PageSource {
        var query = query
        if let limit { query.parameters.append(RecordQuery.Parameter(name: "limit", value: "\(limit)")) }
        if let offset { query.parameters.append(RecordQuery.Parameter(name: "offset", value: "\(offset)")) }
        return PageSource(client: client, path: path, query: query, isChecked: isChecked, isEager: false)
    }
}
