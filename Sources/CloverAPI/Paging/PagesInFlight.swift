import CloverHTTP

/// A request for one page of a list's window.
struct PageRequest: Hashable, Sendable {
    var window: Int
    var page: RecordQuery.Page
    var url: String
    /// Distinguishes repeated requests for the same page.
    var look = 0
}

/// A page whose body has not been read yet.
struct FetchedPage: Sendable {
    var url: String
    var response: HTTPResponse
    var attempt: ServiceClient.Attempt
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

    /// How many more pages may be requested.
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

    /// Waits for a page that was started.
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

    /// Discards the pages that are not wanted.
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
