package import CloverHTTP
import FoundationEssentials

/// Clover's OAuth calls: one request each, with outcomes distinguished by whether the service may have acted.
///
/// Secrets are sent in the body only. Only a 429 is retried, which guarantees that nothing happened; redirects are not
/// followed. Bodies are read up to 64 KiB. Timeouts are the transport's.
package struct OAuthClient: Sendable {
    private let endpoints: OAuthEndpoints
    private let transport: any HTTPTransport
    let clock: TokenClock
    let sleep: @Sendable (Double) async throws -> Void
    private let onPause: @Sendable (Double) -> Void

    /// Maximum size of a body that is read, in bytes.
    private static let bodyLimit = 65_536
    /// Longest `Retry-After` that is honoured, in seconds. If the service asks for more, the call fails rather than
    /// retrying early, which would prolong the pause.
    private static let longestPause: Double = 30
    /// Pause in seconds if a 429 does not specify one.
    private static let usualPause: Double = 1
    /// Maximum number of retries after a 429.
    private static let retryLimit = 2

    /// - Parameters:
    ///   - transport: must use the `SendGate` as its contract requires, because "not sent" and "outcome unknown" are
    ///     distinguished by it.
    ///   - sleep: waits for this many seconds; throws if the task is cancelled.
    ///   - onPause: called before each pause after a 429, with its length in seconds.
    package init(
        endpoints: OAuthEndpoints, transport: any HTTPTransport, clock: TokenClock,
        sleep: @escaping @Sendable (Double) async throws -> Void,
        onPause: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.endpoints = endpoints
        self.transport = transport
        self.clock = clock
        self.sleep = sleep
        self.onPause = onPause
    }

    /// Exchanges a code for tokens (`POST /oauth/v2/token`), which can be done once.
    package func exchange(_ code: Secret, appID: String, proof: Proof) async throws(OAuthError) -> IssuedTokens {
        var fields = ["client_id": appID, "code": code.exposed]
        var secrets = [code]
        if let field = proof.field {
            fields[field.name] = field.secret.exposed
            secrets.append(field.secret)
        }
        let response = try await post(endpoints.apiBaseURL + "/oauth/v2/token", fields, hiding: secrets)
        do {
            return try response.tokens()
        } catch .outcomeUnknown(.noAccessToken(_, let refreshToken, _)) {
            // The code cannot be exchanged again; the refresh token can bring what is missing.
            return try await refresh(refreshToken, appID: appID)
        }
    }

    /// Exchanges a refresh token for new tokens (`POST /oauth/v2/refresh`). The refresh token becomes invalid as soon
    /// as the service has created its successor, whether or not the response arrives.
    ///
    /// Only a refusal that concerns the token is `.refused`; other refusals, which may be fixed at the app or the
    /// service, are `.refusedOtherwise`.
    ///
    /// - Parameter accessToken: of the same pair, so that it is hidden if the service repeats it.
    package func refresh(
        _ refreshToken: Secret, of accessToken: Secret? = nil, appID: String
    ) async throws(OAuthError) -> IssuedTokens {
        let response = try await post(
            endpoints.apiBaseURL + "/oauth/v2/refresh",
            ["client_id": appID, "refresh_token": refreshToken.exposed],
            hiding: [refreshToken] + (accessToken.map { [$0] } ?? []), isRefusal: OAuthErrorParser.concernsToken)
        return try response.tokens()
    }

    /// Requests a code in exchange for a legacy token (`POST /oauth/token/migrate_v2`), to be passed to `exchange`.
    ///
    /// - Parameter challenge: from the `CodeVerifier` that the exchange will present; nil if it will present the app's
    ///   secret.
    package func migrate(
        _ legacyToken: Secret, merchantID: String, appID: String, challenge: String?
    ) async throws(OAuthError) -> Secret {
        var fields = ["merchant_uuid": merchantID, "app_uuid": appID, "auth_token": legacyToken.exposed]
        fields["code_challenge"] = challenge
        let response = try await post(
            endpoints.apiBaseURL + "/oauth/token/migrate_v2", fields, hiding: [legacyToken])
        return try response.code()
    }

    private func post(
        _ url: String, _ fields: [String: String], hiding secrets: [Secret],
        isRefusal: ([UInt8]) -> Bool = { _ in true }
    ) async throws(OAuthError) -> OAuthResponse {
        let request = HTTPRequest(
            method: .post, url: url, headers: [HTTPHeader(name: "Accept", value: "application/json")],
            body: HTTPRequestBody(bytes: RequestJSON.object(fields)))
        var retries = 0
        while true {
            do {
                return try await send(request, hiding: secrets, isRefusal)
            } catch .rateLimited(let retryAfter) {
                let pause = max(retryAfter ?? Self.usualPause, 0)
                guard retries < Self.retryLimit, pause <= Self.longestPause else {
                    throw .rateLimited(retryAfter: retryAfter)
                }
                retries += 1
                onPause(pause)
                do {
                    try await sleep(pause)
                } catch {
                    throw .notSent(.cancelled)
                }
            }
        }
    }

    private func send(
        _ request: HTTPRequest, hiding secrets: [Secret], _ isRefusal: ([UInt8]) -> Bool
    ) async throws(OAuthError) -> OAuthResponse {
        let departure = SendGate()
        let askedAt = clock.now
        let response: HTTPResponse
        do {
            response = try await transport.send(request, departure: departure, onEnd: {})
        } catch {
            throw departure.withdraw() ? .notSent(error) : .outcomeUnknown(.transport(error))
        }
        let serverTime = response.headers.first(named: "Date").flatMap { HTTPDate.seconds($0) }
        if response.status == 429 {
            response.body.cancel()
            throw .rateLimited(
                retryAfter: RetryAfter.seconds(in: response.headers, now: { clock.wall() / 1000 }))
        }
        if (300...399).contains(response.status) {
            response.body.cancel()
            let location = response.headers.first(named: "Location").flatMap {
                OAuthErrorParser.clean(Redaction.url($0), hiding: secrets)
            }
            throw .redirected(status: response.status, location: location)
        }
        let body: [UInt8]
        do {
            // One byte beyond the limit shows that the body is too long.
            body = try await response.body.prefix(Self.bodyLimit + 1)
        } catch {
            throw .outcomeUnknown(.transport(error))
        }
        if (200...299).contains(response.status) {
            guard body.count <= Self.bodyLimit else { throw .outcomeUnknown(.unreadable(status: response.status)) }
            return OAuthResponse(status: response.status, body: body, serverTime: serverTime, askedAt: askedAt)
        }
        throw failure(response, body, hiding: secrets, isRefusal)
    }

    private func failure(
        _ response: HTTPResponse, _ body: [UInt8], hiding secrets: [Secret], _ isRefusal: ([UInt8]) -> Bool
    ) -> OAuthError {
        let status = response.status
        let message = OAuthErrorParser.parse(body, hiding: secrets)
        if RetryPolicy.mayPass(status) { return .outcomeUnknown(.status(status, message: message)) }
        // A web page is meant for people: the service itself sends programs JSON or plain text. A page of a proxy or a
        // network login must not be taken as the end of a token.
        let isPage = response.isWebPage(body) || OAuthErrorParser.isPage(body)
        guard [400, 401].contains(status), !isPage else { return .otherStatus(status, message: message) }
        return isRefusal(body)
            ? .refused(status: status, message: message) : .refusedOtherwise(status: status, message: message)
    }
}

