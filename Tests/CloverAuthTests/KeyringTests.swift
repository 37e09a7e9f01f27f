import CloverAuth
import CloverHTTP
import CloverSystem
import ProbeSupport
import Testing

@Suite("Credentials in the keyring")
struct KeyringTests {
    private let vault = MemoryVault()
    private let bench: RefreshBench

    init() throws {
        bench = try RefreshBench(vault: vault)
    }

    private var key: CredentialKey { bench.key }
    private var path: String { bench.temporary.path(bench.credentialFile) }

    @Test("The file is a pointer without a token, and the item is the whole credential")
    func pointer() async throws {
        let credential = bench.credential(inKeyring: true)
        try await bench.store.save(credential)
        #expect(try await bench.store.load(key) == credential)
        let text = String(decoding: try bench.temporary.read(bench.credentialFile), as: UTF8.self)
        #expect(text.contains(#""keyring":true"#))
        #expect(!text.contains("a-0") && !text.contains("r-0\""))
        #expect(try bench.temporary.mode(bench.credentialFile) == 0o600)
        let (attributes, secret) = try #require(vault.items.first)
        #expect(attributes["application"] == "clover")
        #expect(attributes["environment"] == "us")
        #expect(attributes["merchant"] == "M1")
        #expect(attributes["app"] == "APP")
        #expect(text.contains(try #require(attributes["item"])))
        #expect(secret.exposed.contains("a-0") && secret.exposed.contains("r-0"))
        #expect(vault.labels == ["clover: merchant M1 (us)"])
        #expect(try await bench.store.keys() == [key])
    }

    @Test("A renewal stays in the keyring, in the same item, which is written before the pointer")
    func renewal() async throws {
        try await bench.signInExpired(inKeyring: true)
        let renewed = try await bench.refresher(bench.service()).current(key)
        #expect(renewed.isInKeyring)
        #expect(renewed.accessToken == Secret("a-1"))
        #expect(try await bench.store.load(key) == renewed)
        #expect(vault.items.count == 1)
        let text = String(decoding: try bench.temporary.read(bench.credentialFile), as: UTF8.self)
        #expect(text.contains(#""generation":1"#))
        #expect(!text.contains("a-1"))
    }

    @Test("A crash between item and pointer leaves the new tokens in use")
    func itemFirst() async throws {
        try await bench.store.save(bench.credential(inKeyring: true))
        let pointer = try bench.temporary.read(bench.credentialFile)
        try await bench.store.save(bench.credential(1, inKeyring: true))
        try bench.temporary.write(bench.credentialFile, bytes: pointer)
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-1"))
    }

    @Test("Two state directories have items of their own for the same merchant and app")
    func twoDirectories() async throws {
        let other = try RefreshBench(vault: vault)
        try await bench.store.save(bench.credential(1, inKeyring: true))
        try await other.store.save(other.credential(2, inKeyring: true))
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-1"))
        #expect(try await other.store.load(key)?.accessToken == Secret("a-2"))
    }

