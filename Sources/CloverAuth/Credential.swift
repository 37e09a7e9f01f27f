package import CloverHTTP

/// What lets a request in: an access token, and for OAuth what renews it.
package struct Credential: Equatable, Sendable {
    /// Where a token came from, which decides whether it can be renewed.
    package enum Kind: String, Sendable {
        /// Made by the merchant or given on the command line; it is used until the service refuses it.
        case staticToken = "static"
        /// Issued by the service's OAuth, with an expiry and normally a refresh token.
        case oauth
    }

    /// Whom it is for.
    package let key: CredentialKey
    /// Where the tokens came from.
    package let kind: Kind
    /// What goes into each request.
    package let accessToken: Secret
    /// What a new pair of tokens is asked for with; nil when there is no such way.
    package let refreshToken: Secret?
    /// When the access token ends, in seconds since 1970 UTC; nil when it does not say.
    package let accessTokenExpires: Int64?
    /// When the refresh token ends, in seconds since 1970 UTC; nil when it does not say.
    package let refreshTokenExpires: Int64?
    /// When this credential was obtained, in seconds since 1970 UTC.
    package let createdAt: Int64

    /// Puts the parts together; whether the tokens can be used is checked when it is saved or loaded.
    package init(
        key: CredentialKey, kind: Kind, accessToken: Secret, refreshToken: Secret? = nil,
        accessTokenExpires: Int64? = nil, refreshTokenExpires: Int64? = nil, createdAt: Int64
    ) {
        self.key = key
        self.kind = kind
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshTokenExpires
        self.createdAt = createdAt
    }

    /// Whether a token can go into a request header: 1 to 8192 visible ASCII characters, so that it cannot smuggle a
    /// second header in. Nothing more is assumed about its form.
    package static func isUsable(_ token: Secret) -> Bool {
        (1...8192).contains(token.exposed.utf8.count)
            && token.exposed.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
