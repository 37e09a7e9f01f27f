package import CloverAPI
import CloverAuth
import CloverHTTP
import FoundationEssentials

/// Finds the cause of a 401. Clover sends the same response for a bad token, a token of another merchant or environment,
/// and a missing permission (Clover: 401 unauthorized). The responses to further requests distinguish these causes.
package struct TokenDiagnosis {
    private let connection: Connection
    private let environment: CommandEnvironment

    /// - Parameter connection: the one whose token was refused.
    package init(_ connection: Connection, in environment: CommandEnvironment) {
        self.connection = connection
        self.environment = environment
    }

    /// Adds the cause to a 401; returns any other error unchanged.
    package func explained(_ error: any Error, at path: ResourcePath) async throws -> any Error {
        guard case ServiceError.unauthorized(let url, let message) = error else { return error }
        let facts = try await localFacts()
        // Uses the token as it is: a diagnosis is no reason to renew it. Without retries, this sends at most three requests.
        let client = try connection.makeClient(
            retries: 0, tokens: FixedToken(try await connection.tokens.token()), in: environment)
        let good = causeIfTokenIsGood(at: path)
        var refusal = TokenRefusal(
            cause: .notAccepted, url: url, message: message, path: path.display, merchantID: connection.merchantID,
            environment: connection.environment.name, isEnvironmentAssumed: connection.isEnvironmentAssumed,
            source: connection.source, isRenewable: facts.isRenewable, elsewhere: facts.elsewhere)
        if let seconds = facts.endedAgo {
            refusal.cause = .ended(seconds: seconds)
        } else if try await isGood(client, besides: path) {
            refusal.cause = good
        } else if let owner = try await owner(client) {
            refusal.cause = owner == connection.merchantID ? good : .otherMerchant(owner)
        } else if try await opensAnything(client, besides: path) || facts.isKnownAsNew {
            refusal.cause = good
        }
        return refusal
    }

    /// Asks the service whether the token belongs to the merchant or to another one.
    package func ownership() async throws -> Ownership {
        let client = try connection.makeClient(
            retries: 0, tokens: FixedToken(try await connection.tokens.token()), stallTimeout: 10, in: environment)
        let own = "/v3/merchants/" + connection.merchantID
        if try await isAllowed(client, own, query: "") { return .own }
        if let owner = try await owner(client) { return owner == connection.merchantID ? .own : .foreign(owner) }
        return try await isAllowed(client, own + "/items", query: "limit=1") ? .own : .unknown
    }

    package enum Ownership: Equatable {
        case own
        case foreign(String)
        case unknown
    }

    private func causeIfTokenIsGood(at path: ResourcePath) -> TokenRefusal.Cause {
        let named = path.segments.starts(with: ["v3", "merchants"]) ? path.segments.dropFirst(2).first : nil
        if let named, named != connection.merchantID, named != "current" { return .otherMerchantInPath(named) }
        return .permissionMissing(path.endpoint?.permission, isWriting: (path.endpoint?.method ?? .get) != .get)
    }

    /// Whether the service accepts a request for the merchant itself.
    private func isGood(_ client: ServiceClient, besides path: ResourcePath) async throws -> Bool {
        let merchant = ["v3", "merchants", connection.merchantID]
        guard path.segments != merchant else { return false }
        return try await isAllowed(client, "/" + merchant.joined(separator: "/"), query: "")
    }

    /// Whether a resource that most apps may read is accessible: an app need not have permission to read the merchant.
    private func opensAnything(_ client: ServiceClient, besides path: ResourcePath) async throws -> Bool {
        let family = path.segments.dropFirst(3).first == "items" ? "orders" : "items"
        return try await isAllowed(client, "/v3/merchants/\(connection.merchantID)/\(family)", query: "limit=1")
    }

    private func isAllowed(_ client: ServiceClient, _ path: String, query: String) async throws -> Bool {
        do {
            return try await client.isAllowed(client.url(path: path, query: query))
        } catch is ServiceError {
            // A failed request does not prove that the token is good.
            return false
        }
    }

    /// The merchant that the token belongs to; nil if the service does not return it.
    private func owner(_ client: ServiceClient) async throws -> String? {
        var attempt = ServiceClient.Attempt()
        do {
            let url = client.url(path: "/v3/merchants/current", query: "")
            let body = try await client.body(of: url, limit: 1 << 20, attempt: &attempt)
            return try JSONDecoder().decode(Merchant.self, from: Data(body)).id
        } catch HTTPTransportError.cancelled {
            throw CancellationError()
        } catch is ServiceError, is HTTPTransportError, is DecodingError {
            // This path is not in Clover's reference, so it may fail.
            return nil
        }
    }

    private struct Merchant: Decodable {
        var id: String?
    }

    private struct LocalFacts {
        var endedAgo: Int?
        var isRenewable = false
        /// The service has just issued the token, so it can only lack permissions.
        var isKnownAsNew = false
        var elsewhere: [String] = []
    }

    /// The facts known without a request.
    private func localFacts() async throws -> LocalFacts {
        var facts = LocalFacts()
        let store = try environment.credentialStore()
        if connection.source != .environment, let credential = try await store.load(connection.key) {
            facts.isRenewable = credential.refreshToken != nil
            let freshness = Freshness.judge(credential, now: environment.clock.now)
            if freshness.isExpired { facts.endedAgo = freshness.secondsLeft.map { Int(-$0) } }
            facts.isKnownAsNew = try await TokenCheck.isKnownAsNew(
                credential.accessToken, of: connection, in: environment)
        }
        facts.elsewhere = try await store.keys()
            .filter { $0.merchantID == connection.merchantID && $0.environment != connection.environment.name }
            .map(\.environment).sorted()
        return facts
    }
}

/// A 401 with its cause, as far as known.
package struct TokenRefusal: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        /// The token itself is good, but lacks a permission, which is named if the catalogue knows it.
        case permissionMissing(String?, isWriting: Bool)
        /// The token belongs to this other merchant.
        case otherMerchant(String)
        /// The token is good, but the path names this other merchant.
        case otherMerchantInPath(String)
        /// The token expired this number of seconds ago.
        case ended(seconds: Int)
        /// The service accepts the token for nothing.
        case notAccepted
    }

    package var cause: Cause
    /// Already redacted.
    package var url: String
    /// The service's own message.
    package var message: String?
    /// The requested path, as messages show it: `orders/ID`.
    package var path: String
    package var merchantID: String
    /// The environment that the request was sent to.
    package var environment: String
    /// No environment was named, so the default was used.
    package var isEnvironmentAssumed: Bool
    package var source: SignInStatus.Source
    /// The token can be renewed, and was not due.
    package var isRenewable: Bool
    /// Other environments with a sign-in to the merchant.
    package var elsewhere: [String]

    /// Whether another token of the same app would be refused, too.
    package var isAboutPermission: Bool { if case .permissionMissing = cause { true } else { false } }
}
