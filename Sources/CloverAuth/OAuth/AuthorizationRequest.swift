/// The page that a person is sent to: the service asks there whether the app may act for the merchant.
package struct AuthorizationRequest: Sendable {
    /// The whole address. It holds no secret: `state` and challenge are for eyes, too.
    package let url: String

    /// Puts the address together.
    ///
    /// - Parameters:
    ///   - redirectURI: where the browser is sent afterwards; it must begin like the app's site URL at the service.
    ///   - merchantID: skips the choice of a merchant.
    ///   - challenge: of a `CodeVerifier`; nil for an app that has a secret.
    ///   - state: comes back unchanged, so that an answer to something else is noticed (RFC 6749, section 10.12).
    ///   - isLegacy: the older flow, whose tokens do not expire; it knows no challenge.
    package init(
        endpoints: OAuthEndpoints, appID: String, redirectURI: String, merchantID: String? = nil,
        challenge: String? = nil, state: String, isLegacy: Bool = false
    ) {
        var parameters = [("client_id", appID), ("redirect_uri", redirectURI), ("response_type", "code")]
        if !state.isEmpty { parameters.append(("state", state)) }
        if let merchantID { parameters.append(("merchant_id", merchantID)) }
        if let challenge, !isLegacy {
            parameters += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        let query = parameters.map { $0.0 + "=" + PercentCoding.encode($0.1) }.joined(separator: "&")
        url = endpoints.webBaseURL + (isLegacy ? "/oauth/authorize?" : "/oauth/v2/authorize?") + query
    }

    /// A new `state`: 256 random bits in 43 characters of base64url.
    package static func makeState() -> String {
        RandomText.make(bytes: 32)
    }
}
