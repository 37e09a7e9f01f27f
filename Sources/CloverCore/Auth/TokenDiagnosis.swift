import CloverAPI
import CloverAuth
import CloverHTTP
import FoundationEssentials

/// Finds out what a 401 means. Clover answers alike to a bad token, to one of another merchant or environment, and to a
/// missing permission (Clover: 401 unauthorized). What the service answers to other questions tells them apart.
struct TokenDiagnosis {
    private let connection: Connection
    private let environment: CommandEnvironment

    /// - Parameter connection: the one whose token was refused.
    init(_ connection: Connection, in environment: CommandEnvironment) {
        self.connection = connection
        self.environment = environment
    }

    /// The error with its cause where it is a 401; any other error as it is.
    func explained(_ error: any Error, at path: ResourcePath) async throws -> any Error {
        guard case ServiceError.unauthorized(let url, let message) = error else { return error }
        let facts = try await localFacts()
        // The token as it is: asking around is no reason to renew it. Each question is asked once: three requests at most.
        let client = try connection.makeClient(
            retries: 0, tokens: FixedToken(try await connection.tokens.token()), in: environment)
        let good = causeIfTokenIsGood(at: path)
        var refusal = TokenRefusal(
            cause: .notAccepted, url: url, message: message, path: path.display, merchantID: connection.merchantID,
            environment: connection.environment.name, isEnvironmentAssumed: connection.origin.isEnvironmentAssumed,
            source: connection.origin.source, isRenewable: facts.isRenewable, elsewhere: facts.elsewhere)
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

    /// Whose the token is, as far as the service says: it belongs to the merchant, or to another one, or nobody knows.
    func ownership() async throws -> Ownership {
        let client = try connection.makeClient(
            retries: 0, tokens: FixedToken(try await connection.tokens.token()), stallTimeout: 10, in: environment)
        let own = "/v3/merchants/" + connection.merchantID
        if try await isAllowed(client, own, query: "") { return .own }
        if let owner = try await owner(client) { return owner == connection.merchantID ? .own : .foreign(owner) }
        return try await isAllowed(client, own + "/items", query: "limit=1") ? .own : .unknown
    }

    enum Ownership: Equatable {
        case own
        case foreign(String)
        case unknown
    }

    private func causeIfTokenIsGood(at path: ResourcePath) -> TokenRefusal.Cause {
        let named = path.segments.starts(with: ["v3", "merchants"]) ? path.segments.dropFirst(2).first : nil
        if let named, named != connection.merchantID, named != "current" { return .otherMerchantInPath(named) }
        return .permissionMissing(path.endpoint?.permission, isWriting: (path.endpoint?.method ?? .get) != .get)
    }

    /// Whether the service answers for the merchant itself.
    private func isGood(_ client: ServiceClient, besides path: ResourcePath) async throws -> Bool {
        let merchant = ["v3", "merchants", connection.merchantID]
        guard path.segments != merchant else { return false }
        return try await isAllowed(client, "/" + merchant.joined(separator: "/"), query: "")
    }

    /// Whether a family answers for which most apps ask: an app need not have the permission to read the merchant.
    private func opensAnything(_ client: ServiceClient, besides path: ResourcePath) async throws -> Bool {
        let family = path.segments.dropFirst(3).first == "items" ? "orders" : "items"
        return try await isAllowed(client, "/v3/merchants/\(connection.merchantID)/\(family)", query: "limit=1")
    }

    private func isAllowed(_ client: ServiceClient, _ path: String, query: String) async throws -> Bool {
        do {
            return try await client.isAllowed(client.url(path: path, query: query))
        } catch is ServiceError {
            // No answer is no proof that the token is good.
            return false
        }
    }

    /// The merchant that the token belongs to; nil when the service does not say.
    private func owner(_ client: ServiceClient) async throws -> String? {
        var attempt = ServiceClient.Attempt()
        do {
            let url = client.url(path: "/v3/merchants/current", query: "")
            let body = try await client.body(of: url, limit: 1 << 20, attempt: &attempt)
            return try JSONDecoder().decode(Merchant.self, from: Data(body)).id
        } catch HTTPTransportError.cancelled {
            throw CancellationError()
        } catch is ServiceError, is HTTPTransportError, is DecodingError {
            // Clover's reference does not have it, so that it may not answer.
            return nil
        }
    }

    private struct Merchant: Decodable {
        var id: String?
    }

    private struct LocalFacts {
        var endedAgo: Int?
        var isRenewable = false
        /// The service has just issued the token, so that it can only lack permissions.
        var isKnownAsNew = false
        var elsewhere: [String] = []
    }

    /// What this machine knows by itself.
    private func localFacts() async throws -> LocalFacts {
        var facts = LocalFacts()
        let store = try environment.credentialStore()
        if connection.origin.source != .environment, let credential = try await store.load(connection.origin.key) {
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
