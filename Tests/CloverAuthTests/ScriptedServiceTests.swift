import BusTestSupport
import CloverAuth
import CloverDBus
import CloverHTTP
import CloverTestSupport
import Testing

/// The vault where there is no keyring, and with services that do what they should not.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ScriptedServiceTests {
    /// One operation of the vault, by name.
    enum Operation: CaseIterable {
        case store, lookup, remove

        func run(_ vault: SecretServiceVault) async throws {
            switch self {
            case .store: try await vault.store(Secret("canary-7f3e"), for: ["a": "1"], label: "one")
            case .lookup: _ = try await vault.lookup(["a": "1"])
            case .remove: _ = try await vault.remove(["a": "1"])
            }
        }
    }

    /// A service with a fault, the operation that meets it, and what the user hears.
    struct Fault: Sendable, CustomTestStringConvertible {
        let words: [String]
        let operation: Operation
        let expected: SecretVaultError

        init(_ words: String, _ operation: Operation, _ expected: SecretVaultError) {
            self.words = words.split(separator: " ").map(String.init)
            self.operation = operation
            self.expected = expected
        }

        /// The usual one where it is to run out; otherwise one that a busy machine keeps.
        var limit: Duration {
            if case .noAnswer = expected { return SecretServiceVault.usualLimit }
            return words.contains("mute:Dismiss") ? .seconds(5) : patience
        }

        var testDescription: String { "\(words.joined(separator: " ")), \(operation)" }
    }

    /// More patience than a user has, where the limit is not what is tried.
    private static let patience = Duration.seconds(60)

    private static func nonsense(_ member: String) -> SecretVaultError {
        .failed(detail: "the keyring's response to \(member) does not follow the Secret Service API")
    }

    private static func service(_ words: [String]) async throws -> (bus: PrivateBus, process: RunningCommand) {
        let bus = try await PrivateBus()
        let folder = String(#filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.endIndex))
        return (bus, try await bus.startScript("\(folder)Fixtures/scripted-secret-service.py", words))
    }

    @Test(arguments: Operation.allCases)
    func `without a session bus the keyring is absent`(operation: Operation) async throws {
        let vault = SecretServiceVault(bus: .failure(.noAddress(bus: "session")))
        await #expect(throws: SecretVaultError.absent(detail: "there is no session bus")) {
            try await operation.run(vault)
        }
    }

    @Test func `the keyring is absent if no bus listens at the address`() async throws {
        let folder = try TemporaryDirectory()
        let vault = SecretServiceVault(variables: ["XDG_RUNTIME_DIR": folder.path])
        await #expect(
            throws: SecretVaultError.absent(
                detail: "no session bus at unix:path=\(folder["bus"]): No such file or directory")
        ) { try await vault.lookup(["a": "1"]) }
    }

    @Test func `with a session bus elsewhere the keyring is absent`() async throws {
        let vault = SecretServiceVault(variables: ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=127.0.0.1,port=9"])
        await #expect(
            throws: SecretVaultError.absent(
                detail: "the session bus has no local address: tcp:host=127.0.0.1,port=9")
        ) { try await vault.lookup(["a": "1"]) }
    }

    @Test func `without libsystemd the keyring is absent`() async throws {
        let bus = try await PrivateBus()
        let vault = SecretServiceVault(bus: .success(bus.address), libraryName: "libc.so.6")
        await #expect(
            throws: SecretVaultError.absent(detail: "libsystemd cannot be used: libc.so.6 has no sd_bus_new")
        ) { try await vault.lookup(["a": "1"]) }
    }

    @Test(arguments: Operation.allCases)
    func `on a bus without the service the keyring is absent`(operation: Operation) async throws {
        let bus = try await PrivateBus()
        await #expect(throws: SecretVaultError.absent(detail: "no Secret Service on the session bus")) {
            try await operation.run(SecretServiceVault(variables: bus.variables, limit: Self.patience))
        }
    }

    @Test func `a bus that says nothing is no answer`() async throws {
        let bus = try await PrivateBus()
        bus.pause()
        await #expect(throws: SecretVaultError.noAnswer(seconds: 2)) {
            try await SecretServiceVault(variables: bus.variables).lookup(["a": "1"])
        }
    }

    @Test(arguments: [
        Fault("mute:OpenSession", .lookup, .noAnswer(seconds: 2)),
        Fault("mute:Get", .store, .noAnswer(seconds: 2)),
        Fault("mute:CreateItem", .store, .noAnswer(seconds: 2)),
        Fault("mute:GetSecret", .lookup, .noAnswer(seconds: 2)),
        Fault("mute:Delete", .remove, .noAnswer(seconds: 2)),
        // Each reply comes soon enough, but not all of them together.
        Fault("slow", .lookup, .noAnswer(seconds: 2)),
        Fault("prompting mute:Dismiss", .store, .locked(detail: "the keyring wants to ask the user")),
        Fault("locked", .lookup, .locked(detail: "the default collection is locked")),
        Fault(
            "error:GetSecret:org.freedesktop.Secret.Error.IsLocked", .lookup, .locked(detail: "the item is locked")),
        Fault("no-default", .lookup, .noCollection),
        Fault("binary", .lookup, .failed(detail: "the item in the keyring is not text")),
        Fault("nonsense:OpenSession", .lookup, nonsense("OpenSession")),
        Fault("nonsense:ReadAlias", .lookup, nonsense("ReadAlias")),
        Fault("nonsense:Get", .lookup, .failed(detail: "the response to Get cannot be read: Bad message")),
        Fault("nonsense:SearchItems", .lookup, nonsense("SearchItems")),
        Fault("nonsense:GetSecret", .lookup, nonsense("GetSecret")),
        Fault("nonsense:CreateItem", .store, nonsense("CreateItem")),
        Fault("nonsense:Delete", .remove, nonsense("Delete")),
        Fault("die:GetSecret", .lookup, .failed(detail: "the Secret Service ended without a response")),
        Fault("die:CreateItem", .store, .failed(detail: "the Secret Service ended without a response")),
        Fault(
            "error:CreateItem:org.freedesktop.DBus.Error.Failed", .store,
            .failed(detail: "org.freedesktop.DBus.Error.Failed: scripted  [31mtext")),
    ])
    func `a fault of the service has its own error`(fault: Fault) async throws {
        let service = try await Self.service(fault.words)
        let vault = SecretServiceVault(variables: service.bus.variables, limit: fault.limit)
        await #expect(throws: fault.expected) { try await fault.operation.run(vault) }
    }

    @Test func `after no answer nothing is waited for again but storing`() async throws {
        let service = try await Self.service(["mute:OpenSession"])
        let vault = SecretServiceVault(variables: service.bus.variables)
        func calls() -> Int {
            String(decoding: service.process.outputSoFar, as: UTF8.self).split(separator: "\n").count {
                $0 == "OpenSession"
            }
        }
        for operation in [Operation.lookup, .remove, .lookup] {
            await #expect(throws: SecretVaultError.noAnswer(seconds: 2)) { try await operation.run(vault) }
        }
        #expect(calls() == 1)
        await #expect(throws: SecretVaultError.noAnswer(seconds: 2)) { try await Operation.store.run(vault) }
        #expect(calls() == 2)
    }

    @Test(arguments: [Operation.store, .remove])
    func `a prompt is dismissed and never shown`(operation: Operation) async throws {
        let service = try await Self.service(["prompting"])
        let vault = SecretServiceVault(variables: service.bus.variables, limit: Self.patience)
        await #expect(throws: SecretVaultError.locked(detail: "the keyring wants to ask the user")) {
            try await operation.run(vault)
        }
        try await service.process.waitForOutput("the end of the prompt") {
            String(decoding: $0, as: UTF8.self).contains("Dismiss")
        }
        let calls = String(decoding: service.process.outputSoFar, as: UTF8.self).split(separator: "\n")
        #expect(!calls.contains("Prompt"))
    }

    @Test(arguments: ["org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject"])
    func `an item deleted by another client is reported as missing`(name: String) async throws {
        let service = try await Self.service(["error:GetSecret:\(name)", "error:Delete:\(name)"])
        let vault = SecretServiceVault(variables: service.bus.variables, limit: Self.patience)
        #expect(try await vault.lookup(["a": "1"]) == nil)
        #expect(try await vault.remove(["a": "1"]) == false)
    }

    @Test func `a well-behaved script is a keyring`() async throws {
        let service = try await Self.service([])
        let vault = SecretServiceVault(variables: service.bus.variables, limit: Self.patience)
        try await vault.store(Secret("kept"), for: ["a": "1"], label: "one")
        #expect(try await vault.lookup(["a": "1"]) == Secret("kept"))
        #expect(try await vault.remove(["a": "1"]) == true)
    }

    @Test func `a bus that dies in the middle of a call is a lost connection`() async throws {
        let service = try await Self.service(["mute:CreateItem"])
        // A limit that cannot be what ends it.
        let vault = SecretServiceVault(variables: service.bus.variables, limit: .seconds(3600))
        let task = Task { try await Operation.store.run(vault) }
        try await service.process.waitForOutput("the call") {
            String(decoding: $0, as: UTF8.self).contains("CreateItem")
        }
        service.bus.kill()
        await #expect(throws: SecretVaultError.failed(detail: "the connection to the session bus was lost")) {
            try await task.value
        }
    }

    @Test func `no error holds the secret, whatever a value has in it`() async throws {
        let bus = try await PrivateBus()
        let vault = SecretServiceVault(variables: bus.variables, limit: Self.patience)
        let service = try await Self.service([])
        let other = SecretServiceVault(variables: service.bus.variables, limit: Self.patience)
        for (vault, label) in [(vault, "one"), (other, "a\0b")] {
            let error = await #expect(throws: SecretVaultError.self) {
                try await vault.store(Secret("canary-7f3e"), for: ["a": "1"], label: label)
            }
            #expect(!String(reflecting: error).contains("canary"))
        }
    }
}
