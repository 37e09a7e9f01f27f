package import CloverHTTP
import CloverSystem

/// The record of one use of a refresh token, written before it is sent and kept until its successor is stored. It never
/// contains a token.
///
/// As JSON, version 1: `{"version":1,"tokenHash":"...","state":"sent","at":1700000000000,"pid":42}`, with `httpStatus` and
/// `message` after a refusal, and `deadTokenHash` if the access token is rejected as well.
package struct RefreshJournal: Codable, Equatable, Sendable {
    /// The state of the renewal.
    package enum State: String, Codable, Sendable {
        /// The token may have been sent; the outcome is unknown.
        case sent
        /// The service refused the token, and there is nothing else to try.
        case refused
        /// The token was used, and the response with its successor never arrived.
        case lost
        /// The token came with an access token that replaced a refused one and was refused too. The cause is then not
        /// the token, but for example a missing permission. The refresh token itself is valid.
        case futile
        /// The token came with an access token that had already expired. The refresh token itself is not known to be
        /// invalid.
        case ended
    }

    /// `SecretHash` of the refresh token that this record is about.
    package let tokenHash: String
    package let state: State
    /// When it entered this state, in milliseconds since 1970 UTC; for `lost`, when the token was first sent.
    package let at: Int64
    /// The process that wrote it.
    package let pid: Int32
    /// The HTTP status of the refusal.
    package let httpStatus: Int?
    /// The service's message about the refusal, without secrets.
    package let message: String?
    /// `SecretHash` of the access token if the service was found to reject it after the refusal; nil if it is not known
    /// to be invalid.
    package let deadTokenHash: String?

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

    /// Whether this records a use of the refresh token, in progress or completed.
    package var isAboutSpending: Bool { state != .futile && state != .ended }

    /// Whether the service refused to renew this access token and also rejects it.
    package func hasFoundDead(_ accessToken: Secret) -> Bool {
        state == .refused && deadTokenHash == SecretHash.hexadecimal(of: accessToken)
    }

    /// Whether this is about the given refresh token.
    package func isAbout(_ refreshToken: Secret) -> Bool {
        tokenHash == SecretHash.hexadecimal(of: refreshToken)
    }
}

/// Identifies a secret without storing it.
package enum SecretHash {
    /// The SHA-256 of the secret's bytes, as 64 hexadecimal digits. Tokens and codes are long and random, so they
    /// cannot be found by guessing.
    package static func hexadecimal(of secret: Secret) -> String {
        bytes(of: secret.exposed).hexadecimalDigits
    }

    /// The 32 bytes of the SHA-256 of `text`.
    static func bytes(of text: String) -> [UInt8] {
        SHA256.hash(Array(text.utf8))
    }
}
