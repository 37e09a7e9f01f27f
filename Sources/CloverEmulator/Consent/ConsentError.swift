/// What is wrong with an authorize request. The browser stays here then: an address that was not checked is no place to
/// send it to (RFC 6749 section 4.1.2.1).
package enum ConsentError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(String)
    case repeated(String)
    case unknownClient
    case badRedirectURI
    /// Not below the address that the app was registered with.
    case foreignRedirectURI(site: String)
    case unknownMerchant
    case unsupportedResponseType
    case unsupportedChallengeMethod
    case malformedChallenge
    /// A challenge method came without a challenge.
    case missingChallenge
    /// The form came back without a press on one of its buttons.
    case noDecision

    package var description: String {
        switch self {
        case .missing(let name): "The request has no \(name)."
        case .repeated(let name): "The request has \(name) more than once."
        case .unknownClient: "No app has this client_id."
        case .badRedirectURI: "The redirect_uri is not an absolute http or https address without a fragment."
        case .foreignRedirectURI(let site): "The redirect_uri does not begin with the app's Site URL, \(site)."
        case .unknownMerchant: "No merchant has this merchant_id."
        case .unsupportedResponseType: "The response_type is not one that this address supports."
        case .unsupportedChallengeMethod: "The code_challenge_method is not S256, the only one supported."
        case .malformedChallenge: "The code_challenge is not the base64url form of a SHA-256 (43 characters)."
        case .missingChallenge: "There is a code_challenge_method, but no code_challenge."
        case .noDecision: "The form was sent without a decision."
        }
    }
}
