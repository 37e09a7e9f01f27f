/// All codes and tokens of one app and merchant, and their rules. Each call is passed the time in milliseconds since
/// 1970; nothing here waits or does I/O.
package struct TokenRegistry: Sendable {
    private struct Code: Sendable {
        let grant: AuthorizationGrant
        let expires: Int
    }

    private struct Refresh: Sendable {
        /// Invalidated when the refresh token is used.
        let accessToken: String
        let expires: Int
        /// Increases with every refresh token, to find the oldest.
        let serial: Int
    }

    package let appID: String
    private let appSecret: String
    package let merchantID: String
    private let settings: OAuthSettings
    private let mint: TokenGenerator
    private var codes: [String: Code] = [:]
    /// Expiry of each access token; legacy tokens never expire and are stored separately.
    private var access: [String: Int] = [:]
    private var refresh: [String: Refresh] = [:]
    private var legacy: Set<String> = []
    private var lastSerial = 0
    package var statistics = OAuthStatistics()

    package init(appID: String, appSecret: String, merchantID: String, settings: OAuthSettings) {
        self.appID = appID
        self.appSecret = appSecret
        self.merchantID = merchantID
        self.settings = settings
        mint = TokenGenerator(appID: appID, merchantID: merchantID)
    }

    /// Whether the code was issued here and has not been used, even if it has expired.
    package func holds(code: String) -> Bool { codes[code] != nil }

    package func holds(refreshToken: String) -> Bool { refresh[refreshToken] != nil }

    // MARK: Codes

    /// Issues a code; the expiration is in seconds since 1970.
    package mutating func issueCode(_ grant: AuthorizationGrant, at now: Int) -> (code: String, expiration: Int) {
        codes = codes.filter { $0.value.expires > now }
        let code = mint.code()
        let expires = now + settings.codeLife.milliseconds
        codes[code] = Code(grant: grant, expires: expires)
        statistics.codesIssued += 1
        return (code, expires / 1000)
    }

    /// Exchanges a code for tokens. A refused exchange leaves the code valid: no source says whether the service
    /// invalidates it.
    package mutating func exchange(
        _ request: TokenRequest, wantsRefreshToken: Bool, at now: Int
    ) throws(OAuthRefusal) -> IssuedTokens {
        do {
            let grant = try checkedGrant(request, at: now)
            codes[request.code] = nil
            statistics.codesSpent += 1
            return issue(withRefreshToken: wantsRefreshToken && grant.includesRefreshToken, at: now)
        } catch {
            statistics.codesRefused += 1
            throw error
        }
    }

    private func checkedGrant(_ request: TokenRequest, at now: Int) throws(OAuthRefusal) -> AuthorizationGrant {
        guard request.clientID == appID else { throw .unknownClient }
        guard let code = codes[request.code], code.expires > now, !code.grant.isLegacy else { throw .badCode }
        let grant = code.grant
        if let uri = request.redirectURI, let bound = grant.redirectURI, uri != bound { throw .badCode }
        if let secret = request.clientSecret, secret != appSecret { throw .badCredentials }
        if let challenge = grant.challenge {
            guard let verifier = request.codeVerifier, challenge.isMet(by: verifier) else { throw .badCode }
        } else {
            // A verifier without a challenge means that the challenge was stripped (RFC 9700 section 2.1.1).
            guard request.codeVerifier == nil else { throw .badCode }
            guard request.clientSecret != nil else { throw .badCredentials }
        }
        return grant
    }

    // MARK: Tokens

    /// Exchanges a refresh token for a new pair. The access token issued with it is invalidated too and returned, so
    /// that the caller can stop counting its requests.
    package mutating func rotate(
        _ request: RefreshRequest, at now: Int
    ) throws(OAuthRefusal) -> (tokens: IssuedTokens, deadAccessToken: String) {
        let refusal: OAuthRefusal
        if request.clientID != appID {
            refusal = .unknownClient
        } else if let spent = refresh[request.refreshToken], spent.expires > now {
            refresh[request.refreshToken] = nil
            access[spent.accessToken] = nil
            statistics.refreshes += 1
            return (issue(withRefreshToken: true, at: now), spent.accessToken)
        } else {
            refusal = .badRefreshToken
        }
        statistics.refreshesRefused += 1
        throw refusal
    }

    private mutating func issue(withRefreshToken: Bool, at now: Int) -> IssuedTokens {
        let ends = now + settings.accessTokenLife.milliseconds
        let accessToken = mint.accessToken(issued: now / 1000, expires: ends / 1000)
        access[accessToken] = ends
        statistics.tokensIssued += 1
        var tokens = IssuedTokens(accessToken: accessToken, accessTokenExpiration: ends / 1000)
        guard withRefreshToken else { return tokens }
        let text = mint.refreshToken()
        let refreshEnds = now + settings.refreshTokenLife.milliseconds
        lastSerial += 1
        refresh = refresh.filter { $0.value.expires > now }
        refresh[text] = Refresh(accessToken: accessToken, expires: refreshEnds, serial: lastSerial)
        if settings.refreshTokenCap > 0 {
            while refresh.count > settings.refreshTokenCap,
                let oldest = refresh.min(by: { $0.value.serial < $1.value.serial })
            {
                refresh[oldest.key] = nil
            }
        }
        tokens.refreshToken = text
        tokens.refreshTokenExpiration = refreshEnds / 1000
        return tokens
    }

    /// Removes expired access tokens and returns them.
    package mutating func removeExpired(at now: Int) -> [String] {
        let ended = access.filter { $0.value <= now }.map(\.key)
        for token in ended { access[token] = nil }
        return ended
    }

    /// Whether an access token issued here has expired. The shop's static tokens are not known here.
    package func isExpired(accessToken: String, at now: Int) -> Bool {
        access[accessToken].map { $0 <= now } ?? false
    }

    // MARK: Legacy

    /// Exchanges a code for a legacy token.
    package mutating func exchangeLegacy(_ request: LegacyTokenRequest, at now: Int) throws(OAuthRefusal) -> String {
        let refusal: OAuthRefusal
        if request.clientID != appID {
            refusal = .legacyUnknownClient
        } else if request.clientSecret == appSecret, let code = codes[request.code], code.expires > now,
            code.grant.isLegacy
        {
            codes[request.code] = nil
            statistics.codesSpent += 1
            return issueLegacyToken()
        } else {
            refusal = .legacyBadCredentials
        }
        statistics.codesRefused += 1
        throw refusal
    }

    /// Issues a token without expiry (Clover documentation, legacy flow).
    package mutating func issueLegacyToken() -> String {
        let token = mint.legacyToken()
        legacy.insert(token)
        statistics.tokensIssued += 1
        return token
    }

    /// Issues a code for a legacy token; the expiration is in seconds since 1970. The token stays valid: no source says
    /// that it stops working.
    package mutating func migrate(
        _ request: MigrationRequest, at now: Int
    ) throws(OAuthRefusal) -> (code: String, expiration: Int) {
        guard request.appID == appID else { throw .unknownClient }
        guard request.merchantID == merchantID, legacy.contains(request.legacyToken) else { throw .badCredentials }
        var grant = AuthorizationGrant()
        if let text = request.challenge {
            guard let challenge = CodeChallenge(text) else {
                throw .malformed("code_challenge is not the base64url form of a SHA-256")
            }
            grant.challenge = challenge
        }
        return issueCode(grant, at: now)
    }
}

