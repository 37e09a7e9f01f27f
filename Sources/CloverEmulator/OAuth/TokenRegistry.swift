/// All codes and tokens of all apps and merchants, and their rules. Each call is passed the time in milliseconds since
/// 1970; nothing here waits or does I/O.
package struct TokenRegistry: Sendable {
    private struct Code: Sendable {
        let grant: AuthorizationGrant
        let owner: TokenOwner
        let expires: Int
    }

    private struct Refresh: Sendable {
        let owner: TokenOwner
        /// Invalidated when the refresh token is used.
        let accessToken: String
        let expires: Int
        /// Increases with every refresh token, to find the oldest.
        let serial: Int
    }

    private let secrets: [String: String]
    private let settings: OAuthSettings
    private var codes: [String: Code] = [:]
    /// Expiry of each access token; legacy tokens never expire and are stored separately.
    private var access: [String: Int] = [:]
    private var refresh: [String: Refresh] = [:]
    private var legacy: [String: TokenOwner] = [:]
    private var lastSerial = 0
    package var statistics = OAuthStatistics()

    package init(secrets: [String: String], settings: OAuthSettings) {
        self.secrets = secrets
        self.settings = settings
    }

    // MARK: Codes

    /// Issues a code; the expiration is in seconds since 1970.
    package mutating func issueCode(
        _ grant: AuthorizationGrant, to owner: TokenOwner, at now: Int
    ) -> (code: String, expiration: Int) {
        codes = codes.filter { $0.value.expires > now }
        let code = TokenGenerator.uuid()
        let expires = now + settings.codeLife.milliseconds
        codes[code] = Code(grant: grant, owner: owner, expires: expires)
        statistics.codesIssued += 1
        return (code, expires / 1000)
    }

    /// Exchanges a code for tokens. A refused exchange leaves the code valid: no source says whether the service
    /// invalidates it.
    package mutating func exchange(
        _ request: TokenRequest, wantsRefreshToken: Bool, at now: Int
    ) throws(OAuthRefusal) -> IssuedTokens {
        do {
            let code = try checkedCode(request, at: now)
            codes[request.code] = nil
            statistics.codesSpent += 1
            return issue(
                to: code.owner, withRefreshToken: wantsRefreshToken && code.grant.includesRefreshToken, at: now)
        } catch {
            statistics.codesRefused += 1
            throw error
        }
    }

    private func checkedCode(_ request: TokenRequest, at now: Int) throws(OAuthRefusal) -> Code {
        guard let appSecret = secrets[request.appID] else { throw .unknownClient }
        guard let code = codes[request.code], code.owner.appID == request.appID, code.expires > now,
            !code.grant.isLegacy
        else { throw .badCode }
        if let uri = request["redirect_uri"], let bound = code.grant.redirectURI, uri != bound { throw .badCode }
        if let secret = request.clientSecret, secret != appSecret { throw .badCredentials }
        let verifier = request["code_verifier"]
        if let challenge = code.grant.challenge {
            guard let verifier, challenge.isMet(by: verifier) else { throw .badCode }
        } else {
            // A verifier without a challenge means that the challenge was stripped (RFC 9700 section 2.1.1).
            guard verifier == nil else { throw .badCode }
            guard request.clientSecret != nil else { throw .badCredentials }
        }
        return code
    }

    // MARK: Tokens

    /// Exchanges a refresh token for a new pair. The access token issued with it is invalidated too and returned, so
    /// that the caller can stop counting its requests.
    package mutating func rotate(
        _ request: TokenRequest, at now: Int
    ) throws(OAuthRefusal) -> (tokens: IssuedTokens, deadAccessToken: String) {
        let token = request["refresh_token"] ?? ""
        guard secrets[request.appID] != nil, let spent = refresh[token], spent.owner.appID == request.appID,
            spent.expires > now
        else {
            statistics.refreshesRefused += 1
            throw secrets[request.appID] == nil ? .unknownClient : .badRefreshToken
        }
        refresh[token] = nil
        access[spent.accessToken] = nil
        statistics.refreshes += 1
        return (issue(to: spent.owner, withRefreshToken: true, at: now), spent.accessToken)
    }

    private mutating func issue(to owner: TokenOwner, withRefreshToken: Bool, at now: Int) -> IssuedTokens {
        let ends = now + settings.accessTokenLife.milliseconds
        let accessToken = TokenGenerator.accessToken(for: owner, issued: now / 1000, expires: ends / 1000)
        access[accessToken] = ends
        statistics.tokensIssued += 1
        var tokens = IssuedTokens(owner: owner, accessToken: accessToken, accessTokenExpiration: ends / 1000)
        guard withRefreshToken else { return tokens }
        let text = TokenGenerator.refreshToken()
        let refreshEnds = now + settings.refreshTokenLife.milliseconds
        lastSerial += 1
        refresh = refresh.filter { $0.value.expires > now }
        refresh[text] = Refresh(owner: owner, accessToken: accessToken, expires: refreshEnds, serial: lastSerial)
        if settings.refreshTokenCap > 0 {
            let own = refresh.filter { $0.value.owner == owner }.sorted { $0.value.serial < $1.value.serial }
            for (oldest, _) in own.dropLast(settings.refreshTokenCap) { refresh[oldest] = nil }
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

    package mutating func exchangeLegacy(
        _ request: TokenRequest, at now: Int
    ) throws(OAuthRefusal) -> (token: String, owner: TokenOwner) {
        guard let secret = secrets[request.appID], request.clientSecret == secret, let code = codes[request.code],
            code.owner.appID == request.appID, code.expires > now, code.grant.isLegacy
        else {
            statistics.codesRefused += 1
            throw secrets[request.appID] == nil ? .legacyUnknownClient : .legacyBadCredentials
        }
        codes[request.code] = nil
        statistics.codesSpent += 1
        return (issueLegacyToken(to: code.owner), code.owner)
    }

    /// Issues a token without expiry (Clover documentation, legacy flow). It is a plain UUID (recorded responses).
    package mutating func issueLegacyToken(to owner: TokenOwner) -> String {
        let token = TokenGenerator.uuid()
        legacy[token] = owner
        statistics.tokensIssued += 1
        return token
    }

    /// Issues a code for a legacy token; the expiration is in seconds since 1970. The token stays valid: no source says
    /// that it stops working.
    package mutating func migrate(
        _ request: TokenRequest, at now: Int
    ) throws(OAuthRefusal) -> (code: String, expiration: Int) {
        guard secrets[request.appID] != nil else { throw .unknownClient }
        let owner = TokenOwner(merchantID: request["merchant_uuid"] ?? "", appID: request.appID)
        guard legacy[request["auth_token"] ?? ""] == owner else { throw .badCredentials }
        var grant = AuthorizationGrant()
        if let text = request["code_challenge"] {
            guard let challenge = CodeChallenge(text) else {
                throw .malformed("code_challenge is not the base64url form of a SHA-256")
            }
            grant.challenge = challenge
        }
        return issueCode(grant, to: owner, at: now)
    }
}

/// The grant that a code represents: what a merchant has approved.
package struct AuthorizationGrant: Sendable {
    /// Where the code was sent; nil if it was not issued through a browser.
    package var redirectURI: String?
    /// Nil when the app authenticates with its secret instead.
    package var challenge: CodeChallenge?
    /// True for codes of the legacy flow, which only the legacy token call accepts.
    package var isLegacy = false
    /// False issues an access token only.
    package var includesRefreshToken = true

    package init() {}
}

/// Counts of codes and tokens since the start, as `GET /emulator/stats` shows them.
package struct OAuthStatistics: Sendable {
    package var refreshes = 0
    /// Well-formed refresh calls that were refused.
    package var refreshesRefused = 0
    /// Codes issued by the consent page and for legacy tokens.
    package var codesIssued = 0
    package var codesSpent = 0
    /// Well-formed code exchanges that were refused.
    package var codesRefused = 0
    /// Access tokens issued, including legacy ones.
    package var tokensIssued = 0
    /// Responses dropped after the request was carried out.
    package var answersLost = 0
}
