import CloverAPI
import CloverHTTP
import Synchronization
import Testing

@Suite("service client: the token of each request")
struct AccessTokenTests {
    /// Gives out `T1`, `T2`, ... and counts what it is asked for.
    private final class Tokens: AccessTokenSource {
        private let state = Mutex((number: 1, replaced: [String]()))
        private let last: Int

        /// - Parameter last: there is no token after the one with this number.
        init(last: Int) {
            self.last = last
        }

        var replaced: [String] { state.withLock { $0.replaced } }

        func token() async -> Secret { state.withLock { Secret("T\($0.number)") } }

        func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret? {
            if try await isGood() { return nil }
            return state.withLock { state in
                state.replaced.append(refused.exposed)
                guard state.number < last else { return nil }
                state.number += 1
                return Secret("T\(state.number)")
            }
        }
    }

    private func client(
        _ transport: ScriptedTransport, _ tokens: Tokens, merchantID: String? = nil
    ) throws -> ServiceClient {
        ServiceClient(
            environment: try ServiceEnvironment(parsing: "https://service.invalid"), merchantID: merchantID,
            tokens: tokens,
            transport: transport, ledger: nil, policy: RetryPolicy(maximumRetries: 5),
            sleep: { _ in try Task.checkCancellation() }, onEvent: { _ in })
    }

    private static func bearers(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.bearer?.exposed }
    }

    @Test("after a 401 the request is retried once with the replacement token")
    func replaced() async throws {
        let transport = ScriptedTransport { request, _ in
            request.bearer == Secret("T2") ? .init(chunks: ["{}"]) : .init(status: 401)
        }
        let tokens = Tokens(last: 9)
        let client = try client(transport, tokens)
        var attempt = ServiceClient.Attempt()
        let response = try await client.get("https://service.invalid/v3/x", attempt: &attempt)
        #expect(response.status == 200)
        #expect(Self.bearers(transport) == ["T1", "T2"])
        #expect(tokens.replaced == ["T1"])
        #expect(attempt.retries == 0)
    }

    @Test(
        "a web page with 401 is no reason to renew a token, also where it answers the question whether the token is good"
    )
    func page() async throws {
        let page = ScriptedTransport.Answer(status: 401, chunks: ["<html>Log in to the network</html>"])
        let tokens = Tokens(last: 9)
        let transport = ScriptedTransport { _, _ in page }
        var attempt = ServiceClient.Attempt()
        await #expect(throws: ServiceError.self) {
            _ = try await client(transport, tokens).get("https://service.invalid/v3/x", attempt: &attempt)
        }
        #expect(tokens.replaced == [])
        await #expect(throws: ServiceError.self) {
            _ = try await client(transport, tokens).isAllowed("https://service.invalid/v3/x")
        }
        // A page with 200 does not show that the token is good.
        let portal = ScriptedTransport { request, _ in
            request.url.hasSuffix("/x") && request.bearer == Secret("T1")
                ? .init(status: 401) : .init(chunks: ["<html>Welcome</html>"])
        }
        var other = ServiceClient.Attempt()
        _ = try await client(portal, tokens, merchantID: "M").get("https://service.invalid/v3/x", attempt: &other)
        #expect(tokens.replaced == ["T1"])
    }

    @Test("a second 401 is final: no further token is requested")
    func refusedAgain() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 401, chunks: [#"{"message":"401 Unauthorized"}"#]) }
        let tokens = Tokens(last: 9)
        let client = try client(transport, tokens)
        var attempt = ServiceClient.Attempt()
        await #expect(throws: ServiceError.self) {
            _ = try await client.get("https://service.invalid/v3/x", attempt: &attempt)
        }
        #expect(Self.bearers(transport) == ["T1", "T2"])
        #expect(tokens.replaced == ["T1"])
    }

    @Test("without another token the first 401 is final")
    func nothingElse() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 401) }
        let client = try client(transport, Tokens(last: 1))
        #expect(try await client.isAllowed("https://service.invalid/v3/x") == false)
        #expect(Self.bearers(transport) == ["T1"])
    }

    @Test("a token that is good for the merchant itself is not exchanged: a permission is missing")
    func missingPermission() async throws {
        let transport = ScriptedTransport { request, _ in
            request.url.hasSuffix("/orders") ? .init(status: 401) : .init(chunks: ["{}"])
        }
        let tokens = Tokens(last: 9)
        let client = try client(transport, tokens, merchantID: "M")
        #expect(try await client.isAllowed("https://service.invalid/v3/merchants/M/orders") == false)
        #expect(
            transport.urls == [
                "https://service.invalid/v3/merchants/M/orders", "https://service.invalid/v3/merchants/M",
            ])
        #expect(tokens.replaced == [])
    }

    @Test("a token that is bad for the merchant, too, is exchanged")
    func badToken() async throws {
        let transport = ScriptedTransport { request, _ in
            request.bearer == Secret("T2") ? .init(chunks: ["{}"]) : .init(status: 401)
        }
        let tokens = Tokens(last: 9)
        let client = try client(transport, tokens, merchantID: "M")
        #expect(try await client.isAllowed("https://service.invalid/v3/merchants/M/orders"))
        #expect(Self.bearers(transport) == ["T1", "T1", "T2"])
        #expect(tokens.replaced == ["T1"])
    }

    @Test("every request gets the current token, so that a renewal during a run is used")
    func eachRequest() async throws {
        let transport = ScriptedTransport { request, _ in
            request.url.hasSuffix("/1") && request.bearer == Secret("T1")
                ? .init(status: 401) : .init(chunks: ["{}"])
        }
        let client = try client(transport, Tokens(last: 2))
        for number in 1...3 {
            var attempt = ServiceClient.Attempt()
            _ = try await client.get("https://service.invalid/v3/\(number)", attempt: &attempt)
        }
        #expect(Self.bearers(transport) == ["T1", "T2", "T2", "T2"])
    }
}
