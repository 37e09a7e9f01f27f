import CloverAuth
import CloverHTTP
import CloverKit
import CloverSystem
import CloverTestSupport
import Logging
import Synchronization
import Testing

@Suite("tokens of CloverKit")
struct TokenTests {
    private let directory: TemporaryDirectory
    private let store: FileCredentialStore
    private let key: CredentialKey

    init() throws {
        directory = try TemporaryDirectory()
        store = FileCredentialStore(state: StateDirectory(path: directory["state"]))
        key = try CredentialKey(environment: "sandbox", merchantID: "M1")
    }

    private func save(_ token: String) async throws {
        try await store.save(Credential(key: key, kind: .staticToken, accessToken: Secret(token), createdAt: 1))
    }

    private func signedIn(_ merchant: String? = nil) async throws -> Shop {
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        return try await Shop(signedIn: merchant, options: options)
    }

    @Test("the sign-in of the programs is that of the library, until logout, which callbacks hear of")
    func life() async throws {
        let none = await #expect(throws: CloverError.self) { _ = try await signedIn() }
        #expect(none?.kind == .notSignedIn)
        try await save("one")
        let shop = try await signedIn()
        #expect(shop.merchantID == "M1")
        #expect(try await shop.isLoggedIn)
        let (changes, heard) = AsyncStream.makeStream(of: TokenChange.self)
        let observation = try await shop.addOnTokenChange { heard.yield($0) }
        var iterator = changes.makeAsyncIterator()
        try await save("two")
        #expect(await iterator.next()?.kind == .new)
        try await shop.logout()
        let deleted = await iterator.next()
        #expect(deleted?.kind == .deleted && deleted?.merchantID == "M1")
        #expect(try await !shop.isLoggedIn)
        #expect(try await store.keys().isEmpty)
        observation.cancel()
    }

    @Test("of several sign-ins, the merchant selects one")
    func several() async throws {
        try await save("one")
        try await store.save(
            Credential(
                key: try CredentialKey(environment: "us", merchantID: "M2"), kind: .staticToken,
                accessToken: Secret("two"), createdAt: 1))
        let error = await #expect(throws: CloverError.self) { _ = try await signedIn() }
        #expect(error?.kind == .notSignedIn)
        #expect(try await signedIn("M2").merchantID == "M2")
        try await store.setCurrentChoice(SignedIn(key: key))
        #expect(try await signedIn().merchantID == "M1")
    }

    @Test("a token that was passed in is not forgotten or observed")
    func passed() async throws {
        let shop = try Shop(token: "T", merchantID: "M")
        #expect(try await shop.isLoggedIn)
        let error = await #expect(throws: CloverError.self) { try await shop.logout() }
        #expect(error?.kind == .request)
    }

    @Test(
        "an error of a renewal names the merchant, and the status only of a response to it",
        arguments: [
            ("400 Bad Request", CloverError.Kind.notSignedIn, [400, nil]),
            ("503 Service Unavailable", .unavailable, [503, 503]),
            ("429 Too Many Requests", .rateLimited, [429, 429]),
        ] as [(String, CloverError.Kind, [Int?])])
    func renewal(_ status: String, _ kind: CloverError.Kind, _ statuses: [Int?]) async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(
                status: status, headers: ["Content-Type: application/json", "Retry-After: 0"],
                body: Array(#"{"message":"invalid token"}"#.utf8))
        }
        try await store.save(
            Credential(
                key: try CredentialKey(environment: server.url, merchantID: "M1", appID: "APP"), kind: .oauth,
                accessToken: Secret("canary-a"), refreshToken: Secret("canary-r"), accessTokenExpires: 1, createdAt: 1))
        for status in statuses {
            let error = await #expect(throws: CloverError.self) { _ = try await signedIn().merchant() }
            #expect(error?.kind == kind && error?.status == status, "\(error as Any)")
            #expect(
                error?.message.hasPrefix("the tokens of merchant M1 (\(server.url)) could not be renewed: ") == true,
                "\(error as Any)")
            #expect(
                error?.nextStep.contains(kind == .notSignedIn ? "--merchant M1 --app-id APP" : "later") == true,
                "\(error as Any)")
            #expect(error.map { "\($0)" }?.contains("canary") == false)
        }
    }

    @Test("the logger and the error have what Clover's support asks for, and no token")
    func logged() async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(
                status: "404 Not Found", headers: ["Content-Type: application/json", "X-Clover-Request-Id: R-77"],
                body: Array(#"{"message":"Not Found"}"#.utf8))
        }
        let lines = Lines()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        options.logger = Logger(label: "test") { _ in lines }
        let shop = try Shop(token: "canary-2f81", merchantID: "M", environment: server.url, options: options)
        let error = await #expect(throws: CloverError.self) { _ = try await shop.order("ORDER00000001") }
        #expect(error?.status == 404)
        #expect(error?.requestID == "R-77")
        #expect(error?.nextStep.isEmpty == false)
        let text = lines.all.joined(separator: "\n")
        #expect(text.contains("GET \(server.url)/v3/merchants/M/orders/ORDER00000001"))
        #expect(!text.contains("2f81") && error.map { "\($0)" }?.contains("2f81") == false)
    }
}

/// Keeps log entries.
final class Lines: LogHandler {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        kept.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
}
