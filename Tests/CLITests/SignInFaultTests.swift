import CloverTestSupport
import Foundation
import Testing

/// Sign-ins that one fault must not take others along with.
@Suite("auth: one fault among several sign-ins")
struct SignInFaultTests {
    @Test("logout --all goes on past one that cannot be removed, names it, and ends with 82")
    func logoutOfAll() async throws {
        try await Sandbox.run { sandbox in
            for merchant in ["M1", "M2", "M3"] {
                expectSignedIn(
                    try await sandbox.signIn(token: "t-\(merchant)", merchant: merchant, environment: "sandbox"))
            }
            let file = try #require(sandbox.credentialFiles().first { $0.contains("M2") })
            // Others may read it, so that it is not ours to touch.
            #expect(chmod(sandbox.directory[file], 0o644) == 0)
            let result = try await sandbox.clover("auth", "logout", "--all")
            #expect(result.ending == .exited(82), "\(result)")
            for part in [
                "signed out of merchant M1", "signed out of merchant M3", "still signed in to merchant M2 (sandbox)",
                "still signed in: M2 (sandbox); 2 others were removed",
            ] { #expect(result.errorText.contains(part), "no '\(part)' in: \(result)") }
            #expect(sandbox.credentialFiles() == [file])
            #expect(chmod(sandbox.directory[file], 0o600) == 0)
            let rest = try await sandbox.clover("auth", "logout", "--all")
            #expect(rest.ending == .exited(0), "\(rest)")
            #expect(sandbox.credentialFiles() == [])
        }
    }

    @Test("the only sign-in that cannot be removed ends with its own reason")
    func logoutOfOne() async throws {
        try await Sandbox.run { sandbox in
            expectSignedIn(try await sandbox.signIn(environment: "sandbox"))
            #expect(chmod(sandbox.directory[sandbox.credentialFiles()[0]], 0o644) == 0)
            expectFailure(try await sandbox.clover("auth", "logout", "--all"), status: 78, saying: "mode 644")
        }
    }

    @Test("status with several sign-ins and none chosen says which there are, and ends with 77")
    func severalNotChosen() async throws {
        try await Sandbox.run { sandbox in
            for merchant in ["M1", "M2"] {
                expectSignedIn(try await sandbox.signIn(merchant: merchant, environment: "sandbox"))
            }
            try FileManager.default.removeItem(atPath: sandbox.directory["state/current.json"])
            let result = try await sandbox.clover("auth", "status", "--json")
            #expect(result.ending == .exited(77), "\(result)")
            let status = try JSONValue(result.outputText)
            #expect(status["loggedIn"] == .bool(false))
            #expect(
                status["reason"]?.string == "several sign-ins, and none is chosen: M1 (sandbox), M2 (sandbox)",
                "\(result)")
            #expect(result.errorText.contains("clover auth switch"), "\(result)")
            // A command that needs one of them cannot guess.
            expectFailure(try await sandbox.clover("get", "orders"), status: 64, saying: "M1 (sandbox), M2 (sandbox)")
        }
    }

    @Test("a sign-in into a keyring that is gone is refused before anybody approves")
    func loginOverUnreachable() async throws {
        try await KeyringFixture.run { world in
            try await world.stopKeyring()
            let target = [
                "--environment", world.service.url, "--app-id", world.service.appID, "--no-browser", "--callback-port",
                "0",
            ]
            for options in [[], ["--merchant", world.service.merchantID]] {
                let refused = try await world.sandbox.clover(["auth", "login", "--keyring"] + target + options)
                #expect(refused.ending == .exited(69), "\(refused)")
                #expect(!refused.errorText.contains("/oauth/v2/authorize"), "\(refused)")
            }
            // Another merchant's tokens are no obstacle.
            let other = try world.sandbox.start(["auth", "login"] + target + ["--merchant", "OTHERMERCHANT"])
            _ = try await Sandbox.authorizeAddress(printedBy: other)
            other.send(SIGINT)
            #expect(try await other.result().ending == .signalled(SIGINT))
        }
    }

    @Test("list shows a sign-in whose keyring is gone as far as its file tells, and names it")
    func listOfUnreachable() async throws {
        try await KeyringFixture.run { world in
            expectSignedIn(
                try await world.sandbox.signIn(token: "other", merchant: "OTHERMERCHANT", environment: "sandbox"))
            try await world.stopKeyring()
            let result = try await world.sandbox.clover("auth", "list", "--json")
            #expect(result.ending == .exited(0), "\(result)")
            let rows = try JSONValue.lines(result.lines)
            #expect(rows.count == 2)
            let gone = try #require(rows.first { $0["merchant"]?.string == world.service.merchantID })
            #expect(gone["loggedIn"] == .bool(false) && gone["source"]?.string == "keyring")
            #expect(gone["accessTokenExpiresAt"]?.string != nil && gone["profile"]?.string == "downtown")
            let reason = gone["reason"]?.string ?? ""
            #expect(reason.hasPrefix("the tokens are in the keyring, which cannot be used now: "), "\(result)")
            let other = try #require(rows.first { $0["merchant"]?.string == "OTHERMERCHANT" })
            #expect(other["loggedIn"] == .bool(true) && other["reason"] == .null)
            #expect(result.errorText.contains("keyring"), "\(result)")

            let logout = try await world.sandbox.clover("auth", "logout", "--all")
            #expect(logout.ending == .exited(82), "\(logout)")
            let merchant = "\(world.service.merchantID) (\(world.service.url))"
            let left = "tokens left in the keyring: \(merchant); 1 other was removed"
            #expect(logout.errorText.contains(left) && logout.errorText.contains("secret-tool clear"), "\(logout)")
            #expect(world.sandbox.credentialFiles() == [])
        }
    }
}
