import CloverTestSupport
import Foundation
import Testing

/// Tokens in a keyring that has lost them, or that is gone, locked or frozen: signing in and out are what mends it.
@Suite("auth: signing in and out over a keyring that lost its tokens")
struct KeyringLossTests {
    @Test("tokens removed from the keyring are reported with merchant, profile and what to run")
    func lost() async throws {
        try await KeyringFixture.run { desk in
            let sandbox = desk.sandbox
            try desk.loseItem()
            let answered = try await KeyringFixture.answered {
                try await sandbox.clover("auth", "status", "--json")
            }
            #expect(answered.ending == .exited(77), "\(answered)")
            let status = try JSONValue(answered.outputText)
            #expect(status["loggedIn"] == .bool(false) && status["source"]?.string == "keyring", "\(answered)")
            #expect(status["merchant"]?.string == desk.service.merchantID && status["profile"]?.string == "downtown")
            #expect(status["reason"]?.string?.contains("removed from the keyring") == true, "\(answered)")
            #expect(status["accessTokenExpiresAt"]?.string != nil, "\(answered)")

            let list = try await KeyringFixture.answered { try await sandbox.clover("auth", "list", "--json") }
            #expect(list.ending == .exited(0), "\(list)")
            #expect(try JSONValue.lines(list.lines).map { $0["profile"]?.string } == ["downtown"], "\(list)")
            #expect(list.errorText.contains("no longer in the keyring"), "\(list)")

            for arguments in [["get", "merchant"], ["auth", "token"], ["auth", "refresh"]] {
                let result = try await KeyringFixture.answered { try await sandbox.clover(arguments) }
                expectFailure(
                    result, status: 77,
                    saying: "the tokens of merchant \(desk.service.merchantID)", "profile downtown",
                    "clover auth login --profile downtown")
            }
        }
    }

    @Test(
        "a new sign-in replaces tokens that were removed from the keyring",
        arguments: [["--profile", "downtown"], ["--profile", "downtown", "--keyring"], ["--profile", "other"]])
    func signInAgain(_ options: [String]) async throws {
        try await KeyringFixture.run { desk in
            let result = try await KeyringFixture.answered {
                try desk.loseItem()
                return try await desk.sandbox.login(desk.service, options).result
            }
            #expect(result.ending == .exited(0), "\(result)")
            let status = try await KeyringFixture.answered {
                try await desk.sandbox.clover("auth", "status", "--json", "--profile", options[1])
            }
            #expect(status.ending == .exited(0), "\(status)")
            let value = try JSONValue(status.outputText)
            #expect(value["loggedIn"] == .bool(true) && value["source"]?.string == "keyring", "\(status)")
        }
    }

    @Test("receive replaces tokens that were removed from the keyring")
    func receiveAgain() async throws {
        try await KeyringFixture.run { desk in
            try desk.loseItem()
            try await desk.sandbox.receive(desk.service, "--profile", "downtown")
            let token = try await KeyringFixture.answered { try await desk.sandbox.clover("auth", "token") }
            #expect(token.ending == .exited(0), "\(token)")
        }
    }

    @Test("without --keyring a sign-in moves from a keyring that is gone into a file, and says what stays there")
    func signInWithoutKeyring() async throws {
        try await KeyringFixture.run { desk in
            let item = try desk.item()
            try await desk.stopKeyring()
            let result = try await desk.sandbox.login(desk.service, ["--profile", "downtown"]).result
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText.contains("stay in the keyring"), "\(result)")
            let words = "and the first renewal or sign-in that can use the keyring removes them"
            #expect(result.errorText.contains(words), "\(result)")
            #expect(result.errorText.contains("secret-tool clear application clover item \(item)"), "\(result)")
            let status = try await desk.sandbox.status()
            #expect(status["loggedIn"] == .bool(true) && status["source"]?.string == "cache", "\(status)")
            expectSuccess(try await desk.sandbox.clover("get", "merchant", "--profile", "downtown"))
        }
    }

    @Test("logout forgets what is here of tokens in a keyring that is gone or locked, and how to remove the rest")
    func signOut() async throws {
        for (words, status) in [(nil, 69), ("locked", 77)] as [(String?, Int32)] {
            try await KeyringFixture.run { desk in
                let item = try desk.item()
                var replacement: RunningCommand?
                if let words {
                    replacement = try await desk.replaceDaemon([words])
                } else {
                    try await desk.stopKeyring()
                }
                let result = try await desk.sandbox.clover("auth", "logout")
                expectFailure(
                    result, status: status, saying: "signed out of merchant \(desk.service.merchantID)",
                    "stay in the keyring", "secret-tool clear application clover item \(item)")
                #expect(desk.sandbox.credentialFiles() == [])
                #expect(try await desk.sandbox.clover("auth", "list").output == [])
                expectFailure(try await desk.sandbox.clover("auth", "logout"), status: 77, saying: "not signed in")
                withExtendedLifetime(replacement) {}
            }
        }
    }

    @Test("a keyring without a default collection is no matter of the desktop session")
    func noCollection() async throws {
        try await KeyringFixture.run { desk in
            let replacement = try await desk.replaceDaemon(["no-default"])
            let result = try await KeyringFixture.answered { try await desk.sandbox.clover("auth", "token") }
            expectFailure(result, status: 69, saying: "no default collection", "make it the default")
            #expect(!result.errorText.contains("cron"), "\(result)")
            withExtendedLifetime(replacement) {}
        }
    }

    @Test(
        "a keyring that stands still is waited for once in a command",
        arguments: [["doctor", "--offline"], ["auth", "logout"]])
    func frozen(_ arguments: [String]) async throws {
        try await KeyringFixture.run { desk in
            let replacement = try await desk.replaceDaemon(["mute:OpenSession"])
            let result = try await desk.sandbox.clover(arguments)
            #expect(result.ending != .exited(0), "\(result)")
            #expect((result.errorText + result.outputText).contains("did not answer"), "\(result)")
            let calls = String(decoding: replacement.outputSoFar, as: UTF8.self).split(separator: "\n")
            #expect(calls.count { $0 == "OpenSession" } == 1, "\(calls)")
        }
    }
}
