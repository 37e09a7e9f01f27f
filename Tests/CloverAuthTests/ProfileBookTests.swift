import CloverAuth
import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Profiles")
struct ProfileBookTests {
    private let temporary: TemporaryDirectory
    private let book: ProfileStore
    private let downtown: CredentialKey
    private let harbour: CredentialKey

    init() throws {
        temporary = try TemporaryDirectory()
        book = ProfileStore(state: StateDirectory(path: temporary.path))
        downtown = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
        harbour = try CredentialKey(environment: "https://x.example", merchantID: "M2")
    }

    @Test("Names are kept, changed and forgotten")
    func keeping() async throws {
        #expect(try await book.all() == [:])
        #expect(try await book.key(named: "downtown") == nil)
        #expect(try await !book.remove("downtown"))
        #expect(try temporary.names() == [])
        try await book.set("downtown", downtown)
        try await book.set("harbour", harbour)
        try await book.set("also.harbour", harbour)
        #expect(try await book.all() == ["downtown": downtown, "harbour": harbour, "also.harbour": harbour])
        #expect(try await book.key(named: "downtown") == downtown)
        try await book.set("downtown", harbour)
        #expect(try await book.key(named: "downtown") == harbour)
        #expect(try await book.remove("downtown"))
        #expect(try await book.removeAll(harbour) == ["also.harbour", "harbour"])
        #expect(try await book.removeAll(harbour) == [])
        #expect(try await book.all() == [:])
        #expect(try temporary.mode("profiles.json") == 0o600)
        #expect(try temporary.names() == ["profiles.json", "profiles.json.lock"])
    }

    @Test("The file is the documented JSON")
    func format() async throws {
        try await book.set("b", downtown)
        try await book.set("a", harbour)
        #expect(
            String(decoding: try temporary.read("profiles.json"), as: UTF8.self) == """
                {"profiles":{"a":{"environment":"https://x.example","merchantId":"M2"},\
                "b":{"appId":"APP","environment":"us","merchantId":"M1"}},"version":1}

                """)
    }

    @Test(
        "Names that would look like something else are refused",
        arguments: ["", ".", ".a", "-a", "a b", "a/b", "é", "a~", "a\n", String(repeating: "a", count: 65)])
    func badName(name: String) async {
        #expect(!ProfileStore.isName(name))
        await #expect(throws: CredentialError.invalidProfile(name)) { try await book.set(name, downtown) }
        await #expect(throws: CredentialError.invalidProfile(name)) { try await book.remove(name) }
        await #expect(throws: CredentialError.invalidProfile(name)) { try await book.key(named: name) }
    }

    @Test(
        "Names of 1 to 64 characters are taken",
        arguments: ["a", "_", "0", "a.b-c_d", String(repeating: "z", count: 64)])
    func goodName(name: String) async throws {
        try await book.set(name, downtown)
        #expect(try await book.key(named: name) == downtown)
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let error: @Sendable (String) -> CredentialError
    }

    @Test(
        "A file that cannot be understood is refused and kept",
        arguments: [
            Bad(testDescription: "not JSON", text: "downtown") { .notJSON(path: $0) },
            Bad(testDescription: "newer", text: #"{"version":2}"#) { .newerVersion(path: $0, found: 2, supported: 1) },
            Bad(testDescription: "no profiles", text: #"{"version":1}"#) { .malformed(path: $0, field: "profiles") },
            Bad(
                testDescription: "bad name",
                text: #"{"version":1,"profiles":{"-x":{"environment":"us","merchantId":"M"}}}"#
            ) { .malformed(path: $0, field: "profiles") },
            Bad(
                testDescription: "bad merchant",
                text: #"{"version":1,"profiles":{"x":{"environment":"us","merchantId":"../M"}}}"#
            ) { .malformed(path: $0, field: "merchantId") },
        ])
    func badFile(bad: Bad) async throws {
        try temporary.write("profiles.json", bad.text)
        let expected = bad.error(temporary.path("profiles.json"))
        await #expect(throws: expected) { try await book.all() }
        await #expect(throws: expected) { try await book.set("new", downtown) }
        await #expect(throws: expected) { try await book.remove("x") }
        #expect(try temporary.read("profiles.json") == Array(bad.text.utf8))
    }

    @Test("A file that others may write, or a link, is refused and kept")
    func unsafeFile() async throws {
        let text = #"{"version":1,"profiles":{}}"#
        try temporary.write("profiles.json", text, mode: 0o622)
        await #expect(
            throws: CredentialError.storage(.refused(path: temporary.path("profiles.json"), .looseMode(0o622)))
        ) { try await book.set("new", downtown) }
        #expect(unlink(temporary.path("profiles.json")) == 0)
        try temporary.write("target", text)
        #expect(symlink("target", temporary.path("profiles.json")) == 0)
        await #expect(
            throws: CredentialError.storage(.refused(path: temporary.path("profiles.json"), .symbolicLink))
        ) { try await book.set("new", downtown) }
        #expect(try temporary.read("target") == Array(text.utf8))
    }

    @Test("Writers that come together all find their names kept")
    func together() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 { group.addTask { try await book.set("p\(number)", downtown) } }
            try await group.waitForAll()
        }
        #expect(try await book.all().count == 20)
    }
}
