import CloverAuth
import CloverHTTP
import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Credentials in files")
struct FileCredentialStoreTests {
    private let temporary: TemporaryDirectory
    private let store: FileCredentialStore
    private let key: CredentialKey
    private let file = "credentials/us_MERCHANT1_static.json"

    init() throws {
        temporary = try TemporaryDirectory()
        store = FileCredentialStore(state: StateDirectory(path: temporary.path))
        key = try CredentialKey(environment: "us", merchantID: "MERCHANT1")
    }

    private func credential(_ token: String = "canary-token", key: CredentialKey? = nil) -> Credential {
        Credential(key: key ?? self.key, kind: .staticToken, accessToken: Secret(token), createdAt: 1_700_000_000)
    }

    /// A file as another hand could have made it.
    private func place(_ text: String, mode: UInt32 = 0o600) throws {
        try temporary.makeDirectory("credentials")
        try temporary.write(file, text, mode: mode)
    }

    // MARK: Keeping

    @Test("A credential is read back as it was saved")
    func roundTrip() async throws {
        #expect(try await store.load(key) == nil)
        let full = Credential(
            key: try CredentialKey(environment: "https://emulator.example:8443/x", merchantID: "M1", appID: "APP1"),
            kind: .oauth, accessToken: Secret("a\"/\\{}"), refreshToken: Secret("refresh"),
            accessTokenExpires: 1, refreshTokenExpires: Int64.max, createdAt: 0)
        try await store.save(full)
        try await store.save(credential())
        #expect(try await store.load(full.key) == full)
        #expect(try await store.load(key) == credential())
    }

    @Test("Files and directory are this user's only, and named after the key")
    func files() async throws {
        try await store.save(credential())
        let address = try CredentialKey(environment: "http://127.0.0.1:80/a_b", merchantID: "M", appID: "A")
        try await store.save(credential(key: address))
        #expect(try temporary.mode("credentials") == 0o700)
        #expect(
            try temporary.names("credentials") == [
                "http%3A%2F%2F127.0.0.1%3A80%2Fa%5Fb_M_A.json", "http%3A%2F%2F127.0.0.1%3A80%2Fa%5Fb_M_A.json.lock",
                "us_MERCHANT1_static.json", "us_MERCHANT1_static.json.lock",
            ])
        for name in try temporary.names("credentials") { #expect(try temporary.mode("credentials/" + name) == 0o600) }
    }

