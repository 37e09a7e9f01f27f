package import CloverHTTP
import FoundationEssentials

/// Clover's OAuth calls: one request each, the outcome told apart by whether the service may have acted.
///
/// Secrets travel in the body only. Nothing is retried but 429, which promises that nothing happened; no redirect is
/// followed. Bodies are read up to 64 KiB. Time limits are the transport's.
package struct OAuthClient: Sendable {
    private let endpoints: OAuthEndpoints
    private let transport: any HTTPTransport
    let clock: TokenClock
    let sleep: @Sendable (Double) async throws -> Void
    private let onPause: @Sendable (Double) -> Void

    /// The longest body that is read, in bytes.
    private static let bodyLimit = 65_536
    /// The longest pause that a 429 may ask for, in seconds. Asked for more, we give up instead of coming back early,
    /// which would lengthen the pause.
    private static let longestPause: Double = 30
    /// The pause when a 429 does not say how long, in seconds.
    private static let usualPause: Double = 1
    /// How often a call is repeated after 429.
    private static let repetitions = 2

    /// - Parameters:
    ///   - transport: must ask the `Departure` as its contract says, because "not sent" and "outcome unknown" are told
    ///     apart by it.
    ///   - sleep: waits for so many seconds; throws when the task is cancelled.
    ///   - onPause: called before each wait for the end of a 429, with its seconds.
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

    /// Exchanges the code of an `AuthorizationAnswer` for tokens (`POST /oauth/v2/token`). A code can be exchanged once.
    package func exchange(_ code: Secret, appID: String, proof: Proof) async throws(OAuthError) -> IssuedTokens {
        var fields = ["client_id": appID, "code": code.exposed]
        var secrets = [code]
        if let field = proof.field {
            fields[field.name] = field.secret.exposed
            secrets.append(field.secret)
        }
        let answer = try await post(endpoints.apiBaseURL + "/oauth/v2/token", fields, hiding: secrets)
        return try answer.tokens()
    }

    /// Exchanges a code of the legacy flow (`POST /oauth/token` on the web host). What comes back neither expires nor
    /// can be renewed.
    package func exchangeLegacy(_ code: Secret, appID: String, appSecret: Secret) async throws(OAuthError) -> Secret {
        let answer = try await post(
            endpoints.webBaseURL + "/oauth/token",
            ["client_id": appID, "client_secret": appSecret.exposed, "code": code.exposed], hiding: [code, appSecret])
        return try answer.tokens().accessToken
    }

    /// Spends a refresh token for a new pair (`POST /oauth/v2/refresh`). The token is dead as soon as the service has
    /// made its successor, whether the answer arrives or not.
    ///
    /// Only an answer that speaks of the token is `.refused`: what else is answered may be mended at the app or at the
    /// service, and is `.refusedOtherwise`.
    ///
    /// - Parameter accessToken: of the same pair, so that it is not shown when the service repeats it.
    package func refresh(
        _ refreshToken: Secret, of accessToken: Secret? = nil, appID: String
    ) async throws(OAuthError) -> IssuedTokens {
        let answer = try await post(
            endpoints.apiBaseURL + "/oauth/v2/refresh",
            ["client_id": appID, "refresh_token": refreshToken.exposed],
            hiding: [refreshToken] + (accessToken.map { [$0] } ?? []), isRefusal: ServiceWords.speakOfToken)
        return try answer.tokens()
    }

    /// Asks for a code in place of a legacy token (`POST /oauth/token/migrate_v2`), to be given to `exchange`.
    ///
    /// - Parameter challenge: of the `CodeVerifier` that the exchange will show; nil when it will show the app's secret.
    package func migrate(
        _ legacyToken: Secret, merchantID: String, appID: String, challenge: String?
    ) async throws(OAuthError) -> Secret {
        var fields = ["merchant_uuid": merchantID, "app_uuid": appID, "auth_token": legacyToken.exposed]
        fields["code_challenge"] = challenge
        let answer = try await post(
            endpoints.apiBaseURL + "/oauth/token/migrate_v2", fields, hiding: [legacyToken])
        guard let code = OAuthAnswer.code(in: answer.body) else {
            throw .outcomeUnknown(.unreadable(status: answer.status))
        }
        return code
    }

    // MARK: - One call

    /// A successful answer.
    private struct Answer {
        let status: Int
        let body: [UInt8]
        let serverTime: Int64?
        let askedAt: TokenClock.Reading

        func tokens() throws(OAuthError) -> IssuedTokens {
            guard let tokens = OAuthAnswer.tokens(in: body, serverTime: serverTime, askedAt: askedAt) else {
                throw .outcomeUnknown(.unreadable(status: status))
            }
            return tokens
        }
    }

    private func post(
        _ url: String, _ fields: [String: String], hiding secrets: [Secret],
        isRefusal: ([UInt8]) -> Bool = { _ in true }
    ) async throws(OAuthError) -> Answer {
        let request = HTTPRequest(
            method: .post, url: url, headers: [HTTPHeader(name: "Accept", value: "application/json")],
            body: HTTPRequestBody(bytes: RequestJSON.object(fields)))
        var repeated = 0
        while true {
            do {
                return try await send(request, hiding: secrets, isRefusal)
            } catch .rateLimited(let retryAfter) {
                let pause = max(retryAfter ?? Self.usualPause, 0)
                guard repeated < Self.repetitions, pause <= Self.longestPause else {
                    throw .rateLimited(retryAfter: retryAfter)
                }
                repeated += 1
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
    ) async throws(OAuthError) -> Answer {
        let departure = Departure()
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
                ServiceWords.clean(Redaction.url($0), hiding: secrets)
            }
            throw .redirected(status: response.status, location: location)
        }
        let body: [UInt8]
        do {
            // One byte more than allowed shows that there is more.
            body = try await response.body.prefix(Self.bodyLimit + 1)
        } catch {
            throw .outcomeUnknown(.transport(error))
        }
        if (200...299).contains(response.status) {
            guard body.count <= Self.bodyLimit else { throw .outcomeUnknown(.unreadable(status: response.status)) }
            return Answer(status: response.status, body: body, serverTime: serverTime, askedAt: askedAt)
        }
        throw failure(response, body, hiding: secrets, isRefusal)
    }

    private func failure(
        _ response: HTTPResponse, _ body: [UInt8], hiding secrets: [Secret], _ isRefusal: ([UInt8]) -> Bool
    ) -> OAuthError {
        let status = response.status
        let message = ServiceWords.parse(body, hiding: secrets)
        if RetryPolicy.mayPass(status) { return .outcomeUnknown(.status(status, message: message)) }
        // A page is for people: the service itself answers programs with JSON or plain text. What a proxy or a login
        // page of a network says must not be taken for the end of a token.
        let isPage = response.isWebPage(body) || ServiceWords.isPage(body)
        guard [400, 401].contains(status), !isPage else { return .otherStatus(status, message: message) }
        return isRefusal(body)
            ? .refused(status: status, message: message) : .refusedOtherwise(status: status, message: message)
    }
}
