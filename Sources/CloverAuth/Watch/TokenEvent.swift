/// Something that happened to the tokens of one credential, in this process or another.
package struct TokenEvent: Equatable, Sendable {
    /// What happened.
    package enum Kind: Equatable, Sendable {
        /// There are tokens that did not come from a renewal: a sign-in, or tokens handed in.
        case new
        /// The tokens were renewed.
        case refreshed
        /// The credential was removed.
        case deleted
        /// The service refused to renew the present tokens, or the answer with their successors was lost: a new sign-in
        /// is needed.
        case invalidated
        /// The name no longer stands for this credential, which stays.
        case nameForgotten(String)
        /// The credential cannot be read any more. It is still watched.
        case unreadable(CredentialError)
    }

    package let kind: Kind
    package let key: CredentialKey
    /// When it was noticed, in milliseconds since 1970 UTC.
    package let at: Int64
    /// How often the tokens were renewed since the sign-in; nil when there are none, or none that can be read.
    package let generation: Int?
    /// When the access token ends, in seconds since 1970 UTC; nil when it does not say.
    package let accessTokenExpires: Int64?
    /// When the refresh token ends, in seconds since 1970 UTC; nil when it does not say.
    package let refreshTokenExpires: Int64?

    /// Puts the parts together.
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
