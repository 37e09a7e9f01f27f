import CloverAPI
import CloverAuth
import CloverPacing
import CloverRecords

/// What can be set in the configuration file. The name is that of the option, and of the variable in small letters.
///
/// This is the one list: reading the file, `clover config`, the variables and the manual pages are made of it.
package enum ConfigurationKey: String, Sendable, CaseIterable {
    // Who.
    case profile
    case environment
    case merchant
    case appID = "app-id"
    case certificates = "cacert"
    // How records are printed.
    case format
    case money
    case times
    case zone
    case noHeader = "no-header"
    case spreadsheetSafe = "csv-safe"
    case showSensitive = "show-sensitive"
    // How long, how often, how fast.
    case maximumTime = "max-time"
    case retry
    case requestsPerSecond = "requests-per-second"
    case inFlight = "in-flight"
    case appRequestsPerSecond = "app-requests-per-second"
    case appInFlight = "app-in-flight"
    case noPacing = "no-pacing"
    // Signing in.
    case callbackPort = "callback-port"
    case timeout
    // Readers and payments.
    case readerDriver = "reader-driver"
    case squareClientID = "square-client-id"
    case payDisplayPosID = "pay-display-pos-id"
    case clientAddress = "client-ip"

    /// As it is written in the file.
    package var name: String { rawValue }

    /// The keys that say whose data is meant.
    var isIdentity: Bool { [.environment, .merchant, .appID].contains(self) }

    /// Whether a profile can have its own value.
    package var isPerProfile: Bool { self != .profile }

    /// The variables that set it, the first that is set counts.
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
    /// What is known of a key.
    package struct Facts: Sendable {
        /// What values it takes.
        package let kind: ValueKind
        /// The option that goes before it; nil where commands have none.
        package let option: String?
        /// What counts when nothing is said; nil leaves it open.
        package let standard: String?
        /// One sentence.
        package let summary: String
    }

    package var facts: Facts {
        switch self {
        case .profile:
            fact(.profileName, "The profile that commands use; a sign-in's name, a section under 'profiles', or both.")
        case .environment:
            fact(
                .service,
                "Which Clover: sandbox, us, eu, la, or a service's address; a sign-in knows its own, and a new one is us."
            )
        case .merchant:
            fact(.identifier, "The merchant's id.")
        case .appID:
            fact(.identifier, "The app that 'clover auth login' signs in to.")
        case .certificates:
            fact(.file, "A PEM file of certificate authorities to trust instead of the system's.")
        case .format:
            fact(
                .word(RecordFormat.allCases.map(\.rawValue)),
                "How records are printed; without it ndjson, and a table on a terminal.")
        case .money:
            fact(
                .word(FormatChoice.Money.allCases.map(\.rawValue)),
                "Amounts in columns and chosen fields: as sent (minor), or with the currency's decimals (major).")
        case .times:
            fact(
                .word(FormatChoice.Times.allCases.map(\.rawValue)),
                "Times in columns and chosen fields: as sent, or in ISO 8601.")
        case .zone:
            fact(
                .zone,
                "Time zone of times that are written out: merchant, UTC or a name; without it the merchant's in a table, else UTC."
            )
        case .noHeader:
            fact(.truth, "Leave out the line with the names of the columns.", standard: "false")
        case .spreadsheetSafe:
            fact(
                .truth, "In csv, put an apostrophe before text that a spreadsheet would calculate.", standard: "false")
        case .showSensitive:
            fact(
                .truth, "Print PINs, bank and card numbers, tokens and secrets, which are masked otherwise.",
                standard: "false")
        case .maximumTime:
            fact(.duration, "Give up after so long.")
        case .retry:
            fact(.wholeNumber(0...100), "Send a failed request again so often at most.", standard: "5")
        case .requestsPerSecond:
            fact(
                .wholeNumber(RateLimits.requestsPerSecondRange), "Requests of one token in any second.",
                standard: "\(RateLimits().requestsPerSecond)")
        case .inFlight:
            fact(
                .wholeNumber(RateLimits.inFlightRange), "Requests of one token under way at once.",
                standard: "\(RateLimits().inFlight)")
        case .appRequestsPerSecond:
            fact(
                .wholeNumber(RateLimits.requestsPerSecondRange),
                "Requests of one app, all its tokens together, in any second.",
                standard: "\(RateLimits.app.requestsPerSecond)")
        case .appInFlight:
            fact(
                .wholeNumber(RateLimits.inFlightRange),
                "Requests of one app, all its tokens together, under way at once.",
                standard: "\(RateLimits.app.inFlight)")
        case .noPacing:
            fact(
                .truth, "Send without regard to limits and to other processes: for an emulator of your own.",
                standard: "false")
        case .callbackPort:
            fact(
                .wholeNumber(0...65_535), "The port on which 'clover auth login' waits for the browser.",
                standard: "8976")
        case .timeout:
            fact(.duration, "How long 'clover auth login' waits for the browser.", standard: "5m")
        case .readerDriver:
            fact(
                .program, "The program that drives card readers, with its arguments; see clover-reader-driver(5).",
                option: "--driver")
        case .squareClientID:
            fact(
                .text, "The application id of Square's developer dashboard, for hand-offs to Square.",
                option: "--client-id")
        case .clientAddress:
            fact(.address, "The address that ecommerce payments come from; this machine's otherwise.")
        case .payDisplayPosID:
            fact(.text, "The id by which Pay Display knows this point of sale.", standard: "clover")
        }
    }

    /// A key whose option has its name.
    private func fact(_ kind: ValueKind, _ summary: String, standard: String? = nil) -> Facts {
        Facts(kind: kind, option: "--" + rawValue, standard: standard, summary: summary)
    }

    private func fact(_ kind: ValueKind, _ summary: String, option: String?) -> Facts {
        Facts(kind: kind, option: option, standard: nil, summary: summary)
    }
}

extension ConfigurationKey {
    /// The key that a user named on the command line.
    ///
    /// - Throws: `.secretKey`, `.unknownKey` with the names that may be meant.
    package init(naming name: String) throws(ConfigurationError) {
        if let key = ConfigurationKey(rawValue: name) {
            self = key
            return
        }
        // Its value may have been typed in its place.
        if SecretShape.isSecretName(name) { throw .secretKey(name) }
        throw .unknownKey(name, near: Self.near(name, inProfile: false))
    }

    /// Names that may be meant by one that no key has.
    package static func near(_ name: String, inProfile: Bool) -> [String] {
        let keys = allCases.filter { !inProfile || $0.isPerProfile }.map(\.name)
        let near = NearestNames.of(name, among: inProfile ? keys : keys + [ConfigurationDocument.profilesName])
        return near.isEmpty ? related(to: name, among: keys) : near
    }

    /// Keys of which the name is a part, or which are a part of it, such as `zone` of `timezone`; else those that begin
    /// as it does, such as `retry` of `retries`.
    private static func related(to name: String, among keys: [String]) -> [String] {
        func plain(_ text: String) -> String { text.lowercased().filter { $0 != "_" && $0 != "-" } }
        // Less than that is in many words.
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

    /// Checks a value that a user typed for this key.
    ///
    /// - Throws: `.wrongValue`.
    package func check(_ text: String) throws(ConfigurationError) {
        if SecretShape.looksSecret(text) { throw .wrongValue(self, nil) }
        guard facts.kind.accepts(text) else { throw .wrongValue(self, text) }
    }
}
