import CloverTestSupport
import Foundation
import Testing

/// What is found out before a person approves anything, and what is never kept.
@Suite("auth: found out in time")
struct SignInCareTests {
    // MARK: - Before the browser

    struct Obstacle: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let put: @Sendable (_ sandbox: Sandbox) throws -> Void
    }

    static let obstacles = [
        Obstacle(testDescription: "a file of a newer version", words: "version 2") { sandbox in
            try sandbox.editCredential { $0.replacing(/"version"\s*:\s*1/, with: "\"version\":2") }
        },
        Obstacle(testDescription: "a file that others may read", words: "mode 644") { sandbox in
            let file = sandbox.directory[try sandbox.tokenFile()]
            #expect(chmod(file, 0o644) == 0)
        },
        Obstacle(testDescription: "a loose folder", words: "mode 777") { sandbox in
            #expect(chmod(sandbox.directory["state/credentials"], 0o777) == 0)
        },
    ]

    @Test("reports an obstacle to storing tokens with 78 before the browser opens", arguments: obstacles)
    func obstacle(_ obstacle: Obstacle) async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            try await sandbox.receive(service)
            try obstacle.put(sandbox)
            let target = ["--environment", service.url, "--app-id", service.appID, "--callback-port", "0"]
            for options in [[], ["--merchant", service.merchantID]] {
                let result = try await sandbox.clover(["auth", "login", "--no-browser"] + target + options)
                expectFailure(result, status: 78, saying: "state/credentials", obstacle.words)
                #expect(!result.errorText.contains("/oauth/v2/authorize"), "\(result)")
            }
        }
    }

    @Test("reports a full or read-only disk with 73 before the browser opens")
    func noRoom() async throws {
        try await Sandbox.run { sandbox in
            let login =
                "clover auth login --no-browser --environment http://127.0.0.1:1 --app-id APP --callback-port 0 "
                + "--timeout 1s"
            let result = try await sandbox.inMountedState(
                """
                \(login); echo "room $?"
                dd if=/dev/zero of=state/filler bs=4096 2>/dev/null; truncate -s -8192 state/filler
                \(login) 2>full; echo "full $?"
                rm state/filler
                mount -o remount,ro state || exit 91
                \(login) 2>fixed; echo "fixed $?"
                """)
            #expect(result.lines == ["room 75", "full 73", "fixed 73"], "\(result)")
            for name in ["full", "fixed"] {
                let text = String(decoding: try sandbox.directory.read(name), as: UTF8.self)
                #expect(text.contains("/state") && !text.contains("/oauth/v2/authorize"), "\(text)")
            }
        }
    }

    @Test("--timeout 0 is refused with the option's name")
    func timeout() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(
                try await sandbox.clover("auth", "login", "--app-id", "APP", "--timeout", "0"), status: 64,
                saying: "--timeout takes a duration", "'0'")
        }
    }

    // MARK: - Tokens of another merchant

    @Test("a bare code of another merchant ends with 77 and both ids, and nothing is kept")
    func otherMerchant() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            func receive(_ merchant: String) async throws -> CommandResult {
                let address = try await service.approvedAddress()
                let code = try #require(address.firstMatch(of: /[?&]code=([^&]+)/)?.1)
                let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
                return try await sandbox.clover(
                    "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--merchant", merchant,
                    "--code-verifier-file", verifier, "--profile", "downtown", input: .text(code + "\n"))
            }
            let wrong = try await receive("OTHERMERCHANT")
            expectFailure(wrong, status: 77, saying: "OTHERMERCHANT", service.merchantID, "nothing was stored")
            #expect(sandbox.credentialFiles() == [])
            #expect(try await sandbox.status()["loggedIn"] == .bool(false))
            let right = try await receive(service.merchantID)
            #expect(right.ending == .exited(0), "\(right)")
            expectSuccess(try await sandbox.clover("get", "merchant", "--profile", "downtown"))
        }
    }

    // MARK: - Messages about a refusal

    @Test("does not call an expired token unrenewable if it can be renewed")
    func endedButRenewable() async throws {
        // Each new token has ended by the time it is here, and the service takes none of them.
        let tokens = """
            {"access_token":"a-0000000001","access_token_expiration":1000000000,"refresh_token":"r-0000000001",\
            "refresh_token_expiration":4000000000}
            """
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasPrefix("/oauth/v2/")
                    ? LoopbackResponse(tokens) : LoopbackResponse(status: "401 Unauthorized", "{}")
            }
        ) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            let received = try await sandbox.clover(
                "auth", "receive", "--environment", server.url, "--app-id", "APP", "--merchant", Sandbox.merchantID,
                input: .text("code-0000000001\n"))
            #expect(received.ending == .exited(0), "\(received)")
            #expect(received.errorText.contains("had expired when the service issued it"), "\(received)")
            let result = try await sandbox.clover("get", "orders")
            expectFailure(result, status: 77, saying: "it can be renewed")
            #expect(!result.errorText.contains("nothing to renew it with"), "\(result)")
        }
    }

    @Test(
        "keeps a good access token with an empty or expired refresh token, and reports what is missing",
        arguments: [
            (#""refresh_token":"""#, "the service returned no refresh token"),
            (
                #""refresh_token":"r-0000000001","refresh_token_expiration":1000000000"#,
                "the refresh token had expired when the service issued it"
            ),
        ])
    func uselessRefreshToken(members: String, notice: String) async throws {
        let tokens = #"{"access_token":"a-0000000001","access_token_expiration":4000000000,\#(members)}"#
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasPrefix("/oauth/v2/") ? LoopbackResponse(tokens) : .page([])
            }
        ) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            let received = try await sandbox.clover(
                "auth", "receive", "--environment", server.url, "--app-id", "APP", "--merchant", Sandbox.merchantID,
                input: .text("code-0000000001\n"))
            #expect(received.ending == .exited(0), "\(received)")
            #expect(received.errorText.contains(notice), "\(received)")
            expectSuccess(try await sandbox.clover("get", "orders"))
        }
    }

    @Test("tokens that open nothing are renewed once, not in each run")
    func futileRenewal() async throws {
        let families = ["merchant", "orders", "payments", "items", "customers", "employees"]
        try await Sandbox.beforeSignIn(families.flatMap { ["--without-permission", $0] }) {
            sandbox, emulator, service in
            try await sandbox.receive(service)
            for _ in 0..<3 { expectFailure(try await sandbox.clover("get", "orders"), status: 77) }
            #expect(try await emulator.stats().refreshes == 1)
            // That is no reason against the tokens themselves.
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
            let token = try await sandbox.clover("auth", "token")
            #expect(token.ending == .exited(0), "\(token)")
            #expect(try await emulator.stats().refreshes == 1)
            try sandbox.expireAccessToken()
            #expect(try await sandbox.clover("auth", "token").ending == .exited(0))
            #expect(try await emulator.stats().refreshes == 2)
        }
    }

    @Test("logout without a sign-in says that the token is a variable's and stays there", arguments: [[], ["--all"]])
    func logoutWithVariable(_ options: [String]) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.using("http://127.0.0.1:1").clover(["auth", "logout"] + options)
            expectFailure(
                result, status: 77, saying: "the token in use comes from CLOVER_ACCESS_TOKEN, which was not changed",
                "unset CLOVER_ACCESS_TOKEN")
            #expect(!result.errorText.contains("login"), "\(result)")
            expectSignedIn(try await sandbox.signIn(environment: "http://127.0.0.1:1"))
            let removed = try await sandbox.using("http://127.0.0.1:1").clover("auth", "logout", "--all")
            #expect(removed.ending == .exited(0), "\(removed)")
            #expect(removed.errorText.contains("CLOVER_ACCESS_TOKEN is still set"), "\(removed)")
        }
    }

    @Test("status without a sign-in tells the environment that would be used")
    func environmentWithoutSignIn() async throws {
        try await Sandbox.run { sandbox in
            #expect(try await sandbox.status()["environment"]?.string == "us")
            #expect(try await sandbox.with(["CLOVER_ENVIRONMENT": "eu"]).status()["environment"]?.string == "eu")
            let named = try await sandbox.clover("auth", "status", "--json", "--environment", "la")
            #expect(named.ending == .exited(77), "\(named)")
            #expect(try JSONValue(named.outputText)["environment"]?.string == "la", "\(named)")
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.write("config/config.yml", "environment: sandbox\n".utf8)
            #expect(try await sandbox.status()["environment"]?.string == "sandbox")
        }
    }

    @Test("a lost response to a token request is reported in a sentence")
    func lostAnswer() async throws {
        for fault in ["reset", "truncate"] {
            try await Sandbox.beforeSignIn(["--oauth-fault", fault + "@1-9:/oauth/v2/token"]) { sandbox, _, service in
                let result = try await sandbox.login(service).result
                #expect(result.status != 0 && result.errorText.contains(" when it was asked for tokens: "), "\(result)")
                #expect(!result.errorText.contains("sign-in service"), "\(result)")
            }
        }
    }

    @Test("watch reports that the name is unused, and notices its later use")
    func watchOfLaterName() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let command = try sandbox.start("auth", "watch", "--profile", "downtown")
            try await command.waitForErrors(containing: "no sign-in is named 'downtown' yet; waiting for one")
            while command.outputSoFar.isEmpty, !command.hasEnded {
                try await sandbox.receive(service, "--profile", "downtown")
            }
            command.send(SIGTERM)
            let result = try await command.result()
            #expect(result.ending == .signalled(SIGTERM), "\(result)")
            #expect(try JSONValue.lines(result.lines).allSatisfy { $0["profile"]?.string == "downtown" })
        }
    }

    // MARK: - What is handed in

    struct Pasting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
    }

    static let pastings = [
        Pasting(testDescription: "double quotes", before: "\"", after: "\""),
        Pasting(testDescription: "single quotes", before: " '", after: "'"),
        Pasting(testDescription: "angle brackets", before: "<", after: ">"),
        Pasting(testDescription: "blank lines before it", before: "\n \t\n", after: ""),
    ]

    @Test("a pasted address may come with", arguments: pastings)
    func pasting(_ row: Pasting) async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let result = try await paste(sandbox, service) { row.before + $0 + row.after }
            #expect(result.ending == .exited(0), "\(result)")
        }
    }

    @Test("a pasted refusal needs no state; a code does")
    func pastedRefusal() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let denied = try await paste(sandbox, service) { _ in
                "http://127.0.0.1:8976/callback?error=access_denied"
            }
            expectFailure(denied, status: 77, saying: "access was denied")
            let foreign = try await paste(sandbox, service) { _ in
                "http://127.0.0.1:8976/callback?error=access_denied&state=other"
            }
            expectFailure(foreign, status: 77, saying: "another sign-in")
            let stateless = try await paste(sandbox, service) { $0.replacing(/[?&]state=[^&]+/, with: "?x=y") }
            expectFailure(stateless, status: 77, saying: "'state'")
            #expect(sandbox.credentialFiles() == [])
        }
    }

    /// Signs in with `--paste`; a FIFO stands in for the keyboard, because the address is known late.
    private func paste(
        _ sandbox: Sandbox, _ service: SignInService, _ change: (String) -> String
    ) async throws -> CommandResult {
        let shell = try sandbox.startShell(
            """
            rm -f keyboard; mkfifo keyboard; exec 3<>keyboard
            clover auth login --environment \(service.url) --app-id \(service.appID) --paste <&3
            """)
        let address = try await Sandbox.authorizeAddress(printedBy: shell)
        let redirect = try #require(try await Visitor.redirect(of: address))
        try Data((change(redirect) + "\n").utf8).write(to: URL(fileURLWithPath: sandbox.directory["keyboard"]))
        return try await shell.result()
    }

    @Test("the first line of a secret's or verifier's file suffices, which may be a pipe that stays open")
    func openPipes() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let options = "--environment \(service.url) --app-id \(service.appID)"
            try sandbox.directory.write("address", (try await service.approvedAddress() + "\n").utf8)
            try sandbox.directory.write("address-2", (try await service.approvedAddress(challenge: nil) + "\n").utf8)
            let shell = try await sandbox.with(["SECRET": service.appSecret, "VERIFIER": KnownProof.verifier]).shell(
                """
                mkfifo verifier secret; exec 3<>verifier 4<>secret
                printf '%s\\n' "$VERIFIER" >&3; printf '%s\\n' "$SECRET" >&4
                clover auth receive \(options) --code-verifier-file verifier <address || exit 1
                clover auth receive \(options) --app-secret-file secret <address-2
                """)
            #expect(shell.ending == .exited(0), "\(shell)")
        }
    }
}
