/// All codes and tokens of one app and merchant, and the rules they live by. Time comes in with each call, in
/// milliseconds since 1970; nothing here waits or writes.
package struct TokenBook: Sendable {
    private struct Code: Sendable {
        let grant: AuthorizationGrant
        let expires: Int
    }

    private struct Refresh: Sendable {
        /// Dies with the refresh token when that is spent.
        let accessToken: String
        let expires: Int
        /// Rises with every refresh token, so that the oldest can be found.
        let serial: Int
    }

    package let appID: String
    private let appSecret: String
    package let merchantID: String
    private let settings: OAuthSettings
    private let mint: TokenMint
    private var codes: [String: Code] = [:]
    /// When each access token ends; legacy tokens never do and are kept apart.
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
        mint = TokenMint(appID: appID, merchantID: merchantID)
    }

    /// True for a code that was issued here and has not been spent, however old it is.
    package func holds(code: String) -> Bool { codes[code] != nil }

    package func holds(refreshToken: String) -> Bool { refresh[refreshToken] != nil }

    // MARK: Codes

    /// A new code and its end in seconds since 1970.
    package mutating func issueCode(_ grant: AuthorizationGrant, at now: Int) -> (code: String, expiration: Int) {
        codes = codes.filter { $0.value.expires > now }
        let code = mint.code()
        let expires = now + settings.codeLife.milliseconds
        codes[code] = Code(grant: grant, expires: expires)
        statistics.codesIssued += 1
        return (code, expires / 1000)
    }

    /// Exchanges a code for tokens. A refused exchange leaves the code as it is: whether the service spends it then is
    /// not told by any source.
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
            // A verifier without a challenge means that somebody took the challenge away (RFC 9700 section 2.1.1).
            guard request.codeVerifier == nil else { throw .badCode }
            guard request.clientSecret != nil else { throw .badCredentials }
        }
        return grant
    }

    // MARK: Tokens

    /// A new pair for a refresh token, which is spent by it. The access token issued with it dies too and is returned, so
    /// that whoever counts its requests can forget it.
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

    /// Takes the access tokens out that have ended, and gives them.
    package mutating func removeExpired(at now: Int) -> [String] {
        let ended = access.filter { $0.value <= now }.map(\.key)
        for token in ended { access[token] = nil }
        return ended
    }

    /// True for an access token from here whose time is over. The static tokens of the shop are not known here.
    package func isExpired(accessToken: String, at now: Int) -> Bool {
        access[accessToken].map { $0 <= now } ?? false
    }

    // MARK: Legacy

    /// A legacy token for its code.
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

    /// A token without an end (Clover documentation, legacy flow).
    package mutating func issueLegacyToken() -> String {
        let token = mint.legacyToken()
        legacy.insert(token)
        statistics.tokensIssued += 1
        return token
    }

    /// A code for a legacy token, and its end in seconds since 1970. The token goes on working: no source says that it
    /// stops.
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

/// The codes and tokens of all merchants and apps: a book for each pair.
package struct TokenBooks: Sendable {
    private var books: [TokenBook]

    package init(_ tenants: Tenants, settings: OAuthSettings) {
        books = tenants.apps.flatMap { app in
            tenants.merchantIDs.map { merchantID in
                TokenBook(appID: app.id, appSecret: app.secret, merchantID: merchantID, settings: settings)
            }
        }
    }

    package var statistics: OAuthStatistics { books.reduce(OAuthStatistics()) { $0 + $1.statistics } }

    package mutating func answerLost() { books[0].statistics.answersLost += 1 }

    // MARK: Which book

    /// Whatever nobody knows is for the first book, which refuses it.
    package func place(of owner: TokenOwner) -> Int {
        books.firstIndex { $0.appID == owner.appID && $0.merchantID == owner.merchantID } ?? 0
    }

    /// A code of another app is for a book of this one, which refuses it.
    package func place(ofCode code: String, appID: String) -> Int {
        place(appID) { $0.holds(code: code) }
    }

    package func place(ofRefreshToken token: String, appID: String) -> Int {
        place(appID) { $0.holds(refreshToken: token) }
    }

    private func place(_ appID: String, _ holds: (TokenBook) -> Bool) -> Int {
        books.firstIndex { $0.appID == appID && holds($0) } ?? books.firstIndex { $0.appID == appID } ?? 0
    }

    // MARK: Work

    /// Does something with one book, and says whose it is.
    package mutating func change<Result>(
        _ place: Int, _ body: (inout TokenBook) throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> (result: Result, owner: TokenOwner) {
        let result = try body(&books[place])
        return (result, TokenOwner(merchantID: books[place].merchantID, appID: books[place].appID))
    }

    package mutating func issueCode(_ grant: AuthorizationGrant, to owner: TokenOwner, at now: Int) -> String {
        books[place(of: owner)].issueCode(grant, at: now).code
    }

    package mutating func issueLegacyToken(to owner: TokenOwner) -> String {
        books[place(of: owner)].issueLegacyToken()
    }

    package mutating func removeExpired(at now: Int) -> [String] {
        books.indices.flatMap { books[$0].removeExpired(at: now) }
    }

    /// True for an access token from here whose time is over.
    package func isExpired(accessToken: String, at now: Int) -> Bool {
        books.contains { $0.isExpired(accessToken: accessToken, at: now) }
    }
}

/// What a merchant has agreed to: the other half of a code.
package struct AuthorizationGrant: Sendable {
    /// Where the code was sent; nil for a code that did not come through a browser.
    package var redirectURI: String?
    /// Nil when the app proves itself with its secret instead.
    package var challenge: CodeChallenge?
    /// True for codes of the legacy flow, which only its own token call takes.
    package var isLegacy: Bool
    /// False gives an access token alone.
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
