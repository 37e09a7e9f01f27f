import CloverAPI
import CloverHTTP
import FoundationEssentials

/// What a merchant's own settings say about amounts and times.
struct MerchantFacts: Sendable, Decodable {
    /// A name of the zone database, such as `America/Chicago`.
    var timezone: String?
    /// An ISO 4217 code.
    var defaultCurrency: String?

    private static let sizeLimit = 1 << 20

    /// Asks the service; without the permission, or when the answer is not understood, nothing is known.
    static func read(_ client: ServiceClient, merchantID: String) async throws -> MerchantFacts {
        var attempt = ServiceClient.Attempt()
        attempt.tellsRefusals = false
        let url = client.url(path: "/v3/merchants/\(merchantID)/properties", query: "")
        do {
            let body = try await client.get(url, attempt: &attempt).body.prefix(sizeLimit)
            var facts = try JSONDecoder().decode(MerchantFacts.self, from: Data(body))
            // An empty name is none.
            if facts.timezone?.isEmpty == true { facts.timezone = nil }
            if facts.defaultCurrency?.isEmpty == true { facts.defaultCurrency = nil }
            return facts
        } catch is DecodingError {
            return MerchantFacts()
        } catch ServiceError.unauthorized, ServiceError.forbidden, ServiceError.notFound {
            return MerchantFacts()
        }
    }
}
