import CloverAPI
import CloverHTTP
import CloverRecords
import FoundationEssentials

/// What a merchant's own settings say about amounts and times.
struct MerchantFacts: Sendable, Decodable {
    /// A name of the zone database, such as `America/Chicago`.
    var timezone: String?
    /// An ISO 4217 code.
    var defaultCurrency: String?
    /// Why nothing is known, where the service said so; the run goes on without.
    var trouble: String?

    init() {}

    /// Each setting by itself: one of another type than it should be takes no other along.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        timezone = Self.text(.timezone, fields)
        defaultCurrency = Self.text(.defaultCurrency, fields)
    }

    private enum CodingKeys: String, CodingKey {
        case timezone
        case defaultCurrency
    }

    /// An empty name is none.
    private static func text(_ key: CodingKeys, _ fields: KeyedDecodingContainer<CodingKeys>) -> String? {
        do {
            let text = try fields.decodeIfPresent(String.self, forKey: key)
            return text?.isEmpty == true ? nil : text
        } catch {
            return nil
        }
    }

    /// The merchant's clocks, by which days begin and times without an offset are meant.
    ///
    /// - Parameter option: names another zone.
    /// - Throws: `CoreError.timeZoneMissing`, `.noSuchTimeZone`.
    func clocks(of merchantID: String, option: String) throws(CoreError) -> TimeZoneRules {
        guard let timezone else { throw .timeZoneMissing(merchant: merchantID, cause: trouble, option: option) }
        do throws(RecordFormatError) {
            return try TimeZoneRules(named: timezone)
        } catch {
            throw .noSuchTimeZone(timezone, merchant: merchantID, option: option)
        }
    }

    /// The clocks by which the dates are meant that a command was given: those of the zone that `--zone` names, else the
    /// merchant's, which the service is asked for.
    ///
    /// - Parameter client: called where the service has to be asked.
    /// - Returns: the clocks, and what the service answered.
    static func clocks(
        _ zone: FormatChoice.Zone?, of merchantID: String, _ client: () async throws -> ServiceClient
    ) async throws -> (TimeZoneRules, MerchantFacts?) {
        switch zone {
        case .utc: return (.utc, nil)
        case .named(let name): return (try TimeZoneRules(named: name), nil)
        case .merchant, nil:
            let facts = try await read(client(), merchantID: merchantID, isNeeded: true)
            return (try facts.clocks(of: merchantID, option: "--zone"), facts)
        }
    }

    private static func unknown(_ trouble: String) -> MerchantFacts {
        var facts = MerchantFacts()
        facts.trouble = trouble
        return facts
    }

    private static let sizeLimit = 1 << 20

    /// Asks the service; without the permission nothing is known.
    ///
    /// - Parameter isNeeded: whether an answer that is not understood is asked for again, and an error in the end. Otherwise
    ///   nothing is known then, too.
    static func read(
        _ client: ServiceClient, merchantID: String, isNeeded: Bool = false
    ) async throws -> MerchantFacts {
        var attempt = ServiceClient.Attempt()
        attempt.tellsRefusals = false
        let url = client.url(path: "/v3/merchants/\(merchantID)/properties", query: "")
        do {
            let body =
                isNeeded
                ? try await client.object(of: url, limit: sizeLimit, attempt: &attempt)
                : try await client.body(of: url, limit: sizeLimit, attempt: &attempt)
            return try JSONDecoder().decode(MerchantFacts.self, from: Data(body))
        } catch is DecodingError {
            return unknown("the answer is no JSON object")
        } catch ServiceError.unauthorized {
            return unknown("the service refused them with 401")
        } catch ServiceError.forbidden {
            return unknown("the service refused them with 403")
        } catch ServiceError.notFound {
            return unknown("the service answered with 404")
        }
    }
}
