import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverOutput
import CloverReports

/// The shop that a report is about: its connection, days and currency.
struct ReportShop: ReportDays, Sendable {
    let connection: Connection
    let client: ServiceClient
    var pause: RateLimitPause { usage.pause }
    let usage: ReportUsage
    let calendar: BusinessCalendar
    /// ISO 4217 code; empty if the service does not say.
    let currency: String
    /// The service's or kept settings of the shop.
    let settings: MerchantSettings
    /// Milliseconds since 1970.
    let now: Int64

    var merchantID: String { connection.merchantID }

    init(
        _ request: ReportReadRequest, _ usage: ReportUsage = ReportUsage(), in environment: CommandEnvironment
    ) async throws {
        self.usage = usage
        connection = try await Connection.resolve(
            request.connection, in: environment.waitingForSignIns(atMost: request.maximumTime, noting: usage.pause))
        now = environment.clock.wall()
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: request.pacing, pause: usage.pause, in: environment)
        usage.add(client)
        // A zone that does not exist is found before anything is sent.
        var named: TimeZoneRules?
        switch request.zone {
        case .utc: named = .utc
        case .named(let name): named = try TimeZoneRules.named(name)
        case .merchant, nil: break
        }
        do {
            settings = try await MerchantSettings.read(
                client, merchantID: connection.merchantID, isNeeded: true, in: environment)
        } catch {
            throw try await TokenDiagnosis(connection, in: environment).explained(
                error, at: Self.path("properties", connection))
        }
        if named == nil, settings.timezone == nil, let refusal = settings.refusal {
            let explained = try await TokenDiagnosis(connection, in: environment).explained(
                refusal, at: Self.path("properties", connection))
            throw Self.notAllowed(
                explained,
                "or name the shop's time zone: --zone America/New_York; without its currency, amounts stay in minor units"
            )
        }
        let zone = try named ?? settings.clocks(of: connection.merchantID, option: "--zone")
        calendar = BusinessCalendar(zone: zone, startMinute: request.startMinute)
        currency = settings.defaultCurrency ?? ""
    }

    private static func path(_ text: String, _ connection: Connection) throws(QueryError) -> ResourcePath {
        try ResourcePath(parsing: text, identifier: nil, merchantID: connection.merchantID, isChecked: true)
    }

    /// An error with the permission that is missing, and how to do without the list.
    func explained(
        _ error: any Error, _ list: ReportList, in environment: CommandEnvironment
    ) async throws -> any Error {
        if let error = error as? ServiceError, case .filterIgnored = error { return ReportError.unselected(error) }
        let explained = try await TokenDiagnosis(connection, in: environment).explained(
            error, at: Self.path(list.rawValue, connection))
        guard let alternative = list.alternative else { return explained }
        return Self.notAllowed(explained, alternative)
    }

    /// Adds how to do without a permission, if the error is about one.
    private static func notAllowed(_ error: any Error, _ alternative: String) -> any Error {
        switch ErrorReport.ending(of: error) {
        case .report(let report) where report.status == .notAuthorized:
            return ReportError.notAllowed(report, alternative: alternative)
        default: return error
        }
    }
}
