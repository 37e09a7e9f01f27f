import CloverEmulator
import Testing

@Suite("Codes and tokens")
struct TokenBookTests {
    private static let start = 1_800_000_000_000
    private static let owner = TokenOwner(merchantID: "SHOP", appID: "APP")

    private func book(_ change: (inout OAuthSettings) -> Void = { _ in }) -> TokenRegistry {
        var settings = OAuthSettings()
        change(&settings)
        return TokenRegistry(secrets: ["APP": "secret"], settings: settings)
    }

    private func grant(_ change: (inout AuthorizationGrant) -> Void) -> AuthorizationGrant {
        var grant = AuthorizationGrant()
        change(&grant)
        return grant
    }

    private func challenged() throws -> AuthorizationGrant {
        let challenge: CodeChallenge = try #require(CodeChallenge(PKCE.challenge))
        return grant {
            $0.redirectURI = "http://localhost/cb"
            $0.challenge = challenge
        }
    }

    /// The members of a code exchange.
    private func exchange(_ code: String, _ more: [String: String]) -> TokenRequest {
        TokenRequest(["client_id": "APP", "code": code].merging(more) { $1 })
    }

    private func refresh(_ token: String?, client: String = "APP") throws -> TokenRequest {
        TokenRequest(["client_id": client, "refresh_token": try #require(token)])
    }

    private func pair(_ book: inout TokenRegistry, at now: Int = Self.start) throws -> IssuedTokens {
        let code = book.issueCode(AuthorizationGrant(), to: Self.owner, at: now).code
        let request = exchange(code, ["client_secret": "secret"])
        return try book.exchange(request, wantsRefreshToken: true, at: now)
    }

    // MARK: Codes

    @Test("Accepts a code once and until it expires")
    func codeLife() throws {
        var book = book()
        let grant = try challenged()
        let first = book.issueCode(grant, to: Self.owner, at: Self.start)
        #expect(first.expiration == Self.start / 1000 + 60)
        let request = exchange(first.code, ["code_verifier": PKCE.verifier])
        _ = try book.exchange(request, wantsRefreshToken: true, at: Self.start + 59_999)
        #expect(throws: OAuthRefusal.badCode) {
            try book.exchange(request, wantsRefreshToken: true, at: Self.start + 59_999)
        }
        let second = book.issueCode(grant, to: Self.owner, at: Self.start)
        #expect(throws: OAuthRefusal.badCode) {
            try book.exchange(
                exchange(second.code, ["code_verifier": PKCE.verifier]), wantsRefreshToken: true,
                at: Self.start + 60_000)
        }
        #expect(book.statistics.codesIssued == 2)
        #expect(book.statistics.codesSpent == 1)
        #expect(book.statistics.codesRefused == 2)
        #expect(book.statistics.tokensIssued == 1)
    }

