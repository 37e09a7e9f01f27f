import CloverHTTP
import FoundationEssentials

/// How far back a list can have records: none of a merchant's is older than the merchant, no payment of an order older
/// than the order.
package struct ListAge {
    private let client: ServiceClient
    private let path: ResourcePath

    /// For a day of doubt about clocks and time zones.
    private static let margin = HistoryLimit.millisecondsPerDay

    package init(_ client: ServiceClient, _ path: ResourcePath) {
        self.client = client
        self.path = path
    }

    /// Milliseconds since 1970; nil when the service does not say: the token may not read the owner itself.
    ///
    /// - Throws: when the service cannot be asked now. The windows of an export must not depend on that.
    package func earliest() async throws -> Int64? {
        guard path.segments.count > 2, path.segments.starts(with: ["v3", "merchants"]) else { return nil }
        let isOfOrder = path.segments.count == 6 && path.segments[3] == "orders"
        let owner = path.segments.prefix(isOfOrder ? 5 : 3).map { "/" + PercentEncoding.encode($0) }.joined()
        let url = client.url(path: owner, query: "")
        var attempt = ServiceClient.Attempt()
        do {
            let body = try await client.get(url, attempt: &attempt).body.prefix(1 << 20)
            return try JSONDecoder().decode(Owner.self, from: Data(body)).createdTime.map { $0 - Self.margin }
        } catch let error as ServiceError {
            switch error {
            case .unauthorized, .forbidden, .notFound, .refused: break
            default: throw error
            }
            // Then the windows go back to Clover's own beginning: more requests, no less certainty.
            return nil
        } catch is DecodingError {
            return nil
        } catch HTTPTransportError.cancelled {
            throw CancellationError()
        }
    }

    private struct Owner: Decodable {
        var createdTime: Int64?
    }
}
