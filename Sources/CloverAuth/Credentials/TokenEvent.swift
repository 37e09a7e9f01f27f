/// A change to the tokens of one credential, made by this process or another.
package struct TokenEvent: Equatable, Sendable {
    /// What happened.
    package enum Kind: Equatable, Sendable {
        /// There are tokens that did not come from a renewal: from a sign-in, or passed in.
        case new
        /// The tokens were renewed.
        case refreshed
        /// The credential was removed.
        case deleted
        /// The service refused to renew the current tokens, or the response with their successors was lost: a new
        /// sign-in is needed.
        case invalidated
        /// The name no longer refers to this credential, which still exists.
        case nameForgotten(String)
        /// The credential can no longer be read. It is still watched.
        case unreadable(CredentialError)
    }

    package let kind: Kind
    package let key: CredentialKey
    /// When the change was noticed, in milliseconds since 1970 UTC.
    package let at: Int64
    /// Number of renewals since the sign-in; nil if there are no tokens, or none that can be read.
    package let generation: Int?
    /// When the access token expires, in seconds since 1970 UTC; nil if unspecified.
    package let accessTokenExpires: Int64?
    /// When the refresh token expires, in seconds since 1970 UTC; nil if unspecified.
    package let refreshTokenExpires: Int64?

    /// Creates an event.
    package init(
        kind: Kind, key: CredentialKey, at: Int64, generation: Int? = nil, accessTokenExpires: Int64? = nil,
        refreshTokenExpires: Int64? = nil
    ) {
        self.kind = kind
        self.key = key
        self.at = at
        self.generation = generation
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshTokenExpires
    }
}
