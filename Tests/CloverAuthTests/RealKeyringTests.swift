import BusTestSupport
import CloverAuth
import CloverDBus
import CloverHTTP
import CloverTestSupport
import Testing

/// The vault with a real gnome-keyring-daemon on a private bus.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RealKeyringTests {
    private static let key = ["application": "clover", "environment": "us", "merchant": "7ZK9", "app": "A1"]

    /// With more patience than a user has: many daemons run at once here.
    private static func vault(_ bus: PrivateBus) -> SecretServiceVault {
        SecretServiceVault(variables: bus.variables, limit: .seconds(60))
    }

    /// Calls a method of the service that the vault does not need.
    private static func serviceCall(_ bus: PrivateBus, _ member: String, _ arguments: [DBusValue]) async throws {
        _ = try await Bus.open(bus.address).call(
            destination: "org.freedesktop.secrets", path: "/org/freedesktop/secrets",
            interface: "org.freedesktop.Secret.Service", member: member, arguments: arguments)
    }

    private static func lock(_ bus: PrivateBus) async throws {
        let login = DBusValue.objectPath("/org/freedesktop/secrets/collection/login")
        try await serviceCall(bus, "Lock", [.array(of: "o", [login])])
    }

    @Test func `a secret is kept, found, replaced and removed`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        let vault = Self.vault(bus)
        #expect(try await vault.lookup(Self.key) == nil)
        #expect(try await vault.remove(Self.key) == false)
        try await vault.store(Secret("first"), for: Self.key, label: "one")
        #expect(try await vault.lookup(Self.key) == Secret("first"))
        try await vault.store(Secret("second"), for: Self.key, label: "two")
        #expect(try await vault.lookup(Self.key) == Secret("second"))
        #expect(try await vault.remove(Self.key) == true)
        #expect(try await vault.lookup(Self.key) == nil)
        #expect(try await vault.remove(Self.key) == false)
        try await daemon.stop()
    }

    /// A text that a user may want to store.
    struct Text: Sendable {
        let description: String
        let value: String

        init(_ description: String, _ value: String) {
            self.description = description
            self.value = value
        }
    }

    static let texts = [
        Text("empty", ""), Text("a space", " "), Text("control characters", "a\0b\n\r\t\u{1B}[0m\u{7F}"),
        Text("JSON", #"{"a":"\u0000","b":'c'}"#), Text("right to left, byte order mark", "\u{202E}\u{FEFF}\u{FFFD}"),
        Text("the first and the last scalar", "\0\u{10FFFF}"),
        Text("every scalar below 3000", String((0..<0x3000).compactMap(Unicode.Scalar.init).map(Character.init))),
        Text("8 KiB of letters", String(repeating: "k", count: 8192)),
        Text("8 KiB of emoji", String(repeating: "\u{1F511}", count: 2048)),
        Text("200 KiB", String(repeating: "0123456789", count: 20_480)),
    ]

    @Test func `any text comes back byte by byte, up to 8 KiB and beyond`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        for text in Self.texts {
            try await Self.vault(bus).store(Secret(text.value), for: Self.key, label: "text")
            let found = try await Self.vault(bus).lookup(Self.key)
            let isSame = found.map { Array($0.exposed.utf8) } == Array(text.value.utf8)
            #expect(isSame, "\(text.description)")
        }
        try await daemon.stop()
    }

    @Test func `an item is found and replaced by all its attributes, not by some`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        let vault = Self.vault(bus)
        let narrow = ["merchant": "7ZK9"]
        try await vault.store(Secret("wide"), for: Self.key, label: "wide")
        #expect(try await vault.lookup(narrow) == nil)
        try await vault.store(Secret("narrow"), for: narrow, label: "narrow")
        #expect(try await vault.lookup(Self.key) == Secret("wide"))
        #expect(try await vault.lookup(narrow) == Secret("narrow"))
        #expect(try await vault.remove(narrow) == true)
        #expect(try await vault.lookup(Self.key) == Secret("wide"))
        try await daemon.stop()
    }

    @Test func `a program that uses libsecret finds the item, and its own are left alone`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        let tool = bus.runner("/usr/bin/secret-tool")
        let words = Self.key.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let stored = try await tool.run(["store", "--label=other"] + words, input: .text("theirs"))
        #expect(stored.status == 0, "\(stored)")
        #expect(try await Self.vault(bus).lookup(Self.key) == nil)
        #expect(try await Self.vault(bus).remove(Self.key) == false)
        #expect(String(decoding: try await tool.run(["lookup"] + words).output, as: UTF8.self) == "theirs")
        _ = try await tool.run(["clear"] + words)

        try await Self.vault(bus).store(Secret("ours"), for: Self.key, label: "Clover, downtown")
        #expect(String(decoding: try await tool.run(["lookup"] + words).output, as: UTF8.self) == "ours")
        let shown = String(decoding: try await tool.run(["search"] + words).output, as: UTF8.self)
        #expect(shown.contains("label = Clover, downtown"))
        try await daemon.stop()
    }

    @Test func `clients at the same time do not disturb each other`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        let tool = bus.runner("/usr/bin/secret-tool")
        let rounds = 10
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b"] {
                group.addTask {
                    let vault = Self.vault(bus)
                    for round in 0..<rounds {
                        try await vault.store(Secret("\(name)\(round)"), for: ["client": name], label: name)
                        #expect(try await vault.lookup(["client": name]) == Secret("\(name)\(round)"))
                        try await vault.store(Secret("\(name)\(round)"), for: ["client": "both"], label: "both")
                    }
                }
            }
            group.addTask {
                for round in 0..<rounds {
                    let result = try await tool.run(
                        ["store", "--label=tool", "client", "tool"], input: .text("tool\(round)"))
                    #expect(result.status == 0, "\(result)")
                }
            }
            try await group.waitForAll()
        }
        let last = try await Self.vault(bus).lookup(["client": "both"])
        #expect([Secret("a\(rounds - 1)"), Secret("b\(rounds - 1)")].contains(last))
        // Two at once made one item and not two.
        #expect(try await Self.vault(bus).remove(["client": "both"]))
        #expect(try await Self.vault(bus).lookup(["client": "both"]) == nil)
        try await daemon.stop()
    }

    @Test func `a locked keyring is locked for every operation, whether it has the item or not`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        let vault = Self.vault(bus)
        try await vault.store(Secret("kept"), for: Self.key, label: "one")
        try await Self.lock(bus)
        let locked = SecretVaultError.locked(detail: "the default collection is locked")
        await #expect(throws: locked) { try await vault.lookup(Self.key) }
        await #expect(throws: locked) { try await vault.lookup(["other": "1"]) }
        await #expect(throws: locked) { try await vault.store(Secret("x"), for: Self.key, label: "one") }
        await #expect(throws: locked) { try await vault.remove(Self.key) }
        try await daemon.stop()
    }

    @Test func `a secret outlives the daemon, and stays locked until the user unlocks it`() async throws {
        let bus = try await PrivateBus()
        let vault = Self.vault(bus)
        let first = try await KeyringDaemon(on: bus, password: "pass")
        try await vault.store(Secret("kept"), for: Self.key, label: "one")
        try await first.stop()
        await #expect(throws: SecretVaultError.absent(detail: "no Secret Service on the session bus")) {
            try await vault.lookup(Self.key)
        }
        let second = try await KeyringDaemon(on: bus, password: nil)
        await #expect(throws: SecretVaultError.locked(detail: "the default collection is locked")) {
            try await vault.lookup(Self.key)
        }
        try await second.stop()
        let third = try await KeyringDaemon(on: bus, password: "pass")
        #expect(try await vault.lookup(Self.key) == Secret("kept"))
        try await third.stop()
    }

    @Test func `a keyring that was never set up is absent, and none is made`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: nil)
        await #expect(throws: SecretVaultError.noCollection) {
            try await Self.vault(bus).store(Secret("x"), for: Self.key, label: "one")
        }
        try await daemon.stop()
        #expect(bus.folder.files(below: "data").filter { $0.hasSuffix(".keyring") } == [])
    }

    @Test func `a daemon that stands still is no answer, for every operation`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        daemon.pause()
        let vault = SecretServiceVault(variables: bus.variables)
        await #expect(throws: SecretVaultError.noAnswer(seconds: 2)) { try await vault.lookup(Self.key) }
        await #expect(throws: SecretVaultError.noAnswer(seconds: 2)) {
            try await vault.store(Secret("x"), for: Self.key, label: "one")
        }
        await #expect(throws: SecretVaultError.noAnswer(seconds: 2)) { try await vault.remove(Self.key) }
    }

    @Test func `no connection is left behind`() async throws {
        let bus = try await PrivateBus()
        let daemon = try await KeyringDaemon(on: bus, password: "pass")
        let observer = try await Bus.open(bus.address)
        let before = Set(try await bus.connections(observer))
        for _ in 0..<10 {
            try await Self.vault(bus).store(Secret("x"), for: Self.key, label: "one")
            _ = try await Self.vault(bus).lookup(Self.key)
        }
        #expect(try await eventually { before.isSuperset(of: try await bus.connections(observer)) })
        try await daemon.stop()
    }
}
