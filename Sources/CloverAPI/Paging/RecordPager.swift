import CloverHTTP
package import CloverRecords
import Glibc

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
        /// Records with a nested list of exactly as many entries as a cut one has.
        package var suspicious = 0
        /// The ids of the first of them.
        package var suspiciousIDs: [String] = []

        /// Only the first few are named.
        fileprivate static let namesKept = 3

        fileprivate mutating func add(_ outcome: PageOutcome) {
            records += outcome.delivered
            pages += 1
            suspicious += outcome.suspicious
            suspiciousIDs += outcome.suspiciousIDs.prefix(Self.namesKept - suspiciousIDs.count)
        }
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
                summary.add(outcome)
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

    fileprivate struct PageOutcome {
        /// Records in the service's page, repeats included.
        var received = 0
        var delivered = 0
        var flow = RecordFlow.more
        var suspicious = 0
        var suspiciousIDs: [String] = []
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
        var summary = Summary()
        summary.add(outcome)
        return summary
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
        try checkLines(batch)
        if !query.expand.isEmpty { noteCutLists(batch, &outcome) }
        outcome.delivered += batch.records.count
        outcome.flow = try await deliver(batch)
    }

    /// The scanner takes line breaks out of records but not out of strings, where JSON has none (RFC 8259, section 7): one
    /// there would make two lines of one record.
    private func checkLines(_ batch: RecordBatch) throws {
        let lineBreaks = batch.bytes.withUnsafeBytes { bytes in
            var count = 0
            var rest = bytes[...]
            while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let found = memchr(base, 10, rest.count)
            {
                count += 1
                rest = rest.dropFirst(base.distance(to: UnsafeRawPointer(found)) + 1)
            }
            return count
        }
        guard lineBreaks == batch.records.count else {
            throw PageError.notJSON(at: 0, excerpt: "a string with a line break")
        }
    }

    private func noteCutLists(_ batch: RecordBatch, _ outcome: inout PageOutcome) {
        batch.bytes.withUnsafeBytes { bytes in
            for record in batch.records
            where NestedListScan.mayBeCut(UnsafeRawBufferPointer(rebasing: bytes[record.range])) {
                outcome.suspicious += 1
                if outcome.suspiciousIDs.count < Summary.namesKept, let id = batch.id(of: record) {
                    outcome.suspiciousIDs.append(id)
                }
            }
        }
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
