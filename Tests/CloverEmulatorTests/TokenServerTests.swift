import Foundation
import Testing

@Suite("Server: tokens")
@BlockingActor
struct TokenServerTests {
    private static let pairMembers: Set<String> = [
        "access_token", "access_token_expiration", "refresh_token", "refresh_token_expiration",
    ]

    /// Seconds since 1970 of the `Date` header.
    private func date(_ answer: HTTPAnswer) throws -> Int {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return Int(try #require(format.date(from: answer.headers["date"] ?? "")).timeIntervalSince1970)
    }

    // MARK: Exchange

    @Test("Exchanges a code and verifier for a pair whose access token works")
    func exchange() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let tokens = try emulator.signIn()
        #expect(tokens.keys == Self.pairMembers)
        let token = try #require(tokens["access_token"]?.text)
        let answer = try emulator.get("orders?limit=1", token: token)
        #expect(answer.status == 200)
        #expect(try emulator.get("orders?limit=1").body == answer.body)
        // The default lifetimes, within the second that may pass between the two clocks.
        let begun = try date(answer)
        let access = try #require(tokens["access_token_expiration"]?.integer)
        let refresh = try #require(tokens["refresh_token_expiration"]?.integer)
        #expect(refresh - access == 366 * 86_400 - 1800)
        #expect(access <= begun + 1800)
        #expect(begun - 60 < access - 1800)
    }

