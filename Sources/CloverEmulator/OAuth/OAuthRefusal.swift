/// Why a token call is refused. The service's documentation shows no error body; the texts that were recorded are used
/// where there are any, the others are our own.
package enum OAuthRefusal: Error, Sendable, Equatable {
    /// The body is no JSON object with the members the call needs; which, in words.
    case malformed(String)
    case unknownClient
    /// A wrong app secret, or a legacy token nobody issued.
    case badCredentials
    /// A code that is unknown, spent, too old, or does not go with the rest of the request.
    case badCode
    /// A refresh token that is unknown, spent, too old or over the cap.
    case badRefreshToken
    /// The legacy calls say 400 to what the newer ones say 401 to.
    case legacyUnknownClient
    case legacyBadCredentials

    /// HTTP status.
    package var status: Int {
        switch self {
        case .malformed, .badCode, .legacyUnknownClient, .legacyBadCredentials: 400
        case .unknownClient, .badCredentials, .badRefreshToken: 401
        }
    }

    package var message: String {
        switch self {
        case .malformed(let reason): "Malformed request: \(reason)"
        case .unknownClient, .legacyUnknownClient: "Unknown Client ID"
        case .badCredentials, .legacyBadCredentials: "Invalid OAuth credentials"
        case .badCode: "Failed to validate authentication code"
        case .badRefreshToken: "Invalid refresh token"
        }
    }
}
