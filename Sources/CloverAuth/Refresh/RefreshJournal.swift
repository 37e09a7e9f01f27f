package import CloverHTTP

/// What is written down about the spending of one refresh token, before it is spent and until its successor is safe. It
/// never holds a token.
package struct RefreshJournal: Equatable, Sendable {
    /// How far it got.
    package enum State: String, Sendable {
        /// The token may have been sent; how that ended is not known.
        case sent
        /// The service refused the token, and nothing else is left to try.
        case refused
        /// The token was spent, and the answer with its successor never arrived.
        case lost
        /// The token came with an access token in exchange for a refused one, and that is refused, too: the service means
        /// something else than the token, such as a missing permission. Nothing is wrong with the token itself.
        case futile
        /// The token came with an access token that had ended already. Nothing is known against the token itself.
        case ended
    }

    /// `SecretHash` of the refresh token that this is about.
    package let tokenHash: String
    package let state: State
    /// When it came to this state, in milliseconds since 1970 UTC; for `lost`, when the token was first sent.
    package let at: Int64
    /// The process that wrote it.
    package let pid: Int32
    /// The status of the refusal.
    package let httpStatus: Int?
    /// The service's words for the refusal, without secrets.
    package let message: String?
    /// `SecretHash` of the access token that the service was found to take for nothing, after the refusal; nil while nothing is
    /// known against it.
    package let deadTokenHash: String?

    /// Puts the parts together.
    package init(
        tokenHash: String, state: State, at: Int64, pid: Int32, httpStatus: Int? = nil, message: String? = nil,
        deadTokenHash: String? = nil
    ) {
        self.tokenHash = tokenHash
        self.state = state
        self.at = at
        self.pid = pid
        self.httpStatus = httpStatus
        self.message = message
        self.deadTokenHash = deadTokenHash
    }

    /// Whether a spending is written down here, begun or ended.
    package var isAboutSpending: Bool { state != .futile && state != .ended }

    /// Whether the service refused to renew that access token, and takes it for nothing.
    package func hasFoundDead(_ accessToken: Secret) -> Bool {
        state == .refused && deadTokenHash == SecretHash.hexadecimal(of: accessToken)
    }

    /// Whether this is about that refresh token.
    package func isAbout(_ refreshToken: Secret) -> Bool {
        tokenHash == SecretHash.hexadecimal(of: refreshToken)
    }
}
