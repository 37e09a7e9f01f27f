import CloverAPI
package import CloverAuth
import CloverConfiguration
import CloverHTTP

/// `auth login --with-token`: stores a token that was created elsewhere.
package struct SignIn: Sendable {
    package var choice: ConnectionChoice
    package var isInKeyring = false

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// Maximum length of the input, in bytes.
    private static let maximumInput = 64 << 10

    /// Reads the token from standard input and stores it. The credential becomes the current one.
    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let target = try await SignInTarget.resolve(choice, app: nil, in: environment)
        let key = try target.key(merchantID: nil)
        let token = try Self.token(
            in: try await SecretInput.read("the token", limit: Self.maximumInput, in: environment) ?? [])
        let credential = Credential(
            key: key, kind: .staticToken, accessToken: token, createdAt: environment.clock.wall() / 1000,
            origin: .token, isInKeyring: isInKeyring)
        // The keyring may show a prompt first, and another process may hold the credential's lock.
        return try await ProgressDisplay.during(in: environment) { board in
            board.line("auth login") { $0.words = "storing the token" }
            // Report an unusable keyring before any problem with stored tokens.
            if isInKeyring { try await environment.secretVault().probe() }
            return try await target.keep(credential, in: environment)
        }
    }

    /// The first line, without surrounding white space.
    static func token(in input: [UInt8]) throws(CoreError) -> Secret {
        guard let token = InputLine.first(of: input) else { throw .noTokenOnInput }
        // Catches a whole JSON response pasted in place of the token in it.
        guard Credential.isUsable(token), !token.exposed.hasPrefix("{") else { throw .malformedToken }
        return token
    }
}

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
        let appID = app.flatMap {
            $0.appID ?? section?[.appID]?.text ?? known?.appID ?? variables.nonEmpty("CLOVER_APP_ID")
                ?? document?.common[.appID]?.text
        }
        // Validate the parts of the key before the browser is opened.
        _ = try CredentialKey(environment: service.name, merchantID: merchantID ?? "M", appID: appID)
        return SignInTarget(service: service, merchantID: merchantID, appID: appID, profile: profile)
    }

    var endpoints: OAuthEndpoints {
        OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL)
    }

    /// The app, which a browser sign-in requires.
    func requiredAppID() throws(CoreError) -> String {
        guard let appID else { throw .appMissing }
        return appID
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
        let others = try await environment.profiles().all().filter { $0.value == key && $0.key != profile }.keys
        if !others.isEmpty {
            environment.diagnostics.notice(
                "the same sign-in is also named \(others.sorted().joined(separator: ", ")): an app has one sign-in per merchant"
            )
        }
        if let former = try await environment.profiles().key(named: profile), former != key, !isMigration {
            environment.diagnostics.notice(
                "'\(profile)' was the name of the sign-in to merchant \(former.merchantID) (\(former.environment)); that sign-in "
                    + "is kept without this name")
        }
        try await environment.profiles().set(profile, key)
    }

    /// Makes the stored credential of `key` the current one.
    func choose(_ key: CredentialKey, in environment: CommandEnvironment) async throws -> SignedIn {
        environment.noteOverridingToken()
        try environment.noteOverridingConfiguration(key, profile: profile)
        try await environment.credentialStore().setCurrentChoice(ActiveCredential(key: key, profile: profile))
        return SignedIn(key: key, profile: profile)
    }

    /// Stores a credential that was obtained without a code, and makes it the current one.
    func keep(_ credential: Credential, in environment: CommandEnvironment) async throws -> SignedIn {
        try await name(credential.key, in: environment)
        environment.noteLeftover(try await environment.credentialStore().save(credential))
        return try await choose(credential.key, in: environment)
    }
}

/// A stored sign-in.
package struct SignedIn: Sendable, Equatable {
    package let key: CredentialKey
    package let profile: String?

    package init(key: CredentialKey, profile: String? = nil) {
        self.key = key
        self.profile = profile
    }
}
