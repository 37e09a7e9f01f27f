package import CloverHTTP

/// What shows that the one who exchanges a code is the one it was issued for.
package enum Proof: Equatable, Sendable {
    /// The `CodeVerifier` whose challenge went out with the browser.
    case verifier(Secret)
    /// The app's secret, for an app that can keep one.
    case appSecret(Secret)
    /// Neither; the service decides whether that is enough.
    case none

    /// The field of the request's body.
    var field: (name: String, secret: Secret)? {
        switch self {
        case .verifier(let secret): ("code_verifier", secret)
        case .appSecret(let secret): ("client_secret", secret)
        case .none: nil
        }
    }
}
