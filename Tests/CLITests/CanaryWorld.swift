import CloverTestSupport
import Foundation
import Testing

/// Sign-ins of every kind, in success and in failure, with secrets that are easy to find again.
struct CanaryWorld: Sendable {
    let sandbox: Sandbox
    let service: SignInService
    let relay: RecordingRelay
    let evidence: CanaryEvidence

    /// Files that the test itself put secrets into.
    static let inputs: Set = ["verifier", "app-secret", "wrong-verifier", "wrong-secret", "keyboard"]
    static let wrongVerifier = "canary-verifier-canary-verifier-canary-verifier"
    static let wrongSecret = "canary-app-secret"
    static let staticToken = "canary-static-token"

    private var target: [String] { ["--environment", service.url, "--app-id", service.appID] }

    // MARK: - Parts

    func login(_ options: [String], in other: Sandbox? = nil) async throws -> (CommandResult, String) {
        let (result, page) = try await (other ?? sandbox).login(service, options)
        return (evidence.add(result), page)
    }

    func receive(_ options: [String], challenge: Bool, in other: Sandbox? = nil) async throws -> CommandResult {
        let address = try await service.approvedAddress(challenge: challenge ? KnownProof.challenge : nil)
        return try await evidence.run(["auth", "receive"] + target + options, input: .text(address), in: other)
    }

    func keepLegacyToken(in sandbox: Sandbox, _ flags: [String]) async throws {
        let address = try await service.approvedAddress(challenge: nil, legacyType: "token")
        let result = try await evidence.run(
            ["auth", "receive"] + target + flags, input: .text(address), in: sandbox)
        #expect(result.status == 0, "\(result)")
    }

    // MARK: - Every command

    /// `auth login` through the listener, in its ways and with its failures.
    func browserSignIns(_ flags: [String]) async throws {
        for options in [[], ["--app-secret-file", "app-secret"], ["--profile", "downtown"]] {
            let (result, page) = try await login(options + flags)
            #expect(result.status == 0, "\(result)")
            evidence.add("the page after a login", page)
        }
        let (byVariable, _) = try await login(flags, in: sandbox.with(["CLOVER_APP_SECRET": service.appSecret]))
        #expect(byVariable.status == 0, "\(byVariable)")
        let (refused, page) = try await login(["--app-secret-file", "wrong-secret"] + flags)
        #expect(refused.status == 77, "\(refused)")
        evidence.add("the page after a refused login", page)

        for change in ["state=", "code=", "client_id="] {
            let (command, address) = try await sandbox.startLogin(service, flags)
            let redirect = try #require(try await Visitor.redirect(of: address))
            let page = try await Visitor.page(redirect.replacing(change, with: change + "x"))
            // Another state ends nothing: the sign-in goes on waiting.
            if change == "state=" { _ = try await Visitor.page(redirect.replacing("code=", with: "code=x")) }
            let result = evidence.add(try await command.result())
            #expect(result.status >= 64, "\(change): \(result)")
            evidence.add("the page after a wrong \(change)", page)
        }
        let (command, address) = try await sandbox.startLogin(service, flags)
        let state = try #require(address.firstMatch(of: /state=([^&]+)/)).1
        let callback = try #require(
            address.firstMatch(of: /redirect_uri=([^&]+)/)?.1.replacing("%3A", with: ":").replacing("%2F", with: "/"))
        evidence.add("the page after a no", try await Visitor.page("\(callback)?error=access_denied&state=\(state)"))
        let denied = evidence.add(try await command.result())
        #expect(denied.status == 77, "\(denied)")

