import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

/// Tokens in a keyring that is gone, locked, or wants to ask: each command says so instead of waiting.
@Suite("auth: a keyring that cannot be used")
struct KeyringTroubleTests {
    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the service in the keyring's place does; nil for none at all.
        let service: [String]?
        /// The message about it, and the status where it is in the way.
        let words: String
        let status: Int32
    }

    static let troubles = [
        Trouble(
            testDescription: "absent", service: nil, words: "the keyring cannot be used: no Secret Service",
            status: 69),
        Trouble(
            testDescription: "locked, with a prompt that never ends",
            service: ["locked", "mute:Prompt", "mute:Dismiss"],
            words: "the keyring is locked: the default collection is locked", status: 77),
    ]

    @Test("status prints its usual object; token and login print the reason", arguments: troubles)
    func unusable(_ trouble: Trouble) async throws {
        try await KeyringFixture.run { desk in
            let sandbox = desk.sandbox
            let service = desk.service
            let before = try JSONValue(
                try await KeyringFixture.answered { try await sandbox.clover("auth", "status", "--json") }.outputText)
            var replacement: RunningCommand?
            if let words = trouble.service {
                replacement = try await desk.replaceDaemon(words)
            } else {
                try await desk.stopKeyring()
            }

            let answered = try await KeyringFixture.answered { try await sandbox.clover("auth", "status", "--json") }
            #expect(answered.ending == .exited(77), "\(answered)")
            let status = try JSONValue(answered.outputText)
            #expect(status["loggedIn"] == .bool(false) && status["source"]?.string == "keyring", "\(answered)")
            #expect(status["merchant"]?.string == service.merchantID && status["profile"]?.string == "downtown")
            #expect(status["reason"]?.string?.contains(trouble.words) == true, "\(answered)")
            // The file knows these.
            let list = try await KeyringFixture.answered { try await sandbox.clover("auth", "list", "--json") }
            let listed = try #require(try JSONValue.lines(list.lines).first, "\(list)")
            #expect(before["employee"]?.string != nil, "\(before)")
            for value in [status, listed] {
                #expect(value["kind"] == .string("oauth") && value["employee"] == before["employee"], "\(value)")
            }

            let token = try await KeyringFixture.answered { try await sandbox.clover("auth", "token") }
            expectFailure(token, status: trouble.status, saying: trouble.words)
            let target = ["--environment", service.url, "--app-id", service.appID, "--callback-port", "0"]
            for merchant in [service.merchantID, "OTHERMERCHANT"] {
                let login = try await KeyringFixture.answered {
                    try await sandbox.clover(
                        ["auth", "login", "--no-browser", "--keyring", "--merchant", merchant, "--profile", "new"]
                            + target)
                }
                expectFailure(login, status: trouble.status, saying: trouble.words, "sign in without --keyring")
                // There is no sign-in of this name, and none is to be forgotten.
                #expect(!login.errorText.contains("auth logout"), "\(login)")
                #expect(!login.errorText.contains("/oauth/v2/authorize"), "\(login)")
            }
            withExtendedLifetime(replacement) {}
        }
    }

    @Test("a keyring that would ask before it keeps something is found out before the browser opens")
    func prompting() async throws {
        try await Sandbox.run(weight: 2) { given in
            let bus = try await PrivateBus()
            let sandbox = given.on(bus)
            let service = try await bus.startScript(
                KeyringFixture.script, ["prompting", "mute:Prompt", "mute:Dismiss"])
            let login = try await KeyringFixture.answered {
                try await sandbox.clover(
                    "auth", "login", "--no-browser", "--keyring", "--environment", "http://127.0.0.1:1", "--app-id",
                    "APP", "--callback-port", "0")
            }
            expectFailure(login, status: 77, saying: "the keyring is locked: the keyring wants to ask the user")
            #expect(!login.errorText.contains("/oauth/v2/authorize"), "\(login)")
            let token = try await KeyringFixture.answered {
                try await sandbox.clover(
                    "auth", "login", "--with-token", "--keyring", "--merchant", "M1", "--environment", "sandbox",
                    input: .text("token\n"))
            }
            expectFailure(token, status: 77, saying: "the keyring is locked: the keyring wants to ask the user")
            // Nothing is signed in, or something else that works.
            #expect(!token.errorText.contains("auth logout"), "\(token)")
            withExtendedLifetime((bus, service)) {}
        }
    }

    @Test("a code is not spent for a keyring that would not take the tokens")
    func unspent() async throws {
        try await Sandbox.beforeSignIn { given, emulator, service in
            let bus = try await PrivateBus()
            let sandbox = given.on(bus)
            let script = try await bus.startScript(KeyringFixture.script, ["prompting", "mute:Prompt", "mute:Dismiss"])
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let address = try await service.approvedAddress() + "\n"
            let arguments = [
                "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--code-verifier-file",
                verifier,
            ]
            let refused = try await KeyringFixture.answered {
                try await sandbox.clover(arguments: arguments + ["--keyring"], input: .text(address))
            }
            expectFailure(refused, status: 77, saying: "the keyring is locked: the keyring wants to ask the user")
            let received = try await sandbox.clover(arguments: arguments, input: .text(address))
            #expect(received.ending == .exited(0), "\(received)")
            withExtendedLifetime((bus, script)) {}
        }
    }

    @Test("detects a keyring that loses what is stored in it before the browser opens")
    func forgetful() async throws {
        try await Sandbox.run(weight: 2) { given in
            let bus = try await PrivateBus()
            let sandbox = given.on(bus)
            let keyring = try await bus.startScript(KeyringFixture.script, ["forgets"])
            let target = ["--environment", "http://127.0.0.1:1"]
            let browser = ["auth", "login", "--no-browser", "--app-id", "APP", "--callback-port", "0"]
            let token = ["auth", "login", "--with-token", "--merchant", "M1"]
            for arguments in [browser, token] {
                let login = try await KeyringFixture.answered {
                    try await sandbox.clover(arguments: arguments + target + ["--keyring"], input: .text("token\n"))
                }
                expectFailure(
                    login, status: 69, saying: "did not return what was stored in it", "sign in without --keyring")
                #expect(!login.errorText.contains("/oauth/v2/authorize"), "\(login)")
            }
            #expect(sandbox.credentialFiles() == [])
            withExtendedLifetime((bus, keyring)) {}
        }
    }

    @Test("a keyring that was asked for and locks after the code was spent does not cost the sign-in")
    func lockedAfterCode() async throws {
        try await Sandbox.beforeSignIn { given, _, service in
            let bus = try await PrivateBus()
            let sandbox = given.on(bus)
            // The first item is the one that shows whether the keyring can be used.
            let keyring = try await bus.startScript(KeyringFixture.script, ["locks-after:CreateItem"])
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let received = try await sandbox.clover(
                "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--code-verifier-file",
                verifier, "--keyring", input: .text(try await service.approvedAddress() + "\n"))
            #expect(received.ending == .exited(0), "\(received)")
            let words = "the keyring is locked: the item is locked, so the tokens are kept in a file"
            #expect(received.errorText.contains(words), "\(received)")
            #expect(try mode(of: sandbox.directory[try sandbox.tokenFile()]) == 0o600)
            expectSuccess(try await sandbox.clover("get", "merchant"))
            withExtendedLifetime((bus, keyring)) {}
        }
    }

    @Test("a keyring that locks during a renewal does not lose tokens: they go to a file, which is reported once")
    func lockedMeanwhile() async throws {
        try await Sandbox.beforeSignIn { given, _, service in
            let bus = try await PrivateBus()
            let sandbox = given.on(bus)
            try await sandbox.receive(service)
            let old = try sandbox.keptTokens()
            let item = try sandbox.directory.write("item", try sandbox.directory.read(try sandbox.tokenFile()))
            try sandbox.editCredential { text in
                text.replacing(/"(access|refresh)Token":"[^"]+",?/, with: "")
                    .replacing("{", with: #"{"keyring":true,"item":"kept","#)
            }
            let keyring = try await bus.startScript(
                KeyringFixture.script, ["holds:" + item, "error:CreateItem:org.freedesktop.Secret.Error.IsLocked"])
            let renewed = try await KeyringFixture.answered { try await sandbox.clover("auth", "refresh") }
            #expect(renewed.ending == .exited(0), "\(renewed)")
            for part in [
                "the keyring is locked: the item is locked, so the new tokens of merchant \(service.merchantID)",
                "are kept in a file that only you can read", "clover auth login --keyring",
            ] { #expect(renewed.errorText.contains(part), "no '\(part)' in: \(renewed)") }
            #expect(try sandbox.keptTokens().generation == 1 && sandbox.keptTokens().access != old.access)
            #expect(try mode(of: sandbox.directory[try sandbox.tokenFile()]) == 0o600)
            #expect(try sandbox.journal() == nil)
            let status = try await sandbox.status()
            #expect(status["loggedIn"] == .bool(true) && status["source"]?.string == "cache", "\(status)")
            expectSuccess(try await sandbox.clover("get", "merchant"))
            withExtendedLifetime((bus, keyring)) {}
        }
    }
}
