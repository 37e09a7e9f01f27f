import CloverHTTP
package import CloverRecords

/// Reads the records of one endpoint: page after page, several in flight, delivered in order.
package struct RecordPager: Sendable {
    private let client: ServiceClient
    private let path: ResourcePath
    private let query: RecordQuery
    private let isChecked: Bool

    package init(client: ServiceClient, path: ResourcePath, query: RecordQuery, isChecked: Bool) {
        self.client = client
        self.path = path
        self.query = query
        self.isChecked = isChecked
    }

    /// What was read.
    package struct Summary: Sendable, Equatable {
        package var records = 0
        package var pages = 0
        /// As many records came as were asked for, so the service may have more.
        package var mayHaveMore = false
    }

    /// Gives every batch of records to `deliver` in the service's order, until the pages end or `deliver` says stop.
    ///
    /// - Parameter plan: nil for an endpoint that is not read in pages: its whole body is one record.
    package func run(
        plan: PagePlan?, deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> Summary {
        guard let plan else { return try await readSingle(deliver) }
        return try await withThrowingTaskGroup(of: FetchedPage.self) { group in
            defer { group.cancelAll() }
            var summary = Summary()
            var repeats = RepeatFilter()
            var fetched: [Int: FetchedPage] = [:]
            var started = 0
            var position = 0
            while let page = plan.page(at: position) {
                while started < position + plan.window(pagesRead: position), let next = plan.page(at: started) {
                    let (place, url) = (started, self.url(of: next))
                    group.addTask { try await fetch(url, position: place) }
                    started += 1
                }
                while fetched[position] == nil, let arrived = try await group.next() {
                    fetched[arrived.position] = arrived
                }
                guard let current = fetched.removeValue(forKey: position) else { throw CancellationError() }
                repeats.beginPage()
                let outcome = try await read(current, page: page, repeats: &repeats, deliver)
                summary.records += outcome.delivered
                summary.pages += 1
                position += 1
                if outcome.flow == .stop { return summary }
                if outcome.received < page.limit { return summary }
            }
            summary.mayHaveMore = true
            return summary
        }
    }

    private struct FetchedPage: Sendable {
        var position: Int
        var url: String
        var response: HTTPResponse
        var attempt: ServiceClient.Attempt
    }

    private struct PageOutcome {
        /// Records in the service's page, repeats included.
        var received = 0
        var delivered = 0
        var flow = RecordFlow.more
    }

    private func url(of page: RecordQuery.Page?) -> String {
        client.url(path: path.encoded, query: query.encoded(page: page))
    }

    private func fetch(_ url: String, position: Int) async throws -> FetchedPage {
        var attempt = ServiceClient.Attempt()
        let response = try await client.get(url, attempt: &attempt)
        try checkFilters(response, url: url)
        return FetchedPage(position: position, url: url, response: response, attempt: attempt)
    }

    /// The whole body is one record, or for a path outside the catalogue possibly one page.
    private func readSingle(_ deliver: (RecordBatch) async throws -> RecordFlow) async throws -> Summary {
        var repeats = RepeatFilter()
        let page = try await fetch(url(of: nil), position: 0)
        let outcome = try await read(page, page: nil, repeats: &repeats, deliver)
        return Summary(records: outcome.delivered, pages: 1)
    }

    /// Reads one page to its end, asking for it again when it is cut off. What was delivered of it before is not
    /// delivered twice, because the repeat filter knows its ids.
    private func read(
        _ fetched: FetchedPage, page: RecordQuery.Page?, repeats: inout RepeatFilter,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> PageOutcome {
        var fetched = fetched
        var outcome = PageOutcome()
        while true {
            var scanner = PageScanner(expecting: shape(isPaged: page != nil))
            do {
                while outcome.flow == .more, let chunk = try await fetched.response.body.next() {
                    var batch = RecordBatch()
                    try scanner.scan(chunk, into: &batch)
                    try await pass(&batch, page: page, repeats: &repeats, &outcome, deliver)
                }
                if outcome.flow == .more {
                    var batch = RecordBatch()
                    try scanner.finish(into: &batch)
                    try await pass(&batch, page: page, repeats: &repeats, &outcome, deliver)
                }
                outcome.received = scanner.recordCount
                fetched.response.body.cancel()
                return outcome
            } catch let error as PageError {
                fetched.response.body.cancel()
                try await client.recover(from: error, url: fetched.url, attempt: &fetched.attempt)
            } catch let error as HTTPTransportError {
                try await client.recover(from: error, url: fetched.url, attempt: &fetched.attempt)
            }
            fetched.response = try await client.get(fetched.url, attempt: &fetched.attempt)
            repeats.beginPageAgain()
        }
    }

    private func pass(
        _ batch: inout RecordBatch, page: RecordQuery.Page?, repeats: inout RepeatFilter,
        _ outcome: inout PageOutcome, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws {
        guard !batch.records.isEmpty else { return }
        if let page {
            repeats.drop(from: &batch)
            batch.keep(first: page.limit - outcome.delivered)
            guard !batch.records.isEmpty else { return }
        }
        outcome.delivered += batch.records.count
        outcome.flow = try await deliver(batch)
    }

    private func shape(isPaged: Bool) -> PageScanner.Shape {
        if isPaged { return .list }
        return path.endpoint == nil ? .either : .object
    }

    /// The service names the fields it filters by in a header (Clover: applying filters); a field that is not among
    /// them was ignored, and every record would be wrong.
    private func checkFilters(_ response: HTTPResponse, url: String) throws {
        guard isChecked, let header = response.headers.first(named: "X-Clover-Allowed-Filter-Fields") else { return }
        let allowed = header.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        let ignored = query.filters.map(\.field).filter { !allowed.contains($0) }
        guard ignored.isEmpty else {
            response.body.cancel()
            throw ServiceError.filterIgnored(fields: ignored, url: Redaction.url(url), allowed: allowed)
        }
    }
}
