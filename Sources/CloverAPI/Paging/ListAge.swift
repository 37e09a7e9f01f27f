import CloverHTTP
import FoundationEssentials

/// How far back a list can have records: none of a merchant's is older than the merchant, no payment of an order older
/// than the order. What was imported into a merchant may be: see `ListBeginning`.
package struct ListAge {
    let client: ServiceClient
    let path: ResourcePath

    /// For a day of doubt about clocks and time zones.
    static let margin = HistoryLimit.millisecondsPerDay

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
        // Without an answer the windows go back to Clover's own beginning: more requests, no less certainty.
        return try await answer(to: client.url(path: owner, query: "")) { body in
            let created = try JSONDecoder().decode(Owner.self, from: body).createdTime
            // Who was made in the future tells nothing: the list would seem to begin behind its end.
            let latest = Int64(Date.now.timeIntervalSince1970 * 1000) + Self.margin
            return created.flatMap { $0 > latest ? nil : max(0, $0) - Self.margin }
        }
    }

    /// What is read out of the service's answer; nil when it does not say: the token may not read that.
    ///
    /// - Throws: when the service cannot be asked now.
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
