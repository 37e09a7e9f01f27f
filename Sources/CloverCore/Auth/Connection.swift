package import CloverAPI
import CloverAuth
package import CloverHTTP

/// The service, merchant and token that a command works with.
package struct Connection: Sendable {
    package var environment: ServiceEnvironment
    package var merchantID: String
    package var token: Secret
    package var source: Source

    package enum Source: String, Sendable {
        /// `CLOVER_ACCESS_TOKEN`.
        case environment
        /// The credential cache.
        case cache
    }
}

/// Which connection the user asked for: flags first, then the environment. Nil leaves it open.
package struct ConnectionChoice: Sendable, Equatable {
    package var environment: String?
    package var merchantID: String?

    package init(environment: String?, merchantID: String?) {
        self.environment = environment
        self.merchantID = merchantID
    }

    /// What is still open is taken from `CLOVER_ENVIRONMENT` and `CLOVER_MERCHANT`.
    func completed(by variables: [String: String]) -> ConnectionChoice {
        ConnectionChoice(
            environment: environment ?? variables.nonEmpty("CLOVER_ENVIRONMENT"),
            merchantID: merchantID ?? variables.nonEmpty("CLOVER_MERCHANT"))
    }

    /// Finds the credential: `CLOVER_ACCESS_TOKEN` with its merchant wins over the cache, where the choice picks one
    /// and an open choice means the one that was signed in last.
    func resolve(in environment: CommandEnvironment) async throws -> Connection {
        let choice = completed(by: environment.variables)
        let service = try choice.environment.map { text throws(QueryError) in
            try ServiceEnvironment(parsing: text)
        }
        if let token = environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") {
            guard let merchantID = choice.merchantID ?? environment.variables.nonEmpty("CLOVER_MERCHANT_ID") else {
                throw CoreError.staticTokenWithoutMerchant
            }
            let key = try CredentialKey(environment: (service ?? .us).name, merchantID: merchantID)
            guard Credential.isUsable(Secret(token)) else {
                throw CredentialError.unusableToken(field: "CLOVER_ACCESS_TOKEN")
            }
            return Connection(
                environment: service ?? .us, merchantID: key.merchantID, token: Secret(token), source: .environment)
        }
        let store = try environment.credentialStore()
        let key = try await choice.key(service: service, in: store)
        guard let key, let credential = try await store.load(key) else {
            throw CoreError.notSignedIn(merchantID: choice.merchantID, environment: service?.name)
        }
        return Connection(
            environment: try ServiceEnvironment(parsing: credential.key.environment),
            merchantID: credential.key.merchantID, token: credential.accessToken, source: .cache)
    }

    /// The cached credential that the choice means; nil when there is none, an error when there are several.
    func key(service: ServiceEnvironment?, in store: any CredentialStore) async throws -> CredentialKey? {
        let current = try await store.current()
        func isMeant(_ key: CredentialKey) -> Bool {
            (service == nil || key.environment == service?.name)
                && (merchantID == nil || key.merchantID == merchantID)
        }
        if let current, isMeant(current) { return current }
        let candidates = try await store.keys().filter(isMeant)
        guard candidates.count <= 1 else {
            throw CoreError.severalCredentials(candidates.map { "\($0.merchantID) (\($0.environment))" }.sorted())
        }
        return candidates.first
    }
}

extension [String: String] {
    /// A variable that is set to something.
    func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
