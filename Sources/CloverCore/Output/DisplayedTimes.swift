import CloverAPI
import CloverAuth
package import CloverCalendar
import CloverConfiguration
import CloverHTTP
package import CloverJSON
package import CloverOutput

/// Formats times for a table or text of our own, in one time zone.
package struct DisplayedTimes: Sendable {
    package let zone: TimeZoneRules
    /// Why the zone is not the expected one; nil when it is.
    let notice: String?

    /// Timeout for requesting the merchant's zone, in seconds. It is short because the times may come from the local
    /// journal.
    private static let timeout = 5.0

    package init(zone: TimeZoneRules, notice: String? = nil) {
        self.zone = zone
        self.notice = notice
    }

    /// The sentence that names the zone of the times on a screen.
    package var sentence: String { notice ?? "times are in \(zone.name)" }

    /// Date, hour and minute.
    package func text(milliseconds: Int64) -> String { zone.text(milliseconds: milliseconds) }

    /// Date, hour and minute, from seconds since 1970.
    package func text(seconds: Int64) -> String { zone.text(milliseconds: seconds &* 1000) }

    /// Date, hour, minute and second.
    package func exactText(milliseconds: Int64) -> String { zone.text(milliseconds: milliseconds, hasSeconds: true) }

    /// For events on this machine: the given zone, otherwise the configured one, otherwise that of the merchant as an earlier
    /// run kept it, so that all lists have the same, otherwise that of the machine. Sends no request.
    ///
    /// - Parameter zone: the zone as typed; nil when not given.
    /// - Throws: `ConfigurationError`, `RecordFormatError`.
    package static func ofMachine(
        _ choice: ConnectionChoice, zone: FormatChoice.Zone? = nil, in environment: CommandEnvironment
    ) async throws -> DisplayedTimes {
        let set = try await setZone(choice, in: environment)
        return switch zone ?? set {
        case .utc: DisplayedTimes(zone: .utc)
        case .named(let name): DisplayedTimes(zone: try TimeZoneRules.named(name))
        case .merchant, nil:
            if let kept = await keptZone(choice, in: environment) {
                DisplayedTimes(zone: kept)
            } else {
                DisplayedTimes(zone: localZone(in: environment))
            }
        }
    }

    /// For events at a merchant: the given zone, otherwise the configured one, otherwise the merchant's own, which is
    /// requested once with a short timeout. Without a response the zone is UTC, with a notice.
    ///
    /// - Parameters:
    ///   - zone: the zone as typed; nil when not given.
    ///   - choice: the connection whose settings apply.
    ///   - merchant: the merchant whose zone is requested.
    /// - Throws: `ConfigurationError`, `RecordFormatError`; never for a missing response.
    package static func ofMerchant(
        _ zone: FormatChoice.Zone?, _ choice: ConnectionChoice, merchant: ConnectionChoice,
        in environment: CommandEnvironment
    ) async throws -> DisplayedTimes {
        let set = try await setZone(choice, in: environment)
        switch zone ?? set {
        case .utc: return DisplayedTimes(zone: .utc)
        case .named(let name): return DisplayedTimes(zone: try TimeZoneRules.named(name))
        case .merchant, nil:
            guard let name = try await merchantSettings(merchant, in: environment)?.timezone else {
                return DisplayedTimes(
                    zone: .utc, notice: "times are in UTC: the merchant's time zone is not known; --zone names one")
            }
            do throws(RecordFormatError) {
                return DisplayedTimes(zone: try TimeZoneRules.named(name))
            } catch {
                return DisplayedTimes(
                    zone: .utc, notice: "times are in UTC: \(error), which is the merchant's; --zone names another")
            }
        }
    }

    /// Requests the merchant's settings; nil when there is no response within a few seconds.
    static func merchantSettings(
        _ merchant: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> MerchantSettings? {
        do {
            let connection = try await Connection.resolve(merchant, in: environment)
            let client = try connection.makeClient(retries: 0, stallTimeout: Int(timeout), in: environment)
            let limit = HTTPTransportError.timedOut(
                host: connection.environment.apiBaseURL, detail: "no response within \(Int(timeout)) s")
            return try await ProgressDisplay.during(in: environment) { board in
                board.line("time zone") { $0.words = "requesting the merchant's time zone" }
                return try await TimeLimit.run(
                    seconds: timeout, sleep: environment.sleep, timeRanOut: { limit }
                ) {
                    try await MerchantSettings.read(client, merchantID: connection.merchantID, in: environment)
                }
            }
        } catch {
            // Ctrl-C ends the command, whichever error the transport threw.
            try Task.checkCancellation()
            environment.diagnostics.detail("the merchant's time zone is not known: \(error)")
            return nil
        }
    }

    /// The zone of the signed-in merchant, if a run of the last day has kept it. Faults of the sign-in are for the commands
    /// that need one.
    private static func keptZone(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async -> TimeZoneRules? {
        do {
            var key = try await choice.staticCredential(in: environment)?.key
            if key == nil { key = try await choice.key(in: environment) }
            guard let key else { return nil }
            let cache = MerchantSettingsCache(
                key.merchantID, at: try ServiceEnvironment(parsing: key.environment).apiBaseURL, in: environment)
            return try await cache.settings(at: environment.clock.wall())?.timezone.map { try TimeZoneRules.named($0) }
        } catch {
            return nil
        }
    }

    private static func setZone(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> FormatChoice.Zone? {
        try await environment.settings(for: choice).value(of: .zone).map { FormatChoice.Zone(parsing: $0.text) }
    }

    /// The zone of this machine; UTC, with a notice, where TZ names an unknown zone.
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

/// Formats times for clover's own JSON and tables.
package enum InstantText {
    /// ISO 8601 in UTC with milliseconds, such as `2026-11-21T07:14:03.120Z`, from milliseconds since 1970.
    package static func utc(milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let time = CivilTime(secondsSince1970: Int(rest < 0 ? seconds - 1 : seconds))
        let second = time.secondOfDay
        return "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            + ".\(padded(Int(rest < 0 ? rest + 1000 : rest), 3))Z"
    }

    /// ISO 8601 in UTC with milliseconds, from seconds since 1970.
    package static func utc(seconds: Int64) -> String {
        utc(milliseconds: seconds &* 1000)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension JSONLine {
    /// Adds a time in UTC, from milliseconds since 1970; null if there is none.
    package mutating func add(_ name: String, instant milliseconds: Int64?) {
        add(name, milliseconds.map { InstantText.utc(milliseconds: $0) })
    }
}