    @Test("The file is the documented JSON")
    func format() async throws {
        try await store.save(credential())
        #expect(
            String(decoding: try temporary.read(file), as: UTF8.self) == """
                {"accessToken":"canary-token","createdAt":1700000000,"environment":"us","kind":"static",\
                "merchantId":"MERCHANT1","version":1}

                """)
    }

    @Test("Tokens that no header can carry are not kept", arguments: ["", "a b", "a\nb", "a\u{7F}", "é"])
    func unusableToken(token: String) async throws {
        await #expect(throws: CredentialError.unusableToken(field: "accessToken")) {
            try await store.save(credential(token))
        }
        #expect(try temporary.names() == [])
    }

    @Test("Removing forgets the credential and nothing else")
    func remove() async throws {
        let other = try CredentialKey(environment: "us", merchantID: "MERCHANT1", appID: "APP")
        try await store.save(credential())
        try await store.save(credential(key: other))
        #expect(try await store.remove(key))
        #expect(try await !store.remove(key))
        #expect(try await store.load(key) == nil)
        #expect(try await store.load(other) != nil)
    }

    @Test("Keys are listed in order, and other files are passed over")
    func keys() async throws {
        #expect(try await store.keys() == [])
        let keys = [
            try CredentialKey(environment: "http://127.0.0.1:80", merchantID: "M", appID: "A"),
            try CredentialKey(environment: "sandbox", merchantID: "M"), key,
        ]
        for key in keys.reversed() { try await store.save(credential(key: key)) }
        for name in [
            "README", "us_A.json", "us_A_B_C.json", "mars_A_static.json", "us_A_static.json.old", ".us_A_b.json.new",
        ] {
            try temporary.write("credentials/" + name, "")
        }
        #expect(try await store.keys() == keys)
    }

    // MARK: The current one

    @Test("The current key is kept, changed and forgotten")
    func current() async throws {
        #expect(try await store.current() == nil)
        let other = try CredentialKey(environment: "https://x.example", merchantID: "M", appID: "A")
        for chosen in [key, other, nil] {
            try await store.setCurrentChoice(chosen.map { SignedIn(key: $0) })
            #expect(try await store.current() == chosen)
        }
    }

    @Test("Removing the current credential leaves none current, removing another changes nothing")
    func removeCurrent() async throws {
        let other = try CredentialKey(environment: "us", merchantID: "M2")
        try await store.save(credential())
        try await store.save(credential(key: other))
        try await store.setCurrentChoice(SignedIn(key: key))
        _ = try await store.remove(other)
        #expect(try await store.current() == key)
        _ = try await store.remove(key)
        #expect(try await store.current() == nil)
    }

    @Test("A choice that cannot be read is an error, and does not stop a removal")
    func unreadableCurrent() async throws {
        try await store.save(credential())
        try temporary.write("current.json", "nonsense")
        await #expect(throws: CredentialError.notJSON(path: temporary.path("current.json"))) {
            try await store.current()
        }
        #expect(try await store.remove(key))
    }

    // MARK: Refusing

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let error: @Sendable (String) -> CredentialError
    }

    private static let good = """
        {"version":1,"environment":"us","merchantId":"MERCHANT1","kind":"static","accessToken":"canary-token",\
        "createdAt":1}
        """

    private static func changed(_ old: String, _ new: String) -> String {
        good.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    @Test(
        "A file with wrong content is refused by reading and saving, and kept as it is",
        arguments: [
            Bad(testDescription: "empty", text: "") { .notJSON(path: $0) },
            Bad(testDescription: "not JSON", text: "canary-token\n") { .notJSON(path: $0) },
            Bad(testDescription: "cut", text: String(good.dropLast())) { .notJSON(path: $0) },
            Bad(testDescription: "no object", text: "[1]") { .notJSON(path: $0) },
            Bad(testDescription: "no version", text: "{}") { .malformed(path: $0, field: "version") },
            Bad(testDescription: "version is a string", text: changed(":1,\"env", ":\"1\",\"env")) {
                .malformed(path: $0, field: "version")
            },
            Bad(testDescription: "version nought", text: changed(":1,\"env", ":0,\"env")) {
                .malformed(path: $0, field: "version")
            },
            Bad(testDescription: "newer", text: #"{"version":2,"tokens":["canary-token"]}"#) {
                .newerVersion(path: $0, found: 2, supported: 1)
            },
            Bad(testDescription: "other environment", text: changed("\"us\"", "\"eu\"")) { .otherKey(path: $0) },
            Bad(testDescription: "other merchant", text: changed("MERCHANT1", "MERCHANT2")) { .otherKey(path: $0) },
            Bad(testDescription: "other app", text: changed("\"kind\"", "\"appId\":\"A\",\"kind\"")) {
                .otherKey(path: $0)
            },
            Bad(testDescription: "unknown kind", text: changed("\"static\"", "\"magic\"")) {
                .malformed(path: $0, field: "kind")
            },
            Bad(testDescription: "token is a number", text: changed("\"canary-token\"", "12345")) {
                .malformed(path: $0, field: "accessToken")
            },
            Bad(testDescription: "token is null", text: changed("\"canary-token\"", "null")) {
                .malformed(path: $0, field: "accessToken")
            },
            Bad(testDescription: "token would break a header", text: changed("canary-token", #"canary-token\nX: y"#)) {
                .malformed(path: $0, field: "accessToken")
            },
            Bad(testDescription: "refresh token is empty", text: changed("\"kind\"", "\"refreshToken\":\"\",\"kind\""))
            {
                .malformed(path: $0, field: "refreshToken")
            },
            Bad(testDescription: "no creation time", text: changed(",\"createdAt\":1", "")) {
                .malformed(path: $0, field: "createdAt")
            },
        ])
    func badContent(bad: Bad) async throws {
        try place(bad.text)
        let expected = bad.error(temporary.path(file))
        await #expect(throws: expected) { try await store.load(key) }
        await #expect(throws: expected) { try await store.save(credential("new")) }
        #expect(try temporary.read(file) == Array(bad.text.utf8))
        #expect(!String(describing: expected).contains("canary"))
        #expect(!String(reflecting: expected).contains("canary"))
    }

    @Test("Fields that this version does not know are passed over")
    func unknownFields() async throws {
        try place(Self.changed("\"kind\"", "\"colour\":\"green\",\"kind\""))
        #expect(try await store.load(key)?.accessToken == Secret("canary-token"))
    }

    @Test(
        "A file that others may touch is refused by reading, saving and removing, and kept", arguments: [0o640, 0o604])
    func looseFile(mode: UInt32) async throws {
        try place(Self.good, mode: mode)
        try await refusedEverywhere(.looseMode(mode))
        #expect(try temporary.read(file) == Array(Self.good.utf8))
        #expect(try temporary.mode(file) == mode)
    }

    @Test("A link in the file's place is refused, and its target kept")
    func linkedFile() async throws {
        try temporary.makeDirectory("credentials")
        try temporary.write("target", Self.good)
        #expect(symlink("../target", temporary.path(file)) == 0)
        try await refusedEverywhere(.symbolicLink)
        #expect(try temporary.read("target") == Array(Self.good.utf8))
    }

    @Test("A FIFO in the file's place is refused instead of waited for")
    func fifo() async throws {
        try temporary.makeDirectory("credentials")
        #expect(mkfifo(temporary.path(file), 0o600) == 0)
        try await refusedEverywhere(.notRegularFile)
    }

    @Test("Another user's file is refused and kept")
    func foreignFile() async throws {
        try place(Self.good)
        // Only root can give a file away; for others the rule itself is what can be tried.
        guard geteuid() == 0 else {
            #expect(AccessRule.secret.refusal(owner: 0, mode: 0o600, user: geteuid()) != nil)
            return
        }
        #expect(chown(temporary.path(file), 4711, 4711) == 0)
        try await refusedEverywhere(.foreignOwner(4711, expected: 0))
        #expect(try temporary.read(file) == Array(Self.good.utf8))
    }

    @Test("A huge file is refused and kept")
    func hugeFile() async throws {
        try place(String(repeating: " ", count: FileCredentialStore.sizeLimit + 1))
        let expected = CredentialError.storage(
            .refused(path: temporary.path(file), .tooLarge(limit: FileCredentialStore.sizeLimit)))
        await #expect(throws: expected) { try await store.load(key) }
        await #expect(throws: expected) { try await store.save(credential()) }
        #expect(try temporary.read(file).count == FileCredentialStore.sizeLimit + 1)
    }

    @Test("A loose or linked directory is refused by everything")
    func directory() async throws {
        try temporary.makeDirectory("real")
        #expect(symlink("real", temporary.path("credentials")) == 0)
        try await refusedEverywhere(.symbolicLink, path: "credentials")
        #expect(unlink(temporary.path("credentials")) == 0)
        try temporary.makeDirectory("credentials", mode: 0o711)
        try await refusedEverywhere(.looseMode(0o711), path: "credentials")
        await #expect(throws: CredentialError.self) { try await store.keys() }
        #expect(try temporary.names("real") == [])
        #expect(try temporary.names("credentials") == [])
    }

    private func refusedEverywhere(_ refusal: FileRefusal, path: String? = nil) async throws {
        let expected = CredentialError.storage(.refused(path: temporary.path(path ?? file), refusal))
        await #expect(throws: expected) { try await store.load(key) }
        await #expect(throws: expected) { try await store.save(credential()) }
        await #expect(throws: expected) { try await store.remove(key) }
    }

    // MARK: Many at once

    @Test("Processes that save at the same time leave one of their files whole, and no reader sees a mixture")
    func writers() async throws {
        let writers = try (1...3).map { try ProbeProcess("save", temporary.path, "MERCHANT1", "\($0)", "40") }
        for writer in writers { #expect(await writer.line() == "ready") }
        for writer in writers { writer.go() }
        let key = try CredentialKey(environment: "sandbox", merchantID: "MERCHANT1")
        let whole = Set((1...3).map { String(repeating: "\($0)", count: 8000) })
        async let statuses = [writers[0].exitStatus(), writers[1].exitStatus(), writers[2].exitStatus()]
        for _ in 0..<200 {
            guard let credential = try await store.load(key) else { continue }
            #expect(whole.contains(credential.accessToken.exposed))
            #expect(credential.refreshToken == credential.accessToken)
        }
        #expect(await statuses == [0, 0, 0])
        let last = try #require(try await store.load(key))
        #expect(whole.contains(last.accessToken.exposed))
        #expect(last.createdAt == 39)
        #expect(
            try temporary.names("credentials") == [
                "sandbox_MERCHANT1_static.json", "sandbox_MERCHANT1_static.json.lock",
            ])
    }

    @Test("A writer that is killed anywhere leaves a whole file, and the next writer is not held up")
    func killedWriters() async throws {
        let key = try CredentialKey(environment: "sandbox", merchantID: "MERCHANT1")
        var random = SeededGenerator(seed: 5)
        try await store.save(credential("old", key: key))
        for _ in 0..<10 {
            let writer = try ProbeProcess("save", temporary.path, "MERCHANT1", "1", "100000")
            #expect(await writer.line() == "ready")
            let before = try await store.load(key)?.createdAt
            writer.go()
            #expect(try await eventually { try await store.load(key)?.createdAt != before })
            for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
            await writer.killNow()
            let found = try #require(try await store.load(key))
            #expect(found.accessToken.exposed == String(repeating: "1", count: 8000))
            try await store.save(credential("next", key: key))
            #expect(try await store.load(key)?.accessToken == Secret("next"))
        }
        #expect(
            try temporary.names("credentials") == [
                "sandbox_MERCHANT1_static.json", "sandbox_MERCHANT1_static.json.lock",
            ])
    }
}
