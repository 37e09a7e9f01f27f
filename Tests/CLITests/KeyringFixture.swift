import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

/// A sandbox that is signed in as `downtown`, with the tokens in a private keyring.
struct KeyringFixture {
    let sandbox: Sandbox
    let service: SignInService
    let bus: PrivateBus
    private let daemon: KeyringDaemon

    private init(sandbox: Sandbox, service: SignInService, bus: PrivateBus, daemon: KeyringDaemon) {
        self.sandbox = sandbox
        self.service = service
        self.bus = bus
        self.daemon = daemon
    }

    static func run(_ body: (KeyringFixture) async throws -> Void) async throws {
        try await Sandbox.run(weight: 2) { given in
            let bus = try await PrivateBus()
            let sandbox = given.on(bus)
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            let service = SignInService(emulator)
            try await sandbox.receiveIntoKeyring(service, "--profile", "downtown")
            try await body(KeyringFixture(sandbox: sandbox, service: service, bus: bus, daemon: daemon))
            withExtendedLifetime(emulator) {}
        }
    }

    /// As after the item was deleted: the file points to none.
    func loseItem() throws {
        try sandbox.editCredential { $0.replacing(/"item"\s*:\s*"[^"]+"/, with: #""item":"gone""#) }
    }

    /// The name of the item.
    func item() throws -> String {
        let text = String(decoding: try sandbox.directory.read(try sandbox.tokenFile()), as: UTF8.self)
        return String(try #require(text.firstMatch(of: /"item"\s*:\s*"([^"]+)"/)).1)
    }

    /// Ends the keyring.
    func stopKeyring() async throws { try await daemon.stop() }

    /// A service in the keyring's place that does what the usual one never does.
    func replaceDaemon(_ words: [String]) async throws -> RunningCommand {
        try await daemon.stop()
        return try await bus.startScript(Self.script, words)
    }

    /// The program of such a service; it belongs to the keyring's own tests.
    static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../CloverAuthTests/Fixtures/scripted-secret-service.py").standardizedFileURL.path

    /// The result that a machine with time to spare gives: a keyring has two seconds to answer.
    static func answered(_ run: () async throws -> CommandResult) async throws -> CommandResult {
        for _ in 0..<60 {
            let result = try await run()
            if !(result.errorText + result.outputText).contains("did not answer") { return result }
        }
        throw CommandError.notSeen(awaited: "an answer of the keyring in time", output: "", errors: "")
    }
}

extension Sandbox {
    /// The same with the keyring that is on this bus.
    func on(_ bus: PrivateBus) -> Sandbox { with(bus.variables.filter { $0.key.hasPrefix("DBUS_") }) }

    /// Signs in with the tokens in the keyring. That has two seconds, which a busy machine may let pass, so it is tried
    /// again.
    func receiveIntoKeyring(_ service: SignInService, _ options: String...) async throws {
        let verifier = try directory.write("verifier", KnownProof.verifier.utf8)
        let arguments =
            [
                "auth", "receive", "--environment", service.url, "--app-id", service.appID, "--code-verifier-file",
                verifier, "--keyring",
            ] + options
        for _ in 0..<60 {
            let result = try await clover(
                arguments: arguments, input: .text(try await service.approvedAddress() + "\n"))
            if result.ending == .exited(0) { return }
            try #require(result.errorText.contains("did not answer"), "\(result)")
        }
        Issue.record("the keyring never answered in time")
    }
}
