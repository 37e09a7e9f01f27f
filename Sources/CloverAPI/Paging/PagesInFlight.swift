import CloverHTTP

/// A page of one window of a list.
struct PageRequest: Hashable, Sendable {
    var window: Int
    var page: RecordQuery.Page
    var url: String
    /// Tells looks at one and the same page apart.
    var look = 0
}

/// A page whose body is still to be read.
struct FetchedPage: Sendable {
    var url: String
    var response: HTTPResponse
    var attempt: ServiceClient.Attempt
}

/// The pages that have been asked for and not been read yet. What is no longer wanted is given up when it arrives.
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
    /// Asked for, not arrived, and no longer wanted.
    private var abandoned: Set<PageRequest> = []

    /// Pages that may be asked for besides.
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

    /// Waits for a page that has been started.
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

    /// Gives up the pages that are not among the wanted ones.
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