    @Test("A pointer without its item is a separate error")
    func missing() async throws {
        try await bench.store.save(bench.credential(inKeyring: true))
        vault.forgetItems()
        await #expect(throws: CredentialError.missingInKeyring(key)) { try await bench.store.load(key) }
        await #expect(throws: RefreshError.credential(.missingInKeyring(key))) {
            try await bench.refresher(bench.service()).current(key)
        }
        // A new sign-in and a removal are possible.
        try await bench.store.save(bench.credential(1, inKeyring: true))
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-1"))
        vault.forgetItems()
        #expect(try await bench.store.remove(key))
    }

    @Test(
        "A keyring that cannot be used is an error with its reason, and reading and saving change nothing",
        arguments: [
            SecretVaultError.absent(detail: "no bus"), .locked(detail: "login"), .noAnswer(seconds: 2),
            .failed(detail: "x"),
        ])
    func broken(error: SecretVaultError) async throws {
        let first = bench.credential(inKeyring: true)
        try await bench.store.save(first)
        let file = try bench.temporary.read(bench.credentialFile)
        vault.fail(with: error)
        let expected = CredentialError.keyring(path: path, error)
        await #expect(throws: expected) { try await bench.store.load(key) }
        await #expect(throws: expected) { try await bench.store.save(bench.credential(1, inKeyring: true)) }
        #expect(try bench.temporary.read(bench.credentialFile) == file)
        vault.fail(with: nil)
        #expect(try await bench.store.load(key) == first)
    }

    @Test("Without the keyring a credential is removed or replaced locally, and what stays in the keyring is reported")
    func unreachable() async throws {
        let locked = SecretVaultError.locked(detail: "login")
        try await bench.store.save(bench.credential(inKeyring: true))
        let item = try #require(vault.items.keys.first?["item"])
        vault.fail(with: locked)
        let left = CredentialError.leftInKeyring(key, item: item, locked)
        #expect(try await bench.store.save(bench.credential(1)) == left)
        #expect(try await bench.store.load(key) == bench.credential(1))
        #expect(try await bench.store.save(bench.credential(2)) == nil)

        vault.fail(with: nil)
        try await bench.store.save(bench.credential(inKeyring: true))
        try await bench.store.setCurrentChoice(SignedIn(key: key))
        vault.fail(with: locked)
        let error = await #expect(throws: CredentialError.self) { try await bench.store.remove(key) }
        guard case .leftInKeyring(key, _, locked) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await bench.store.keys() == [])
        #expect(try await bench.store.current() == nil)
        #expect(try await bench.store.remove(key) == false)
    }

    @Test("A first save that the keyring refuses leaves no pointer")
    func refusedFirst() async throws {
        vault.fail(with: .locked(detail: "login"))
        await #expect(throws: CredentialError.keyring(path: path, .locked(detail: "login"))) {
            try await bench.store.save(bench.credential(inKeyring: true))
        }
        #expect(try await bench.store.keys() == [])
    }

    @Test("Without a keyring, a pointer cannot be read")
    func noVault() async throws {
        try await bench.store.save(bench.credential(inKeyring: true))
        let store = FileCredentialStore(state: StateDirectory(path: bench.temporary.path))
        let expected = CredentialError.keyring(path: path, .absent(detail: "none is set up"))
        await #expect(throws: expected) { try await store.load(key) }
        await #expect(throws: expected) { try await store.save(bench.credential(1, inKeyring: true)) }
    }

    @Test("Removing takes item and pointer")
    func remove() async throws {
        try await bench.store.save(bench.credential(inKeyring: true))
        #expect(try await bench.store.remove(key))
        #expect(vault.items.isEmpty)
        #expect(try await bench.store.load(key) == nil)
    }

    @Test("Signing in anew without the keyring takes the tokens out of it")
    func leavingTheKeyring() async throws {
        try await bench.store.save(bench.credential(inKeyring: true))
        try await bench.store.save(bench.credential(1))
        #expect(vault.items.isEmpty)
        #expect(try await bench.store.load(key) == bench.credential(1))
    }

    @Test("A pointer with a strange item name is refused")
    func strangeItem() async throws {
        try bench.temporary.makeDirectory("credentials")
        try bench.temporary.write(
            bench.credentialFile,
            """
            {"version":1,"environment":"us","merchantId":"M1","appId":"APP","kind":"oauth","keyring":true,\
            "item":"../x","createdAt":3}
            """)
        await #expect(throws: CredentialError.malformed(path: path, field: "item")) {
            try await bench.store.load(key)
        }
    }

    @Test(
        "A keyring that locks after the rotation does not cost the sign-in: the new pair is in a file",
        arguments: [SecretVaultError.locked(detail: "login"), .noAnswer(seconds: 2)])
    func lockedAfterRotation(error: SecretVaultError) async throws {
        try await bench.signInExpired(inKeyring: true)
        let item = try #require(vault.items.keys.first?["item"])
        let vault = vault
        let service = bench.service(onRotation: { vault.fail(with: error) })
        let renewed = try await bench.refresher(service).current(key)
        #expect(renewed.accessToken == Secret("a-1") && !renewed.isInKeyring)
        let left = CredentialError.leftInKeyring(key, item: item, error)
        #expect(
            bench.notices.notices == [
                .keptInFile(key, error, leftover: left), .refreshed(key, generation: 1),
            ])
        #expect(try bench.temporary.mode(bench.credentialFile) == 0o600)
        #expect(try await bench.journal() == nil)
        // The next run needs no keyring, and a sign-in that can use it goes there again.
        #expect(try await bench.store.load(key) == renewed)
        vault.fail(with: nil)
        try await bench.store.save(bench.credential(2, inKeyring: true))
        #expect(try await bench.store.load(key)?.isInKeyring == true)
    }

    @Test("An item that could not be removed is removed by the next save that can, or with the credential")
    func laterRemoval() async throws {
        func text() throws -> String { String(decoding: try bench.temporary.read(bench.credentialFile), as: UTF8.self) }
        for isSignOut in [false, true] {
            try await bench.store.save(bench.credential(inKeyring: true))
            let item = try #require(vault.items.keys.first?["item"])
            vault.fail(with: .locked(detail: "login"))
            let left = CredentialError.leftInKeyring(key, item: item, .locked(detail: "login"))
            #expect(try await bench.store.save(bench.credential(1)) == left)
            // Reported once, and remembered.
            #expect(try await bench.store.save(bench.credential(2)) == nil)
            #expect(try text().contains(item))
            #expect(try await bench.store.load(key) == bench.credential(2))
            vault.fail(with: nil)
            if isSignOut {
                #expect(try await bench.store.remove(key))
            } else {
                #expect(try await bench.store.save(bench.credential(3)) == nil)
                #expect(try !text().contains("formerItem"))
                #expect(try await bench.store.load(key) == bench.credential(3))
            }
            #expect(vault.items.isEmpty)
        }
    }

    @Test("A sign-in that goes back into the keyring takes the item that was left there")
    func itemAgain() async throws {
        try await bench.store.save(bench.credential(inKeyring: true))
        vault.fail(with: .locked(detail: "login"))
        try await bench.store.save(bench.credential(1))
        vault.fail(with: nil)
        try await bench.store.save(bench.credential(2, inKeyring: true))
        #expect(vault.items.count == 1)
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-2"))
    }

    @Test("A keyring that says it kept the tokens and did not: no pointer at a sign-in, a file after a rotation")
    func forgetful() async throws {
        try await bench.signInExpired(inKeyring: true)
        vault.beForgetful()
        let renewed = try await bench.refresher(bench.service()).current(key)
        #expect(renewed.accessToken == Secret("a-1") && !renewed.isInKeyring)
        #expect(try await bench.store.load(key) == renewed)
        #expect(try await bench.store.remove(key))
        await #expect(throws: CredentialError.keyring(path: path, .notKept)) {
            try await bench.store.save(bench.credential(inKeyring: true))
        }
        #expect(try await bench.store.keys() == [])
    }

    @Test("A brief keyring failure after the rotation does not cost the sign-in")
    func momentaryFailure() async throws {
        try await bench.signInExpired(inKeyring: true)
        let vault = vault
        let service = bench.service(onRotation: { vault.fail(with: .noAnswer(seconds: 2)) })
        let refresher = bench.refresher(service, sleep: { _ in vault.fail(with: nil) })
        #expect(try await refresher.current(key).accessToken == Secret("a-1"))
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-1"))
    }
}
