import CloverAuth
import CloverFleet
import CloverHTTP
import CloverSystem
import Glibc
import ProbeSupport
import Synchronization
import Testing

/// The keys of a machine: where they are, what needs them, and which of them can be removed.
@Suite("state key: use and removal")
struct StateKeyTests {
    /// A keyring in memory.
    private final class Vault: SecretVault {
        private let state = Mutex<(items: [[String: String]: Secret], failure: SecretVaultError?)>(([:], nil))

        func fail(with error: SecretVaultError?) { state.withLock { $0.failure = error } }
        func loseItems() { state.withLock { $0.items = [:] } }

        private func work<Value: Sendable>(
            _ body: (inout [[String: String]: Secret]) -> Value
        ) throws(SecretVaultError) -> Value {
            let result: Result<Value, SecretVaultError> = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                return .success(body(&state.items))
            }
            return try result.get()
        }

        func store(_ secret: Secret, for attributes: [String: String], label: String) async throws(SecretVaultError) {
            try work { $0[attributes] = secret }
        }

        func lookup(_ attributes: [String: String]) async throws(SecretVaultError) -> Secret? {
            try work { $0[attributes] }
        }

        func remove(_ attributes: [String: String]) async throws(SecretVaultError) -> Bool {
            try work { $0.removeValue(forKey: attributes) != nil }
        }
    }

    /// A machine with a keyring, and a database without a key.
    private struct Machine {
        let directory: TemporaryDirectory
        let vault = Vault()
        let url: String
        let path: String
        let unrecorded = Unrecorded()

        /// The uses of keys that could not be recorded.
        final class Unrecorded: Sendable {
            private let all = Mutex<[UnrecordedKeyUse]>([])

            var keys: [[String]] { all.withLock { $0.map(\.keys) } }
            @Sendable func add(_ use: UnrecordedKeyUse) { all.withLock { $0.append(use) } }
        }

        init() async throws {
            directory = try TemporaryDirectory()
            url = try await FleetWorld().url
            path = directory.path(StateKeyFile.name)
        }

        func keys<Value: Sendable>(
            of address: String? = nil, _ body: @escaping @Sendable (StateKeys) throws(CredentialError) -> Value
        ) async throws -> Value {
            let (url, state) = (address ?? url, StateDirectory(path: directory.path))
            let file = StateKeyFile(
                directory: directory.path, vault: vault, state: state, onUnrecorded: unrecorded.add)
            return try await DedicatedThread.run { () throws(CredentialError) in
                try body(StateKeys(url, file, state: state, now: 1_700_000_000))
            }
        }

        func uses(of address: String? = nil) async throws -> [String: StateKeys.Use] {
            let shown = try await keys(of: address) { (keys) throws(CredentialError) in try keys.shown() }
            return Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0.use) })
        }

        func remove(_ id: String, of address: String? = nil, forced: Bool = false) async throws {
            _ = try await keys(of: address) { (keys) throws(CredentialError) in try keys.remove(id, forced: forced) }
        }

        @discardableResult
        func signIn(to address: String? = nil) async throws -> CredentialKey {
            let store = FleetCredentialStore(
                address ?? url, keys: StateKeyFile(directory: directory.path, vault: vault),
                choices: FileCredentialStore(state: StateDirectory(path: directory.path)),
                state: StateDirectory(path: directory.path))
            let key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
            try await store.save(
                Credential(
                    key: key, kind: .oauth, accessToken: Secret("a"), refreshToken: Secret("r"), createdAt: 1))
            return key
        }

        /// Keeps files from being changed until the end of the work, also for root: what a change would rename
        /// cannot be made.
        func blocking<Value>(_ names: String..., work: () async throws -> Value) async throws -> Value {
            for name in names { try directory.makeDirectory(".\(name).new") }
            defer { for name in names { rmdir(directory.path(".\(name).new")) } }
            return try await work()
        }

        /// Leaves the file as a program wrote it that recorded no databases.
        func forgetDatabases() throws {
            let text = String(decoding: try directory.read(StateKeyFile.name), as: UTF8.self)
            let old = text.replacing(/"databases":\[[^\]]*\],?/, with: "").replacing(",}", with: "}")
            #expect(old != text)
            try directory.write(StateKeyFile.name, old, mode: 0o600)
        }
    }

    @Test(
        "the current key of another database is not removed without force, in the file or the keyring",
        arguments: [false, true])
    func otherDatabase(inKeyring: Bool) async throws {
        let machine = try await Machine()
        let second = try await FleetWorld().url
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create(inKeyring: inKeyring) }
        let other = try await machine.keys(of: second) { (keys) throws(CredentialError) in
            try keys.create(inKeyring: inKeyring)
        }
        #expect(try await machine.uses() == [first: .current, other: .otherDatabase])
        #expect(try await machine.uses(of: second) == [first: .otherDatabase, other: .current])
        await #expect(
            throws: CredentialError.stateKey(.mayBeNeeded(id: other, by: [second], isNext: false))
        ) { try await machine.remove(other) }
        #expect(
            try await machine.keys(of: second) { (keys) throws(CredentialError) in try keys.current()?.id } == other)
        // No force removes what the database itself uses.
        await #expect(throws: CredentialError.stateKey(.inUse(id: first, credentials: 0))) {
            try await machine.remove(first, forced: true)
        }
        try await machine.remove(other, forced: true)
        #expect(try await machine.uses() == [first: .current])
    }

    @Test("a key whose database was never recorded is unknown, until its database is used; it is not removed either")
    func unknownOrigin() async throws {
        let machine = try await Machine()
        let second = try await FleetWorld().url
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        let other = try await machine.keys(of: second) { (keys) throws(CredentialError) in try keys.create() }
        try machine.forgetDatabases()
        #expect(try await machine.uses() == [first: .current, other: .unknown(.notFormer)])
        await #expect(throws: CredentialError.stateKey(.mayBeNeeded(id: other, by: [], isNext: false))) {
            try await machine.remove(other)
        }
        await #expect(throws: CredentialError.stateKey(.exists(id: other, path: machine.path))) {
            _ = try await machine.keys(of: second) { (keys) throws(CredentialError) in try keys.create() }
        }
        #expect(try await machine.uses() == [first: .current, other: .otherDatabase])
    }

    @Test(
        "a copy of a database that this machine uses keeps the key, by a sign-in or by a look at the keys",
        arguments: [false, true])
    func copiedDatabase(signsIn: Bool) async throws {
        let machine = try await Machine()
        let copy = try await FleetWorld()
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        _ = try await copy.rows("INSERT INTO clover_state.token_key (id) VALUES ('\(first)')")
        if signsIn {
            try await machine.signIn(to: copy.url)
        } else {
            #expect(try await machine.uses(of: copy.url) == [first: .current])
        }
        let second = try await machine.keys { (keys) throws(CredentialError) in try keys.prepareNext() }
        _ = try await machine.keys { (keys) throws(CredentialError) in try keys.rotate().id }
        #expect(try await machine.uses() == [first: .otherDatabase, second: .current])
        await #expect(throws: CredentialError.stateKey(.mayBeNeeded(id: first, by: [copy.url], isNext: false))) {
            try await machine.remove(first)
        }
        // For the copy it is the next one, and the refusal names the database that has it already.
        let refusal = StateKeyProblem.mayBeNeeded(id: second, by: [machine.url], isNext: true)
        await #expect(throws: CredentialError.stateKey(refusal)) { try await machine.remove(second, of: copy.url) }
        #expect(refusal.description.contains(machine.url))
    }

    @Test("a use that the file of keys cannot be changed to have is in the state directory, and keeps the key")
    func unchangeableFile() async throws {
        let machine = try await Machine()
        let copy = try await FleetWorld()
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        _ = try await copy.rows("INSERT INTO clover_state.token_key (id) VALUES ('\(first)')")
        let uses = try await machine.blocking(StateKeyFile.name) { try await machine.uses(of: copy.url) }
        #expect(uses == [first: .current])
        #expect(machine.unrecorded.keys.isEmpty)
        let second = try await machine.keys { (keys) throws(CredentialError) in try keys.prepareNext() }
        _ = try await machine.keys { (keys) throws(CredentialError) in try keys.rotate().id }
        #expect(try await machine.uses() == [first: .otherDatabase, second: .current])
        await #expect(throws: CredentialError.stateKey(.mayBeNeeded(id: first, by: [copy.url], isNext: false))) {
            try await machine.remove(first)
        }
        // Without that file, no key is known to be unused.
        try machine.directory.write("state-key-uses.json", "{", mode: 0o600)
        let found = try await machine.uses()[first]
        guard case .unknown(.unreadable)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        await #expect(throws: CredentialError.stateKey(.mayBeNeeded(id: first, by: [], isNext: false))) {
            try await machine.remove(first)
        }
    }

    @Test("a use that cannot be recorded at all is reported, and then no key is called unused")
    func unrecorded() async throws {
        let machine = try await Machine()
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        let second = try await machine.keys { (keys) throws(CredentialError) in try keys.prepareNext() }
        _ = try await machine.keys { (keys) throws(CredentialError) in try keys.rotate().id }
        try machine.forgetDatabases()
        let uses = try await machine.blocking(StateKeyFile.name, "state-key-uses.json") { try await machine.uses() }
        #expect(uses == [first: .unknown(.unrecorded), second: .current])
        #expect(machine.unrecorded.keys == [[second]])
        #expect(try await machine.uses() == [first: .unused, second: .current])
        #expect(machine.unrecorded.keys.count == 1)
    }

    @Test("a former key is not known as one without the entry of the current key, which the doubt names")
    func lostChain() async throws {
        let machine = try await Machine()
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        let other = try TemporaryDirectory()
        let url = machine.url
        let current = try await TokenWorld.keys(url, in: other) { (keys) throws(CredentialError) in
            try keys.replace(forgets: true).id
        }
        #expect(try await machine.uses() == [first: .unknown(.lacksCurrent(id: current)), current: .current])
        await #expect(throws: CredentialError.stateKey(.mayBeNeeded(id: first, by: [], isNext: false))) {
            try await machine.remove(first)
        }
        // Its entry names the former key.
        let made = String(decoding: try other.read(StateKeyFile.name), as: UTF8.self)
        let mine = String(decoding: try machine.directory.read(StateKeyFile.name), as: UTF8.self)
        let entry = try #require(made.firstMatch(of: /\[(\{.*\})\]/)?.1)
        let both = mine.replacing(/\}\],/, with: "},\(entry)],")
        try machine.directory.write(StateKeyFile.name, both, mode: 0o600)
        #expect(try await machine.uses() == [first: .unused, current: .current])
    }

    @Test("the next key is kept, and former keys of this database alone are unused")
    func formerKeys() async throws {
        let machine = try await Machine()
        let first = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        let second = try await machine.keys { (keys) throws(CredentialError) in try keys.prepareNext() }
        #expect(try await machine.uses() == [first: .current, second: .next])
        await #expect(throws: CredentialError.stateKey(.mayBeNeeded(id: second, by: [], isNext: true))) {
            try await machine.remove(second)
        }
        _ = try await machine.keys { (keys) throws(CredentialError) in try keys.rotate().id }
        #expect(try await machine.uses() == [first: .unused, second: .current])
        // The same for a file of an older program.
        try machine.forgetDatabases()
        #expect(try await machine.uses() == [first: .unused, second: .current])
        try await machine.remove(first)
        #expect(try await machine.uses() == [second: .current])
    }

    @Test(
        "a keyring that cannot be used is the reason why no key is made, and not that there is one",
        arguments: [SecretVaultError.locked(detail: "x"), .absent(detail: "x")])
    func unusable(_ trouble: SecretVaultError) async throws {
        let machine = try await Machine()
        let id = try await machine.keys { (keys) throws(CredentialError) in try keys.create(inKeyring: true) }
        let key = try await machine.signIn()
        machine.vault.fail(with: trouble)
        let expected = CredentialError.stateKey(.keyring(id: id, path: machine.path, trouble))
        await #expect(throws: expected) {
            _ = try await machine.keys { (keys) throws(CredentialError) in try keys.create() }
        }
        for (forgets, inKeyring) in [(false, nil), (false, false), (true, nil), (true, true)] as [(Bool, Bool?)] {
            await #expect(throws: expected) {
                _ = try await machine.keys { (keys) throws(CredentialError) in
                    try keys.replace(forgets: forgets, inKeyring: inKeyring)
                }
            }
        }
        let shown = try await machine.keys { (keys) throws(CredentialError) in try keys.shown() }
        #expect(shown.map(\.place) == [.unusable(trouble)])
        // The way out, if it is gone for good.
        let made = try await machine.keys { (keys) throws(CredentialError) in
            try keys.replace(forgets: true, inKeyring: false)
        }
        #expect(made.replaced == id && made.forgotten == [key])
        #expect(try await machine.uses() == [id: .unused, made.id: .current])
        #expect(try await machine.keys { (keys) throws(CredentialError) in try keys.current()?.place } == machine.path)
        await #expect(throws: expected) { try await machine.remove(id) }
        try await machine.remove(id, forced: true)
        #expect(try await machine.uses() == [made.id: .current])
    }

    @Test("a key in place of one that the keyring lost is in the keyring; the lost one is not shown as being there")
    func keepsPlace() async throws {
        let machine = try await Machine()
        let id = try await machine.keys { (keys) throws(CredentialError) in try keys.create(inKeyring: true) }
        machine.vault.loseItems()
        let shown = try await machine.keys { (keys) throws(CredentialError) in try keys.shown() }
        #expect(shown.map(\.place) == [.goneFromKeyring])
        // No advice to remove the current key.
        let gone = CredentialError.stateKey(.goneFromKeyring(id: id, path: machine.path))
        await #expect(throws: gone) {
            _ = try await machine.keys { (keys) throws(CredentialError) in try keys.move(toKeyring: false) }
        }
        let made = try await machine.keys { (keys) throws(CredentialError) in try keys.replace(forgets: true) }
        #expect(made.replaced == id)
        #expect(try await machine.keys { (keys) throws(CredentialError) in try keys.current()?.place } == "the keyring")
        await #expect(
            throws: CredentialError.stateKey(.goneFromKeyring(id: id, path: machine.path, isUnused: true))
        ) {
            _ = try await machine.keys { (keys) throws(CredentialError) in try keys.move(toKeyring: false) }
        }
        try await machine.remove(id)
        #expect(
            try await machine.keys { (keys) throws(CredentialError) in try keys.move(toKeyring: false) } == [made.id])
    }
}