    @Test("A code can be used once, also with its secret and redirect")
    func secret() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let code = try #require(Redirect(try emulator.decide("approve")).query["code"])
        let body = ["client_id": emulator.appID, "client_secret": emulator.appSecret, "code": code]
        let other = body.merging(["redirect_uri": "http://127.0.0.1:41001/callback"]) { $1 }
        #expect(try emulator.post("/oauth/v2/token", other).status == 400)
        let right = body.merging(["redirect_uri": EmulatorProcess.redirectURI]) { $1 }
        #expect(try emulator.post("/oauth/v2/token", right).status == 200)
        let again = try emulator.post("/oauth/v2/token", right)
        #expect(again.status == 400)
        #expect(again.message == "Failed to validate authentication code")
        let statistics = try emulator.statistics()
        #expect(statistics["codesIssued"]?.integer == 1)
        #expect(statistics["codesSpent"]?.integer == 1)
        #expect(statistics["codesRefused"]?.integer == 2)
        #expect(statistics["tokensIssued"]?.integer == 1)
    }

    @Test("Refuses invalid exchanges")
    func refusedExchange() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let code = try emulator.code()
        let right = ["client_id": emulator.appID, "code": code, "code_verifier": PKCE.verifier]
        for (changes, status, message) in [
            (["client_id": "OTHER"], 401, "Unknown Client ID"),
            (["client_secret": "wrong"], 401, "Invalid OAuth credentials"),
            (["code_verifier": PKCE.otherVerifier], 400, "Failed to validate authentication code"),
            (["code": "unknown"], 400, "Failed to validate authentication code"),
        ] {
            let answer = try emulator.post("/oauth/v2/token", right.merging(changes) { $1 })
            #expect(answer.status == status, "\(changes)")
            #expect(answer.message == message, "\(changes)")
            #expect(answer.headers["content-type"] == "application/json")
        }
        // None of these has used it up.
        #expect(try emulator.post("/oauth/v2/token", right).status == 200)
    }

    @Test("Returns only an access token with no_refresh_token, on either call")
    func noRefreshToken() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let alone: Set<String> = ["access_token", "access_token_expiration"]
        #expect(try Node(emulator.exchange(try emulator.code(), suffix: "?no_refresh_token=true").body).keys == alone)
        let answer = try emulator.decide("approve", ["code_challenge": PKCE.challenge, "no_refresh_token": "true"])
        let code = try #require(Redirect(answer).query["code"])
        #expect(try Node(emulator.exchange(code).body).keys == alone)
    }

    @Test("Refuses an expired code")
    func oldCode() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--code-life", "1ms")
        let answer = try emulator.wait(forStatus: 400) { try emulator.exchange(try emulator.code()) }
        #expect(answer.message == "Failed to validate authentication code")
    }

    @Test("Malformed bodies get 400, large ones 413, and other methods 405")
    func malformed() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        for path in ["/oauth/v2/token", "/oauth/v2/refresh", "/oauth/token", "/oauth/token/migrate_v2"] {
            for body in ["", "{", "[]", "{}", "null", "client_id=x&code=y", #"{"client_id":7}"#, #"{"app_uuid":null}"#]
            {
                let answer = try emulator.request("POST", path, body: body)
                #expect(answer.status == 400, "\(path) \(body)")
                #expect(answer.message?.hasPrefix("Malformed request: ") == true, "\(path) \(body)")
            }
            #expect(try emulator.request("POST", path, body: String(repeating: " ", count: 70_000)).status == 413)
            for method in ["PUT", "DELETE", "HEAD"] {
                #expect(try emulator.request(method, path).status == 405, "\(method) \(path)")
            }
        }
        for path in ["/oauth/v2/token", "/oauth/v2/refresh", "/oauth/token/migrate_v2"] {
            let answer = try emulator.request("GET", path)
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "POST")
        }
        #expect(try emulator.request("DELETE", "/oauth/v2/authorize").headers["allow"] == "GET, POST")
        #expect(try emulator.request("POST", "/pakms/apikey").headers["allow"] == "GET")
        let statistics = try emulator.statistics()
        #expect(statistics["refreshesRefused"]?.integer == 0)
        #expect(statistics["codesRefused"]?.integer == 0)
    }

    // MARK: Refresh

    @Test("A refresh returns a new pair and invalidates the old one at once")
    func refresh() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let old = try emulator.signIn()
        let spent = try #require(old["refresh_token"]?.text)
        let answer = try emulator.refresh(spent)
        #expect(answer.status == 200)
        let new = try Node(answer.body)
        #expect(new.keys == Self.pairMembers)
        #expect(new["refresh_token"]?.text != spent)
        let refused = try emulator.get("orders", token: old["access_token"]?.text)
        #expect(refused.status == 401)
        #expect(refused.text == #"{"message":"401 Unauthorized"}"#)
        #expect(try emulator.get("orders", token: new["access_token"]?.text).status == 200)
        let replay = try emulator.refresh(spent)
        #expect(replay.status == 401)
        #expect(replay.text == #"{"message":"Invalid refresh token"}"#)
        let other = try emulator.post(
            "/oauth/v2/refresh", ["client_id": "OTHER", "refresh_token": new["refresh_token"]?.text ?? ""])
        #expect(other.status == 401)
        #expect(other.message == "Unknown Client ID")
        // Neither the replay nor the wrong client has harmed the new pair.
        #expect(try emulator.get("orders", token: new["access_token"]?.text).status == 200)
        #expect(try emulator.refresh(new["refresh_token"]?.text ?? "").status == 200)
        let statistics = try emulator.statistics()
        #expect(statistics["refreshes"]?.integer == 2)
        #expect(statistics["refreshesRefused"]?.integer == 2)
        #expect(statistics["tokensIssued"]?.integer == 3)
    }

    @Test("Only one of many concurrent refreshes with one token succeeds")
    func contenders() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let token = try #require(try emulator.signIn()["refresh_token"]?.text)
        let body = try EmulatorProcess.json(["client_id": emulator.appID, "refresh_token": token])
        let connections = try (0..<32).map { _ in
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send("/oauth/v2/refresh", token: nil, method: "POST", body: body)
            return connection
        }
        let statuses = try connections.map { try $0.receive().status }.sorted()
        #expect(statuses == [200] + Array(repeating: 401, count: 31))
        #expect(try emulator.statistics()["refreshes"]?.integer == 1)
    }

    @Test("An access token works until it expires; its refresh token still works")
    func expiry() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--access-token-life", "100ms", "--no-limits")
        let tokens = try emulator.signIn()
        let answer = try emulator.wait(forStatus: 401) { try emulator.get("", token: tokens["access_token"]?.text) }
        #expect(answer.text == #"{"message":"401 Unauthorized"}"#)
        #expect(try emulator.get("").status == 200)
        #expect(try emulator.refresh(tokens["refresh_token"]?.text ?? "").status == 200)
    }

    @Test("Refuses an expired refresh token")
    func oldRefreshToken() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--refresh-token-life", "1ms")
        let answer = try emulator.wait(forStatus: 401) {
            try emulator.refresh(try emulator.signIn()["refresh_token"]?.text ?? "")
        }
        #expect(answer.message == "Invalid refresh token")
    }

    @Test("Invalidates the oldest refresh token over the limit")
    func cap() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--refresh-token-cap", "1")
        let first = try emulator.signIn()
        let second = try emulator.signIn()
        #expect(try emulator.refresh(first["refresh_token"]?.text ?? "").status == 401)
        #expect(try emulator.get("", token: first["access_token"]?.text).status == 200)
        #expect(try emulator.refresh(second["refresh_token"]?.text ?? "").status == 200)
    }

    @Test("Each access token has a separate rate limit")
    func rates() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--latency", "60s")
        let tokens = try (0..<2).map { _ in try #require(try emulator.signIn()["access_token"]?.text) }
        let held = try (0..<10).map { place in
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send(emulator.path(""), token: tokens[place / 5])
            return connection
        }
        try emulator.wait { $0["inFlight"]?.integer == 10 }
        let statistics = try emulator.statistics()
        #expect(statistics["peakInFlight"]?.integer == 5)
        #expect(statistics["rejected"]?["tokenConcurrency"]?.integer == 0)
        #expect(try emulator.get("", token: tokens[0]).headers["x-ratelimit-tokenconcurrentlimit"] == "5")
        withExtendedLifetime(held) {}
    }

    @Test("Tokens and codes differ between two runs with one seed")
    func randomness() throws {
        let tokens = try (0..<2).map { _ in try EmulatorProcess("--orders", "10", "--seed", "9").signIn() }
        #expect(tokens[0]["access_token"]?.text != tokens[1]["access_token"]?.text)
        #expect(tokens[0]["refresh_token"]?.text != tokens[1]["refresh_token"]?.text)
    }

    // MARK: Legacy

    @Test("Exchanges a legacy code by GET and by POST")
    func legacy() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--access-token-life", "1ms")
        for isGet in [true, false] {
            let redirect = Redirect(try emulator.decide("approve", path: "/oauth/authorize"))
            let fields = [
                "client_id": emulator.appID, "client_secret": emulator.appSecret, "code": redirect.query["code"] ?? "",
            ]
            func ask(_ changes: [String: String] = [:]) throws -> HTTPAnswer {
                let fields = fields.merging(changes) { $1 }
                return isGet
                    ? try emulator.request("GET", "/oauth/token?" + EmulatorProcess.form(fields))
                    : try emulator.post("/oauth/token", fields)
            }
            let wrong = try ask(["client_secret": "x"])
            #expect(wrong.status == 400)
            #expect(wrong.text == #"{"message":"Invalid OAuth credentials"}"#)
            let unknown = try ask(["client_id": "OTHER"])
            #expect(unknown.status == 400)
            #expect(unknown.text == #"{"message":"Unknown Client ID"}"#)
            let answer = try Node(ask().body)
            #expect(answer.keys == ["access_token"])
            #expect(UUID(uuidString: answer["access_token"]?.text ?? "") != nil)
            #expect(try emulator.get("", token: answer["access_token"]?.text).status == 200)
            #expect(try ask().text == #"{"message":"Invalid OAuth credentials"}"#)
        }
        #expect(try emulator.request("GET", "/oauth/token?client_id=x").status == 400)
    }

    @Test("A legacy token is migrated to a pair, with the secret or with a verifier")
    func migration() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let body = [
            "merchant_uuid": emulator.merchant, "app_uuid": emulator.appID, "auth_token": try emulator.legacyToken(),
        ]
        let plain = try emulator.post("/oauth/token/migrate_v2", body)
        #expect(plain.status == 200)
        #expect(try Node(plain.body).keys == ["authorization_code", "expiration"])
        let end = try #require(try Node(plain.body)["expiration"]?.integer)
        #expect(end <= (try date(plain)) + 60)
        #expect(end > (try date(plain)))
        let code = try #require(try Node(plain.body)["authorization_code"]?.text)
        let exchanged = try emulator.post(
            "/oauth/v2/token", ["client_id": emulator.appID, "client_secret": emulator.appSecret, "code": code])
        #expect(try Node(exchanged.body).keys == Self.pairMembers)
        let bound = try emulator.post(
            "/oauth/token/migrate_v2", body.merging(["code_challenge": PKCE.challenge]) { $1 })
        let boundCode = try #require(try Node(bound.body)["authorization_code"]?.text)
        #expect(try emulator.exchange(boundCode).status == 200)
        for (changes, status) in [
            (["auth_token": emulator.token], 401), (["merchant_uuid": "AAAAAAAAAAAAA"], 401), (["app_uuid": "x"], 401),
            (["code_challenge": "x"], 400),
        ] {
            let answer = try emulator.post("/oauth/token/migrate_v2", body.merging(changes) { $1 })
            #expect(answer.status == status, "\(changes)")
            #expect(answer.message != nil)
        }
    }

    // MARK: Card tokenizer key

    @Test("Returns the same key for every valid token, and none for an invalid one")
    func apiKey() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let pair = try emulator.signIn()
        let answers = try [emulator.token, pair["access_token"]?.text, try emulator.legacyToken()].map {
            try emulator.request("GET", "/pakms/apikey", token: $0)
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0.body == answers[0].body })
        let key = try Node(answers[0].body)
        #expect(
            key.keys == ["apiAccessKey", "merchantUuid", "developerAppUuid", "active", "createdTime", "modifiedTime"])
        #expect(key["apiAccessKey"]?.text?.isEmpty == false)
        #expect(key["merchantUuid"]?.text == emulator.merchant)
        #expect(key["developerAppUuid"]?.text == emulator.appID)
        #expect(key["active"]?.value as? Bool == true)
        #expect(try emulator.refresh(pair["refresh_token"]?.text ?? "").status == 200)
        for token in ["wrong", nil, pair["access_token"]?.text] {
            let answer = try emulator.request("GET", "/pakms/apikey", token: token)
            #expect(answer.status == 401)
            #expect(answer.text == #"{"message":"401 Unauthorized"}"#)
        }
    }

    // MARK: Permissions and clock

    @Test("Returns 401 only for records without permission, with every token")
    func withoutPermission() throws {
        let emulator = try EmulatorProcess(
            "--orders", "10", "--without-permission", "orders", "--without-permission", "employees")
        let tokens = [emulator.token, try emulator.signIn()["access_token"]?.text ?? ""]
        let order = "orders/AAAAAAAAAAAAA/line_items"
        for token in tokens {
            for path in ["orders", order, "employees"] {
                let answer = try emulator.get(path, token: token)
                #expect(answer.status == 401)
                #expect(answer.text == #"{"message":"401 Unauthorized"}"#)
            }
            #expect(try emulator.get("", token: token).status == 200)
            #expect(try emulator.get("items", token: token).status == 200)
        }
        let page = try emulator.request(
            "GET", "/oauth/v2/authorize?" + EmulatorProcess.form(emulator.authorizeFields()))
        #expect(page.text.contains("Not included: employees, orders."))
        let closed = try EmulatorProcess("--orders", "10", "--without-permission", "merchant")
        #expect(try closed.get("").status == 401)
        #expect(try closed.get("orders").status == 200)
    }

    @Test(
        "Offsets the clock of tokens and of every Date header",
        arguments: [(["--clock-skew", "-26h"], -26 * 3600), (["--clock-skew=26h"], 26 * 3600), ([], 0)])
    func clockSkew(arguments: [String], seconds: Int) throws {
        let emulator = try EmulatorProcess(list: ["--orders", "10"] + arguments)
        let near = (seconds - 600)...(seconds + 600)
        let here = Int(Date().timeIntervalSince1970)
        for answer in [
            try emulator.get(""), try emulator.get("", token: "wrong"), try emulator.request("GET", "/emulator/stats"),
            try emulator.request("GET", "/oauth/v2/token"), try emulator.decide("approve"), try emulator.refresh("x"),
        ] { #expect(near.contains(try date(answer) - here), "\(answer.status)") }
        let tokens = try emulator.signIn()
        let end = try #require(tokens["access_token_expiration"]?.integer)
        #expect(near.contains(end - 1800 - here))
        #expect(try emulator.get("", token: tokens["access_token"]?.text).status == 200)
    }
}
