package import NIOCore
import Synchronization

/// The OAuth server of the emulated service. Issues codes and tokens, and tells the traffic meter which access tokens
/// are valid. Independent of HTTP connections, delays and faults.
package final class OAuthServer: Sendable {
    let shop: Shop
    let clock: EmulatorClock
    private let tenants: Tenants
    private let tenantTokens: Mutex<TenantTokens>
    private let meter: TrafficMeter
    private let isAutoApproving: Bool
    private let siteURLs: [RedirectURI]
    private let withheldFamilies: Set<String>

    /// - Parameters:
    ///   - meter: notified of every access token that becomes valid or invalid.
    ///   - withheldFamilies: record families that the app may not read, for the consent page.
    package init(
        shop: Shop, tenants: Tenants, settings: OAuthSettings, withheldFamilies: Set<String> = [], meter: TrafficMeter
    ) {
        self.shop = shop
        self.tenants = tenants
        self.meter = meter
        self.withheldFamilies = withheldFamilies
        clock = EmulatorClock(skew: settings.clockSkew)
        isAutoApproving = settings.isAutoApproving
        siteURLs = settings.siteURLs
        tenantTokens = Mutex(TenantTokens(tenants, settings: settings))
    }

    package var statistics: OAuthStatistics { tenantTokens.withLock { $0.statistics } }

    /// Counts a response that was dropped after the request was carried out.
    package func answerLost() {
        tenantTokens.withLock { $0.answerLost() }
    }

    /// Whether an access token issued by this server has expired.
    package func isExpired(accessToken: String) -> Bool {
        tenantTokens.withLock { $0.isExpired(accessToken: accessToken, at: clock.now()) }
    }

    /// - Parameters:
    ///   - method: one of the route's methods.
    ///   - query: the query of the request target, without the question mark.
    ///   - token: the bearer token of the request.
    package func answer(
        _ route: OAuthRoute, method: String, query: String, token: String?, body: ByteBuffer
    ) -> EmulatorResponse {
        do {
            switch route {
            case .authorize, .legacyAuthorize:
                return consent(route, isForm: method == "POST", query: query, body: body)
            case .token:
                let wantsRefreshToken = QueryString(query).values("no_refresh_token").last != "true"
                return EmulatorResponse(json: try exchange(TokenBody.read(body), wantsRefreshToken).json)
            case .refresh: return EmulatorResponse(json: try refresh(TokenBody.read(body)).json)
            case .legacyToken:
                let request = try method == "GET" ? TokenBody.legacy(QueryString(query)) : TokenBody.read(body)
                return EmulatorResponse(json: ["access_token": .string(try exchangeLegacy(request))])
            case .migrate:
                let issued = try migrate(TokenBody.read(body))
                return EmulatorResponse(json: [
                    "authorization_code": .string(issued.code), "expiration": .integer(issued.expiration),
                ])
            case .apiKey: return apiKey(token)
            }
        } catch {
            return EmulatorResponse(status: error.status, json: ["message": .string(error.message)])
        }
    }

    // MARK: Tokens

    private func exchange(_ request: TokenRequest, _ wantsRefreshToken: Bool) throws(OAuthRefusal) -> IssuedTokens {
        let (tokens, owner) = try write { (tenantTokens, now) throws(OAuthRefusal) in
            try tenantTokens.change(
                tenantTokens.place(ofCode: request.code, appID: request.clientID)
            ) { registry throws(OAuthRefusal) in
                try registry.exchange(request, wantsRefreshToken: wantsRefreshToken, at: now)
            }
        }
        meter.admit(token: tokens.accessToken, of: owner)
        return tokens
    }

    private func refresh(_ request: RefreshRequest) throws(OAuthRefusal) -> IssuedTokens {
        let (rotated, owner) = try write { (tenantTokens, now) throws(OAuthRefusal) in
            try tenantTokens.change(
                tenantTokens.place(ofRefreshToken: request.refreshToken, appID: request.clientID)
            ) { registry throws(OAuthRefusal) in
                try registry.rotate(request, at: now)
            }
        }
        meter.retire(token: rotated.deadAccessToken)
        meter.admit(token: rotated.tokens.accessToken, of: owner)
        return rotated.tokens
    }

    private func exchangeLegacy(_ request: LegacyTokenRequest) throws(OAuthRefusal) -> String {
        let (token, owner) = try write { (tenantTokens, now) throws(OAuthRefusal) in
            try tenantTokens.change(
                tenantTokens.place(ofCode: request.code, appID: request.clientID)
            ) { registry throws(OAuthRefusal) in
                try registry.exchangeLegacy(request, at: now)
            }
        }
        meter.admit(token: token, of: owner)
        return token
    }

    private func migrate(_ request: MigrationRequest) throws(OAuthRefusal) -> (code: String, expiration: Int) {
        try write { (tenantTokens, now) throws(OAuthRefusal) in
            try tenantTokens.change(
                tenantTokens.place(of: TokenOwner(merchantID: request.merchantID, appID: request.appID))
            ) { registry throws(OAuthRefusal) in
                try registry.migrate(request, at: now)
            }.result
        }
    }

    /// Accesses the tokens; removes expired ones first.
    private func write<Result: Sendable>(
        _ body: (inout TenantTokens, _ now: Int) throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> Result {
        let now = clock.now()
        for token in tenantTokens.withLock({ $0.removeExpired(at: now) }) { meter.retire(token: token) }
        return try tenantTokens.withLock { tenantTokens throws(OAuthRefusal) in try body(&tenantTokens, now) }
    }

    // MARK: Consent

    private func consent(_ route: OAuthRoute, isForm: Bool, query: String, body: ByteBuffer) -> EmulatorResponse {
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

    private func approved(_ request: ConsentRequest) -> EmulatorResponse {
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
            let code = tenantTokens.withLock { $0.issueCode(request.grant, to: owner, at: now) }
            parameters.insert((name: "code", value: code), at: 0)
        case .token:
            let token = tenantTokens.withLock { $0.issueLegacyToken(to: owner) }
            meter.admit(token: token, of: owner)
            fragment = "access_token=\(token)"
        }
        if let state = request.state { parameters.append((name: "state", value: state)) }
        return Self.redirect(request.redirectURI.adding(parameters, fragment: fragment))
    }

    /// The service's redirect after a denial is not documented; this follows RFC 6749 section 4.1.2.1.
    private func denied(_ request: ConsentRequest) -> EmulatorResponse {
        var parameters = [(name: "error", value: "access_denied")]
        if let state = request.state { parameters.append((name: "state", value: state)) }
        return Self.redirect(request.redirectURI.adding(parameters))
    }

    private static func redirect(_ address: String) -> EmulatorResponse {
        var answer = EmulatorResponse(status: 302, body: ByteBuffer())
        answer.contentType = "text/html; charset=utf-8"
        answer.headers = [("Location", address), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
        return answer
    }

    // MARK: Card tokenizer key

    /// One key per merchant, without expiry (Clover documentation, generate a PAKMS key).
    private func apiKey(_ token: String?) -> EmulatorResponse {
        guard let token, let owner = meter.owner(of: token), !isExpired(accessToken: token) else {
            return EmulatorResponse(.unauthorized)
        }
        return EmulatorResponse(json: [
            "apiAccessKey": .string(shop.identity.apiAccessKey), "merchantUuid": .string(owner.merchantID),
            "developerAppUuid": .string(owner.appID ?? tenants.apps[0].id), "active": true,
            "createdTime": .integer(shop.catalogue.openedTime), "modifiedTime": .integer(shop.catalogue.openedTime),
        ])
    }
}

/// The OAuth endpoints. The service has them on two hosts, one for browsers and one for programs; the emulator has one
/// host.
package enum OAuthRoute: String, Sendable, CaseIterable {
    case authorize = "/oauth/v2/authorize"
    case token = "/oauth/v2/token"
    case refresh = "/oauth/v2/refresh"
    case legacyAuthorize = "/oauth/authorize"
    case legacyToken = "/oauth/token"
    case migrate = "/oauth/token/migrate_v2"
    case apiKey = "/pakms/apikey"

    /// The supported methods; others get 405.
    package var methods: [String] {
        switch self {
        case .authorize, .legacyAuthorize, .legacyToken: ["GET", "POST"]
        case .token, .refresh, .migrate: ["POST"]
        case .apiKey: ["GET"]
        }
    }

    /// Whether the call issues codes or tokens to programs; delays and faults apply to these.
    package var isTokenCall: Bool {
        switch self {
        case .token, .refresh, .legacyToken, .migrate: true
        case .authorize, .legacyAuthorize, .apiKey: false
        }
    }
}

/// Settings of the OAuth server. Defaults are the service's where a source documents them.
package struct OAuthSettings: Sendable {
    /// Lifetime of an access token: 30 minutes (Clover documentation, OAuth and tokens FAQ).
    package var accessTokenLife = Duration.seconds(30 * 60)
    /// Lifetime of a refresh token. No page gives a number; in the sample responses it is 366 days.
    package var refreshTokenLife = Duration.seconds(366 * 86_400)
    /// Lifetime of a code. The documentation says only that it is short.
    package var codeLife = Duration.seconds(60)
    /// Maximum number of valid refresh tokens per app and merchant; 0 for no limit. The service has a limit but does
    /// not document it.
    package var refreshTokenCap = 0
    /// How far the emulator's clock is ahead of the system clock; negative for behind.
    package var clockSkew = Duration.zero
    /// Delays before and after the work of a token call.
    package var latency = Duration.zero
    package var answerDelay = Duration.zero
    /// Faults of token calls, of `FaultTarget.oauth`.
    package var faults: [FaultSpec] = []
    /// True approves authorize requests at once, without a consent page.
    package var isAutoApproving = false

    /// Redirect URIs must be below one of these addresses; empty allows every one.
    package var siteURLs: [RedirectURI] = []

    package init() {}
}

/// Counts of codes and tokens since the start, as `GET /emulator/stats` shows them.
package struct OAuthStatistics: Sendable, Equatable {
    /// Refresh tokens exchanged for new pairs.
    package var refreshes = 0
    /// Well-formed refresh calls that were refused.
    package var refreshesRefused = 0
    /// Codes issued by the consent page and for legacy tokens.
    package var codesIssued = 0
    /// Codes exchanged for tokens.
    package var codesSpent = 0
    /// Well-formed code exchanges that were refused.
    package var codesRefused = 0
    /// Access tokens issued, including legacy ones.
    package var tokensIssued = 0
    /// Responses dropped after the request was carried out.
    package var answersLost = 0

    package init() {}

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.refreshes += right.refreshes
        sum.refreshesRefused += right.refreshesRefused
        sum.codesIssued += right.codesIssued
        sum.codesSpent += right.codesSpent
        sum.codesRefused += right.codesRefused
        sum.tokensIssued += right.tokensIssued
        sum.answersLost += right.answersLost
        return sum
    }
}
