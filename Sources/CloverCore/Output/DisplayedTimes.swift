import CloverAPI
import CloverConfiguration
import CloverHTTP
package import CloverRecords

/// Times as a person reads them in a table or a text of our own: on the clocks of one zone.
package struct DisplayedTimes: Sendable {
    package let zone: TimeZoneRules
    /// What is said below the times; nil when they are as they are expected.
    package let notice: String?

    /// For the merchant's zone, in seconds. Nobody who only looks into the journal waits longer.
    private static let patience = 5.0

    package init(zone: TimeZoneRules, notice: String? = nil) {
        self.zone = zone
        self.notice = notice
    }

    /// Date, hour and minute.
    package func text(milliseconds: Int64) -> String { zone.text(milliseconds: milliseconds) }

    /// The same from seconds since 1970.
    package func text(seconds: Int64) -> String { zone.text(milliseconds: seconds &* 1000) }

    /// Date, hour, minute and second.
    package func exactText(milliseconds: Int64) -> String { zone.text(milliseconds: milliseconds, hasSeconds: true) }

    /// Of what happened at this machine: in the zone that is set, else in that of the machine. Nobody is asked.
    ///
    /// - Throws: `ConfigurationError`, `RecordFormatError`.
    package static func ofMachine(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> DisplayedTimes {
        switch try await setZone(choice, in: environment) {
        case .utc: DisplayedTimes(zone: .utc)
        case .named(let name): DisplayedTimes(zone: try TimeZoneRules(named: name))
        case .merchant, nil:
            DisplayedTimes(zone: localZone(in: environment))
        }
    }

    /// Of what happened at a merchant: in the zone that was asked for, else in the one that is set, else in the
    /// merchant's own. The service is asked for that once, with little patience; without an answer it is UTC, and said.
    ///
    /// - Parameters:
    ///   - zone: as it was typed; nil when nothing was.
    ///   - choice: whose settings count.
    ///   - merchant: whose zone it is.
    /// - Throws: `ConfigurationError`, `RecordFormatError`; never for an answer that did not come.
    package static func ofMerchant(
        _ zone: FormatChoice.Zone?, _ choice: ConnectionChoice, merchant: ConnectionChoice,
        in environment: CommandEnvironment
    ) async throws -> DisplayedTimes {
        let set = try await setZone(choice, in: environment)
        switch zone ?? set {
        case .utc: return DisplayedTimes(zone: .utc)
        case .named(let name): return DisplayedTimes(zone: try TimeZoneRules(named: name))
        case .merchant, nil:
            guard let name = try await merchantZone(merchant, in: environment) else {
                return DisplayedTimes(
                    zone: .utc, notice: "times are in UTC: the merchant's time zone is not known; --zone names one")
            }
            do throws(RecordFormatError) {
                return DisplayedTimes(zone: try TimeZoneRules(named: name))
            } catch {
                return DisplayedTimes(
                    zone: .utc, notice: "times are in UTC: \(error), which is the merchant's; --zone names another")
            }
        }
    }

    /// The name of the merchant's zone, as the service tells it; nil when it cannot be had in a few seconds.
    static func merchantZone(
        _ merchant: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> String? {
        do {
            let connection = try await Connection.resolve(merchant, in: environment)
            let client = try connection.makeClient(retries: 0, stallTimeout: Int(patience), in: environment)
            let limit = HTTPTransportError.timedOut(
                host: connection.environment.apiBaseURL, detail: "no answer within \(Int(patience)) s")
            return try await ProgressBoard.during(in: environment) { board in
                board.line("time zone") { $0.words = "asking for the merchant's time zone" }
                return try await TimeLimit.run(
                    seconds: patience, sleep: environment.sleep, timeRanOut: { limit }
                ) {
                    try await MerchantFacts.read(client, merchantID: connection.merchantID).timezone
                }
            }
        } catch {
            // Ctrl-C ends the command, whatever the transport made of it.
            try Task.checkCancellation()
            environment.diagnostics.detail("the merchant's time zone is not known: \(error)")
            return nil
        }
    }

    private static func setZone(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> FormatChoice.Zone? {
        try await environment.settings(for: choice).value(of: .zone).map { FormatChoice.Zone(parsing: $0.text) }
    }

    /// The zone of this machine's clocks; UTC, with a notice, where TZ names none.
    private static func localZone(in environment: CommandEnvironment) -> TimeZoneRules {
        let variables = environment.variables
        let zone = TimeZoneRules.local(
            variable: variables["TZ"], database: variables["TZDIR"] ?? TimeZoneRules.databasePath)
        if zone == nil {
            environment.diagnostics.notice("times are in UTC: TZ names no time zone that this machine knows")
        }
        return zone ?? .utc
    }
}
