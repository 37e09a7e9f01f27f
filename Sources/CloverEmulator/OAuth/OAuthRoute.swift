/// The addresses of the token side. The service has them on two hosts, one for browsers and one for machines; here all
/// are on one.
package enum OAuthRoute: String, Sendable, CaseIterable {
    case authorize = "/oauth/v2/authorize"
    case token = "/oauth/v2/token"
    case refresh = "/oauth/v2/refresh"
    case legacyAuthorize = "/oauth/authorize"
    case legacyToken = "/oauth/token"
    case migrate = "/oauth/token/migrate_v2"
    case apiKey = "/pakms/apikey"

    /// The methods it answers; others get 405.
    package var methods: [String] {
        switch self {
        case .authorize, .legacyAuthorize, .legacyToken: ["GET", "POST"]
        case .token, .refresh, .migrate: ["POST"]
        case .apiKey: ["GET"]
        }
    }

    /// True for the calls that give codes or tokens to programs; pauses and faults are for them.
    package var isTokenCall: Bool {
        switch self {
        case .token, .refresh, .legacyToken, .migrate: true
        case .authorize, .legacyAuthorize, .apiKey: false
        }
    }
}
