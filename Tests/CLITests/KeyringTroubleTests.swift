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
        /// What is said of it, and the status where it is in the way.
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

    @Test("status answers with its usual object, token and login say the reason", arguments: troubles)
    func unusable(_ trouble: Trouble) async throws {
        try await Sandbox.run(weight: 2) { given in
            let bus = try await PrivateBus()
            let sandbox = given.with(bus.variables.filter { $0.key.hasPrefix("DBUS_") })
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            let service = SignInService(emulator)
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            try await sandbox.receiveIntoKeyring(service, "--profile", "downtown")
            try await daemon.stop()
            let replacement = try await trouble.service.asyncMap { try await bus.startScript(Self.script, $0) }

            let answered = try await Self.answered { try await sandbox.clover("auth", "status", "--json") }
            #expect(answered.ending == .exited(77), "\(answered)")
            let status = try JSONValue(answered.outputText)
            #expect(status["loggedIn"] == .bool(false) && status["source"]?.string == "keyring", "\(answered)")
            #expect(status["merchant"]?.string == service.merchantID && status["profile"]?.string == "downtown")
            #expect(status["reason"]?.string?.contains(trouble.words) == true, "\(answered)")

            let token = try await Self.answered { try await sandbox.clover("auth", "token") }
            expectFailure(token, status: trouble.status, saying: trouble.words)
            let target = ["--environment", service.url, "--app-id", service.appID, "--callback-port", "0"]
            for merchant in [service.merchantID, "OTHERMERCHANT"] {
                let login = try await Self.answered {
                    try await sandbox.clover(
                        ["auth", "login", "--no-browser", "--keyring", "--merchant", merchant] + target)
                }
                expectFailure(login, status: trouble.status, saying: trouble.words)
                #expect(!login.errorText.contains("/oauth/v2/authorize"), "\(login)")
            }
            withExtendedLifetime((bus, emulator, replacement)) {}
        }
    }

    @Test("a keyring that would ask before it keeps something is found out before the browser opens")
    func prompting() async throws {
        try await Sandbox.run(weight: 2) { given in
            let bus = try await PrivateBus()
            let sandbox = given.with(bus.variables.filter { $0.key.hasPrefix("DBUS_") })
            let service = try await bus.startScript(Self.script, ["prompting", "mute:Prompt", "mute:Dismiss"])
            let login = try await Self.answered {
                try await sandbox.clover(
                    "auth", "login", "--no-browser", "--keyring", "--environment", "http://127.0.0.1:1", "--app-id",
                    "APP", "--callback-port", "0")
            }
            expectFailure(login, status: 77, saying: "the keyring is locked: the keyring wants to ask the user")
            #expect(!login.errorText.contains("/oauth/v2/authorize"), "\(login)")
            let token = try await Self.answered {
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
            let sandbox = given.with(bus.variables.filter { $0.key.hasPrefix("DBUS_") })
            let script = try await bus.startScript(Self.script, ["prompting", "mute:Prompt", "mute:Dismiss"])
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            let address = try await service.approvedAddress() + "\n"
            let arguments = [
                "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--code-verifier-file",
                verifier,
            ]
            let refused = try await Self.answered {
                try await sandbox.clover(arguments: arguments + ["--keyring"], input: .text(address))
            }
            expectFailure(refused, status: 77, saying: "the keyring is locked: the keyring wants to ask the user")
            let received = try await sandbox.clover(arguments: arguments, input: .text(address))
            #expect(received.ending == .exited(0), "\(received)")
            withExtendedLifetime((bus, script)) {}
        }
    }

    /// A service that does what the usual one never does; it belongs to the keyring's own tests.
    static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../CloverKeyringTests/Fixtures/scripted-secret-service.py").standardizedFileURL.path

    /// The result that a machine with time to spare gives: a keyring has two seconds to answer.
    static func answered(_ run: () async throws -> CommandResult) async throws -> CommandResult {
        for _ in 0..<60 {
            let result = try await run()
            if !(result.errorText + result.outputText).contains("did not answer") { return result }
        }
        throw CommandError.notSeen(awaited: "an answer of the keyring in time", output: "", errors: "")
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Value>(_ body: (Wrapped) async throws -> Value) async throws -> Value? {
        guard let value = self else { return nil }
        return try await body(value)
    }
}
