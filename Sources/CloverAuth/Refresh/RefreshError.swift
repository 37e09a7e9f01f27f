package import CloverHTTP

/// Why there is no usable token. Nothing here ever removes or empties a credential.
package enum RefreshError: Error, Equatable, Sendable {
    /// There is no credential for this key.
    case notSignedIn(CredentialKey)
    /// A token of this kind cannot be renewed.
    case notRenewable(Credential.Kind)
    /// The access token has ended or is unwanted, and no refresh token came with it.
    case noRefreshToken
    /// The service refused this refresh token, now or earlier: a new sign-in is needed. `at` is in milliseconds since
    /// 1970 UTC.
    case refused(status: Int, message: String?, at: Int64)
    /// The service made a new pair at that moment, in milliseconds since 1970 UTC, and the answer with it never
    /// arrived. The old pair is dead and the new one is nowhere: a new sign-in is needed.
    case lost(at: Int64)
    /// The service cannot be reached; nothing was spent.
    case unreachable(HTTPTransportError)
    /// The answer was lost or could not be understood, twice. The tokens may be good or spent; the next try tells.
    case unavailable(OAuthError.Unknown)
    /// Too many requests, also after waiting; nothing was spent. `retryAfter` is in seconds.
    case rateLimited(retryAfter: Double?)
    /// Another answer that settles nothing: a redirect, 403, 404, a page of a proxy, ...
    case service(OAuthError)
    /// The credential cannot be read, locked or written.
    case credential(CredentialError)
    /// The service made a new pair, and it could not be kept: a new sign-in is needed.
    case notKept(CredentialError)
    /// The task was cancelled.
    case cancelled
}

extension RefreshError {
    /// Whether an access token that has not ended may still be used after this: nothing is known against it. A refusal is
    /// about the refresh token.
    var leavesTokenUsable: Bool {
        switch self {
        case .unreachable, .unavailable, .rateLimited, .service, .noRefreshToken, .refused: true
        case .credential(let error): error != .cancelled
        case .notSignedIn, .notRenewable, .lost, .notKept, .cancelled: false
        }
    }
}

extension RefreshError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSignedIn(let key): "not signed in to merchant \(key.merchantID) (\(key.environment))"
        case .notRenewable(.staticToken): "a static token cannot be renewed"
        case .notRenewable(.legacy): "a legacy token cannot be renewed"
        case .notRenewable(.oauth), .noRefreshToken: "the service gave no refresh token for this sign-in"
        case .refused(let status, let message, _):
            "the service refused the refresh token (\(status))" + (message.map { ": " + $0 } ?? "")
        case .lost:
            "the service renewed the tokens, but its answer with the new ones was lost, and the old ones are dead"
        case .unreachable: "the service cannot be reached"
        case .unavailable(let cause): OAuthError.outcomeUnknown(cause).description
        case .rateLimited(let retryAfter): OAuthError.rateLimited(retryAfter: retryAfter).description
        case .service(let error): error.description
        case .credential(let error): error.description
        case .notKept(let error): "the new tokens could not be kept: \(error)"
        case .cancelled: "renewing the token was cancelled"
        }
    }
}