/// The two hosts of one environment that sign-in needs: one for web pages, the other for API calls. (Clover: OAuth for
/// high-trust and low-trust apps.)
package struct OAuthEndpoints: Sendable, Hashable {
    /// Host of the web pages; no trailing slash.
    package let webBaseURL: String
    /// Host where tokens are issued, renewed and migrated; no trailing slash.
    package let apiBaseURL: String

    /// Uses the two URLs without any trailing slashes.
    package init(webBaseURL: String, apiBaseURL: String) {
        func trimmed(_ address: String) -> String { String(address.reversed().drop { $0 == "/" }.reversed()) }
        self.webBaseURL = trimmed(webBaseURL)
        self.apiBaseURL = trimmed(apiBaseURL)
    }
}

/// Tokens issued by the service: an access token, and what renews it.
package struct IssuedTokens: Equatable, Sendable {
    package let accessToken: Secret
    /// Valid for one renewal. Nil if the service issued none.
    package let refreshToken: Secret?
    /// When the access token expires, in seconds since 1970 UTC by the service's clock; nil if unspecified.
    package let accessTokenExpires: Int64?
    /// When the refresh token expires, in seconds since 1970 UTC by the service's clock; nil if there is none or its
    /// expiry is unspecified.
    package let refreshTokenExpires: Int64?
    /// The service's clock when it responded (`Date` of RFC 9110, section 6.6.1), in seconds since 1970 UTC.
    package let serverTime: Int64?
    /// The local clocks when the request was sent. Read before sending rather than after, so that a slow response makes
    /// tokens look older, never younger.
    package let askedAt: TokenClock.Reading

    package init(
        accessToken: Secret, refreshToken: Secret? = nil, accessTokenExpires: Int64? = nil,
        refreshTokenExpires: Int64? = nil, serverTime: Int64? = nil, askedAt: TokenClock.Reading
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshToken == nil ? nil : refreshTokenExpires
        self.serverTime = serverTime
        self.askedAt = askedAt
    }
}

/// Small JSON objects for request bodies.
enum RequestJSON {
    /// An object of strings, keys sorted (RFC 8259).
    static func object(_ fields: [String: String]) -> [UInt8] {
        let members = fields.sorted { $0.key < $1.key }.map { string($0.key) + ":" + string($0.value) }
        return Array(("{" + members.joined(separator: ",") + "}").utf8)
    }

    private static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
