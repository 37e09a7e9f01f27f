import CloverAuth
import CloverHTTP
import Testing

@Suite("OAuth calls")
struct OAuthClientTests {
    private let pauses = PauseRecorder()
    private let clock = TestClock()
    private let endpoints = OAuthEndpoints(webBaseURL: "https://web.example", apiBaseURL: "https://api.example")

    private func client(_ service: ScriptedService) -> OAuthClient {
        OAuthClient(endpoints: endpoints, transport: service, clock: clock.clock, sleep: pauses.sleep)
    }

    private static let pair = """
        {"access_token":"acc","access_token_expiration":1767225600,"refresh_token":"ref",\
        "refresh_token_expiration":1798761600}
        """

    private func refresh(_ reply: ScriptedService.Reply) async -> Result<IssuedTokens, OAuthError> {
        let client = client(ScriptedService(reply))
        do throws(OAuthError) {
            return .success(try await client.refresh(Secret("refresh-canary-0123456789"), appID: "APP"))
        } catch {
            return .failure(error)
        }
    }

    // MARK: What is sent

    @Test("Each call posts its own JSON to its own host, with no secret outside the body")
    func requests() async throws {
        let service = ScriptedService { number in
            .answer(200, number == 5 ? #"{"authorization_code":"new"}"# : Self.pair)
        }
        let client = client(service)
        let verifier = String(repeating: "v", count: 43)
        _ = try await client.exchange(
            Secret("c\"1"), appID: "APP", proof: .verifier(try CodeVerifier(parsing: verifier)))
        _ = try await client.exchange(Secret("c2"), appID: "APP", proof: .appSecret(Secret("sec")))
        _ = try await client.exchange(Secret("c3"), appID: "APP", proof: .none)
        _ = try await client.refresh(Secret("ref"), appID: "APP")
        #expect(
            try await client.migrate(Secret("leg"), merchantID: "M", appID: "APP", challenge: "C") == Secret("new"))
        #expect(
            service.bodies == [
                #"{"client_id":"APP","code":"c\"1","code_verifier":"\#(verifier)"}"#,
                #"{"client_id":"APP","client_secret":"sec","code":"c2"}"#, #"{"client_id":"APP","code":"c3"}"#,
                #"{"client_id":"APP","refresh_token":"ref"}"#,
                #"{"app_uuid":"APP","auth_token":"leg","code_challenge":"C","merchant_uuid":"M"}"#,
            ])
        #expect(
            service.requests.map(\.url) == [
                "https://api.example/oauth/v2/token", "https://api.example/oauth/v2/token",
                "https://api.example/oauth/v2/token",
                "https://api.example/oauth/v2/refresh", "https://api.example/oauth/token/migrate_v2",
            ])
        for request in service.requests {
            #expect(request.method == .post)
            #expect(request.body?.contentType == "application/json")
            #expect(request.bearer == nil)
        }
    }

    // MARK: What comes back

    @Test("The pair is read, with the service's clock and ours")
    func tokens() async throws {
        let reply = ScriptedService.Reply.answer(
            200, Self.pair, headers: [HTTPHeader(name: "date", value: "Sun, 06 Nov 1994 08:49:37 GMT")])
        #expect(
            await refresh(reply)
                == .success(
                    IssuedTokens(
                        accessToken: Secret("acc"), refreshToken: Secret("ref"), accessTokenExpires: 1_767_225_600,
                        refreshTokenExpires: 1_798_761_600, serverTime: 784_111_777, askedAt: clock.clock.now)))
    }

    struct Moment: CustomTestStringConvertible, Sendable {
        var testDescription: String { text }
        let text: String
        let seconds: Int64?
    }

    @Test(
        "Expirations are seconds, whatever they are written as",
        arguments: [
            Moment(text: "1767225600", seconds: 1_767_225_600), Moment(text: "\"1767225600\"", seconds: 1_767_225_600),
            Moment(text: "1767225600.9", seconds: 1_767_225_600), Moment(text: "1767225600000", seconds: 1_767_225_600),
            Moment(text: "100000000000", seconds: 100_000_000_000), Moment(text: "0", seconds: nil),
            Moment(text: "-1", seconds: nil), Moment(text: "null", seconds: nil),
            Moment(text: "\"soon\"", seconds: nil),
            Moment(text: "1e300", seconds: nil), Moment(text: "true", seconds: nil), Moment(text: "{}", seconds: nil),
            Moment(text: "[1767225600]", seconds: nil),
        ])
    func expirations(moment: Moment) async throws {
        let reply = ScriptedService.Reply.answer(
            200, #"{"access_token":"a","access_token_expiration":\#(moment.text),"colour":1}"#)
        let tokens = try await refresh(reply).get()
        #expect(tokens.accessTokenExpires == moment.seconds)
        #expect(tokens.refreshToken == nil)
        // An unreadable time affects neither the other nor a token.
        let pair = try await refresh(
            .answer(
                200,
                #"{"access_token":"a","access_token_expiration":1767225600,"refresh_token":"r","#
                    + #""refresh_token_expiration":\#(moment.text)}"#)
        ).get()
        #expect(pair.refreshToken == Secret("r") && pair.accessTokenExpires == 1_767_225_600)
        #expect(pair.refreshTokenExpires == moment.seconds)
    }

    struct ServerDate: CustomTestStringConvertible, Sendable {
        var testDescription: String { text }
        let text: String
        let seconds: Int64?
    }

    @Test(
        "The service's clock is read from the three forms of HTTP dates and from nothing else",
        arguments: [
            ServerDate(text: "Thu, 01 Jan 1970 00:00:00 GMT", seconds: 0),
            ServerDate(text: "Thu, 29 Feb 2024 23:59:60 GMT", seconds: 1_709_251_200),
            ServerDate(text: "Wed, 31 Dec 2025 23:59:59 GMT", seconds: 1_767_225_599),
            ServerDate(text: "Sat, 01 Mar 2100 00:00:00 GMT", seconds: 4_107_542_400),
            ServerDate(text: "Sunday, 06-Nov-94 08:49:37 GMT", seconds: 784_111_777),
            ServerDate(text: "Sun Nov  6 08:49:37 1994", seconds: 784_111_777),
            ServerDate(text: "Sun, 06 Nov 1994 08:49:37 CET", seconds: nil),
            ServerDate(text: "Sun, 06 Nov 1994 24:00:00 GMT", seconds: nil),
            ServerDate(text: "Sun, +6 Nov 1994 08:49:37 GMT", seconds: nil), ServerDate(text: "", seconds: nil),
        ])
    func dates(date: ServerDate) async throws {
        let reply = ScriptedService.Reply.answer(200, Self.pair, headers: [HTTPHeader(name: "Date", value: date.text)])
        #expect(try await refresh(reply).get().serverTime == date.seconds)
    }

    @Test(
        "Success without a usable token leaves the outcome unknown",
        arguments: [
            "", "{}", "<html>hello</html>", #"{"access_token":""}"#, #"{"access_token":5}"#, #"{"access_token":"a b"}"#,
            #"{"access_token":"a\nb"}"#, #"{"access_token":"a""#,
            #"["a"]"#, #"{"access_token":"a","access_token":"b"}"#,
            #"{"access_token":"a","refresh_token":"r","refresh\u005ftoken":"s"}"#,
        ])
    func unreadable(body: String) async {
        #expect(await refresh(.answer(200, body)) == .failure(.outcomeUnknown(.unreadable(status: 200))))
    }

    @Test(
        "A refresh token without a usable access token is passed on",
        arguments: ["5", "null", #""""#, #""a b""#, #"["a"]"#])
    func noAccessToken(text: String) async {
        let body = #"{"access_token":\#(text),"refresh_token":"r","refresh_token_expiration":1767225600}"#
        #expect(
            await refresh(.answer(200, body))
                == .failure(
                    .outcomeUnknown(.noAccessToken(status: 200, refreshToken: Secret("r"), expires: 1_767_225_600))))
    }

    @Test(
        "A refresh token that cannot be used does not take a good access token along",
        arguments: [#""""#, #""x y""#, "5", "null", "{}"])
    func unusableRefreshToken(text: String) async throws {
        let reply = ScriptedService.Reply.answer(
            200, #"{"access_token":"a","access_token_expiration":1767225600,"refresh_token":\#(text)}"#)
        let tokens = try await refresh(reply).get()
        #expect(tokens.accessToken == Secret("a") && tokens.accessTokenExpires == 1_767_225_600)
        #expect(tokens.refreshToken == nil)
    }

    @Test("A body is read up to 64 KiB")
    func hugeBody() async throws {
        let padding = String(repeating: " ", count: 65_536 - Self.pair.utf8.count)
        #expect(try await refresh(.answer(200, Self.pair + padding)).get().accessToken == Secret("acc"))
        #expect(
            await refresh(.answer(200, Self.pair + padding + " "))
                == .failure(.outcomeUnknown(.unreadable(status: 200))))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reply: ScriptedService.Reply
        let error: OAuthError
    }

    private static let lost = HTTPTransportError.connectionLost(host: "h", detail: "reset")

    @Test(
        "Every failure says whether the service may have acted",
        arguments: [
            Row(
                testDescription: "no connection", reply: .unsent(.notConnected(host: "h", detail: "refused")),
                error: .notSent(.notConnected(host: "h", detail: "refused"))),
            Row(testDescription: "no answer", reply: .lost(lost), error: .outcomeUnknown(.transport(lost))),
            Row(
                testDescription: "cut off", reply: .broken(200, "{", lost), error: .outcomeUnknown(.transport(lost))),
            Row(
                testDescription: "cut off refusal", reply: .broken(401, "", lost),
                error: .outcomeUnknown(.transport(lost))),
            Row(
                testDescription: "message", reply: .answer(401, #"{"message":"Invalid refresh token"}"#),
                error: .refused(status: 401, message: "Invalid refresh token")),
            Row(
                testDescription: "message and details", reply: .answer(400, #"{"message":"bad","details":"very"}"#),
                error: .refusedOtherwise(status: 400, message: "bad: very")),
            Row(
                testDescription: "error and description",
                reply: .answer(400, #"{"error":"invalid_grant","error_description":"spent"}"#),
                error: .refused(status: 400, message: "spent")),
            Row(
                testDescription: "error alone", reply: .answer(400, #"{"error":"invalid_grant"}"#),
                error: .refused(status: 400, message: "invalid_grant")),
            Row(
                testDescription: "error object", reply: .answer(400, #"{"error":{"message":"inner"}}"#),
                error: .refusedOtherwise(status: 400, message: "inner")),
            Row(
                testDescription: "fields of other types", reply: .answer(400, #"{"message":1,"details":"d"}"#),
                error: .refusedOtherwise(status: 400, message: "d")),
            Row(
                testDescription: "plain text", reply: .answer(400, " no\r\n\u{1b}[31m\u{202e}way "),
                error: .refusedOtherwise(status: 400, message: "no way")),
            Row(
                testDescription: "nothing", reply: .answer(401, ""),
                error: .refusedOtherwise(status: 401, message: nil)),
            Row(
                testDescription: "page", reply: .answer(401, " \n<html>log in</html>"),
                error: .otherStatus(401, message: nil)),
            Row(
                testDescription: "page by its type",
                reply: .answer(401, "log in", headers: [HTTPHeader(name: "content-type", value: "text/html;x=y")]),
                error: .otherStatus(401, message: "log in")),
            Row(
                testDescription: "forbidden", reply: .answer(403, #"{"message":"no"}"#),
                error: .otherStatus(403, message: "no")),
            Row(testDescription: "not found", reply: .answer(404, ""), error: .otherStatus(404, message: nil)),
            Row(
                testDescription: "redirect",
                reply: .answer(
                    302, "", headers: [HTTPHeader(name: "Location", value: "https://u:p@other/x?code=c0de&a=b")]),
                error: .redirected(status: 302, location: "https://(redacted)@other/x?code=(redacted)&a=b")),
            Row(
                testDescription: "failure", reply: .answer(503, #"{"message":"later"}"#),
                error: .outcomeUnknown(.status(503, message: "later"))),
            Row(
                testDescription: "a request that took too long", reply: .answer(408, ""),
                error: .outcomeUnknown(.status(408, message: nil))),
            Row(
                testDescription: "no answer behind Cloudflare", reply: .answer(524, ""),
                error: .outcomeUnknown(.status(524, message: nil))),
            Row(testDescription: "not done", reply: .answer(501, ""), error: .otherStatus(501, message: nil)),
            Row(
                testDescription: "failure with a page", reply: .answer(502, "<h1>Bad Gateway</h1>"),
                error: .outcomeUnknown(.status(502, message: nil))),
        ])
    func failures(row: Row) async {
        #expect(await refresh(row.reply) == .failure(row.error))
    }

    @Test("A message has 200 characters at most")
    func longMessage() async {
        let text = String(repeating: "é", count: 1000)
        #expect(
            await refresh(.answer(400, #"{"message":"\#(text)"}"#))
                == .failure(.refusedOtherwise(status: 400, message: String(text.prefix(200)))))
    }

    @Test(
        "Secrets that the service repeats are not shown, whole or in part",
        arguments: [
            ("token refresh-canary-0123456789 is spent", "token (redacted) is spent"),
            ("token refresh-canary-01... is spent", "token (redacted)... is spent"),
            ("...nary-0123456789", "...(redacted)"), ("refresh-c is harmless", "refresh-c is harmless"),
            ("refresh-canary-0123456789refresh-canary-0123456789", "(redacted)"),
        ])
    func repeatedSecrets(message: String, shown: String) async {
        for reply in [ScriptedService.Reply.answer(400, #"{"message":"\#(message)"}"#), .answer(400, message)] {
            guard case .failure(let error) = await refresh(reply) else { Issue.record("issued"); continue }
            switch error {
            case .refused(400, let reported), .refusedOtherwise(400, let reported): #expect(reported == shown)
            default: Issue.record("\(error)")
            }
        }
    }

    @Test("The access token of the pair is not shown either")
    func repeatedAccessToken() async {
        let client = client(ScriptedService(.answer(400, "token access-canary-0123456789 is spent")))
        await #expect(throws: OAuthError.refused(status: 400, message: "token (redacted) is spent")) {
            try await client.refresh(
                Secret("refresh-canary-0123456789"), of: Secret("access-canary-0123456789"), appID: "APP")
        }
    }

    @Test(
        "Only a message that mentions the token concerns the token",
        arguments: [
            (#"{"error":"temporarily_unavailable"}"#, false), (#"{"error":"server_error"}"#, false),
            (#"{"message":"Service temporarily unavailable"}"#, false), (#"{"message":"Unknown Client ID"}"#, false),
            (#"{"message":"Invalid OAuth credentials"}"#, false), (#"{"message":"invalid_client"}"#, false),
            (#"{"error":{"code":"invalid_client","message":"bad token"}}"#, false),
            (#"{"error":"Unauthorized","message":"Invalid app"}"#, false), ("{}", false), ("[]", false),
            (#""x""#, false),
            (#"{"message":"401 Unauthorized"}"#, false), (#"{"message":"Invalid client, no token"}"#, false),
            (#"{"message":"refresh_token is required"}"#, false), (#"{"message":"Invalid refresh token"}"#, true),
            (#"{"message":"the Refresh Token has expired"}"#, true), ("invalid_grant", true),
            (#"{"error":{"code":"invalid_grant","message":"no"}}"#, true), (#"{"error":"invalid_grant"}"#, true),
            (#"{"error":"access_denied","error_description":"token revoked"}"#, true),
        ])
    func aboutToken(body: String, isAboutToken: Bool) async {
        for status in [400, 401] {
            guard case .failure(let error) = await refresh(.answer(status, body)) else {
                Issue.record("issued")
                continue
            }
            switch error {
            case .refused: #expect(isAboutToken, "\(error)")
            case .refusedOtherwise: #expect(!isAboutToken, "\(error)")
            default: Issue.record("\(error)")
            }
        }
    }

    @Test("A short secret is hidden, too")
    func shortSecret() async {
        let client = client(ScriptedService(.answer(400, "the secret s3c is wrong")))
        await #expect(throws: OAuthError.refused(status: 400, message: "the secret (redacted) is wrong")) {
            try await client.exchange(Secret("code"), appID: "APP", proof: .appSecret(Secret("s3c")))
        }
    }

    // MARK: Too many requests

    @Test("A 429 is waited for as long as it says, twice")
    func rateLimit() async throws {
        let service = ScriptedService { number in
            number < 3
                ? .answer(429, "", headers: [HTTPHeader(name: "retry-after", value: "7")]) : .answer(200, Self.pair)
        }
        let reported = PauseRecorder()
        let client = OAuthClient(
            endpoints: endpoints, transport: service, clock: clock.clock, sleep: pauses.sleep, onPause: reported.note)
        _ = try await client.refresh(Secret("ref"), appID: "APP")
        #expect(pauses.pauses == [7, 7])
        #expect(reported.pauses == [7, 7])
        #expect(Set(service.bodies).count == 1)
    }

    @Test("The third 429 in a row is an error")
    func rateLimitPersists() async {
        let service = ScriptedService(.answer(429, ""))
        await #expect(throws: OAuthError.rateLimited(retryAfter: nil)) {
            try await client(service).refresh(Secret("ref"), appID: "APP")
        }
        #expect(pauses.pauses == [1, 1])
        #expect(service.requests.count == 3)
    }

    @Test("A 429 that asks for more than half a minute is an error at once")
    func longRateLimit() async {
        let service = ScriptedService(.answer(429, "", headers: [HTTPHeader(name: "Retry-After", value: "31")]))
        await #expect(throws: OAuthError.rateLimited(retryAfter: 31)) {
            try await client(service).refresh(Secret("ref"), appID: "APP")
        }
        #expect(pauses.pauses == [])
    }

    @Test("A 429 may name a date, by the service's clock")
    func rateLimitDate() async throws {
        let service = ScriptedService { number in
            number > 1
                ? .answer(200, Self.pair)
                : .answer(
                    429, "",
                    headers: [
                        HTTPHeader(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
                        HTTPHeader(name: "Retry-After", value: "Sun, 06 Nov 1994 08:49:41 GMT"),
                    ])
        }
        _ = try await client(service).refresh(Secret("ref"), appID: "APP")
        #expect(pauses.pauses == [4])
    }
}
