import NIOCore
import Synchronization

/// The OAuth server of the emulated service. Issues codes and tokens, and tells the traffic meter which access tokens
/// are valid. Independent of HTTP connections, delays and faults.
final class OAuthServer: Sendable {
    let shop: Shop
    let clock: EmulatorClock
    private let tenants: Tenants
    private let settings: OAuthSettings
    private let withheldFamilies: Set<String>
    private let meter: TrafficMeter
    private let registry: Mutex<TokenRegistry>

    /// - Parameters:
    ///   - withheldFamilies: record families that the app may not read, for the consent page.
    ///   - meter: notified of every access token that becomes valid or invalid.
    init(shop: Shop, tenants: Tenants, settings: OAuthSettings, withheldFamilies: Set<String>, meter: TrafficMeter) {
        self.shop = shop
        self.tenants = tenants
        self.settings = settings
        self.withheldFamilies = withheldFamilies
        self.meter = meter
        clock = EmulatorClock(skew: settings.clockSkew)
        let secrets = Dictionary(tenants.apps.map { ($0.id, $0.secret) }) { first, _ in first }
        registry = Mutex(TokenRegistry(secrets: secrets, settings: settings))
    }

    var statistics: OAuthStatistics { registry.withLock { $0.statistics } }

    /// Counts a response that was dropped after the request was carried out.
    func answerLost() {
        registry.withLock { $0.statistics.answersLost += 1 }
    }

    /// Whether an access token issued by this server has expired.
    func isExpired(accessToken: String) -> Bool {
        registry.withLock { $0.isExpired(accessToken: accessToken, at: clock.now()) }
    }

    /// - Parameters:
    ///   - method: one of the route's methods.
    ///   - query: the query of the request target, without the question mark.
    ///   - token: the bearer token of the request.
    func answer(
        _ route: OAuthRoute, method: String, query: String, token: String?, body: ByteBuffer
    ) -> EmulatorResponse {
        guard let (required, optional) = route.members else {
            return route == .apiKey
                ? apiKey(token) : consent(route, isForm: method == "POST", query: query, body: body)
        }
        do throws(OAuthRefusal) {
            let request =
                method == "GET"
                ? try TokenRequest(QueryString(query), required: required)
                : try TokenRequest(body, required: required, optional: optional)
            return EmulatorResponse(json: try issue(route, request, QueryString(query)))
        } catch {
            return error.answer
        }
    }

    // MARK: Tokens

    /// Carries out a call that issues codes or tokens.
    private func issue(
        _ route: OAuthRoute, _ request: TokenRequest, _ query: QueryString
    ) throws(OAuthRefusal) -> JSONValue {
        let now = clock.now()
        for token in registry.withLock({ $0.removeExpired(at: now) }) { meter.retire(token: token) }
        switch route {
        case .refresh:
            let rotated = try registry.withLock { registry throws(OAuthRefusal) in
                try registry.rotate(request, at: now)
            }
            meter.retire(token: rotated.deadAccessToken)
            meter.admit(token: rotated.tokens.accessToken, of: rotated.tokens.owner)
            return rotated.tokens.json
        case .legacyToken:
            let (token, owner) = try registry.withLock { registry throws(OAuthRefusal) in
                try registry.exchangeLegacy(request, at: now)
            }
            meter.admit(token: token, of: owner)
            return ["access_token": .string(token)]
        case .migrate:
            let issued = try registry.withLock { registry throws(OAuthRefusal) in
                try registry.migrate(request, at: now)
            }
            return ["authorization_code": .string(issued.code), "expiration": .integer(issued.expiration)]
        default:
            let wantsRefreshToken = query.values("no_refresh_token").last != "true"
            let tokens = try registry.withLock { registry throws(OAuthRefusal) in
                try registry.exchange(request, wantsRefreshToken: wantsRefreshToken, at: now)
            }
            meter.admit(token: tokens.accessToken, of: tokens.owner)
            return tokens.json
        }
    }

    // MARK: Consent

    private func consent(_ route: OAuthRoute, isForm: Bool, query: String, body: ByteBuffer) -> EmulatorResponse {
        do throws(ConsentError) {
            let form = FormFields(isForm ? String(buffer: body) : query)
            let request = try ConsentRequest(
                form, isLegacy: route == .legacyAuthorize, appIDs: tenants.apps.map(\.id),
                merchantIDs: tenants.merchantIDs, siteURLs: settings.siteURLs)
            if isForm {
                switch try form.value("decision") {
                case "approve": return approved(request)
                case "deny": return denied(request)
                default: throw ConsentError.noDecision
                }
            }
            if settings.isAutoApproving { return approved(request) }
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
            let code = registry.withLock { $0.issueCode(request.grant, to: owner, at: now).code }
            parameters.insert((name: "code", value: code), at: 0)
        case .token:
            let token = registry.withLock { $0.issueLegacyToken(to: owner) }
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
        var answer = EmulatorResponse(json: [
            "apiAccessKey": .string(shop.identity.apiAccessKey), "merchantUuid": .string(owner.merchantID),
            "developerAppUuid": .string(owner.appID ?? tenants.apps[0].id), "active": true,
            "createdTime": .integer(shop.catalogue.openedTime), "modifiedTime": .integer(shop.catalogue.openedTime),
        ])
        answer.contentType = "application/json; charset=utf-8"
        return answer
    }
}

/// The OAuth endpoints. The service has them on two hosts, one for browsers and one for programs; the emulator has one
/// host.
enum OAuthRoute: String {
    case authorize = "/oauth/v2/authorize"
    case token = "/oauth/v2/token"
    case refresh = "/oauth/v2/refresh"
    case legacyAuthorize = "/oauth/authorize"
    case legacyToken = "/oauth/token"
    case migrate = "/oauth/token/migrate_v2"
    case apiKey = "/pakms/apikey"

    var methods: [String] {
        switch self {
        case .authorize, .legacyAuthorize, .legacyToken: ["GET", "POST"]
        case .token, .refresh, .migrate: ["POST"]
        case .apiKey: ["GET"]
        }
    }

    /// The members of a call that issues codes or tokens to programs; nil for other calls.
    var members: (required: [String], optional: [String])? {
        switch self {
        case .token: (["client_id", "code"], ["client_secret", "code_verifier", "redirect_uri"])
        case .refresh: (["client_id", "refresh_token"], [])
        case .legacyToken: (["client_id", "client_secret", "code"], [])
        case .migrate: (["merchant_uuid", "app_uuid", "auth_token"], ["code_challenge"])
        case .authorize, .legacyAuthorize, .apiKey: nil
        }
    }

    var isTokenCall: Bool { members != nil }
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
