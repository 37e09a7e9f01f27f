import CloverTestSupport
import Foundation
import Testing

/// What a refresh that goes wrong leaves behind, says, and remembers.
@Suite("auth: refreshes that go wrong")
struct RefreshOutcomeTests {
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let faults: [String]
    }

    static let losses = [
        Loss(testDescription: "reset after the work", faults: ["lose-answer@1:/oauth/v2/refresh"]),
        Loss(testDescription: "cut off after the work", faults: ["truncate@1:/oauth/v2/refresh"]),
        Loss(
            testDescription: "reset after the work, then a failure",
            faults: ["lose-answer@1:/oauth/v2/refresh", "500@2:/oauth/v2/refresh"]),
    ]

    @Test("a response lost after the rotation is explained, remembered, and healed by a new sign-in", arguments: losses)
    func lost(_ row: Loss) async throws {
        let flags = row.faults.flatMap { ["--oauth-fault", $0] }
        try await Sandbox.signedIn(emulator: flags) { sandbox, emulator, relay in
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            var result = try await sandbox.clover("auth", "token")
            if row.faults.count > 1 {
                // Nothing is known yet: the second try failed at the service.
                expectFailure(result, status: 69, saying: "500")
                #expect(try sandbox.journal()?["state"]?.string == "sent")
                result = try await sandbox.clover("auth", "token")
            }
            expectFailure(result, status: 77, saying: "never arrived", "clover auth login")
            #expect(try sandbox.keptTokens() == old)
            #expect(try sandbox.journal()?["state"]?.string == "lost")
            #expect(try await emulator.stats().refreshes == 1)

            let asked = try relay.exchanges().count
            for arguments in [["auth", "token"], ["auth", "refresh"], ["get", "merchant"]] {
                let again = try await sandbox.clover(arguments)
                expectFailure(again, status: 77, saying: "never arrived", "clover auth login")
            }
            let status = try await sandbox.status()
            #expect(status["loggedIn"] == .bool(false))
            #expect(status["reason"]?.string?.contains("lost") == true)
            #expect(try relay.exchanges().count == asked, "the service was asked again")

            try await sandbox.receive(SignInService(emulator, at: relay.url))
            #expect(try sandbox.journal() == nil)
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
        }
    }

    @Test(
        "one failed try is repeated and costs nothing",
        arguments: ["500@1", "503-html@1", "reset@1", "not-json@1"])
    func repeated(_ fault: String) async throws {
        try await Sandbox.signedIn(emulator: ["--oauth-fault", fault + ":/oauth/v2/refresh"]) { sandbox, emulator, _ in
            try sandbox.expireAccessToken()
            let result = try await sandbox.clover("auth", "token")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.outputText == (try sandbox.keptTokens().access) + "\n")
            let words =
                fault.hasPrefix("50")
                ? "failed to renew the tokens (status \(fault.prefix(3)))" : "was lost or not understood"
            #expect(result.errorText.contains(words), "\(result)")
            #expect(try await emulator.stats().refreshes == 1)
            #expect(try sandbox.journal() == nil)
        }
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: String
        let status: Int32
    }

    static let failures = [
        Failure(testDescription: "500", fault: "500@1-2", status: 69),
        Failure(testDescription: "503 with a page", fault: "503-html@1-2", status: 69),
        Failure(testDescription: "reset", fault: "reset@1-2", status: 69),
        Failure(testDescription: "200 without tokens", fault: "not-json@1-2", status: 76),
    ]

    @Test("a service that fails is no reason to sign in again: the next run works", arguments: failures)
    func unavailable(_ row: Failure) async throws {
        try await Sandbox.signedIn(
            emulator: ["--oauth-fault", row.fault + ":/oauth/v2/refresh"]
        ) { sandbox, emulator, _ in
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            expectFailure(
                try await sandbox.clover("auth", "token"), status: row.status,
                saying: "clover: cannot renew the tokens of merchant \(emulator.merchantID) (")
            #expect(try sandbox.keptTokens() == old)
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
            let next = try await sandbox.clover("auth", "token")
            #expect(next.ending == .exited(0), "\(next)")
            #expect(try sandbox.keptTokens().generation == 1)
            #expect(try sandbox.journal() == nil)
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("a refusal is remembered for this token only: the service is not asked again, and a new sign-in heals it")
    func refused() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve", "--refresh-token-cap", "1"])
            let service = SignInService(emulator)
            try await sandbox.receive(service)
            // A second sign-in elsewhere pushes the first one out.
            try await sandbox.withState("elsewhere").receive(service)
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            let first = try await sandbox.clover("auth", "token")
            expectFailure(first, status: 77, saying: "clover auth login", "refused")
            #expect(!first.errorText.contains("never arrived"), "\(first)")
            #expect(try sandbox.keptTokens() == old)
            #expect(try sandbox.journal()?["state"]?.string == "refused")
            #expect(try await emulator.stats().refreshesRefused == 1)
            // The service is not asked again, so that there is no status of a response.
            let again = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover("auth", "token")
            let error = try JSONValue(again.errorText)["error"]
            #expect(error?["code"]?.string == "refresh_refused" && error?["http"]?.integer == nil, "\(again)")

            for arguments in [["auth", "token"], ["get", "merchant"], ["auth", "refresh"]] {
                expectFailure(
                    try await sandbox.clover(arguments), status: 77, saying: "clover auth login", "refused")
            }
            #expect(try await emulator.stats().refreshesRefused == 1)
            let status = try await sandbox.status()
            #expect(status["loggedIn"] == .bool(false))
            #expect(status["reason"]?.string?.contains("refused") == true)

            try await sandbox.receive(service)
            #expect(try sandbox.journal() == nil)
            try sandbox.expireAccessToken()
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("after a refusal the access token works until it ends: get, token and status --check agree, before and after")
    func lastToken() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve", "--refresh-token-cap", "1"])
            let service = SignInService(emulator)
            try await sandbox.receive(service, "--profile", "downtown")
            try await sandbox.withState("elsewhere").receive(service)
            let kept = try sandbox.keptTokens()
            let check = ["auth", "status", "--check", "--json"]
            expectFailure(try await sandbox.clover("auth", "refresh"), status: 77, saying: "refused")

            expectSuccess(try await sandbox.clover("get", "merchant"))
            let token = try await sandbox.clover("auth", "token")
            #expect(token.ending == .exited(0) && token.outputText == kept.access + "\n", "\(token)")
            for part in [
                "refused the refresh token", "using the current one, which works until 2",
                "clover auth login --profile downtown",
            ] {
                #expect(token.errorText.contains(part), "no '\(part)' in: \(token)")
            }
            for arguments in [check, ["auth", "status", "--json"]] {
                let result = try await sandbox.clover(arguments)
                #expect(result.ending == .exited(0), "\(result)")
                let status = try JSONValue(result.outputText)
                #expect(status["loggedIn"] == .bool(true) && status["renewable"] == .bool(false), "\(result)")
                #expect(status["refreshDue"] == .bool(false), "\(result)")
                let reason = status["reason"]?.string ?? ""
                #expect(reason.hasPrefix("works until 2") && reason.contains(", cannot be renewed: "), "\(result)")
                if arguments == check { #expect(status["tokenAccepted"] == .bool(true), "\(result)") }
            }
            let doctor = try await sandbox.clover("doctor", "--offline", "--json")
            #expect(doctor.outputText.contains("refused to renew the token, which works until"), "\(doctor)")

            try sandbox.expireAccessToken()
            for arguments in [["get", "merchant"], ["auth", "token"], check] {
                let result = try await sandbox.clover(arguments)
                #expect(result.ending == .exited(77), "\(result)")
            }
            #expect(try await emulator.stats().refreshesRefused == 1)
        }
    }

    @Test("a copied state folder that spends a rotated token is refused, and the original goes on")
    func replayed() async throws {
        try await Sandbox.signedIn { sandbox, emulator, _ in
            let copied = try await sandbox.shell("cp -a state copy")
            #expect(copied.status == 0)
            let copy = sandbox.withState("copy")
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            // The copy's access token died with the rotation, so its request gets a 401 and then a refusal.
            expectFailure(try await copy.clover("get", "merchant"), status: 77, saying: "clover auth login")
            #expect(try await emulator.stats().refreshesRefused == 1)
            expectSuccess(try await sandbox.clover("get", "merchant"))
        }
    }

    @Test("an access token that the service takes for nothing, and does not renew, is handed out no more")
    func dead() async throws {
        try await Sandbox.signedIn { sandbox, emulator, relay in
            let copied = try await sandbox.shell("cp -a state copy")
            #expect(copied.status == 0)
            let copy = sandbox.withState("copy")
            // The copy's access token dies with the rotation.
            #expect(try await sandbox.clover("auth", "refresh").ending == .exited(0))
            expectFailure(try await copy.clover("get", "merchant"), status: 77, saying: "clover auth login", "refused")
            let asked = try relay.exchanges().count
            for arguments in [
                ["auth", "token"], ["auth", "token", "--header"], ["get", "merchant"], ["auth", "refresh"],
            ] {
                expectFailure(try await copy.clover(arguments), status: 77, saying: "clover auth login", "refused")
            }
            for arguments in [["auth", "status", "--json"], ["auth", "status", "--check", "--json"]] {
                let result = try await copy.clover(arguments)
                #expect(result.ending == .exited(77), "\(result)")
                let status = try JSONValue(result.outputText)
                #expect(status["loggedIn"] == .bool(false) && status["renewable"] == .bool(false), "\(result)")
                #expect(status["reason"]?.string?.contains("no longer accepts this token") == true, "\(result)")
                if arguments.contains("--check") { #expect(status["tokenAccepted"] == .bool(false), "\(result)") }
            }
            #expect(try relay.exchanges().count == asked, "the service was asked again")
            #expect(try await emulator.stats().refreshesRefused == 1)

            try await copy.receive(SignInService(emulator, at: relay.url))
            #expect(try await copy.clover("auth", "token").ending == .exited(0))
            #expect(try await copy.status()["loggedIn"] == .bool(true))
            expectSuccess(try await copy.clover("get", "merchant"))
        }
    }

    @Test("status --check finds out that a token is dead, and keeps it in mind")
    func deadByCheck() async throws {
        try await Sandbox.signedIn { sandbox, _, _ in
            let copied = try await sandbox.shell("cp -a state copy")
            #expect(copied.status == 0)
            let copy = sandbox.withState("copy")
            #expect(try await sandbox.clover("auth", "refresh").ending == .exited(0))
            #expect(try await copy.clover("auth", "status", "--check").ending == .exited(77))
            expectFailure(try await copy.clover("auth", "token"), status: 77, saying: "clover auth login", "refused")
        }
    }

    @Test("a token that lacks permissions and cannot be renewed is used for what it opens, until it ends")
    func lastTokenWithoutPermission() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--auto-approve", "--refresh-token-cap", "1", "--without-permission", "merchant",
                "--without-permission", "orders",
            ])
            let service = SignInService(emulator)
            try await sandbox.receive(service)
            try await sandbox.withState("elsewhere").receive(service)
            expectFailure(try await sandbox.clover("get", "orders"), status: 77)
            #expect(try await emulator.stats().refreshesRefused == 1)
            #expect(try await sandbox.clover("auth", "token").ending == .exited(0))
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
            expectSuccess(try await sandbox.clover("get", "items", "--limit", "1"))
        }
    }

    @Test("a token that was renewed because it was due is not renewed again because it opens nothing")
    func renewedAndWithoutPermission() async throws {
        let families = ["merchant", "orders", "payments", "items", "customers", "employees"]
        try await Sandbox.signedIn(emulator: families.flatMap { ["--without-permission", $0] }) {
            sandbox, emulator, _ in
            try sandbox.expireAccessToken()
            for _ in 1...2 {
                expectFailure(
                    try await sandbox.clover("get", "orders"), status: 77, saying: "the token is valid", "ORDERS_R")
                #expect(try await emulator.stats().refreshes == 1)
            }
        }
    }

    @Test("while the access token is good, a refresh that cannot be done is a notice")
    func stillGood() async throws {
        try await Sandbox.signedIn(
            emulator: ["--access-token-life", "500s", "--oauth-fault", "500@1-2:/oauth/v2/refresh"]
        ) { sandbox, emulator, _ in
            // Due by its own file, and not over: less than a tenth of the life is left, and more than the test takes.
            try sandbox.editCredential { text in
                text.replacing(/"(createdAt|serverTime|bootTime)"\s*:\s*([0-9]+)/) { match in
                    let back = match.1 == "bootTime" ? 460_000 : 460
                    return "\"\(match.1)\":\((Int(match.2) ?? 0) - (match.1 == "serverTime" ? 0 : back))"
                }
            }
            let status = try await sandbox.status()
            #expect(status["refreshDue"] == .bool(true))
            let result = try await sandbox.clover("get", "merchant", "-r", "--jq", ".id")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines == [emulator.merchantID])
            #expect(result.errorText.hasPrefix("clover: "), "\(result)")
            #expect(try sandbox.keptTokens().generation == 0)
        }
    }

    @Test("a service that is not there is unreachable; nothing is spent or remembered")
    func unreachable() async throws {
        try await Sandbox.run { sandbox in
            var emulator: EmulatorProcess? = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            if let emulator { try await sandbox.receive(SignInService(emulator)) }
            emulator = nil
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            expectFailure(try await sandbox.clover("auth", "token"), status: 69)
            #expect(try sandbox.keptTokens() == old)
            #expect(try sandbox.journal() == nil)
            #expect(try await sandbox.status()["loggedIn"] == .bool(true))
        }
    }

    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: String
        let status: Int32
    }

    static let strangers = [
        Stranger(testDescription: "a page with 401", kind: "page-401", status: 76),
        Stranger(testDescription: "403", kind: "message-403", status: 77),
        Stranger(testDescription: "a redirect", kind: "redirect-302", status: 76),
        Stranger(testDescription: "429 for an hour", kind: "limit-429", status: 75),
    ]

    @Test("a response that is not the service's verdict on the token is not remembered", arguments: strangers)
    func notRemembered(_ row: Stranger) async throws {
        try await Sandbox.signedIn { sandbox, emulator, relay in
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            try relay.answerTokenCalls(with: row.kind)
            let result = try await sandbox.clover("auth", "token")
            expectFailure(result, status: row.status)
            let secret = try #require(old.refresh)
            #expect(!result.errorText.contains(secret))
            #expect(try sandbox.keptTokens() == old)
            #expect(try relay.exchanges().filter { $0.target.hasPrefix("/elsewhere") }.isEmpty)
            try relay.answerTokenCalls(with: nil)
            let next = try await sandbox.clover("auth", "token")
            #expect(next.ending == .exited(0), "\(next)")
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("a missing permission is not a reason to refresh more than once a run, and is named")
    func missingPermission() async throws {
        try await Sandbox.signedIn(emulator: ["--without-permission", "orders"]) { sandbox, emulator, _ in
            let result = try await sandbox.clover("get", "orders")
            expectFailure(result, status: 77, saying: "permission")
            #expect(try await emulator.stats().refreshes <= 1)
            expectSuccess(try await sandbox.clover("get", "merchant"))
            let check = try await sandbox.clover("auth", "status", "--check", "--json")
            #expect(check.ending == .exited(0), "\(check)")
            let value = try JSONValue(check.outputText)
            #expect(value["tokenAccepted"] == .bool(true))
            #expect(value["permissionsMissing"]?.elements?.compactMap(\.string).contains("ORDERS_R") == true)
        }
    }

    @Test("a static token is never refreshed")
    func staticToken() async throws {
        try await Sandbox.run { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            expectSignedIn(
                try await sandbox.signIn(
                    token: "wrong-" + Sandbox.token, merchant: emulator.merchantID, environment: emulator.url))
            expectFailure(try await sandbox.clover("auth", "refresh"), status: 64)
            expectFailure(try await sandbox.clover("get", "merchant"), status: 77, saying: "clover auth")
            let stats = try await emulator.stats()
            #expect(stats.refreshes + stats.refreshesRefused == 0)
        }
    }
}
