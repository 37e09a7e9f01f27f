/// What a merchant has agreed to: the other half of a code.
package struct AuthorizationGrant: Sendable {
    /// Where the code was sent; nil for a code that did not come through a browser.
    package var redirectURI: String?
    /// Nil when the app proves itself with its secret instead.
    package var challenge: CodeChallenge?
    /// True for codes of the legacy flow, which only its own token call takes.
    package var isLegacy: Bool
    /// False gives an access token alone.
    package var includesRefreshToken: Bool

    package init(
        redirectURI: String? = nil, challenge: CodeChallenge? = nil, isLegacy: Bool = false,
        includesRefreshToken: Bool = true
    ) {
        self.redirectURI = redirectURI
        self.challenge = challenge
        self.isLegacy = isLegacy
        self.includesRefreshToken = includesRefreshToken
    }
}
