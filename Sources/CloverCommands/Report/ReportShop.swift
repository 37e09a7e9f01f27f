import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverOutput
import CloverReports

/// The shop that a report is about: its connection, days and currency.
struct ReportShop: Sendable {
    let connection: Connection
    let client: ServiceClient
    let pause = RateLimitPause()
    let calendar: BusinessCalendar
    /// ISO 4217 code; empty if the service does not say.
    let currency: String
    /// The service's or kept settings of the shop.
    let settings: MerchantSettings
    /// Milliseconds since 1970.
    let now: Int64

    var merchantID: String { connection.merchantID }

    init(_ request: ReportReadRequest, in environment: CommandEnvironment) async throws {
        connection = try await Connection.resolve(request.connection, in: environment)
        now = environment.clock.wall()
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: request.pacing, pause: pause, in: environment)
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
        let zone = try named ?? settings.clocks(of: connection.merchantID, option: "--zone")
        calendar = BusinessCalendar(zone: zone, startMinute: request.startMinute)
        currency = settings.defaultCurrency ?? ""
    }

    private static func path(_ text: String, _ connection: Connection) throws(QueryError) -> ResourcePath {
        try ResourcePath(parsing: text, identifier: nil, merchantID: connection.merchantID, isChecked: true)
    }

    /// The current business day.
    var today: Int64 { calendar.date(at: now) }

    func period(_ text: String) throws(ReportError) -> Period {
        do throws(PeriodError) {
            return try Period(parsing: text, today: today)
        } catch {
            throw .period(error, today: CalendarDate.text(today))
        }
    }

    /// An error with the permission that is missing, and how to do without the list.
    func explained(
        _ error: any Error, _ list: ReportList, in environment: CommandEnvironment
    ) async throws -> any Error {
        if let error = error as? ReportRecordError { return ReportError.record(error) }
        let explained = try await TokenDiagnosis(connection, in: environment).explained(
            error, at: Self.path(list.rawValue, connection))
        guard let word = list.omission else { return explained }
        switch ErrorReport.ending(of: explained) {
        case .report(let report) where report.status == .notAuthorized:
            return ReportError.notAllowed(report, omission: word)
        default: return explained
        }
    }
}
