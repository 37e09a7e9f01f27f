import CloverKit
import CloverTestSupport
import Testing

@Suite("sign-ins of CloverKit")
struct SignInTests {
    private let directory: TemporaryDirectory
    private let options: Shop.Options

    init() throws {
        directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        self.options = options
    }

    /// A browser in which the merchant approves.
    private static func approve(_ signIn: SignIn) async throws -> String {
        let browser = CommandRunner(executable: "/usr/bin/curl", environment: ["PATH": "/usr/bin:/bin"])
        let result = try await browser.run([
            "--silent", "--output", "/dev/null", "--write-out", "%{redirect_url}", signIn.url,
        ])
        #expect(result.status == 0 && result.outputText.contains("code="), "\(result)")
        return result.outputText
    }

    @Test("a merchant signs in, once per code, with a verifier or with the app's secret", arguments: [false, true])
    func life(hasSecret: Bool) async throws {
        let emulator = try await EmulatorProcess(["--orders", "3", "--no-limits", "--auto-approve"])
        let signIn = try SignIn(
            appID: emulator.appID, redirectURL: "http://127.0.0.1:8085/callback", environment: emulator.url,
            proof: hasSecret ? .appSecret(emulator.appSecret) : .new, options: options)
        #expect(!signIn.url.contains(emulator.appSecret))
        let address = try await Self.approve(signIn)
        let shop = try await signIn.finish(redirectedTo: address)
        #expect(shop.merchantID == emulator.merchantID)
        #expect(try await shop.isLoggedIn)
        #expect(try await shop.orders.all().count == 3)
        let again = try await signIn.finish(redirectedTo: address)
        #expect(again.merchantID == emulator.merchantID)
        let stats = try await emulator.stats()
        #expect(stats.codesSpent == 1 && stats.codesRefused == 0)
        // All programs of the machine have it now.
        #expect(try await Shop(options: options).merchantID == emulator.merchantID)
        try await shop.logout()
        #expect(try await !shop.isLoggedIn)
    }

    @Test("an address of another sign-in, app or merchant is refused, and its code is not spent")
    func foreign() async throws {
        let emulator = try await EmulatorProcess(["--orders", "3", "--no-limits", "--auto-approve"])
        func signIn(_ app: String, _ merchant: String? = nil, state: String? = nil) throws -> SignIn {
            try SignIn(
                appID: app, redirectURL: "http://127.0.0.1:8085/callback", merchantID: merchant,
                environment: emulator.url, state: state, options: options)
        }
        let address = try await Self.approve(try signIn(emulator.appID, state: "S"))
        for other in [
            try signIn(emulator.appID), try signIn("OTHERAPP", state: "S"),
            try signIn(emulator.appID, "OTHER", state: "S"),
        ] {
            let error = await #expect(throws: CloverError.self) { _ = try await other.finish(redirectedTo: address) }
            #expect(error?.kind == .request)
        }
        #expect(try await emulator.stats().codesSpent == 0)
        let none = await #expect(throws: CloverError.self) { _ = try await Shop(options: options) }
        #expect(none?.kind == .notSignedIn && none?.nextStep.contains("--app-id APP") == true, "\(none as Any)")
    }

    @Test("a code that another program received is exchanged once, for the merchant that it names")
    func partial() async throws {
        let emulator = try await EmulatorProcess(["--orders", "3", "--no-limits", "--auto-approve"])
        let verifier = String(repeating: "v", count: 43)
        func signIn(_ merchant: String? = nil) throws -> SignIn {
            try SignIn(
                appID: emulator.appID, redirectURL: "http://127.0.0.1:8085/callback", merchantID: merchant,
                environment: emulator.url, proof: .verifier(verifier), options: options)
        }
        let address = try await Self.approve(try signIn())
        let code = try #require(
            address.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix("code=") }?.dropFirst(5))
        for (other, text, merchant) in [
            (try signIn("OTHER"), String(code), emulator.merchantID), (try signIn(), "", emulator.merchantID),
            (try signIn(), String(code), "not an id"),
        ] {
            await #expect(throws: CloverError.self) { _ = try await other.finish(code: text, merchantID: merchant) }
        }
        #expect(try await emulator.stats().codesSpent == 0)
        let shop = try await signIn().finish(code: String(code), merchantID: emulator.merchantID)
        #expect(try await shop.isLoggedIn)
        #expect(try await shop.orders.all().count == 3)
        _ = try await signIn().finish(code: String(code), merchantID: emulator.merchantID)
        #expect(try await emulator.stats().codesSpent == 1)
    }

    @Test("a code whose exchange is lost may be spent, and one that is refused brings nothing")
    func lost() async throws {
        for (response, kind) in [
            (LoopbackResponse.reset, CloverError.Kind.outcomeUnknown),
            (LoopbackResponse(status: "400 Bad Request", #"{"message":"no"}"#), .refused),
        ] {
            let server = try LoopbackServer { _, _ in response }
            let signIn = try SignIn(
                appID: "APP", redirectURL: "http://127.0.0.1:8085/", environment: server.url, state: "S",
                options: options)
            let error = await #expect(throws: CloverError.self) {
                _ = try await signIn.finish(redirectedTo: "http://127.0.0.1:8085/?state=S&merchant_id=M1&code=canary-7")
            }
            #expect(error?.kind == kind)
            #expect(error.map { "\($0)" }?.contains("canary") == false)
            #expect(server.requests.map(\.path) == ["/oauth/v2/token"])
        }
    }

    @Test("what cannot be right is refused before a browser is opened")
    func malformed() throws {
        for make: () throws -> SignIn in [
            { try SignIn(appID: "", redirectURL: "http://127.0.0.1/") },
            { try SignIn(appID: "APP", redirectURL: "my-app://callback") },
            { try SignIn(appID: "APP", redirectURL: "http://127.0.0.1/", environment: "mars") },
            { try SignIn(appID: "APP", redirectURL: "http://127.0.0.1/", proof: .verifier("short")) },
        ] {
            let error = #expect(throws: CloverError.self) { try make() }
            #expect(error?.kind == .request)
        }
    }
}
