import CloverAPI
import CloverAuth
import CloverHTTP
import CloverOutput
import CloverRateLimit

/// The settings of the configuration file. A key is named like its option, and like its variable in lower case.
///
/// This is the only list: the file parser, `clover config`, the variables and the manual pages are based on it.
package enum ConfigurationKey: String, Sendable, CaseIterable {
    // Identity.
    case profile
    case environment
    case merchant
    case appID = "app-id"
    case certificates = "cacert"
    // Output of records.
    case format
    case money
    case times
    case zone
    case noHeader = "no-header"
    case spreadsheetSafe = "csv-safe"
    case showSensitive = "show-sensitive"
    // Timeouts, retries and rate limits.
    case maximumTime = "max-time"
    case retry
    case requestsPerSecond = "requests-per-second"
    case inFlight = "in-flight"
    case appRequestsPerSecond = "app-requests-per-second"
    case appInFlight = "app-in-flight"
    case noPacing = "no-pacing"
    case state = "state"
    // Signing in.
    case callbackPort = "callback-port"
    case timeout
    // Readers and payments.
    case readerDriver = "reader-driver"
    case squareClientID = "square-client-id"
    case payDisplayPosID = "pay-display-pos-id"
    case clientAddress = "client-ip"

    /// The name in the file.
    package var name: String { rawValue }

    /// The keys that select whose data is used.
    var isIdentity: Bool { [.environment, .merchant, .appID].contains(self) }

    /// Whether a profile can have its own value.
    package var isPerProfile: Bool { self != .profile && self != .state }

    /// The variables that set it; the first one that is set takes precedence.
    package var variables: [String] {
        let rule = "CLOVER_" + rawValue.uppercased().replacing("-", with: "_")
        return switch self {
        case .merchant: [rule, "CLOVER_MERCHANT_ID"]
        case .certificates: [rule, "CLOVER_CA_BUNDLE"]
        default: [rule]
        }
    }
}

extension ConfigurationKey {
    /// Properties of a key.
    package struct Facts: Sendable {
        /// The values it accepts.
        package let kind: ValueKind
        /// The option that overrides it; nil if commands have none.
        package let option: String?
        /// The default; nil if there is none.
        package let standard: String?
        /// One sentence.
        package let summary: String
    }

    package var facts: Facts {
        switch self {
        case .profile:
            fact(.profileName, "Profile that commands use: the name of a sign-in, a section under 'profiles', or both.")
        case .environment:
            fact(
                .service,
                "Clover environment: sandbox, us, eu, la, or a service URL (default: the sign-in's; us for a new one)."
            )
        case .merchant:
            fact(.identifier, "Merchant ID.")
        case .appID:
            fact(.identifier, "App that 'clover auth login' signs in to.")
        case .certificates:
            fact(.file, "PEM file of certificate authorities to trust instead of the system's.")
        case .format:
            fact(
                .word(RecordFormat.allCases.map(\.rawValue)),
                "Output format of records (default: ndjson; a table on a terminal).")
        case .money:
            fact(
                .word(FormatChoice.Money.allCases.map(\.rawValue)),
                "Amounts in columns and selected fields: as sent (minor), or with the currency's decimals (major).")
        case .times:
            fact(
                .word(FormatChoice.Times.allCases.map(\.rawValue)),
                "Times in columns and selected fields: as sent, or in ISO 8601.")
        case .zone:
            fact(
                .zone,
                "Time zone of days and of formatted times: merchant, UTC or a name (default: merchant; UTC for times outside tables)."
            )
        case .noHeader:
            fact(.truth, "Omit the line with the column names.", standard: "false")
        case .spreadsheetSafe:
            fact(
                .truth, "In CSV, put an apostrophe before text that a spreadsheet would run as a formula.",
                standard: "false")
        case .showSensitive:
            fact(
                .truth, "Print PINs, bank and card numbers, tokens and secrets, which are otherwise masked.",
                standard: "false")
        case .maximumTime:
            fact(.duration, "Time after which to give up.")
        case .retry:
            fact(.wholeNumber(0...100), "Maximum number of retries.", standard: "\(RetryPolicy.usualRetries)")
        case .requestsPerSecond:
            fact(
                .wholeNumber(RateLimits.requestsPerSecondRange), "Maximum requests per second of one token.",
                standard: "\(RateLimits().requestsPerSecond)")
        case .inFlight:
            fact(
                .wholeNumber(RateLimits.inFlightRange), "Maximum requests in flight of one token.",
                standard: "\(RateLimits().inFlight)")
        case .appRequestsPerSecond:
            fact(
                .wholeNumber(RateLimits.requestsPerSecondRange),
                "Maximum requests per second of one app, all its tokens together.",
                standard: "\(RateLimits.app.requestsPerSecond)")
        case .appInFlight:
            fact(
                .wholeNumber(RateLimits.inFlightRange),
                "Maximum requests in flight of one app, all its tokens together.",
                standard: "\(RateLimits.app.inFlight)")
        case .noPacing:
            fact(
                .truth, "Ignore rate limits and other processes; only for an emulator of your own.",
                standard: "false")
        case .state:
            fact(
                .database,
                "PostgreSQL database that counts requests and keeps sign-ins, for several machines (default: files).",
                option: nil)
        case .callbackPort:
            fact(
                .wholeNumber(0...65_535), "Port on which 'clover auth login' waits for the browser.",
                standard: "8976")
        case .timeout:
            fact(.duration, "How long 'clover auth login' waits for the browser.", standard: "5m")
        case .readerDriver:
            fact(
                .program, "Program that drives card readers, with its arguments; see clover-reader-driver(5).",
                option: "--driver")
        case .squareClientID:
            fact(
                .text, "Application ID from Square's developer dashboard, for hand-offs to Square.",
                option: "--client-id")
        case .clientAddress:
            fact(.address, "IP address that ecommerce payments come from (default: this machine's).")
        case .payDisplayPosID:
            fact(.text, "ID by which Pay Display knows this point of sale.", standard: "clover")
        }
    }

