import CloverTestSupport
import Foundation
import Testing

/// What a person or a program hands in: one line suffices, and an address must be one.
@Suite("auth: what is handed in")
struct SignInInputTests {
    @Test("a token in a pipe that stays open is taken as soon as its line is there")
    func openPipe() async throws {
        try await Sandbox.run { sandbox in
            let shell = try await sandbox.shell(
                """
                mkfifo keyboard; exec 3<>keyboard; printf '%s\\n' '\(Sandbox.token)' >&3
                clover auth login --with-token --merchant M1 --environment sandbox <keyboard
                """)
            #expect(shell.ending == .exited(0), "\(shell)")
            #expect(sandbox.credentialFiles().count == 1)
        }
    }

    @Test("so are an address for receive, and an app's secret")
    func otherLines() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            defer { withExtendedLifetime(emulator) {} }
            let service = SignInService(emulator)
            let options = "--environment \(service.url) --app-id \(service.appID)"
            try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let shell = try await sandbox.with(["ADDRESS": try await service.approvedAddress()]).shell(
                """
                mkfifo keyboard; exec 3<>keyboard; printf '%s\\n' "$ADDRESS" >&3
                clover auth receive \(options) --code-verifier-file verifier <keyboard
                """)
            #expect(shell.ending == .exited(0), "\(shell)")
            let legacy = sandbox.withState("legacy")
            let address = try await service.approvedAddress(challenge: nil, legacyType: "token")
            let kept = try await legacy.clover(
                arguments: ["auth", "receive"] + options.split(separator: " ").map(String.init),
                input: .text(address + "\n"))
            #expect(kept.ending == .exited(0), "\(kept)")
            let migrated = try await legacy.with(["SECRET": service.appSecret]).shell(
                """
                mkfifo secret; exec 3<>secret; printf '%s\\n' "$SECRET" >&3
                clover auth migrate --app-id \(service.appID) --app-secret-file - <secret
                """)
            #expect(migrated.ending == .exited(0), "\(migrated)")
        }
    }

    @Test(
        "the first end of the input at a terminal ends the asking",
        arguments: [
            ["login", "--paste"], ["receive"], ["login", "--with-token", "--merchant", "M1"],
            ["login", "--no-browser", "--app-secret-file", "-"],
        ])
    func endOfInput(_ words: [String]) async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.startOnTerminal(
                ["auth"] + words + ["--app-id", "APP", "--environment", "http://127.0.0.1:1"], columns: 200)
            try await session.waitForBytes("input is hidden")
            session.type("\u{4}")
            let result = try await session.result()
            #expect(result.ending == .exited(64), "\(result)")
            #expect(session.sent.matches(of: /input is hidden/).count == 1, "\(result)")
            #expect(session.hasItsModes)
        }
    }

    @Test("a blank line at a terminal is asked for again, twice")
    func blankLine() async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.startOnTerminal(
                ["auth", "receive", "--app-id", "APP", "--environment", "http://127.0.0.1:1"], columns: 200)
            for count in 1...3 {
                try await session.waitForScreen("question \(count)") {
                    $0.text.matches(of: /input is hidden/).count == count
                }
                session.type("\n")
            }
            let result = try await session.result()
            #expect(result.ending == .exited(64), "\(result)")
        }
    }

    @Test("a line that is too long is refused rather than cut")
    func longLine() async throws {
        try await Sandbox.run { sandbox in
            let secret = String(repeating: "s", count: 5000)
            let result = try await sandbox.clover(
                "auth", "login", "--app-id", "APP", "--environment", "http://127.0.0.1:1", "--no-browser",
                "--app-secret-file", "-", input: .text(secret + "\n"))
            expectFailure(result, status: 74)
            #expect(!result.errorText.contains("sssss"))
        }
    }

    struct Redirect: Sendable, CustomTestStringConvertible {
        let address: String
        let reason: String
        var testDescription: String { address }

        init(_ address: String, _ reason: String) {
            self.address = address
            self.reason = reason
        }
    }

    @Test(
        "--redirect-uri takes an absolute http or https address without a fragment",
        arguments: [
            Redirect("callback", "does not start with http:// or https://"),
            Redirect("/callback", "does not start with http:// or https://"),
            Redirect("myapp://callback", "does not start with http:// or https://"),
            Redirect("https://cafe.example/callback#top", "fragment"),
            Redirect("https://cafe.example/call back", "space"),
            Redirect("https:///callback", "no host"), Redirect("https://:443/callback", "no host"),
            Redirect("https://user@cafe.example/", "user name"), Redirect("https://cafe.example:99999/", "port"),
        ])
    func redirect(_ row: Redirect) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(
                "auth", "login", "--app-id", "APP", "--environment", "http://127.0.0.1:1", "--paste",
                "--redirect-uri=" + row.address)
            expectFailure(result, status: 64, saying: "--redirect-uri takes an address", row.reason)
            #expect(!result.errorText.contains("/oauth/v2/authorize"))
        }
    }

    @Test(
        "an address that is one is what the browser is sent back to",
        arguments: ["https://cafe.example/callback?tab=2", "HTTP://[::1]:8976/", "http://localhost:8080"])
    func goodRedirect(_ address: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(
                "auth", "login", "--app-id", "APP", "--environment", "http://127.0.0.1:1", "--paste",
                "--redirect-uri", address)
            expectFailure(result, status: 64, saying: "/oauth/v2/authorize?", "standard input has no address")
        }
    }

    @Test("a browser that returns without a result is reported at once, with its own exit status")
    func bareCallback() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            defer { withExtendedLifetime(emulator) {} }
            let service = SignInService(emulator)
            // The browser must be quicker than the command's patience; a busy machine gets more of it.
            for patience in ["3s", "20s", "120s"] {
                let (command, address) = try await sandbox.startLogin(service, ["--timeout", patience])
                let callback = try #require(
                    address.firstMatch(of: /redirect_uri=([^&]+)/)?.1.replacing("%3A", with: ":").replacing(
                        "%2F", with: "/"))
                let page = try? await Visitor.page(String(callback))
                let result = try await command.result()
                if result.status == 75 { continue }
                #expect(page?.contains("auth receive") == true)
                expectFailure(
                    result, status: 77, saying: "without a code and without an error; still waiting",
                    "not signed in: the browser returned without a code")
                return
            }
            Issue.record("the browser never came in time")
        }
    }
}
