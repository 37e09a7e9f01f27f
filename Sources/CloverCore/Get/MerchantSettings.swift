package import CloverAPI
import CloverAuth
package import CloverCalendar
import CloverHTTP
package import CloverOutput
import FoundationEssentials

/// A merchant's own settings of time zone and currency.
package struct MerchantSettings: Sendable, Decodable {
    /// Name in the time zone database, such as `America/Chicago`.
    package var timezone: String?
    /// ISO 4217 code.
    package var defaultCurrency: String?
    /// Why the settings are unknown, where the service gave a reason; the run continues without them.
    var trouble: String?
    /// The service's refusal, if it does not let the token read them.
    package private(set) var refusal: ServiceError?
    /// When they were read from the service, if they are those that an earlier run kept; milliseconds since 1970.
    package var keptSince: Int64?

    package init() {}

    /// - Parameters:
    ///   - zone: name in the time zone database.
    ///   - currency: ISO 4217 code; empty if unknown.
    package init(zone: String, currency: String) {
        timezone = zone
        defaultCurrency = currency.isEmpty ? nil : currency
    }

    /// Decodes each setting separately, so that one of the wrong type does not lose the other.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        timezone = Self.text(.timezone, fields)
        defaultCurrency = Self.text(.defaultCurrency, fields)
    }

    private enum CodingKeys: String, CodingKey {
        case timezone
        case defaultCurrency
    }

    private static func text(_ key: CodingKeys, _ fields: KeyedDecodingContainer<CodingKeys>) -> String? {
        do {
            let text = try fields.decodeIfPresent(String.self, forKey: key)
            return text?.isEmpty == true ? nil : text
        } catch {
            return nil
        }
    }

    /// The merchant's time zone, for days and for times without an offset.
    ///
    /// - Parameter option: the option that sets another zone, for the error.
    /// - Throws: `CoreError.timeZoneMissing`, `.timeZoneRefused`, `.noSuchTimeZone`.
    package func clocks(of merchantID: String, option: String) throws(CoreError) -> TimeZoneRules {
        guard let timezone else {
            if refusal != nil { throw .timeZoneRefused(merchant: merchantID, option: option) }
            throw .timeZoneMissing(merchant: merchantID, cause: trouble, option: option)
        }
        do throws(RecordFormatError) {
            return try TimeZoneRules.named(timezone)
        } catch {
            throw .noSuchTimeZone(timezone, merchant: merchantID, option: option)
        }
    }

    /// The time zone of a command's dates: the one of `--zone`, otherwise the merchant's.
    ///
    /// - Parameter client: called when the merchant's settings may have to be requested.
    /// - Returns: the time zone, and the merchant's settings unless the zone was given.
    package static func clocks(
        _ zone: FormatChoice.Zone?, of merchantID: String, in environment: CommandEnvironment,
        _ client: () async throws -> ServiceClient
    ) async throws -> (TimeZoneRules, MerchantSettings?) {
        switch zone {
        case .utc: return (.utc, nil)
        case .named(let name): return (try TimeZoneRules.named(name), nil)
        case .merchant, nil:
            let facts = try await read(client(), merchantID: merchantID, isNeeded: true, in: environment)
            return (try facts.clocks(of: merchantID, option: "--zone"), facts)
        }
    }

    private static func unknown(_ trouble: String, _ refusal: ServiceError? = nil) -> MerchantSettings {
        var facts = MerchantSettings()
        facts.trouble = trouble
        facts.refusal = refusal
        return facts
    }

    private static let sizeLimit = 1 << 20

    /// The settings that a run of the last day has kept; otherwise requests and keeps them.
    ///
    /// - Parameter isNeeded: as for `request`.
    package static func read(
        _ client: ServiceClient, merchantID: String, isNeeded: Bool = false, in environment: CommandEnvironment
    ) async throws -> MerchantSettings {
        let cache = MerchantSettingsCache(merchantID, client, in: environment)
        let now = environment.clock.wall()
        if let settings = await cache.settings(at: now) { return settings }
        let settings = try await request(client, merchantID: merchantID, isNeeded: isNeeded)
        await cache.keep(settings, at: now)
        return settings
    }

    /// Requests the settings. Without the permission they are unknown.
    ///
    /// - Parameter isNeeded: whether a malformed response is retried and finally an error; otherwise the settings are
    ///   unknown then, too.
    package static func request(
        _ client: ServiceClient, merchantID: String, isNeeded: Bool = false
    ) async throws -> MerchantSettings {
        var attempt = ServiceClient.Attempt()
        attempt.reportsRefusals = false
        let url = client.url(path: "/v3/merchants/\(merchantID)/properties", query: "")
        do {
            let body =
                isNeeded
                ? try await client.object(of: url, limit: sizeLimit, attempt: &attempt)
                : try await client.body(of: url, limit: sizeLimit, attempt: &attempt)
            return try JSONDecoder().decode(MerchantSettings.self, from: Data(body))
        } catch is DecodingError {
            return unknown("the response is not a JSON object")
        } catch ServiceError.unauthorized(let url, let message) {
            return unknown("the service refused them with 401", .unauthorized(url: url, message: message))
        } catch ServiceError.forbidden(let url, let message) {
            return unknown("the service refused them with 403", .forbidden(url: url, message: message))
        } catch ServiceError.notFound {
            return unknown("the service responded with 404")
        }
    }
}
