import CloverAPI
import CloverAuth
import CloverHTTP

/// Which connection the user asked for: flags first, then the environment. Nil leaves it open.
package struct ConnectionChoice: Sendable, Equatable {
    /// The name given to a sign-in.
    package var profile: String?
    package var environment: String?
    package var merchantID: String?
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var certificateFile: String?

    package init(
        profile: String? = nil, environment: String? = nil, merchantID: String? = nil, certificateFile: String? = nil
    ) {
        self.profile = profile
        self.environment = environment
        self.merchantID = merchantID
        self.certificateFile = certificateFile
    }

    /// What is still open is taken from `CLOVER_PROFILE`, `CLOVER_ENVIRONMENT`, `CLOVER_MERCHANT` (or
    /// `CLOVER_MERCHANT_ID`) and `CLOVER_CA_BUNDLE`. A profile given by flag says the merchant and environment too, so the variables for those
    /// are then not asked; and a merchant or environment given by flag is not overruled by a profile that is not.
    func completed(by variables: [String: String]) -> ConnectionChoice {
        var choice = self
        choice.certificateFile = certificateFile ?? variables.nonEmpty("CLOVER_CA_BUNDLE")
        if profile != nil { return choice }
        if environment == nil, merchantID == nil { choice.profile = variables.nonEmpty("CLOVER_PROFILE") }
        if choice.profile != nil { return choice }
        choice.environment = environment ?? variables.nonEmpty("CLOVER_ENVIRONMENT")
        choice.merchantID =
            merchantID ?? variables.nonEmpty("CLOVER_MERCHANT") ?? variables.nonEmpty("CLOVER_MERCHANT_ID")
        return choice
    }

    /// The environment that was named; nil when it is open.
    func service() throws(QueryError) -> ServiceEnvironment? {
        guard let environment else { return nil }
        return try ServiceEnvironment(parsing: environment)
    }

    /// Whether a static credential is used in the usual environment because none was named.
    func leavesServiceOpen(_ environment: CommandEnvironment) -> Bool {
        self.environment == nil && environment.variables.nonEmpty("CLOVER_ENVIRONMENT") == nil
    }

    /// The static credential of `CLOVER_ACCESS_TOKEN`; nil when the variable is unset, or a profile was asked for by
    /// flag, which goes before every variable.
    func staticCredential(in environment: CommandEnvironment) throws -> Credential? {
        guard profile == nil, let text = environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") else { return nil }
        let variables = environment.variables
        guard
            let merchantID = merchantID ?? variables.nonEmpty("CLOVER_MERCHANT")
                ?? variables.nonEmpty("CLOVER_MERCHANT_ID")
        else { throw CoreError.staticTokenWithoutMerchant }
        var choice = self
        choice.environment = self.environment ?? variables.nonEmpty("CLOVER_ENVIRONMENT")
        let key = try CredentialKey(environment: (try choice.service() ?? .us).name, merchantID: merchantID)
        guard Credential.isUsable(Secret(text)) else {
            throw CredentialError.unusableToken(field: "CLOVER_ACCESS_TOKEN")
        }
        return Credential(
            key: key, kind: .staticToken, accessToken: Secret(text), createdAt: environment.clock.wall() / 1000)
    }

    /// The kept credential that is meant: the one of the profile, the current one where it fits, or the only one that
    /// does. Nil when there is none; an error when there are several.
    func key(in environment: CommandEnvironment) async throws -> CredentialKey? {
        let choice = completed(by: environment.variables)
        let service = try choice.service()
        if let merchantID = choice.merchantID {
            // The checks of a key's own: what cannot be an id is not merely absent.
            _ = try CredentialKey(environment: ServiceEnvironment.us.name, merchantID: merchantID)
        }
        func fits(_ key: CredentialKey) -> Bool {
            (service == nil || key.environment == service?.name)
                && (choice.merchantID == nil || key.merchantID == choice.merchantID)
        }
        let profiles = try environment.profiles()
        if let name = choice.profile {
            guard let key = try await profiles.key(named: name) else {
                throw CoreError.unknownProfile(name, known: try await profiles.all().keys.sorted())
            }
            guard fits(key) else {
                throw CoreError.profileConflict(name, merchantID: key.merchantID, environment: key.environment)
            }
            return key
        }
        let store = try environment.credentialStore()
        if let current = try await store.current(), fits(current) { return current }
        let candidates = try await store.keys().filter(fits)
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
