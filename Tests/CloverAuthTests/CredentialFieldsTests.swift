import CloverAuth
import CloverHTTP
import CloverSystem
import ProbeSupport
import Testing

@Suite("What a credential carries")
struct CredentialFieldsTests {
    private let temporary: TemporaryDirectory
    private let store: FileCredentialStore
    private let key: CredentialKey
    private let file = "credentials/us_M1_APP.json"

    init() throws {
        temporary = try TemporaryDirectory()
        store = FileCredentialStore(state: StateDirectory(path: temporary.path))
        key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
    }

    private func issued(_ name: String, at: Int64, bootID: String = "boot") -> IssuedTokens {
        IssuedTokens(
            accessToken: Secret("a-" + name), refreshToken: Secret("r-" + name), accessTokenExpires: at + 1800,
            refreshTokenExpires: at + 9000, serverTime: at + 5,
            askedAt: TokenClock.Reading(wall: at * 1000 + 999, boot: 77, bootID: bootID))
    }

    @Test("A sign-in and its renewals are kept with all that is known of them")
    func roundTrip() async throws {
        let first = Credential(
            key: key, issued: issued("1", at: 1000), origin: .login, code: Secret("c0de"), employeeID: "E1")
        #expect(first.createdAt == 1000)
        #expect(first.refreshedAt == nil)
        #expect(first.generation == 0)
        #expect(first.bootTime == 77)
        #expect(first.codeHash == SecretHash.hexadecimal(of: Secret("c0de")))
        try await store.save(first)
        #expect(try await store.load(key) == first)
        let second = first.renewed(with: issued("2", at: 2000)).renewed(with: issued("3", at: 3000))
        try await store.save(second)
        #expect(try await store.load(key) == second)
        #expect(second.generation == 2)
        #expect(second.origin == .refresh)
        #expect(second.createdAt == 1000)
        #expect(second.refreshedAt == 3000)
        #expect(second.serverTime == 3005)
        #expect(second.employeeID == "E1")
        #expect(second.codeHash == first.codeHash)
        #expect(second.accessToken == Secret("a-3"))
    }

    @Test(
        "Every kind and origin is kept",
        arguments: [Credential.Kind.oauth, .legacy, .staticToken],
        [Credential.Origin.login, .refresh, .receive, .migration, .token])
    func kinds(kind: Credential.Kind, origin: Credential.Origin) async throws {
        let credential = Credential(
            key: key, kind: kind, accessToken: Secret("a"), createdAt: 1, origin: origin)
        try await store.save(credential)
        #expect(try await store.load(key) == credential)
    }

    @Test("A renewal without a refresh token leaves none: the old one is no longer valid")
    func noSuccessor() {
        let first = Credential(key: key, issued: issued("1", at: 1000), origin: .login)
        let now = TokenClock.Reading(wall: 0, boot: 0, bootID: "")
        let second = first.renewed(with: IssuedTokens(accessToken: Secret("a"), askedAt: now))
        #expect(second.refreshToken == nil)
        #expect(second.accessTokenExpires == nil)
        #expect(second.bootTime == nil)
        #expect(second.bootID == nil)
    }

    @Test("A legacy sign-in neither ends nor can be renewed")
    func legacy() {
        let now = TokenClock.Reading(wall: 5000, boot: 1, bootID: "b")
        let credential = Credential(key: key, legacy: Secret("t"), origin: .receive, now: now)
        #expect(credential.kind == .legacy)
        #expect(credential.refreshToken == nil)
        #expect(!Freshness.judge(credential, now: now).isDue)
    }

    @Test("A file of an older version, without the newer fields, is read")
    func olderFile() async throws {
        try temporary.makeDirectory("credentials")
        try temporary.write(
            file,
            """
            {"version":1,"environment":"us","merchantId":"M1","appId":"APP","kind":"oauth","accessToken":"a",\
            "refreshToken":"r","accessTokenExpires":5,"createdAt":3}
            """)
        #expect(
            try await store.load(key)
                == Credential(
                    key: key, kind: .oauth, accessToken: Secret("a"), refreshToken: Secret("r"), accessTokenExpires: 5,
                    createdAt: 3, origin: .login, generation: 0))
    }

    @Test("An origin of a later version does not make a credential unreadable")
    func unknownOrigin() async throws {
        try temporary.makeDirectory("credentials")
        try temporary.write(
            file,
            """
            {"version":1,"environment":"us","merchantId":"M1","appId":"APP","kind":"oauth","accessToken":"a",\
            "createdAt":3,"origin":"telepathy"}
            """)
        #expect(try await store.load(key)?.origin == .login)
    }

    @Test("The file is the documented JSON")
    func format() async throws {
        try await store.save(
            Credential(
                key: key, issued: issued("1", at: 1000, bootID: "boot-id"), origin: .receive, code: Secret(""),
                employeeID: "E1"
            ).renewed(with: issued("2", at: 2000, bootID: "boot-id")))
        #expect(
            String(decoding: try temporary.read(file), as: UTF8.self) == """
                {"accessToken":"a-2","accessTokenExpires":3800,"appId":"APP","bootId":"boot-id","bootTime":77,\
                "codeHash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","createdAt":1000,\
                "employeeId":"E1","environment":"us","generation":1,"kind":"oauth","merchantId":"M1",\
                "origin":"refresh","refreshToken":"r-2","refreshTokenExpires":11000,"refreshedAt":2000,\
                "serverTime":2005,"version":1}

                """)
    }

    @Test("The current choice remembers its profile")
    func currentProfile() async throws {
        let choice = SignedIn(key: key, profile: "down-town_1.b")
        try await store.setCurrentChoice(choice)
        #expect(try await store.currentChoice() == choice)
        #expect(try await store.current() == key)
        try await store.setCurrentChoice(SignedIn(key: key))
        #expect(try await store.currentChoice() == SignedIn(key: key))
        await #expect(throws: CredentialError.invalidProfile(".x")) {
            try await store.setCurrentChoice(SignedIn(key: key, profile: ".x"))
        }
    }
}
