import CloverAPI
import CloverHTTP
import CloverJSON

/// Reads records of the merchant: one, or a whole list of a few pages.
struct RecordReader: Sendable {
    let client: PaymentClient
    var headers: [HTTPHeader] = []

    private static let maximumPages = 500

    /// Why something could not be read.
    enum Failure: Error {
        /// The status and body of any response but a success.
        case answered(Int, [UInt8])
        /// Nothing was sent.
        case unsent(any Error)
        /// No complete response arrived.
        case lost(String)
        /// The response proves nothing, or not all.
        case malformed(String)

        var reason: String {
            switch self {
            case .answered(let status, _): "the service answered \(status)"
            case .unsent(let error): PaymentLookup.reason(for: error)
            case .lost(let reason), .malformed(let reason): reason
            }
        }
    }

    /// The response to a path with its query, and when it was sent, by the service's clock, in milliseconds since 1970; nil if
    /// the service does not say.
    func response(_ path: String) async throws(Failure) -> (tree: JSONTree, date: Int64?) {
        switch await client.exchange(ServiceRequest(.get, client.hosts.api + path, additions: headers)) {
        case .answer(let status, let body, let arrival):
            guard (200...299).contains(status) else { throw .answered(status, body) }
            guard let tree = JSONTree(body) else { throw .malformed("the response cannot be understood") }
            return (tree, arrival.date)
        case .notCarriedOut(let error): throw .unsent(error)
        case .lost(let reason): throw .lost(reason)
        }
    }

    /// Reads a whole list. The largest page is not documented for all lists, and a page may be shorter than was asked for, so a
    /// list ends where the service says so, or where nothing follows. Each page begins with the last row of the one before,
    /// which shows that no row was skipped.
    ///
    /// - Parameters:
    ///   - path: with the query, but for its page.
    ///   - row: takes each row once, with its ID.
    /// - Returns: when the first page was sent, as `response`.
    /// - Throws: `Failure.malformed` if the list cannot be proved complete.
    @discardableResult
    func list(
        _ path: String, pageSize: Int, _ row: (_ id: String, _ row: JSONTree) -> Void
    ) async throws(Failure) -> Int64? {
        var start: Int64?
        var seen: Set<String> = []
        var offset = 0
        var overlap = 0
        var repeats = 0
        for page in 0..<Self.maximumPages {
            let query = (path.contains("?") ? "&" : "?") + "limit=\(pageSize)&offset=\(offset)"
            let (tree, date) = try await response(path + query)
            if page == 0 { start = date }
            guard let rows = tree["elements"]?.list ?? tree["data"]?.list ?? tree.list else {
                throw .malformed("the list cannot be understood")
            }
            var count = 0
            for (place, entry) in rows.enumerated() {
                guard let id = entry["id"]?.string, !id.isEmpty else {
                    throw .malformed("the list has an entry without an ID")
                }
                guard seen.insert(id).inserted else { continue }
                if place == 0, overlap > 0 { throw .malformed("the list changed while it was read") }
                count += 1
                row(id, entry)
            }
            let more = tree["has_more"]?.bool
            if more == false || more == nil && count == 0 && rows.count <= overlap { return start }
            repeats = count == 0 ? repeats + 1 : 0
            // A row that was made meanwhile moves the others, once.
            guard repeats < 2 else { throw .malformed("the list repeats a page, so that it may not be complete") }
            overlap = rows.count > 1 ? 1 : 0
            offset += rows.count - overlap
        }
        throw .malformed("the list is too long")
    }
}
