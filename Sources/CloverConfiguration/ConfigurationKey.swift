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
