import CloverHTTP
import CloverJSON

/// Builds the URLs of one list's pages and requests them.
struct PageRequester: Sendable {
    let client: ServiceClient
    let path: ResourcePath
    let query: RecordQuery
    let isChecked: Bool
    /// True if bodies are received before they are read. Otherwise a slow consumer would occupy request slots that
    /// others need, including the requests that complete a record of the same page.
    let isEager: Bool
    /// Whether refusals are reported; false for a list that may be refused as a normal result.
    var reportsRefusals = true
    /// Whether a page is delivered although Clover does not name a field of the query among those that it filters by. The
    /// summary names the field.
    var toleratesIgnoredFilters = false
    /// See `RecordPager.requiresAll`.
    var requiresAll = false

    /// The URL of a page; nil for the whole list.
    func url(of page: RecordQuery.Page?, in windows: TimeWindows?, at window: Int) -> String {
        let narrowed = windows.flatMap { windows in windows.window(at: window).map { windows.query(of: $0) } }
        return url(of: page, of: narrowed ?? query)
    }

    func url(of page: RecordQuery.Page?, of query: RecordQuery) -> String {
        if path.isPagedByCursor { return url(limit: page?.limit, after: nil) }
        return client.url(of: path, query: query.encoded(page: page))
    }

    /// The URL of a page of an ecommerce list.
    ///
    /// - Parameter cursor: the id of the record that the page comes after; nil for the first page.
    func url(limit: Int?, after cursor: String?) -> String {
        client.url(of: path, query: query.encoded(limit: limit, after: cursor))
    }

    /// - Parameter windowField: the time field that narrows the URL to a window, besides the query's own filters.
    func fetch(_ url: String, windowField: String? = nil) async throws -> FetchedPage {
        var attempt = ServiceClient.Attempt()
        attempt.reportsRefusals = reportsRefusals
        let response = try await get(url, attempt: &attempt)
        let ignored = try ignoredFilters(response, url: url, windowField)
        return FetchedPage(url: url, response: response, attempt: attempt, ignoredFilters: ignored)
    }

    func get(_ url: String, attempt: inout ServiceClient.Attempt) async throws -> HTTPResponse {
        let response = try await client.get(url, additions: path.headers, attempt: &attempt)
        if isEager { response.body.readAhead() }
        return response
    }

    func shape(isPaged: Bool) -> PageScanner.Shape {
        if isPaged { return path.isPagedByCursor ? .cursorList : .list }
        guard let endpoint = path.endpoint else { return .either }
        // Without a model the response is not documented, and may be anything.
        return endpoint.shape == .object && endpoint.model != nil ? .oneObject : .object
    }

    /// Why a body is not the record that the path names by its ID: it is a list, another record, or none. Nil if it may be it.
    func fault(of body: Record, in batch: RecordBatch) -> PageError? {
        guard shape(isPaged: false) == .oneObject, path.endpoint?.path.hasSuffix("}") == true else { return nil }
        if let id = batch.id(of: body) { return isChecked && !path.mayName(id) ? .otherRecord(id) : nil }
        guard let tree = JSONTree(Array(batch.bytes[body.range])) else { return nil }
        if tree["elements"]?.list != nil || tree["data"]?.list != nil { return .aList }
        return isChecked && path.recordsHaveID ? .noRecord : nil
    }

    /// The fields of the query's filters that are not in the header in which the service names those it filters by
    /// (Clover: applying filters). It may have ignored them, so that every record could be wrong.
    ///
    /// - Throws: `.filterIgnored` for them, unless they are tolerated.
    private func ignoredFilters(
        _ response: HTTPResponse, url: String, _ windowField: String?
    ) throws -> [String] {
        guard isChecked, let header = response.headers.first(named: "X-Clover-Allowed-Filter-Fields") else { return [] }
        let allowed = header.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        var fields: [String] = []
        for filter in query.filters where !fields.contains(filter.field) { fields.append(filter.field) }
        let asked = fields + [windowField].compactMap { $0 }.filter { !fields.contains($0) }
        let ignored = asked.filter { !allowed.contains($0) }
        guard ignored.isEmpty || toleratesIgnoredFilters else {
            response.body.cancel()
            throw ServiceError.filterIgnored(fields: ignored, url: Redaction.url(url), allowed: allowed)
        }
        return ignored
    }
}

/// A request for one page of a list's window.
struct PageRequest: Hashable, Sendable {
    var window: Int
    var page: RecordQuery.Page
    var url: String
    /// Distinguishes repeated requests for the same page.
    var look = 0
}

struct FetchedPage: Sendable {
    var url: String
    var response: HTTPResponse
    var attempt: ServiceClient.Attempt
    /// Filters of the query that Clover did not name with the page.
    var ignoredFilters: [String] = []
}

/// The pages that were requested and not read yet. A page that is no longer wanted is discarded when it arrives.
struct PagesInFlight {
    typealias Group = ThrowingTaskGroup<Arrival, any Error>

    struct Arrival: Sendable {
        var request: PageRequest
        var result: Result<FetchedPage, any Error>
    }

    /// Clover allows five requests of a token at once.
    static let most = 5

    private var awaited: Set<PageRequest> = []
    private var arrived: [PageRequest: Result<FetchedPage, any Error>] = [:]
    /// Requested, not yet arrived, and no longer wanted.
    private var abandoned: Set<PageRequest> = []

    var room: Int { Self.most - awaited.count - arrived.count - abandoned.count }

    func holds(_ request: PageRequest) -> Bool {
        awaited.contains(request) || arrived[request] != nil
    }

    mutating func start(
        _ request: PageRequest, in group: inout Group, _ fetch: @escaping @Sendable () async throws -> FetchedPage
    ) {
        awaited.insert(request)
        if abandoned.remove(request) != nil { return }
        group.addTask {
            do {
                return Arrival(request: request, result: .success(try await fetch()))
            } catch {
                return Arrival(request: request, result: .failure(error))
            }
        }
    }

    mutating func take(_ request: PageRequest, from group: inout Group) async throws -> FetchedPage {
        while arrived[request] == nil, let arrival = try await group.next() {
            if awaited.remove(arrival.request) != nil {
                arrived[arrival.request] = arrival.result
            } else {
                abandoned.remove(arrival.request)
                if case .success(let page) = arrival.result { page.response.body.cancel() }
            }
        }
        guard let result = arrived.removeValue(forKey: request) else { throw CancellationError() }
        return try result.get()
    }

    mutating func keep(_ isWanted: (PageRequest) -> Bool) {
        for (request, result) in arrived where !isWanted(request) {
            if case .success(let page) = result { page.response.body.cancel() }
            arrived[request] = nil
        }
        let unwanted = awaited.filter { !isWanted($0) }
        awaited.subtract(unwanted)
        abandoned.formUnion(unwanted)
    }
}
