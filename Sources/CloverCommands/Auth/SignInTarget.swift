import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverCore

/// The merchant and app of a sign-in, with all defaults resolved: from flags, then the profile's section of the
/// configuration file, the profile's previous sign-in, environment variables, and the top of the file.
struct SignInTarget: Sendable {
    let service: ServiceEnvironment
    /// Nil if the merchant is chosen in the browser or named by the response.
    let merchantID: String?
    /// Nil for a token without an app.
    let appID: String?
    /// The name for the sign-in.
    let profile: String?

    /// - Parameters:
    ///   - appID: the app from a flag.
    ///   - hasApp: whether the sign-in is to an app.
    static func resolve(
        _ choice: ConnectionChoice, appID: String? = nil, hasApp: Bool = true, in environment: CommandEnvironment
    ) async throws -> SignInTarget {
        let variables = environment.variables
        let document = try environment.configuration()
        var profile = choice.profile ?? variables.nonEmpty("CLOVER_PROFILE")
        let isOpen = choice.environment == nil && choice.merchantID == nil && !ConnectionChoice.isNamed(by: variables)
        if isOpen { profile = profile ?? document?.common[.profile]?.text }
        let section = profile.flatMap { document?.profiles[$0] }
        var known: CredentialKey?
        if let profile {
            guard ProfileStore.isName(profile) else { throw CoreError.malformedProfile(profile) }
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
        let app =
            appID ?? section?[.appID]?.text ?? known?.appID ?? variables.nonEmpty("CLOVER_APP_ID")
            ?? document?.common[.appID]?.text
        // Validate the parts of the key before the browser is opened.
        let key = try CredentialKey(
            environment: service.name, merchantID: merchantID ?? "M", appID: hasApp ? app : nil)
        return SignInTarget(service: service, merchantID: merchantID, appID: key.appID, profile: profile)
    }

    var endpoints: OAuthEndpoints {
        OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL)
    }

    /// Throws unless there is an app, which the exchange of a code requires.
    func requireApp() throws(CoreError) {
        if appID == nil { throw .appMissing }
    }

    /// The key for tokens issued to the merchant that the service named or, if it named none, to the user's choice.
    func key(merchantID issued: String?) throws -> CredentialKey {
        guard let merchantID = issued ?? merchantID else { throw CoreError.merchantMissing }
        return try CredentialKey(environment: service.name, merchantID: merchantID, appID: appID)
    }

    /// Gives the credential of `key` the profile's name, if there is one. Called before the credential is stored, so that
    /// `auth watch` finds the name.
    ///
    /// - Parameter isMigration: whether it replaces another sign-in to the same merchant.
    func name(_ key: CredentialKey, isMigration: Bool = false, in environment: CommandEnvironment) async throws {
        guard let profile else { return }
        let profiles = try environment.profiles()
        let all = try await profiles.all()
        let others = all.filter { $0.value == key && $0.key != profile }.keys.sorted()
        if !others.isEmpty {
            environment.diagnostics.notice(
                "the same sign-in is also named \(others.joined(separator: ", ")): an app has one sign-in per merchant")
        }
        if let former = all[profile], former != key, !isMigration {
            environment.diagnostics.notice(
                "'\(profile)' was the name of the sign-in to \(former.words); that sign-in "
                    + "is kept without this name")
        }
        try await profiles.set(profile, key)
    }

    /// Makes the stored credential of `key` the current one.
    func choose(_ key: CredentialKey, in environment: CommandEnvironment) async throws -> SignedIn {
        let signedIn = SignedIn(key: key, profile: profile)
        try environment.noteOverrides(of: signedIn)
        try await environment.credentialStore().setCurrentChoice(signedIn)
        return signedIn
    }

    /// Stores a credential that was obtained without a code, and makes it the current one.
    func keep(_ credential: Credential, in environment: CommandEnvironment) async throws -> SignedIn {
        try await name(credential.key, in: environment)
        environment.noteLeftover(try await environment.credentialStore().save(credential))
        return try await choose(credential.key, in: environment)
    }
}

extension CommandEnvironment {
    /// Prints notices if a variable or the configuration file selects another credential than the one just chosen.
    func noteOverrides(of chosen: SignedIn) throws {
        if variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil {
            diagnostics.notice("CLOVER_ACCESS_TOKEN is set, and commands without --profile still use it")
        }
        if let name = variables.nonEmpty("CLOVER_PROFILE") {
            guard name != chosen.profile else { return }
            return diagnostics.notice("CLOVER_PROFILE is set to '\(name)', and commands still use that")
        }
        guard let document = try configuration() else { return }
        let common = document.common
        var other: ConfigurationKey?
        if let name = common[.profile]?.text {
            if name != chosen.profile { other = .profile }
        } else if let text = common[.environment]?.text,
            try ServiceEnvironment(parsing: text).name != chosen.key.environment
        {
            other = .environment
        } else if let merchantID = common[.merchant]?.text, merchantID != chosen.key.merchantID {
            other = .merchant
        }
        guard let other, let entry = common[other] else { return }
        diagnostics.notice(
            "\(document.path) line \(entry.line) says '\(other.name): \(entry.text)', and commands still use that")
    }

    /// Prints a notice about replaced tokens that are still in an unreachable keyring.
    func noteLeftover(_ leftover: CredentialError?) {
        guard let leftover else { return }
        var text = "\(leftover)"
        if case .leftInKeyring(_, let item, _) = leftover { text += "; " + CredentialError.laterRemoval(of: item) }
        diagnostics.notice("the old " + text)
    }
}