    /// Properties of a key whose option has the same name.
    private func fact(_ kind: ValueKind, _ summary: String, standard: String? = nil) -> Facts {
        Facts(kind: kind, option: "--" + rawValue, standard: standard, summary: summary)
    }

    private func fact(_ kind: ValueKind, _ summary: String, option: String?) -> Facts {
        Facts(kind: kind, option: option, standard: nil, summary: summary)
    }
}

extension ConfigurationKey {
    /// The key named on the command line.
    ///
    /// - Throws: `.secretKey`; `.unknownKey` with similar names.
    package init(naming name: String) throws(ConfigurationError) {
        if let key = ConfigurationKey(rawValue: name) {
            self = key
            return
        }
        // The user may have typed a secret in place of the name.
        if SecretShape.isSecretName(name) { throw .secretKey(name) }
        throw .unknownKey(name, near: Self.near(name, inProfile: false))
    }

    /// Known names that are similar to an unknown one.
    package static func near(_ name: String, inProfile: Bool) -> [String] {
        let keys = allCases.filter { !inProfile || $0.isPerProfile }.map(\.name)
        let near = NearestNames.of(name, among: inProfile ? keys : keys + [ConfigurationDocument.profilesName])
        return near.isEmpty ? related(to: name, among: keys) : near
    }

    /// Keys that contain the name or are contained in it, such as `zone` for `timezone`; or else those with the same
    /// beginning, such as `retry` for `retries`.
    private static func related(to name: String, among keys: [String]) -> [String] {
        func plain(_ text: String) -> String { text.lowercased().filter { $0 != "_" && $0 != "-" } }
        // Shorter parts occur in many words.
        let least = 4
        let wanted = plain(name)
        guard (least...64).contains(wanted.count) else { return [] }
        let parts = keys.filter { key in
            let other = plain(key)
            return other.count >= least && (other.contains(wanted) || wanted.contains(other))
        }
        if !parts.isEmpty { return Array(parts.prefix(3)) }
        return Array(
            keys.filter { key in
                let other = plain(key)
                return abs(other.count - wanted.count) <= 2 && zip(other, wanted).prefix { $0 == $1 }.count >= least
            }.prefix(3))
    }

    /// Whether the value is a secret, or has one in it. The address of a database may name a user.
    func holdsSecret(_ text: String) -> Bool {
        facts.kind == .database ? SecretShape.hasPassword(text) : SecretShape.looksSecret(text)
    }

    /// Checks a value that the user typed for this key.
    ///
    /// - Throws: `.wrongValue`.
    package func check(_ text: String) throws(ConfigurationError) {
        if holdsSecret(text) { throw .wrongValue(self, nil) }
        guard facts.kind.accepts(text) else { throw .wrongValue(self, text) }
    }
}
