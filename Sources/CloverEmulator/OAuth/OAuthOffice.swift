package import NIOCore
import Synchronization

/// The token side of the emulated service. It gives out codes and tokens and tells the traffic meter which access tokens
/// are good. It knows nothing of HTTP connections, pauses or faults.
package final class OAuthOffice: Sendable {
    let shop: Shop
    let clock: OAuthClock
    private let tenants: Tenants
    private let books: Mutex<TokenBooks>
    private let meter: TrafficMeter
    private let isAutoApproving: Bool
    private let siteURLs: [RedirectURI]
    private let withheldFamilies: Set<String>

    /// - Parameters:
    ///   - meter: told of every access token that begins or ends to be good.
    ///   - withheldFamilies: families of records the app may not read, for the consent page.
    package init(
        shop: Shop, tenants: Tenants, settings: OAuthSettings, withheldFamilies: Set<String> = [], meter: TrafficMeter
    ) {
        self.shop = shop
        self.tenants = tenants
        self.meter = meter
        self.withheldFamilies = withheldFamilies
        clock = OAuthClock(skew: settings.clockSkew)
        isAutoApproving = settings.isAutoApproving
        siteURLs = settings.siteURLs
        books = Mutex(TokenBooks(tenants, settings: settings))
    }

    package var statistics: OAuthStatistics { books.withLock { $0.statistics } }

    /// An answer was dropped after its work was done.
    package func answerLost() {
        books.withLock { $0.answerLost() }
    }

    /// True for an access token from here whose time is over.
    package func isExpired(accessToken: String) -> Bool {
        books.withLock { $0.isExpired(accessToken: accessToken, at: clock.now()) }
    }

    /// - Parameters:
    ///   - method: one of the route's.
    ///   - query: the query of the target, without the question mark.
    ///   - token: the bearer token of the request.
    package func answer(
        _ route: OAuthRoute, method: String, query: String, token: String?, body: ByteBuffer
    ) -> Answer {
        do {
            switch route {
            case .authorize, .legacyAuthorize:
                return consent(route, isForm: method == "POST", query: query, body: body)
            case .token:
                let wantsRefreshToken = QueryString(query).values("no_refresh_token").last != "true"
                return Answer(status: 200, json: try exchange(TokenBody.read(body), wantsRefreshToken).json)
            case .refresh: return Answer(status: 200, json: try refresh(TokenBody.read(body)).json)
            case .legacyToken:
                let request = try method == "GET" ? TokenBody.legacy(QueryString(query)) : TokenBody.read(body)
                return Answer(status: 200, json: .object([("access_token", .string(try exchangeLegacy(request)))]))
            case .migrate:
                let issued = try migrate(TokenBody.read(body))
                return Answer(
                    status: 200,
                    json: .object([
                        ("authorization_code", .string(issued.code)), ("expiration", .integer(issued.expiration)),
                    ]))
            case .apiKey: return apiKey(token)
            }
        } catch {
            return Answer(status: error.status, json: .object([("message", .string(error.message))]))
        }
    }

    // MARK: Tokens

    private func exchange(_ request: TokenRequest, _ wantsRefreshToken: Bool) throws(OAuthRefusal) -> IssuedTokens {
        let (tokens, owner) = try write { (books, now) throws(OAuthRefusal) in
            try books.change(books.place(ofCode: request.code, appID: request.clientID)) { book throws(OAuthRefusal) in
                try book.exchange(request, wantsRefreshToken: wantsRefreshToken, at: now)
            }
        }
        meter.admit(token: tokens.accessToken, of: owner)
        return tokens
    }

    private func refresh(_ request: RefreshRequest) throws(OAuthRefusal) -> IssuedTokens {
        let (rotated, owner) = try write { (books, now) throws(OAuthRefusal) in
            try books.change(
                books.place(ofRefreshToken: request.refreshToken, appID: request.clientID)
            ) { book throws(OAuthRefusal) in
                try book.rotate(request, at: now)
            }
        }
        meter.retire(token: rotated.deadAccessToken)
        meter.admit(token: rotated.tokens.accessToken, of: owner)
        return rotated.tokens
    }

    private func exchangeLegacy(_ request: LegacyTokenRequest) throws(OAuthRefusal) -> String {
        let (token, owner) = try write { (books, now) throws(OAuthRefusal) in
            try books.change(books.place(ofCode: request.code, appID: request.clientID)) { book throws(OAuthRefusal) in
                try book.exchangeLegacy(request, at: now)
            }
        }
        meter.admit(token: token, of: owner)
        return token
    }

    private func migrate(_ request: MigrationRequest) throws(OAuthRefusal) -> (code: String, expiration: Int) {
        try write { (books, now) throws(OAuthRefusal) in
            try books.change(
                books.place(of: TokenOwner(merchantID: request.merchantID, appID: request.appID))
            ) { book throws(OAuthRefusal) in
                try book.migrate(request, at: now)
            }.result
        }
    }

    /// The one door to the books: every call also clears out what has ended.
    private func write<Result: Sendable>(
        _ body: (inout TokenBooks, _ now: Int) throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> Result {
        let now = clock.now()
        for token in books.withLock({ $0.removeExpired(at: now) }) { meter.retire(token: token) }
        return try books.withLock { books throws(OAuthRefusal) in try body(&books, now) }
    }

    // MARK: Consent

    private func consent(_ route: OAuthRoute, isForm: Bool, query: String, body: ByteBuffer) -> Answer {
        do throws(ConsentError) {
            let form = FormFields(isForm ? String(buffer: body) : query)
            let request = try ConsentRequest(
                form, isLegacy: route == .legacyAuthorize, appIDs: tenants.apps.map(\.id),
                merchantIDs: tenants.merchantIDs, siteURLs: siteURLs)
            if isForm {
                switch try form.value("decision") {
                case "approve": return approved(request)
                case "deny": return denied(request)
                default: throw ConsentError.noDecision
                }
            }
            if isAutoApproving { return approved(request) }
            return ConsentPage.consent(request, path: route.rawValue, shop: shop, withheld: withheldFamilies)
        } catch {
            return ConsentPage.refusal(error)
        }
    }

    private func approved(_ request: ConsentRequest) -> Answer {
        var parameters = [
            (name: "merchant_id", value: request.merchantID),
            (name: "client_id", value: request.clientID),
            (name: "employee_id", value: shop.ids.identifier(.employee, 0).description),
        ]
        var fragment: String?
        let owner = TokenOwner(merchantID: request.merchantID, appID: request.clientID)
        switch request.responseType {
        case .code:
            let now = clock.now()
            let code = books.withLock { $0.issueCode(request.grant, to: owner, at: now) }
            parameters.insert((name: "code", value: code), at: 0)
        case .token:
            let token = books.withLock { $0.issueLegacyToken(to: owner) }
            meter.admit(token: token, of: owner)
            fragment = "access_token=\(token)"
        }
        if let state = request.state { parameters.append((name: "state", value: state)) }
        return Self.redirect(request.redirectURI.adding(parameters, fragment: fragment))
    }

    /// What the service answers to a no was not found; this is the way of RFC 6749 section 4.1.2.1.
    private func denied(_ request: ConsentRequest) -> Answer {
        var parameters = [(name: "error", value: "access_denied")]
        if let state = request.state { parameters.append((name: "state", value: state)) }
        return Self.redirect(request.redirectURI.adding(parameters))
    }

    private static func redirect(_ address: String) -> Answer {
        var answer = Answer(status: 302, body: ByteBuffer())
        answer.contentType = "text/html; charset=utf-8"
        answer.headers = [("Location", address), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
        return answer
    }

    // MARK: Key of the card tokenizer

    /// One key a merchant, without an end (Clover documentation, generate a PAKMS key).
    private func apiKey(_ token: String?) -> Answer {
        guard let token, let owner = meter.owner(of: token), !isExpired(accessToken: token) else {
            return Answer(.unauthorized)
        }
        return Answer(
            status: 200,
            json: .object([
                ("apiAccessKey", .string(shop.identity.apiAccessKey)),
                ("merchantUuid", .string(owner.merchantID)),
                ("developerAppUuid", .string(owner.appID ?? tenants.apps[0].id)), ("active", .boolean(true)),
                ("createdTime", .integer(shop.catalogue.openedTime)),
                ("modifiedTime", .integer(shop.catalogue.openedTime)),
            ]))
    }
}
