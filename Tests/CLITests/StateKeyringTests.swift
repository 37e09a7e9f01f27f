import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

/// The key that encrypts sign-ins in the database, in the desktop's keyring.
@Suite("state key: keys in the keyring")
struct StateKeyringTests {
    /// A machine with a database, before any key.
    private func machine(_ body: (Sandbox, PrivateBus, ServedDatabase, SignInService) async throws -> Void) async throws
    {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.beforeSignIn { given, _, service in
            let bus = try await PrivateBus()
            let database = try await ServedDatabase(server)
            let sandbox = given.on(bus).with([
                "CLOVER_STATE": database.address, "CLOVER_CONFIG_DIR": given.directory["keys"],
            ])
            try await body(sandbox, bus, database, service)
        }
    }

    private func keys(_ sandbox: Sandbox) throws -> String {
        String(decoding: try sandbox.directory.read("keys/state-keys.json"), as: UTF8.self)
    }

    private func run(_ sandbox: Sandbox, _ words: String...) async throws -> CommandResult {
        try await KeyringFixture.answered { try await sandbox.clover(words) }
    }

    @Test("moves into the keyring and back; sign-ins, rotation, check and doctor use it there and say where it is")
    func wholeWay() async throws {
        try await machine { sandbox, bus, _, service in
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            let made = try await run(sandbox, "state", "init")
            #expect(made.status == 0 && made.errorText.contains("keys/state-keys.json"), "\(made)")
            try await sandbox.receive(service, "--profile", "downtown")
            let get = ["get", "orders", "--limit", "1", "--profile", "downtown"]

            let moved = try await run(sandbox, "state", "key", "move")
            #expect(moved.status == 0 && moved.errorText.contains("to the keyring"), "\(moved)")
            #expect(try !keys(sandbox).contains(#""key":""#) && keys(sandbox).contains(#""keyring":true"#))
            let again = try await run(sandbox, "state", "key", "move")
            #expect(again.status == 0 && again.errorText.contains("no key was left to move"), "\(again)")
            expectSuccess(try await KeyringFixture.answered { try await sandbox.clover(get) })
            let key = try JSONValue(try await run(sandbox, "state", "key", "show").outputText)
            #expect(key["keyring"] == .bool(true) && key["file"]?.string == nil, "\(key)")
            let check = try await run(sandbox, "state", "check")
            #expect(
                try check.status == 0 && JSONValue(check.outputText)["keyPlace"]?.string == "the keyring", "\(check)")
            let doctor = try await run(sandbox, "doctor", "--skip", "bluetooth")
            #expect(doctor.outputText.contains("which encrypts sign-ins, is in the keyring"), "\(doctor)")

            // The next key is where the current one is.
            let prepared = try await run(sandbox, "state", "key", "rotate", "--prepare")
            #expect(prepared.status == 0 && prepared.errorText.contains("in the keyring"), "\(prepared)")
            let rotated = try await run(sandbox, "state", "key", "rotate")
            #expect(rotated.status == 0 && rotated.errorText.contains("1 was encrypted anew"), "\(rotated)")
            expectSuccess(try await KeyringFixture.answered { try await sandbox.clover(get) })
            let old = try #require(key["id"]?.string)
            let removed = try await run(sandbox, "state", "key", "remove", old)
            #expect(removed.status == 0 && removed.errorText.contains("from the keyring"), "\(removed)")

            let back = try await run(sandbox, "state", "key", "move", "--back")
            #expect(back.status == 0 && back.errorText.contains("keys/state-keys.json"), "\(back)")
            #expect(try keys(sandbox).contains(#""key":""#) && !keys(sandbox).contains("keyring"))
            #expect(try mode(of: sandbox.directory["keys/state-keys.json"]) == 0o600)
            try await daemon.stop()
            expectSuccess(try await sandbox.clover(get))
        }
    }

    @Test("a keyring that is gone ends commands with 69; nothing is read from a file, changed or lost")
    func gone() async throws {
        try await machine { sandbox, bus, database, service in
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            try await sandbox.receive(service, "--profile", "downtown")
            #expect(try await run(sandbox, "state", "key", "move").status == 0)
            let before = try keys(sandbox)
            try await daemon.stop()
            for words in [
                ["get", "orders", "--profile", "downtown"], ["state", "check"],
                ["state", "key", "rotate", "--prepare"], ["auth", "list"],
                ["state", "key", "move", "--back"], ["state", "key", "create"], ["state", "init"],
            ] {
                let result = try await KeyringFixture.answered { try await sandbox.clover(words) }
                expectFailure(
                    result, status: 69, saying: "in the keyring: the keyring cannot be used",
                    "clover state key move --back", output: nil)
            }
            #expect(try keys(sandbox) == before)
            #expect(try await database.rows("SELECT count(*) FROM clover_state.credentials") == ["1"])
            let id = try await onlyKey(sandbox)
            let check = try JSONValue(try await sandbox.clover("state", "check").outputText)
            #expect(check["keyPlace"] == .null && check["missingKeys"] == .array([.string(id)]), "\(check)")
            let doctor = try await sandbox.clover("doctor", "--skip", "bluetooth")
            #expect(doctor.outputText.contains("in the keyring: the keyring cannot be used"), "\(doctor)")
            #expect(!doctor.outputText.contains("tokens are kept in private files"), "\(doctor)")
            #expect(!doctor.outputText.contains("the keyring is not needed"), "\(doctor)")
        }
    }

    /// Changes the file of keys.
    private func edit(_ sandbox: Sandbox, _ change: (String) -> String) throws {
        _ = try sandbox.directory.write("keys/state-keys.json", change(try keys(sandbox)).utf8)
    }

    private func onlyKey(_ sandbox: Sandbox) async throws -> String {
        let shown = try await run(sandbox, "state", "key", "show")
        return try #require(try JSONValue(shown.outputText)["id"]?.string)
    }

    private static let inKeyring = #""keyring":true"#

    @Test("a key that the keyring lost can be replaced; no hint makes a user lose the other keys")
    func emptied() async throws {
        try await machine { sandbox, bus, _, service in
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            try await sandbox.receive(service, "--profile", "downtown")
            let old = try await onlyKey(sandbox)
            try edit(sandbox) { $0.replacing(/"key":"[0-9a-f]+"/, with: Self.inKeyring) }
            expectFailure(
                try await run(sandbox, "state", "check"), status: 78, saying: "is not in the keyring",
                "clover state key create", output: nil)
            expectFailure(
                try await run(sandbox, "state", "key", "create"), status: 78,
                saying: "\(old), which is not in the keyring", "--forget-sign-ins", output: "")
            let made = try await run(sandbox, "state", "key", "create", "--forget-sign-ins")
            #expect(made.status == 0 && made.errorText.contains("replaces \(old)"), "\(made)")
            let back = try await run(sandbox, "state", "key", "move", "--back")
            expectFailure(back, status: 78, saying: "clover state key remove \(old)", output: "")
            #expect(!back.errorText.contains("move the file away"), "\(back)")
            let removed = try await run(sandbox, "state", "key", "remove", old)
            #expect(removed.status == 0 && removed.errorText.contains("which only named it"), "\(removed)")
            let again = try await run(sandbox, "state", "key", "move", "--back")
            #expect(again.status == 0, "\(again)")
            let refused = try await run(sandbox, "state", "key", "remove", try await onlyKey(sandbox))
            expectFailure(refused, status: 78, saying: "it is the current key", output: "")
            try await daemon.stop()
        }
    }

    @Test("copies that a killed process left in the keyring are removed by the next move out of it")
    func leftovers() async throws {
        try await machine { sandbox, bus, _, _ in
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            let before = try keys(sandbox)
            #expect(try await run(sandbox, "state", "key", "move").status == 0)
            // As after a kill between the file and the keyring, with a key that was being made.
            let made = #"{"id":"0123456789abcdef","createdAt":1,"leftover":true},"#
            try edit(sandbox) { _ in
                before.replacing(/"key":"[0-9a-f]+"/) { "\($0.output),\"leftover\":true" }
                    .replacing(#""keys":["#, with: #""keys":["# + made)
            }
            #expect(try await run(sandbox, "state", "key", "show").lines.count == 1)
            let back = try await run(sandbox, "state", "key", "move", "--back")
            #expect(back.status == 0 && back.errorText.contains("no key was left"), "\(back)")
            #expect(try keys(sandbox) == before)
            try edit(sandbox) { $0.replacing(/"key":"[0-9a-f]+"/, with: Self.inKeyring) }
            expectFailure(
                try await run(sandbox, "state", "check"), status: 78, saying: "is not in the keyring", output: nil)
            try await daemon.stop()
        }
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the service in the keyring's place does; nil for none at all.
        let service: [String]?
        let words: String
        let status: Int32
    }

    static let troubles = [
        Trouble(
            testDescription: "absent", service: nil, words: "the keyring cannot be used: no Secret Service", status: 69),
        Trouble(
            testDescription: "locked", service: ["locked", "mute:Prompt", "mute:Dismiss"],
            words: "the keyring is locked: the default collection is locked", status: 77),
        Trouble(
            testDescription: "forgetful", service: ["forgets"], words: "did not return what was stored in it",
            status: 69),
    ]

    @Test("no key is made if the keyring does not take it: none in the file, none in the database", arguments: troubles)
    func refused(_ trouble: Trouble) async throws {
        try await machine { sandbox, bus, database, _ in
            var service: RunningCommand?
            if let words = trouble.service { service = try await bus.startScript(KeyringFixture.script, words) }
            for words in [["state", "init", "--keyring"], ["state", "key", "create", "--keyring"]] {
                let result = try await KeyringFixture.answered { try await sandbox.clover(words) }
                expectFailure(result, status: trouble.status, saying: trouble.words, "leave out --keyring", output: "")
                #expect(!result.errorText.contains("the key "), "\(result)")
            }
            // A keyring that did not answer in time may have a copy, which the file notes.
            let isThere = FileManager.default.fileExists(atPath: sandbox.directory["keys/state-keys.json"])
            #expect(try !isThere || !keys(sandbox).contains(#""key":""#) && !keys(sandbox).contains(Self.inKeyring))
            #expect(try await database.rows("SELECT count(*) FROM clover_state.token_key") == ["0"])
            // A file is used only when it is asked for.
            #expect(try await sandbox.clover("state", "key", "create").status == 0)
            #expect(try keys(sandbox).contains(#""key":""#))
            withExtendedLifetime(service) {}
        }
    }
}
