import CloverAPI
package import CloverAuth
import CloverConfiguration

/// Whom a sign-in is for, with every default resolved: flags first, then what the configuration file says of the
/// profile, what the profile held before, the environment's variables, and the top of the file.
struct SignInTarget: Sendable {
    let service: ServiceEnvironment
    /// Nil lets the merchant choose in the browser, or the answer tell.
    let merchantID: String?
    /// Nil for a token without an app.
    let appID: String?
    /// The name that the sign-in gets.
    let profile: String?

    static func resolve(
        _ choice: ConnectionChoice, app: AppChoice?, in environment: CommandEnvironment
    ) async throws -> SignInTarget {
        let variables = environment.variables
        let document = try environment.configuration()
        var profile = choice.profile ?? variables.nonEmpty("CLOVER_PROFILE")
        let isOpen = choice.environment == nil && choice.merchantID == nil && !ConnectionChoice.isNamed(by: variables)
        if isOpen { profile = profile ?? document?.common[.profile]?.text }
        let section = profile.flatMap { document?.profiles[$0] }
        var known: CredentialKey?
        if let profile {
            guard ProfileBook.isName(profile) else { throw CoreError.malformedProfile(profile) }
            known = try await environment.profiles().key(named: profile)
        }
        var named = choice
        named.environment =
            try choice.environment ?? section?[.environment]?.text ?? known?.environment
            ?? variables.checked(.environment) ?? document?.common[.environment]?.text
        let service = try named.service() ?? .us
        let merchantID =
            try choice.merchantID ?? section?[.merchant]?.text ?? known?.merchantID ?? variables.checked(.merchant)
            ?? document?.common[.merchant]?.text
        let appID = app.flatMap {
            $0.appID ?? section?[.appID]?.text ?? known?.appID ?? variables.nonEmpty("CLOVER_APP_ID")
                ?? document?.common[.appID]?.text
        }
        // The same checks as a key's own, before anybody is sent to a browser.
        _ = try CredentialKey(environment: service.name, merchantID: merchantID ?? "M", appID: appID)
        return SignInTarget(service: service, merchantID: merchantID, appID: appID, profile: profile)
    }

    var endpoints: OAuthEndpoints {
        OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL)
    }

    /// The app; signing in with a browser needs one.
    func requiredAppID() throws(CoreError) -> String {
        guard let appID else { throw .appMissing }
        return appID
    }

    /// The key of what was issued to `merchantID`, as the service says, or else as the user did.
    func key(merchantID issued: String?) throws -> CredentialKey {
        guard let merchantID = issued ?? merchantID else { throw CoreError.merchantMissing }
        return try CredentialKey(environment: service.name, merchantID: merchantID, appID: appID)
    }

    /// Gives the credential of `key` the profile's name, if there is one. Before it is kept, so that whoever watches
    /// credentials finds the name.
    ///
    /// - Parameter isMigration: it takes the place of another sign-in to the same merchant.
    func name(_ key: CredentialKey, isMigration: Bool = false, in environment: CommandEnvironment) async throws {
        guard let profile else { return }
        let others = try await environment.profiles().all().filter { $0.value == key && $0.key != profile }.keys
        if !others.isEmpty {
            environment.diagnostics.notice(
                "the same sign-in also goes by \(others.sorted().joined(separator: ", ")): one app has one sign-in a merchant"
            )
        }
        if let former = try await environment.profiles().key(named: profile), former != key, !isMigration {
            environment.diagnostics.notice(
                "'\(profile)' stood for merchant \(former.merchantID) (\(former.environment)) until now; that sign-in stays, and has "
                    + "'\(profile)' no more")
        }
        try await environment.profiles().set(profile, key)
    }

    /// Makes the kept credential of `key` the current one.
    func choose(_ key: CredentialKey, in environment: CommandEnvironment) async throws -> SignedIn {
        environment.noteOverridingToken()
        try environment.noteOverridingConfiguration(key, profile: profile)
        try await environment.credentialStore().setCurrentChoice(CurrentChoice(key: key, profile: profile))
        return SignedIn(key: key, profile: profile)
    }

    /// Keeps a credential that needed no code, and chooses it.
    func keep(_ credential: Credential, in environment: CommandEnvironment) async throws -> SignedIn {
        try await name(credential.key, in: environment)
        environment.noteLeftover(try await environment.credentialStore().save(credential))
        return try await choose(credential.key, in: environment)
    }
}

/// A sign-in that has been kept.
package struct SignedIn: Sendable, Equatable {
    package let key: CredentialKey
    package let profile: String?

    package init(key: CredentialKey, profile: String? = nil) {
        self.key = key
        self.profile = profile
    }
}
