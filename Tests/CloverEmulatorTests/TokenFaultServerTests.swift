import Testing

@Suite("Server: pauses and faults of token calls")
@BlockingActor
struct TokenFaultServerTests {
    @Test("Delays before the work: a short-lived code has expired by then")
    func latency() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--code-life", "100ms", "--oauth-latency", "300ms")
        #expect(try emulator.exchange(try emulator.code()).status == 400)
        #expect(try emulator.statistics()["codesRefused"]?.integer == 1)
    }

    @Test("Delays after the work: the tokens are issued while the client waits")
    func answerDelay() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--oauth-answer-delay", "60s")
        let body = try EmulatorProcess.json([
            "client_id": emulator.appID, "code": try emulator.code(), "code_verifier": PKCE.verifier,
        ])
        let connection = try LoopbackConnection(port: emulator.port)
        try connection.send("/oauth/v2/token", token: nil, method: "POST", body: body)
        try emulator.wait { $0["codesSpent"]?.integer == 1 }
        #expect(try emulator.statistics()["tokensIssued"]?.integer == 1)
        withExtendedLifetime(connection) {}
    }

    @Test("Carries out the call of a client that disconnects during the delay")
    func abandoned() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--oauth-latency", "200ms")
        let body = try EmulatorProcess.json([
            "client_id": emulator.appID, "code": try emulator.code(), "code_verifier": PKCE.verifier,
        ])
        do {
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send("/oauth/v2/token", token: nil, method: "POST", body: body)
        }
        try emulator.wait { $0["codesSpent"]?.integer == 1 }
    }

    @Test("Rotates the tokens when the response is lost; the next call succeeds")
    func loseAnswer() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--oauth-fault", "lose-answer@1:/oauth/v2/refresh")
        let tokens = try emulator.signIn()
        let token = try #require(tokens["refresh_token"]?.text)
        #expect(throws: LoopbackConnection.Failure.reset) { try emulator.refresh(token) }
        #expect(try emulator.refresh(token).status == 401)
        #expect(try emulator.get("", token: tokens["access_token"]?.text).status == 401)
        #expect(try emulator.refresh(try emulator.signIn()["refresh_token"]?.text ?? "").status == 200)
        let statistics = try emulator.statistics()
        #expect(statistics["answersLost"]?.integer == 1)
        #expect(statistics["refreshes"]?.integer == 2)
        #expect(statistics["faults"]?.integer == 1)
    }

    @Test("Faults instead of the work leave the refresh token valid")
    func faultsBefore() throws {
        let emulator = try EmulatorProcess(
            "--orders", "10", "--oauth-fault", "reset@1:/oauth/v2/refresh", "--oauth-fault", "500@2:/oauth/v2/refresh",
            "--oauth-fault", "503-html@3:/oauth/v2/refresh", "--oauth-fault", "not-json@4:/oauth/v2/refresh")
        let token = try #require(try emulator.signIn()["refresh_token"]?.text)
        #expect(throws: LoopbackConnection.Failure.reset) { try emulator.refresh(token) }
        let broken = try emulator.refresh(token)
        #expect(broken.status == 500)
        #expect(broken.message == "500 Internal Server Error")
        let unavailable = try emulator.refresh(token)
        #expect(unavailable.status == 503)
        #expect(unavailable.headers["content-type"] == "text/html")
        let page = try emulator.refresh(token)
        #expect(page.status == 200)
        #expect(page.text.hasPrefix("<html>"))
        #expect(try emulator.statistics()["refreshes"]?.integer == 0)
        #expect(try emulator.refresh(token).status == 200)
    }

    @Test("Rotates the tokens when the response is truncated")
    func truncate() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--oauth-fault", "truncate:/oauth/v2/refresh")
        let token = try #require(try emulator.signIn()["refresh_token"]?.text)
        let cut = try emulator.refresh(token)
        #expect(cut.status == 200)
        #expect(!cut.isWhole)
        #expect(try emulator.statistics()["refreshes"]?.integer == 1)
    }

    @Test("Record faults and delays do not apply to token calls, and vice versa")
    func separateFaults() throws {
        let emulator = try EmulatorProcess(
            "--orders", "10", "--fault", "500", "--oauth-fault", "503-html@2", "--latency", "1ms")
        let tokens = try emulator.signIn()
        #expect(try emulator.get("", token: tokens["access_token"]?.text).status == 500)
        #expect(try emulator.refresh(tokens["refresh_token"]?.text ?? "").status == 503)
    }

    @Test(
        "Exits with 64 and names an invalid option",
        arguments: [
            ["--access-token-life", "0s"], ["--refresh-token-life", "1y"], ["--code-life", "60"],
            ["--refresh-token-cap", "-1"], ["--clock-skew", "soon"], ["--oauth-latency", "-1s"],
            ["--oauth-answer-delay", "x"], ["--oauth-fault", "slow"], ["--without-permission", "order"],
        ])
    func badOptions(arguments: [String]) throws {
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 64)
        #expect(message.contains(arguments[0]))
    }
}
