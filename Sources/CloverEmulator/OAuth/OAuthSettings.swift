/// How the token side of an emulator behaves. The defaults are those of the service where a source tells them.
package struct OAuthSettings: Sendable {
    /// Life of an access token; 30 minutes (Clover documentation, OAuth and tokens FAQ).
    package var accessTokenLife = Duration.seconds(30 * 60)
    /// Life of a refresh token; no page gives a number, the sample answers are 366 days apart.
    package var refreshTokenLife = Duration.seconds(366 * 86_400)
    /// Life of a code; the service's is not told, only that it is short.
    package var codeLife = Duration.seconds(60)
    /// Most live refresh tokens of an app and merchant; 0 for no bound. The service has one and does not tell it.
    package var refreshTokenCap = 0
    /// How far the emulator's clock is ahead of the system's; negative for behind.
    package var clockSkew = Duration.zero
    /// Pause before the work of a token call, and after it.
    package var latency = Duration.zero
    package var answerDelay = Duration.zero
    /// Faults of token calls, of `FaultTarget.oauth`.
    package var faults: [FaultSpec] = []
    /// True answers authorize requests at once, without asking anybody.
    package var isAutoApproving = false

    /// Below which of these addresses a browser may be sent back; empty takes every one.
    package var siteURLs: [RedirectURI] = []

    package init() {}
}
