import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverHTTP

/// Which connection the user asked for: flags first, then the environment. Nil leaves it open.
package struct ConnectionChoice: Sendable, Equatable {
    /// The name given to a sign-in.
    package var profile: String?
    package var environment: String?
    package var merchantID: String?
    /// Of several sign-ins to one merchant that through this app; `CredentialKey.noApp` is that without one.
    package var appID: String?
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
    /// `CLOVER_MERCHANT_ID`) and `CLOVER_CA_BUNDLE`, then from the configuration file. A profile given by flag says the
    /// merchant and environment too, so the variables for those are then not asked; and a merchant or environment given
    /// by flag is not overruled by a profile that is not. Nor is one given by flag or variable by the file's profile.
    func completed(in environment: CommandEnvironment) async throws -> ConnectionChoice {
        let variables = environment.variables
        let settings = try await environment.settings(for: self)
        var choice = self
        choice.certificateFile = try certificateFile ?? settings.path(.certificates)
        if profile != nil { return choice }
        if self.environment == nil, merchantID == nil, appID == nil {
            choice.profile = variables.nonEmpty("CLOVER_PROFILE")
        }
        if choice.profile != nil { return choice }
        choice.environment = try self.environment ?? variables.checked(.environment)
        choice.merchantID = try merchantID ?? variables.checked(.merchant)
        guard let document = settings.document else { return choice }
        if choice.environment == nil, choice.merchantID == nil, appID == nil {
            choice.profile = document.common[.profile]?.text
        }
        if choice.profile != nil { return choice }
        choice.environment = choice.environment ?? document.common[.environment]?.text
        choice.merchantID = choice.merchantID ?? document.common[.merchant]?.text
        return choice
    }

    /// Whether variables say the merchant or the environment.
    static func isNamed(by variables: [String: String]) -> Bool { !naming(in: variables).isEmpty }

    /// The variables that say the merchant or the environment.
    static func naming(in variables: [String: String]) -> [String] {
        ["CLOVER_ENVIRONMENT", "CLOVER_MERCHANT", "CLOVER_MERCHANT_ID"].filter { variables.nonEmpty($0) != nil }
    }

    /// The environment that was named; nil when it is open.
    func service() throws(QueryError) -> ServiceEnvironment? {
        guard let environment else { return nil }
        return try ServiceEnvironment(parsing: environment)
    }

    /// Whether a static credential is used in the usual environment because none was named.
    func leavesServiceOpen(_ environment: CommandEnvironment) async throws -> Bool {
        guard self.environment == nil else { return false }
        return try await environment.settings(for: self).value(of: .environment) == nil
    }

    /// The static credential of `CLOVER_ACCESS_TOKEN`; nil when the variable is unset, or a profile was asked for by
    /// flag, which goes before every variable.
    func staticCredential(in environment: CommandEnvironment) async throws -> Credential? {
        guard profile == nil, let text = environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") else { return nil }
        let variables = environment.variables
        let settings = try await environment.settings(for: self)
        // The token is a variable, and what belongs to it is first looked for there, whatever profile was named.
        guard
            let merchantID = try merchantID ?? variables.checked(.merchant) ?? settings.value(of: .merchant)?.text
        else { throw CoreError.staticTokenWithoutMerchant }
        var choice = self
        choice.environment =
            try self.environment ?? variables.checked(.environment) ?? settings.value(of: .environment)?.text
        let key = try CredentialKey(environment: (try choice.service() ?? .us).name, merchantID: merchantID)
        guard Credential.isUsable(Secret(text)) else {
            throw CredentialError.unusableToken(field: "CLOVER_ACCESS_TOKEN")
        }
        return Credential(
            key: key, kind: .staticToken, accessToken: Secret(text), createdAt: environment.clock.wall() / 1000)
    }

    /// The kept credential that is meant: the one of the profile, the current one where it fits, or the only one that
    /// does. Nil when there is none; an error when there are several.
    ///
    /// - Parameters:
    ///   - takesCurrent: whether the current one goes before others that fit as well.
    ///   - kept: the sign-ins that were read already; nil reads them.
    func key(
        in environment: CommandEnvironment, takesCurrent: Bool = true, among kept: KeptSignIns? = nil
    ) async throws -> CredentialKey? {
        let choice = try await completed(in: environment)
        let service = try choice.service()
        if let merchantID = choice.merchantID {
            // The checks of a key's own: what cannot be an id is not merely absent.
            _ = try CredentialKey(environment: ServiceEnvironment.us.name, merchantID: merchantID)
        }
        func fits(_ key: CredentialKey) -> Bool {
            (service == nil || key.environment == service?.name)
                && (choice.merchantID == nil || key.merchantID == choice.merchantID)
                && (appID == nil || (key.appID ?? CredentialKey.noApp) == appID)
        }
        func keys() async throws -> [CredentialKey] {
            if let kept { return kept.keys }
            return try await environment.credentialStore().keys()
        }
        if let name = choice.profile {
            let profiles = try environment.profiles()
            func named() async throws -> CredentialKey? {
                if let kept { return try kept.key(named: name) }
                return try await profiles.key(named: name)
            }
            let section = try ProfileSection(name, in: environment)
            guard let key = try await named() else {
                guard let section, section.saysWho else {
                    let known = try await Set(profiles.all().keys).union(ProfileSection.names(in: environment))
                    throw CoreError.unknownProfile(name, known: known.sorted())
                }
                return try await only(keys().filter { fits($0) && section.fits($0) }, in: environment)
            }
            guard fits(key) else {
                throw CoreError.profileConflict(name, merchantID: key.merchantID, environment: key.environment)
            }
            try section?.check(key)
            return key
        }
        if takesCurrent, let current = try await environment.credentialStore().current(), fits(current) {
            return current
        }
        return try await only(keys().filter(fits), in: environment)
    }

    /// The only candidate, or the only one of the app that is set.
    private func only(
        _ candidates: [CredentialKey], in environment: CommandEnvironment
    ) async throws -> CredentialKey? {
        guard candidates.count > 1 else { return candidates.first }
        if appID == nil, let usual = try await environment.settings(for: self).text(.appID) {
            let own = candidates.filter { $0.appID == usual }
            if own.count == 1 { return own.first }
        }
        throw CoreError.severalCredentials(try await Self.descriptions(of: candidates, in: environment))
    }

    /// `MERCHANT (environment)`, with the app and the name where those alone do not tell one from the other.
    private static func descriptions(
        of keys: [CredentialKey], in environment: CommandEnvironment
    ) async throws -> [String] {
        let profiles = try environment.profiles()
        var descriptions: [String] = []
        for key in keys {
            var words = [key.environment]
            if keys.count(where: { $0.merchantID == key.merchantID && $0.environment == key.environment }) > 1 {
                words.append(key.appID.map { "app \($0)" } ?? "without an app")
                if let name = try await profiles.name(of: key) { words.append("profile \(name)") }
            }
            descriptions.append("\(key.merchantID) (\(words.joined(separator: ", ")))")
        }
        return descriptions.sorted()
    }
}

extension [String: String] {
    /// A variable that is set to something.
    func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a key's variables say; nil when they say nothing.
    ///
    /// - Throws: `.wrongVariable`, so that the error names what is to be mended.
    func checked(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        try ConfigurationLayers(variables: self).value(of: key)?.text
    }
}
