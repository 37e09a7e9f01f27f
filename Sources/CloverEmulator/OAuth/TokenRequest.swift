/// The body of `POST /oauth/v2/token`. The secret or the verifier proves that the caller may have the tokens.
package struct TokenRequest: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case code
        case clientSecret = "client_secret"
        case codeVerifier = "code_verifier"
        case redirectURI = "redirect_uri"
    }

    package var clientID: String
    package var code: String
    package var clientSecret: String?
    package var codeVerifier: String?
    package var redirectURI: String?

    package init(
        clientID: String, code: String, clientSecret: String? = nil, codeVerifier: String? = nil,
        redirectURI: String? = nil
    ) {
        self.clientID = clientID
        self.code = code
        self.clientSecret = clientSecret
        self.codeVerifier = codeVerifier
        self.redirectURI = redirectURI
    }
}
