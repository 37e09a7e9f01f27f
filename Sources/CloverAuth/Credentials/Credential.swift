package import CloverHTTP

/// What lets a request in: an access token, and for OAuth what renews it.
package struct Credential: Equatable, Sendable {
    /// What sort of token it is, which decides whether it can be renewed.
    package enum Kind: String, Sendable {
        /// Made by the merchant or given on the command line; it is used until the service refuses it.
        case staticToken = "static"
        /// Issued by the service's OAuth, with an expiry and normally a refresh token.
        case oauth
        /// Issued by the service's older OAuth: without an expiry, and nothing renews it.
        case legacy
    }

    /// How the present tokens came here.
    package enum Origin: String, Sendable {
        /// A person signed in with a browser.
        case login
        /// A refresh token was spent for them.
        case refresh
        /// A code or an address that was obtained elsewhere was handed in.
        case receive
        /// A legacy token was turned into them.
        case migration
        /// The token itself was handed in.
        case token
    }

    /// Whom it is for.
    package let key: CredentialKey
    /// What sort of token it is.
    package let kind: Kind
    /// What goes into each request.
    package let accessToken: Secret
    /// What a new pair of tokens is asked for with; nil when there is no such way.
    package let refreshToken: Secret?
    /// When the access token ends, in seconds since 1970 UTC by the service's clock; nil when it does not say.
    package let accessTokenExpires: Int64?
    /// When the refresh token ends, in seconds since 1970 UTC by the service's clock; nil when it does not say.
    package let refreshTokenExpires: Int64?
    /// When this sign-in was made, in seconds since 1970 UTC by our clock. A renewal does not change it.
    package let createdAt: Int64
    /// When the tokens were last renewed, in seconds since 1970 UTC by our clock; nil when they never were.
    package let refreshedAt: Int64?
    /// Who signed in, where the service said so.
    package let employeeID: String?
    /// How the present tokens came here.
    package let origin: Origin
    /// How often the tokens were renewed since the sign-in.
    package let generation: Int
    /// `SecretHash` of the code that the sign-in began with; nil when there was none.
    package let codeHash: String?
    /// The service's clock when the tokens were issued, in seconds since 1970 UTC; nil when it is not known.
    package let serverTime: Int64?
    /// Milliseconds on the boot clock when the tokens were issued (`TokenClock.boot`); nil when it is not known.
    package let bootTime: Int64?
    /// The start of the machine that `bootTime` counts from; nil when it is not known.
    package let bootID: String?
    /// Whether the tokens are in the desktop keyring, and the file only points there. A renewal keeps it so.
    package var isInKeyring: Bool

    /// Puts the parts together; whether the tokens can be used is checked when it is saved or loaded.
    ///
    /// - Parameter origin: nil means what is usual for the kind: `.token` for a static or legacy one, else `.login`.
    package init(
        key: CredentialKey, kind: Kind, accessToken: Secret, refreshToken: Secret? = nil,
        accessTokenExpires: Int64? = nil, refreshTokenExpires: Int64? = nil, createdAt: Int64,
        refreshedAt: Int64? = nil, employeeID: String? = nil, origin: Origin? = nil, generation: Int = 0,
        codeHash: String? = nil, serverTime: Int64? = nil, bootTime: Int64? = nil, bootID: String? = nil,
        isInKeyring: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshTokenExpires
        self.createdAt = createdAt
        self.refreshedAt = refreshedAt
        self.employeeID = employeeID
        self.origin = origin ?? kind.usualOrigin
        self.generation = generation
        self.codeHash = codeHash
        self.serverTime = serverTime
        self.bootTime = bootTime
        self.bootID = bootID
        self.isInKeyring = isInKeyring
    }

    /// Whether a token can go into a request header: 1 to 8192 visible ASCII characters, so that it cannot smuggle a
    /// second header in. Nothing more is assumed about its form.
    package static func isUsable(_ token: Secret) -> Bool {
        (1...8192).contains(token.exposed.utf8.count)
            && token.exposed.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension Credential.Kind {
    /// How tokens of this kind come here when nothing else is said.
    var usualOrigin: Credential.Origin {
        switch self {
        case .staticToken, .legacy: .token
        case .oauth: .login
        }
    }
}