/// The codes and tokens of all merchants and apps, one `TokenRegistry` per pair.
package struct TenantTokens: Sendable {
    private var registries: [TokenRegistry]

    package init(_ tenants: Tenants, settings: OAuthSettings) {
        registries = tenants.apps.flatMap { app in
            tenants.merchantIDs.map { merchantID in
                TokenRegistry(appID: app.id, appSecret: app.secret, merchantID: merchantID, settings: settings)
            }
        }
    }

    package var statistics: OAuthStatistics { registries.reduce(OAuthStatistics()) { $0 + $1.statistics } }

    package mutating func answerLost() { registries[0].statistics.answersLost += 1 }

    // MARK: Lookup

    /// Unknown owners map to the first entry, which refuses the request.
    package func place(of owner: TokenOwner) -> Int {
        registries.firstIndex { $0.appID == owner.appID && $0.merchantID == owner.merchantID } ?? 0
    }

    /// A code of another app maps to an entry of this app, which refuses it.
    package func place(ofCode code: String, appID: String) -> Int {
        place(appID) { $0.holds(code: code) }
    }

    package func place(ofRefreshToken token: String, appID: String) -> Int {
        place(appID) { $0.holds(refreshToken: token) }
    }

    private func place(_ appID: String, _ holds: (TokenRegistry) -> Bool) -> Int {
        registries.firstIndex { $0.appID == appID && holds($0) } ?? registries.firstIndex { $0.appID == appID } ?? 0
    }

    // MARK: Changes

    /// Applies a change to one entry and returns its owner.
    package mutating func change<Result>(
        _ place: Int, _ body: (inout TokenRegistry) throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> (result: Result, owner: TokenOwner) {
        let result = try body(&registries[place])
        return (result, TokenOwner(merchantID: registries[place].merchantID, appID: registries[place].appID))
    }

    package mutating func issueCode(_ grant: AuthorizationGrant, to owner: TokenOwner, at now: Int) -> String {
        registries[place(of: owner)].issueCode(grant, at: now).code
    }

    package mutating func issueLegacyToken(to owner: TokenOwner) -> String {
        registries[place(of: owner)].issueLegacyToken()
    }

    package mutating func removeExpired(at now: Int) -> [String] {
        registries.indices.flatMap { registries[$0].removeExpired(at: now) }
    }

    /// Whether an access token issued here has expired.
    package func isExpired(accessToken: String, at now: Int) -> Bool {
        registries.contains { $0.isExpired(accessToken: accessToken, at: now) }
    }
}

/// The grant that a code represents: what a merchant has approved.
package struct AuthorizationGrant: Sendable {
    /// Where the code was sent; nil if it was not issued through a browser.
    package var redirectURI: String?
    /// Nil when the app authenticates with its secret instead.
    package var challenge: CodeChallenge?
    /// True for codes of the legacy flow, which only the legacy token call accepts.
    package var isLegacy: Bool
    /// False issues an access token only.
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