    /// The data that a code exchange sends, and the expected result.
    struct Exchange: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hasChallenge = true
        var isLegacy = false
        var clientID = "APP"
        var secret: String?
        var verifier: String?
        var redirect: String?
        let refusal: OAuthRefusal?
    }

    private static let exchanges = [
        Exchange(testDescription: "the right verifier", verifier: PKCE.verifier, refusal: nil),
        Exchange(
            testDescription: "verifier, secret and redirect", secret: "secret", verifier: PKCE.verifier,
            redirect: "http://localhost/cb", refusal: nil),
        Exchange(testDescription: "another verifier", verifier: PKCE.otherVerifier, refusal: .badCode),
        Exchange(testDescription: "the secret instead of the verifier", secret: "secret", refusal: .badCode),
        Exchange(testDescription: "no proof with a challenge", refusal: .badCode),
        Exchange(
            testDescription: "a wrong secret beside the verifier", secret: "x", verifier: PKCE.verifier,
            refusal: .badCredentials),
        Exchange(
            testDescription: "another client", clientID: "OTHER", verifier: PKCE.verifier, refusal: .unknownClient),
        Exchange(
            testDescription: "another redirect", verifier: PKCE.verifier, redirect: "http://localhost/cc",
            refusal: .badCode),
        Exchange(testDescription: "the secret", hasChallenge: false, secret: "secret", refusal: nil),
        Exchange(testDescription: "a wrong secret", hasChallenge: false, secret: "x", refusal: .badCredentials),
        Exchange(testDescription: "no proof without a challenge", hasChallenge: false, refusal: .badCredentials),
        Exchange(
            testDescription: "a verifier without a challenge", hasChallenge: false, secret: "secret",
            verifier: PKCE.verifier, refusal: .badCode),
        Exchange(
            testDescription: "a code of the legacy flow", hasChallenge: false, isLegacy: true, secret: "secret",
            refusal: .badCode),
    ]

    @Test("Accepts a code only with the data it is bound to", arguments: exchanges)
    func binding(_ row: Exchange) throws {
        var book = book()
        var grant = try challenged()
        if !row.hasChallenge { grant.challenge = nil }
        grant.isLegacy = row.isLegacy
        var more = ["client_id": row.clientID]
        more["client_secret"] = row.secret
        more["code_verifier"] = row.verifier
        more["redirect_uri"] = row.redirect
        let request = exchange(book.issueCode(grant, to: Self.owner, at: Self.start).code, more)
        if let refusal = row.refusal {
            #expect(throws: refusal) { try book.exchange(request, wantsRefreshToken: true, at: Self.start) }
            #expect(book.statistics.tokensIssued == 0)
        } else {
            #expect(try book.exchange(request, wantsRefreshToken: true, at: Self.start).refreshToken != nil)
        }
    }

    // MARK: Tokens

    @Test("Returns expirations in whole seconds; the refresh token can be omitted")
    func expirations() throws {
        var book = book()
        let tokens = try pair(&book, at: Self.start + 999)
        #expect(tokens.accessTokenExpiration == Self.start / 1000 + 1800)
        #expect(tokens.refreshTokenExpiration == Self.start / 1000 + 366 * 86_400)
        for (isGranted, isAsked) in [(true, false), (false, true)] {
            let code = book.issueCode(
                grant { $0.includesRefreshToken = isGranted }, to: Self.owner, at: Self.start
            ).code
            let request = exchange(code, ["client_secret": "secret"])
            let alone = try book.exchange(request, wantsRefreshToken: isAsked, at: Self.start)
            #expect(alone.refreshToken == nil)
            #expect(alone.refreshTokenExpiration == nil)
        }
    }

    @Test("An access token expires exactly on time; unknown tokens are not expired")
    func accessLife() throws {
        var book = book { $0.accessTokenLife = .seconds(1) }
        let token = try pair(&book).accessToken
        #expect(!book.isExpired(accessToken: token, at: Self.start + 999))
        #expect(book.isExpired(accessToken: token, at: Self.start + 1000))
        #expect(!book.isExpired(accessToken: "static", at: Self.start + 1000))
        #expect(book.removeExpired(at: Self.start + 999).isEmpty)
        #expect(book.removeExpired(at: Self.start + 1000) == [token])
        #expect(book.removeExpired(at: Self.start + 1000).isEmpty)
    }

    @Test("A refresh returns a new pair and invalidates the old tokens")
    func rotation() throws {
        var book = book()
        let old = try pair(&book)
        let request = try refresh(old.refreshToken)
        let (new, dead) = try book.rotate(request, at: Self.start + 5000)
        #expect(dead == old.accessToken)
        #expect(new.accessToken != old.accessToken)
        #expect(new.refreshToken != old.refreshToken)
        #expect(new.accessTokenExpiration == old.accessTokenExpiration + 5)
        #expect(throws: OAuthRefusal.badRefreshToken) { try book.rotate(request, at: Self.start + 5000) }
        #expect(book.statistics.refreshes == 1)
        #expect(book.statistics.refreshesRefused == 1)
        #expect(book.statistics.tokensIssued == 2)
        // The replay has invalidated nothing.
        let next = try refresh(new.refreshToken)
        _ = try book.rotate(next, at: Self.start + 5000)
    }

    @Test("Refuses a refresh by another client, without using the token, and an expired one")
    func refusedRefresh() throws {
        var book = book { $0.refreshTokenLife = .seconds(10) }
        let token = try #require(try pair(&book).refreshToken)
        #expect(throws: OAuthRefusal.unknownClient) {
            try book.rotate(refresh(token, client: "OTHER"), at: Self.start)
        }
        let request = try refresh(token)
        let other = try #require(try pair(&book).refreshToken)
        _ = try book.rotate(request, at: Self.start + 9999)
        #expect(throws: OAuthRefusal.badRefreshToken) {
            try book.rotate(refresh(other), at: Self.start + 10_000)
        }
    }

    @Test("Invalidates the oldest refresh tokens over the limit, not their access tokens")
    func cap() throws {
        var book = book { $0.refreshTokenCap = 2 }
        let tokens = try (0..<3).map { _ in try pair(&book) }
        let requests = try tokens.map { try refresh($0.refreshToken) }
        #expect(throws: OAuthRefusal.badRefreshToken) { try book.rotate(requests[0], at: Self.start) }
        // A rotation replaces the token that it uses.
        _ = try book.rotate(requests[2], at: Self.start)
        _ = try book.rotate(requests[1], at: Self.start)
        #expect(book.removeExpired(at: Self.start + 1_800_000).contains(tokens[0].accessToken))
    }

    @Test("Access tokens look like JSON Web Tokens of about 300 bytes and never repeat")
    func tokenForm() throws {
        var book = book()
        let tokens = try (0..<20).map { _ in try pair(&book) }
        #expect(Set(tokens.map(\.accessToken)).count == 20)
        #expect(Set(tokens.compactMap(\.refreshToken)).count == 20)
        for token in tokens {
            let parts = token.accessToken.split(separator: ".").map { Base64URL.decode($0) }
            #expect(parts.count == 3)
            #expect((200...400).contains(token.accessToken.utf8.count))
            let claims = try Node(try #require(parts[1]))
            #expect(claims["app_uuid"]?.text == "APP")
            #expect(claims["merchant_uuid"]?.text == "SHOP")
            #expect(claims["exp"]?.integer == token.accessTokenExpiration)
            #expect(try Node(try #require(parts[0])).keys == ["alg", "typ"])
        }
    }

    // MARK: Legacy

    @Test("Exchanges a legacy code for a legacy token once, with the secret")
    func legacy() throws {
        var book = book()
        let code = book.issueCode(grant { $0.isLegacy = true }, to: Self.owner, at: Self.start).code
        func exchange(_ client: String, _ secret: String, _ code: String) throws(OAuthRefusal) -> String {
            try book.exchangeLegacy(
                TokenRequest(["client_id": client, "client_secret": secret, "code": code]), at: Self.start
            ).token
        }
        #expect(throws: OAuthRefusal.legacyUnknownClient) { try exchange("OTHER", "secret", code) }
        #expect(throws: OAuthRefusal.legacyBadCredentials) { try exchange("APP", "x", code) }
        #expect(try exchange("APP", "secret", code).utf8.count == 36)
        #expect(throws: OAuthRefusal.legacyBadCredentials) { try exchange("APP", "secret", code) }
        let newer = book.issueCode(AuthorizationGrant(), to: Self.owner, at: Self.start).code
        #expect(throws: OAuthRefusal.legacyBadCredentials) { try exchange("APP", "secret", newer) }
    }

    @Test("A legacy token never expires and gives codes bound to the challenge, if any")
    func migration() throws {
        var book = book()
        let token = book.issueLegacyToken(to: Self.owner)
        #expect(!book.isExpired(accessToken: token, at: .max))
        let members = ["merchant_uuid": "SHOP", "app_uuid": "APP", "auth_token": token]
        let plain = try book.migrate(TokenRequest(members), at: Self.start)
        #expect(plain.expiration == Self.start / 1000 + 60)
        _ = try book.exchange(
            exchange(plain.code, ["client_secret": "secret"]), wantsRefreshToken: true,
            at: Self.start)
        let bound = try book.migrate(
            TokenRequest(members.merging(["code_challenge": PKCE.challenge]) { $1 }), at: Self.start)
        #expect(throws: OAuthRefusal.badCode) {
            try book.exchange(
                exchange(bound.code, ["client_secret": "secret"]), wantsRefreshToken: true,
                at: Self.start)
        }
        _ = try book.exchange(
            exchange(bound.code, ["code_verifier": PKCE.verifier]), wantsRefreshToken: true,
            at: Self.start)
    }

    @Test("Migrates only a legacy token of this merchant and app, with a valid challenge")
    func refusedMigration() throws {
        var book = book()
        let token = book.issueLegacyToken(to: Self.owner)
        let newer = try pair(&book).accessToken
        func migrate(_ merchant: String, _ app: String, _ token: String, _ challenge: String?) throws(OAuthRefusal) {
            var members = ["merchant_uuid": merchant, "app_uuid": app, "auth_token": token]
            members["code_challenge"] = challenge
            _ = try book.migrate(TokenRequest(members), at: Self.start)
        }
        #expect(throws: OAuthRefusal.unknownClient) { try migrate("SHOP", "OTHER", token, nil) }
        #expect(throws: OAuthRefusal.badCredentials) { try migrate("OTHER", "APP", token, nil) }
        #expect(throws: OAuthRefusal.badCredentials) { try migrate("SHOP", "APP", newer, nil) }
        #expect(throws: OAuthRefusal.malformed("code_challenge is not the base64url form of a SHA-256")) {
            try migrate("SHOP", "APP", token, "plain")
        }
    }
}
