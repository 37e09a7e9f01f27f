import CloverHTTP
import FoundationEssentials

/// Finds how far back a list can have records: normally none is older than the merchant, and no payment of an order is
/// older than the order. Imported records may be older; see `ListBeginning`.
package struct ListAge {
    let client: ServiceClient
    let path: ResourcePath

    /// One day, for differences in clocks and time zones.
    static let margin = HistoryLimit.millisecondsPerDay

    package init(_ client: ServiceClient, _ path: ResourcePath) {
        self.client = client
        self.path = path
    }

    /// The earliest possible time, in milliseconds since 1970; nil if the token may not read the owner.
    ///
    /// - Throws: if the service cannot be reached. Otherwise a temporary failure would change an export's windows.
    package func earliest() async throws -> Int64? {
        guard path.segments.count > 2, path.segments.starts(with: ["v3", "merchants"]) else { return nil }
        let isOfOrder = path.segments.count == 6 && path.segments[3] == "orders"
        let owner = path.segments.prefix(isOfOrder ? 5 : 3).map { "/" + PercentEncoding.encode($0) }.joined()
        // If unknown, windows go back to Clover's beginning: more requests, but equally complete.
        return try await answer(to: client.url(path: owner, query: "")) { body in
            let created = try JSONDecoder().decode(Owner.self, from: body).createdTime
            // Ignore a creation time in the future, which would put the list's start after its end.
            let latest = Int64(Date.now.timeIntervalSince1970 * 1000) + Self.margin
            return created.flatMap { $0 > latest ? nil : max(0, $0) - Self.margin }
        }
    }

    /// Fetches an object and returns what `read` finds in it; nil if the service refuses or the value is missing.
    ///
    /// - Throws: if the service cannot be reached.
    func answer(to url: String, _ read: (Data) throws -> Int64?) async throws -> Int64? {
        var attempt = ServiceClient.Attempt()
        do {
            return try read(Data(try await client.object(of: url, limit: 1 << 20, attempt: &attempt)))
        } catch let error as ServiceError {
            switch error {
            case .unauthorized, .forbidden, .notFound, .refused: break
            default: throw error
            }
            return nil
        } catch is DecodingError {
            return nil
        }
    }

    private struct Owner: Decodable {
        var createdTime: Int64?
    }
}