        let pasted = try await evidence.run(
            ["auth", "login", "--paste"] + target + flags, input: .text(try await service.approvedAddress() + "\n"))
        #expect(pasted.status == 77, "\(pasted)")
        let late = try await evidence.run(
            ["auth", "login", "--no-browser", "--callback-port", "0", "--timeout", "0.2s"] + target + flags)
        #expect(late.status == 75, "\(late)")
    }

    /// `auth receive`, in success and in failure.
    func receivedSignIns(_ flags: [String]) async throws {
        let good = try await receive(["--code-verifier-file", "verifier"] + flags, challenge: true)
        #expect(good.status == 0, "\(good)")
        let bySecret = try await receive(["--app-secret-file", "app-secret"] + flags, challenge: false)
        #expect(bySecret.status == 0, "\(bySecret)")
        for options in [
            ["--code-verifier-file", "wrong-verifier"], ["--app-secret-file", "wrong-secret"], [],
            ["--code-verifier-file", "verifier", "--state", "another"],
            ["--code-verifier-file", "verifier", "--merchant", "OTHERMERCHANT"],
        ] {
            let result = try await receive(options + flags, challenge: true)
            #expect(result.status >= 64, "\(result)")
        }
        // A file with something else than a verifier in it, and input that is no address.
        let malformed = try await receive(["--code-verifier-file", "app-secret"] + flags, challenge: true)
        #expect(malformed.status >= 64, "\(malformed)")
        let code = try #require(try await service.approvedAddress().firstMatch(of: /code=([^&]+)/)).1
        evidence.plant(String(code))
        for text in ["\(code)", "http://127.0.0.1:1/callback?code=\(code)&code=\(code)", "not://an address?\(code)"] {
            let result = try await evidence.run(
                ["auth", "receive", "--code-verifier-file", "verifier"] + target + flags, input: .text(text))
            #expect(result.status >= 64, "\(result)")
        }
    }

    /// The commands on what is kept.
    func keptSignIns(_ flags: [String]) async throws {
        let kept = try await evidence.run(
            ["auth", "login", "--with-token", "--merchant", "STATICMERCHANT", "--environment", service.url] + flags,
            input: .text(Self.staticToken + "\n"))
        #expect(kept.status == 0, "\(kept)")
        let refused = try await evidence.run(
            ["auth", "login", "--with-token", "--merchant", "STATICMERCHANT", "--environment", service.url] + flags,
            input: .text("two words: \(Self.staticToken)\n"))
        #expect(refused.status >= 64, "\(refused)")
        for command in [
            ["auth", "status", "--check"], ["auth", "refresh"], ["get", "merchant"],
        ] {
            let result = try await evidence.run(command + flags)
            #expect(result.status >= 64, "\(result)")
        }
        let (again, _) = try await login(["--profile", "downtown"] + flags)
        #expect(again.status == 0, "\(again)")
        for command in [
            ["auth", "status"], ["auth", "status", "--check"], ["auth", "list"], ["auth", "refresh"],
            ["auth", "switch", "downtown"], ["auth", "switch", "STATICMERCHANT"], ["auth", "switch", "downtown"],
        ] {
            let result = try await evidence.run(command + flags)
            #expect(result.status == 0, "\(result)")
        }
        // Data goes through as it is, and --json is no option of get.
        let data = try await evidence.run(["get", "merchant", "--verbose"])
        #expect(data.status == 0, "\(data)")
        for options in [[], ["--header"], ["--json"]] where !(options == ["--header"] && flags.contains("--json")) {
            let token = try await evidence.run(["auth", "token"] + options + flags, givesToken: true)
            #expect(token.status == 0, "\(token)")
            // What is searched for is what is printed here: a search that finds nothing would prove nothing.
            #expect(try evidence.secrets().contains { token.outputText.contains($0) })
        }
        for command in [
            ["auth", "switch", "nowhere"], ["auth", "status", "--profile", "nowhere"],
            ["auth", "token", "--merchant", "NOWHERE"], ["auth", "migrate"] + target.suffix(2),
        ] {
            let result = try await evidence.run(command + flags)
            #expect(result.status >= 64, "\(result)")
        }
        let byVariable = sandbox.with([
            "CLOVER_ACCESS_TOKEN": Self.staticToken, "CLOVER_MERCHANT_ID": service.merchantID,
            "CLOVER_ENVIRONMENT": service.url,
        ])
        for command in [["status"], ["status", "--check"], ["refresh"], ["migrate", "--app-id", service.appID]] {
            try await evidence.run(["auth"] + command + flags, in: byVariable)
        }
        for command in [["auth", "logout"], ["auth", "logout", "--all"], ["auth", "logout"]] {
            try await evidence.run(command + flags)
        }
        #expect(sandbox.credentialFiles() == [])
    }

    /// Legacy tokens and what they are turned into.
    func legacySignIns(_ flags: [String]) async throws {
        let legacy = sandbox.withState("legacy")
        try await keepLegacyToken(in: legacy, flags)
        let migrated = try await evidence.run(["auth", "migrate", "--app-id", service.appID] + flags, in: legacy)
        #expect(migrated.status == 0, "\(migrated)")
        let bySecret = sandbox.withState("legacy-secret")
        try await keepLegacyToken(in: bySecret, flags)
        let wrong = try await evidence.run(
            ["auth", "migrate", "--app-id", service.appID, "--app-secret-file", "wrong-secret"] + flags, in: bySecret)
        #expect(wrong.status >= 64, "\(wrong)")
        let right = try await evidence.run(
            ["auth", "migrate", "--app-id", service.appID, "--app-secret-file", "app-secret"] + flags, in: bySecret)
        #expect(right.status == 0, "\(right)")
    }

    /// What a browser and the commands of `--exec` can see of the process that started them.
    func children(_ flags: [String]) async throws {
        let dump = "{ env; tr '\\0' '\\n' </proc/$$/cmdline; tr '\\0' '\\n' </proc/$PPID/cmdline; }"
        let browser = try await sandbox.makeScript(
            "browser", dump + " >>seen-by-browser\nexec /usr/bin/curl --silent --location --output page.html \"$1\"")
        let secretive = sandbox.with([
            "BROWSER": browser, "CLOVER_APP_SECRET": service.appSecret, "CANARY_CONTROL": "control-visible",
        ])
        let login = try await evidence.run(
            ["auth", "login", "--callback-port", "0"] + target + flags, in: secretive)
        #expect(login.status == 0, "\(login)")
        #expect(try sandbox.text("seen-by-browser").contains("control-visible"))
        #expect(try sandbox.text("seen-by-browser").contains("/oauth/v2/authorize?"))

        let watching = secretive.with([
            "CLOVER_ACCESS_TOKEN": Self.staticToken, "CLOVER_MERCHANT_ID": service.merchantID,
        ])
        let line = dump + " >>seen-by-exec; cat >>seen-by-exec"
        let watch = try watching.start(["auth", "watch", "--exec", line] + flags)
        var rounds = 0
        while watch.outputSoFar.isEmpty, rounds < 100 {
            rounds += 1
            try await evidence.run(["auth", "refresh"] + flags)
        }
        try await evidence.run(["auth", "logout"] + flags)
        try await sandbox.eventually("the command for the last event") {
            try sandbox.text("seen-by-exec").contains("\"deleted\"")
        }
        watch.send(15)
        evidence.add(try await watch.result())
        #expect(try sandbox.text("seen-by-exec").contains("control-visible"))
    }
}
