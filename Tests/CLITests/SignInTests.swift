import CloverTestSupport
import Foundation
import Testing

/// Signing in with a browser, by the built program from the address to the kept tokens.
@Suite("auth: signing in with a browser")
struct SignInTests {
    @Test("login, status, get, refresh, token, logout: the whole way of a pair of tokens")
    func wholeWay() async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let (result, page) = try await sandbox.login(service, ["--profile", "downtown"])
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.output == [])
            #expect(
                result.errorText.contains("clover: signed in to merchant \(service.merchantID) (\(service.url))"),
                "\(result)")
            #expect(page.contains(service.merchantID) && page.contains("close this window"), "\(page)")

            let status = try await sandbox.status()
            #expect(
                status.keys == [
                    "accessTokenExpiresAt", "app", "current", "employee", "environment", "kind", "loggedIn", "merchant",
                    "profile", "reason", "refreshDue", "refreshTokenExpiresAt", "renewable", "source",
                ])
            #expect(status["profile"]?.string == "downtown")
            #expect(status["environment"]?.string == service.url)
            #expect(status["merchant"]?.string == service.merchantID)
            #expect(status["app"]?.string == service.appID)
            #expect(status["loggedIn"] == .bool(true))
            #expect(status["kind"]?.string == "oauth")
            #expect(status["current"] == .bool(true))
            #expect(status["reason"] == .null)

            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "3"))
            let before = try sandbox.keptTokens()
            let renewed = try await sandbox.clover("auth", "refresh", "--profile", "downtown")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            let after = try sandbox.keptTokens()
            #expect(after.access != before.access && after.refresh != before.refresh && after.generation == 1)

            let token = try await sandbox.clover("auth", "token")
            expectSuccess(token)
            #expect(token.outputText == after.access + "\n")
            let header = try await sandbox.clover("auth", "token", "--header")
            #expect(header.outputText == "Authorization: Bearer \(after.access)\n")
            let json = try JSONValue(try await sandbox.clover("auth", "token", "--json").outputText)
            #expect(json["accessToken"]?.string == after.access)
            #expect(json["merchant"]?.string == service.merchantID)

            let logout = try await sandbox.clover("auth", "logout")
            #expect(logout.ending == .exited(0), "\(logout)")
            #expect(logout.errorText.contains(/until 20\d\d-.* and the refresh token until 20\d\d-/), "\(logout)")
            #expect(sandbox.credentialFiles() == [])
            #expect(try await sandbox.status()["loggedIn"] == .bool(false))
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("--paste takes the address that the browser was sent to from standard input")
    func paste() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            // Standard input stays open until the address is known, so a FIFO stands in for the keyboard.
            let made = try await sandbox.shell("mkfifo keyboard")
            #expect(made.status == 0)
            let shell = try sandbox.startShell(
                "exec 3<>keyboard; clover auth login --environment \(service.url) --app-id \(service.appID) --paste <&3"
            )
            let address = try await Sandbox.authorizeAddress(printedBy: shell)
            let redirect = try #require(try await Visitor.redirect(of: address))
            try Data((redirect + "\n").utf8).write(to: URL(fileURLWithPath: sandbox.directory["keyboard"]))
            let result = try await shell.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
        }
    }

    @Test("an app secret from a file, from standard input or from CLOVER_APP_SECRET takes the place of PKCE")
    func appSecret() async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let file = try sandbox.directory.write("app-secret", (service.appSecret + "\n").utf8)
            let (result, _) = try await sandbox.login(service, ["--app-secret-file", file])
            #expect(result.ending == .exited(0), "\(result)")
            let (byVariable, _) = try await sandbox.with(["CLOVER_APP_SECRET": service.appSecret]).login(service)
            #expect(byVariable.ending == .exited(0), "\(byVariable)")
            #expect(try await emulator.stats().codesSpent == 2)
            try sandbox.directory.write("app-secret", "wrong-secret\n".utf8)
            let (wrong, page) = try await sandbox.login(service, ["--app-secret-file", file])
            expectFailure(wrong, status: 77)
            #expect(!page.contains("wrong-secret"))
        }
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The query of the callback, made from the state and a good code.
        let query: @Sendable (_ state: String, _ code: String) -> String
    }

    static let badAnswers = [
        Answer(testDescription: "denied") { state, _ in "error=access_denied&state=\(state)" },
        Answer(testDescription: "no code") { state, _ in "merchant_id=M1&state=\(state)" },
        Answer(testDescription: "a code that was never issued") { state, _ in
            "code=nonsense&merchant_id=M1&state=\(state)"
        },
        Answer(testDescription: "an error of the service") { state, _ in "error=server_error&state=\(state)" },
        Answer(testDescription: "another app") { state, code in "code=\(code)&client_id=OTHERAPP&state=\(state)" },
        Answer(testDescription: "the code twice") { state, code in "code=\(code)&code=x&state=\(state)" },
    ]

    @Test("a response without approval ends with 77, shows a page, and stores nothing", arguments: badAnswers)
    func badAnswer(_ row: Answer) async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let (command, address) = try await sandbox.startLogin(service)
            let good = try #require(try await Visitor.redirect(of: address))
            let parts = try #require(URLComponents(string: good))
            func value(_ name: String) throws -> String {
                try #require(parts.queryItems?.first { $0.name == name }?.value)
            }
            let callback = try #require(good.split(separator: "?").first)
            let query = row.query(try value("state"), try value("code"))
            let page = try await Visitor.page("\(callback)?\(query)")
            let result = try await command.result()
            let status: Int32 = row.testDescription == "the code twice" ? 76 : 77
            expectFailure(result, status: status)
            #expect(page.contains("<html") && !page.contains("You are signed in"), "\(page)")
            #expect(sandbox.credentialFiles() == [])
            #expect(try await emulator.stats().codesSpent == 0)
        }
    }

    @Test("a response with another state, or none, gets a page, and the sign-in keeps waiting for its own")
    func foreignAnswers() async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let (command, address) = try await sandbox.startLogin(service)
            let good = try #require(try await Visitor.redirect(of: address))
            let callback = try #require(good.split(separator: "?").first)
            for query in [
                "code=stolen&state=another", "code=stolen", "error=access_denied", "error=access_denied&state=another",
                "code=stolen&code=twice", "state=", "x=%zz",
            ] {
                let page = try await Visitor.page("\(callback)?\(query)")
                #expect(page.contains("Not this sign-in"), "\(query): \(page)")
            }
            #expect(try await Visitor.page(good).contains("You are signed in"))
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText.split(separator: "without this sign-in's 'state'").count == 2, "\(result)")
            #expect(try await emulator.stats().codesSpent == 1)
        }
    }

    @Test("a code that has ended is refused with 77 and the way on")
    func endedCode() async throws {
        try await Sandbox.beforeSignIn(["--code-life", "1ms"]) { sandbox, _, service in
            let (result, page) = try await sandbox.login(service)
            expectFailure(result, status: 77, saying: "run it again")
            #expect(!page.contains("You are signed in"))
            #expect(sandbox.credentialFiles() == [])
        }
    }

    @Test("a port in use and a missing response end with 75")
    func tryAgain() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let (command, address) = try await sandbox.startLogin(service)
            let parts = try #require(URLComponents(string: address))
            let redirect = try #require(parts.queryItems?.first { $0.name == "redirect_uri" }?.value)
            let port = try #require(URLComponents(string: redirect)?.port)
            let second = try await sandbox.clover([
                "auth", "login", "--environment", service.url, "--app-id", service.appID, "--no-browser",
                "--callback-port", String(port),
            ])
            expectFailure(second, status: 75, saying: String(port), "--callback-port")
            // What another program was called with, this one does not know.
            #expect(!second.errorText.contains("clover auth login --environment"), "\(second)")
            command.send(15)
            #expect(try await command.result().ending == .signalled(15))
            let late = try await sandbox.clover([
                "auth", "login", "--environment", service.url, "--app-id", service.appID, "--no-browser",
                "--callback-port", "0", "--timeout", "1s",
            ])
            #expect(late.ending == .exited(75), "\(late)")
            #expect(late.errorText.contains("--timeout"), "\(late)")
        }
    }

    @Test("the default browser is started with the address")
    func browser() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let script = try await sandbox.makeScript(
                "browser", "exec /usr/bin/curl --silent --location --output page.html \"$1\"")
            let result = try await sandbox.with(["BROWSER": script]).clover(
                "auth", "login", "--environment", service.url, "--app-id", service.appID, "--callback-port", "0")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
        }
    }

    @Test("does not claim that a browser with a nonzero exit status has opened anything")
    func failingBrowser() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let command = try sandbox.with(["BROWSER": "false"]).start(
                "auth", "login", "--environment", service.url, "--app-id", service.appID, "--callback-port", "0")
            let address = try await Sandbox.authorizeAddress(printedBy: command)
            try await sandbox.eventually("the browser's end") {
                command.errorsSoFar.contains("false ended with status 1; open the address")
            }
            #expect(!command.errorsSoFar.contains("started"))
            let redirect = try #require(try await Visitor.redirect(of: address))
            _ = try await Visitor.page(redirect)
            #expect(try await command.result().ending == .exited(0))
        }
    }

    @Test("an address that is pasted at a terminal is not shown there")
    func pastedAtTerminal() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let made = try await sandbox.shell("mkfifo keyboard")
            #expect(made.status == 0)
            let shell = try sandbox.startShell(
                """
                exec 3<>keyboard
                exec script --quiet --return --command \
                    'clover auth login --environment \(service.url) --app-id \(service.appID) --paste' /dev/null <&3
                """)
            let prompt = "press Return (input is hidden):"
            try await shell.waitForOutput(prompt) { String(decoding: $0, as: UTF8.self).contains(prompt) }
            let text = String(decoding: shell.outputSoFar, as: UTF8.self)
            let address = try #require(text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http") })
            let redirect = try #require(try await Visitor.redirect(of: String(address)))
            try Data((redirect + "\n").utf8).write(to: URL(fileURLWithPath: sandbox.directory["keyboard"]))
            let result = try await shell.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(!result.outputText.contains("code="), "\(result)")
        }
    }

    @Test(
        "without a browser the address is printed with the reason in words, and the sign-in goes on",
        arguments: [[:], ["BROWSER": "/nowhere/browser"]])
    func noBrowser(_ variables: [String: String]) async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let command = try sandbox.with(variables).start(
                "auth", "login", "--environment", service.url, "--app-id", service.appID, "--callback-port", "0")
            let address = try await Sandbox.authorizeAddress(printedBy: command)
            for part in ["noBrowser", "noDisplay", "tried:"] { #expect(!command.errorsSoFar.contains(part)) }
            let redirect = try #require(try await Visitor.redirect(of: address))
            _ = try await Visitor.page(redirect)
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
        }
    }

    @Test("the same code received again changes nothing; another spent code is refused")
    func receivedTwice() async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let address = try await service.approvedAddress()
            let arguments = [
                "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--code-verifier-file",
                verifier,
            ]
            let first = try await sandbox.clover(arguments: arguments, input: .text(address))
            #expect(first.ending == .exited(0), "\(first)")
            let kept = try sandbox.keptTokens()
            let second = try await sandbox.clover(arguments: arguments, input: .text(address))
            #expect(second.ending == .exited(0), "\(second)")
            #expect(try sandbox.keptTokens() == kept)
            #expect(try await emulator.stats().codesSpent == 1)
            #expect(try await emulator.stats().codesRefused == 0)
            let elsewhere = try await sandbox.withState("elsewhere").clover(arguments: arguments, input: .text(address))
            expectFailure(elsewhere, status: 77)
        }
    }

    @Test("the same code received by several at once is spent once")
    func receivedAtOnce() async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let address = try await service.approvedAddress()
            let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await sandbox.clover(
                            arguments: [
                                "auth", "receive", "--environment", service.url, "--app-id", service.appID,
                                "--code-verifier-file", verifier,
                            ], input: .text(address)
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [0, 0, 0, 0])
            #expect(try await emulator.stats().codesSpent == 1)
            #expect(try await emulator.stats().codesRefused == 0)
        }
    }

    @Test("a bare code needs --merchant; a wrong verifier is refused")
    func bareCode() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            let address = try await service.approvedAddress()
            let code = try #require(
                URLComponents(string: address)?.queryItems?.first { $0.name == "code" }?.value)
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let wrong = try sandbox.directory.write("wrong", String(KnownProof.verifier.reversed()).utf8)
            let common = ["auth", "receive", "--environment", service.url, "--app-id", service.appID]
            let lacking = try await sandbox.clover(
                arguments: common + ["--code-verifier-file", verifier], input: .text(code))
            expectFailure(lacking, status: 64, saying: "--merchant")
            let merchant = ["--merchant", service.merchantID, "--code-verifier-file"]
            expectFailure(
                try await sandbox.clover(arguments: common + merchant + [wrong], input: .text(code)), status: 77)
            let good = try await sandbox.clover(arguments: common + merchant + [verifier], input: .text(code))
            #expect(good.ending == .exited(0), "\(good)")
        }
    }

    @Test("a legacy token in the fragment is kept, never refreshed, and migrated to a pair")
    func legacy() async throws {
        try await Sandbox.beforeSignIn { sandbox, emulator, service in
            let redirect = try await service.approvedAddress(challenge: nil, legacyType: "token")
            let received = try await sandbox.clover(
                arguments: ["auth", "receive", "--environment", service.url, "--app-id", service.appID],
                input: .text(redirect))
            #expect(received.ending == .exited(0), "\(received)")
            #expect(try await sandbox.status()["kind"]?.string == "legacy")
            expectSuccess(try await sandbox.clover("get", "merchant"))
            let refresh = try await sandbox.clover("auth", "refresh")
            expectFailure(refresh, status: 64)
            let migrated = try await sandbox.clover("auth", "migrate", "--app-id", service.appID)
            #expect(migrated.ending == .exited(0), "\(migrated)")
            #expect(try await sandbox.status()["kind"]?.string == "oauth")
            #expect(try sandbox.keptTokens().refresh != nil)
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().codesSpent == 1)
        }
    }

    @Test("list names every sign-in, switch chooses one, a profile picks one")
    func several() async throws {
        try await Sandbox.beforeSignIn { sandbox, _, service in
            try await sandbox.receive(service, "--profile", "downtown")
            expectSignedIn(
                try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", "OTHERMERCHANT", "--environment", service.url,
                    "--profile", "airport", input: .text("other-token\n")))
            let list = try await sandbox.clover("auth", "list", "--json")
            expectSuccess(list)
            let rows = try JSONValue.lines(list.lines)
            #expect(Set(rows.compactMap { $0["profile"]?.string }) == ["downtown", "airport"])
            #expect(try await sandbox.status()["profile"]?.string == "airport")
            let switched = try await sandbox.clover("auth", "switch", "downtown")
            #expect(switched.ending == .exited(0), "\(switched)")
            #expect(try await sandbox.status()["profile"]?.string == "downtown")
            expectSuccess(try await sandbox.clover("get", "merchant"))
            expectFailure(try await sandbox.clover("get", "merchant", "--profile", "airport"), status: 77)
            expectFailure(
                try await sandbox.clover("auth", "switch", "nowhere"), status: 77, saying: "nowhere")
            let all = try await sandbox.clover("auth", "logout", "--all")
            #expect(all.ending == .exited(0), "\(all)")
            #expect(sandbox.credentialFiles() == [])
        }
    }
}
