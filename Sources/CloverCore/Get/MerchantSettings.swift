package import CloverAPI
import CloverAuth
package import CloverCalendar
import CloverHTTP
package import CloverOutput
import CloverSystem
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

/// A merchant's time zone and currency, kept for a day in `merchant-settings` of the state directory, so that runs from
/// cron and interactive commands need no request for them.
///
/// Only the zone of dates and the decimals of printed amounts come from it; what is charged never does. Errors of its files
/// are ignored: the settings are requested then.
package struct MerchantSettingsCache: Sendable {
    /// How long settings are used, in milliseconds.
    package static let lifetime: Int64 = 86_400_000
    private static let folder = "merchant-settings"
    private static let lockName = "lock"

    private let directory: StateDirectory?
    /// The file, named by a hash of merchant and service.
    private let name: String

    package init(_ merchantID: String, _ client: ServiceClient, in environment: CommandEnvironment) {
        self.init(merchantID, at: client.url(path: "", query: ""), in: environment)
    }

    /// - Parameter base: base URL of the merchant's service.
    init(_ merchantID: String, at base: String, in environment: CommandEnvironment) {
        do {
            directory = try environment.stateDirectory()
        } catch {
            // Missing state is reported where it is required.
            directory = nil
        }
        // Neither part has a zero byte, so the separator is unambiguous.
        let hash = SHA256.hash(Array(base.utf8) + [0] + Array(merchantID.utf8))
        name = hash.prefix(16).hexadecimalDigits
    }

    /// The settings; nil if there are none that are younger than a day. Creates no file.
    package func settings(at now: Int64) async -> MerchantSettings? {
        await DedicatedThread.run { read(now) }
    }

    /// Keeps complete settings.
    func keep(_ settings: MerchantSettings, at now: Int64) async {
        guard let zone = settings.timezone, let currency = settings.defaultCurrency else { return }
        await DedicatedThread.run { write("\(now) \(zone) \(currency)\n") }
    }

    private func read(_ now: Int64) -> MerchantSettings? {
        do throws(StorageError) {
            guard let folder = try directory?.existingSubdirectory(Self.folder, rule: .own),
                let bytes = try PrivateFile.read(name, in: folder, rule: .own, limit: 256)
            else { return nil }
            let words = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
                $0 == " " || $0 == "\n"
            }
            // A clock that was set back makes the age unknown.
            guard words.count == 4, let readAt = Int64(words[0]), (0..<Self.lifetime).contains(now - readAt),
                words[3].isEmpty
            else { return nil }
            var settings = MerchantSettings(zone: String(words[1]), currency: String(words[2]))
            settings.keptSince = readAt
            return settings
        } catch {
            return nil
        }
    }

    private func write(_ line: String) {
        guard let directory else { return }
        do throws(StorageError) {
            let folder = try directory.prepareSubdirectory(Self.folder, rule: .own)
            guard let lock = try FileLock.tryAcquire(Self.lockName, in: folder) else { return }
            try AtomicFile.replace(name, in: folder, with: Array(line.utf8), durable: false, holding: lock)
        } catch {
            // Such as a read-only directory.
        }
    }
}
