package import NIOCore
import Synchronization

/// The token side of the emulated service. It gives out codes and tokens and tells the traffic meter which access tokens
/// are good. It knows nothing of HTTP connections, pauses or faults.
package final class OAuthOffice: Sendable {
    let shop: Shop
    let clock: OAuthClock
    private let book: Mutex<TokenBook>
    private let meter: TrafficMeter
    private let isAutoApproving: Bool
    private let withheldFamilies: Set<String>

    /// - Parameters:
    ///   - meter: told of every access token that begins or ends to be good.
    ///   - withheldFamilies: families of records the app may not read, for the consent page.
    package init(shop: Shop, settings: OAuthSettings, withheldFamilies: Set<String> = [], meter: TrafficMeter) {
        self.shop = shop
        self.meter = meter
        self.withheldFamilies = withheldFamilies
        clock = OAuthClock(skew: settings.clockSkew)
        isAutoApproving = settings.isAutoApproving
        book = Mutex(
            TokenBook(
                appID: shop.identity.appID.description, appSecret: shop.identity.appSecret,
                merchantID: shop.identity.merchantID.description, settings: settings))
    }

    package var statistics: OAuthStatistics { book.withLock { $0.statistics } }

    /// An answer was dropped after its work was done.
    package func answerLost() {
        book.withLock { $0.statistics.answersLost += 1 }
    }

    /// True for an access token from here whose time is over.
    package func isExpired(accessToken: String) -> Bool {
        book.withLock { $0.isExpired(accessToken: accessToken, at: clock.now()) }
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
        let tokens = try write { (book, now) throws(OAuthRefusal) in
            try book.exchange(request, wantsRefreshToken: wantsRefreshToken, at: now)
        }
        meter.admit(token: tokens.accessToken)
        return tokens
    }

    private func refresh(_ request: RefreshRequest) throws(OAuthRefusal) -> IssuedTokens {
        let (tokens, dead) = try write { (book, now) throws(OAuthRefusal) in try book.rotate(request, at: now) }
        meter.retire(token: dead)
        meter.admit(token: tokens.accessToken)
        return tokens
    }

    private func exchangeLegacy(_ request: LegacyTokenRequest) throws(OAuthRefusal) -> String {
        let token = try write { (book, now) throws(OAuthRefusal) in try book.exchangeLegacy(request, at: now) }
        meter.admit(token: token)
        return token
    }

    private func migrate(_ request: MigrationRequest) throws(OAuthRefusal) -> (code: String, expiration: Int) {
        try write { (book, now) throws(OAuthRefusal) in try book.migrate(request, at: now) }
    }

    /// The one door to the book: every call also clears out what has ended.
    private func write<Result: Sendable>(
        _ body: (inout TokenBook, _ now: Int) throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> Result {
        let now = clock.now()
        for token in book.withLock({ $0.removeExpired(at: now) }) { meter.retire(token: token) }
        return try book.withLock { book throws(OAuthRefusal) in try body(&book, now) }
    }

    // MARK: Consent

    private func consent(_ route: OAuthRoute, isForm: Bool, query: String, body: ByteBuffer) -> Answer {
        do throws(ConsentError) {
            let form = FormFields(isForm ? String(buffer: body) : query)
            let request = try ConsentRequest(
                form, isLegacy: route == .legacyAuthorize, appID: shop.identity.appID.description,
                merchantID: shop.identity.merchantID.description)
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
            (name: "merchant_id", value: shop.identity.merchantID.description),
            (name: "client_id", value: request.clientID),
            (name: "employee_id", value: shop.ids.identifier(.employee, 0).description),
        ]
        var fragment: String?
        switch request.responseType {
        case .code:
            let now = clock.now()
            let code = book.withLock { $0.issueCode(request.grant, at: now).code }
            parameters.insert((name: "code", value: code), at: 0)
        case .token:
            let token = book.withLock { $0.issueLegacyToken() }
            meter.admit(token: token)
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
        guard let token, meter.knows(token: token), !isExpired(accessToken: token) else {
            return Answer(.unauthorized)
        }
        return Answer(
            status: 200,
            json: .object([
                ("apiAccessKey", .string(shop.identity.apiAccessKey)),
                ("merchantUuid", .string(shop.identity.merchantID.description)),
                ("developerAppUuid", .string(shop.identity.appID.description)), ("active", .boolean(true)),
                ("createdTime", .integer(shop.catalogue.openedTime)),
                ("modifiedTime", .integer(shop.catalogue.openedTime)),
            ]))
    }
}
