package import CloverAPI
package import CloverAuth
package import CloverConfiguration
import CloverHTTP

/// The connection that the user chose by flags, then by the environment. Nil leaves a part open.
package struct ConnectionChoice: Sendable, Equatable {
    /// A sign-in's name.
    package var profile: String?
    package var environment: String?
    package var merchantID: String?
    /// The app, to select one of several sign-ins to a merchant; `CredentialKey.noApp` selects the one without an app.
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

    /// Completes the choice from `CLOVER_PROFILE`, `CLOVER_ENVIRONMENT`, `CLOVER_MERCHANT` (or `CLOVER_MERCHANT_ID`) and
    /// `CLOVER_CA_BUNDLE`, then from the configuration file. A profile given by flag implies the merchant and environment,
    /// so their variables are then ignored. A merchant or environment given by flag overrides a profile from a variable or
    /// the file; one given by variable overrides a profile from the file.
    package func completed(in environment: CommandEnvironment) async throws -> ConnectionChoice {
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

    /// Whether variables name the merchant or the environment.
    package static func isNamed(by variables: [String: String]) -> Bool { !naming(in: variables).isEmpty }

    /// The variables that name the merchant or the environment.
    package static func naming(in variables: [String: String]) -> [String] {
        ["CLOVER_ENVIRONMENT", "CLOVER_MERCHANT", "CLOVER_MERCHANT_ID"].filter { variables.nonEmpty($0) != nil }
    }

    /// The chosen environment; nil if it is open.
    package func service() throws(QueryError) -> ServiceEnvironment? {
        guard let environment else { return nil }
        return try ServiceEnvironment(parsing: environment)
    }

    /// Whether a static credential is used in the default environment because none was named.
    func leavesServiceOpen(_ environment: CommandEnvironment) async throws -> Bool {
        guard self.environment == nil else { return false }
        return try await environment.settings(for: self).value(of: .environment) == nil
    }

    /// The static credential of `CLOVER_ACCESS_TOKEN`; nil if the variable is unset, or if a profile was given by flag,
    /// which overrides all variables.
    package func staticCredential(in environment: CommandEnvironment) async throws -> Credential? {
        guard profile == nil, let text = environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") else { return nil }
        let variables = environment.variables
        let settings = try await environment.settings(for: self)
        // The token is a variable, so its merchant and environment are first taken from variables, not from a profile.
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

    /// Finds the chosen stored credential: the profile's, the current one if it fits, or the only one that fits. Nil if
    /// none fits; an error if several do.
    ///
    /// - Parameters:
    ///   - takesCurrent: whether the current credential takes precedence over others that fit.
    ///   - kept: the sign-ins, if already read; nil reads them.
    package func key(
        in environment: CommandEnvironment, takesCurrent: Bool = true, among kept: StoredSignIns? = nil
    ) async throws -> CredentialKey? {
        let choice = try await completed(in: environment)
        let service = try choice.service()
        if let merchantID = choice.merchantID {
            // Validates the id: a malformed one is an error, not merely absent.
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
                guard let section, section.namesMerchantOrEnvironment else {
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

    /// The only candidate, or the only one of the configured app.
    private func only(
        _ candidates: [CredentialKey], in environment: CommandEnvironment
    ) async throws -> CredentialKey? {
        guard candidates.count > 1 else { return candidates.first }
        if appID == nil, let configured = try await environment.settings(for: self).text(.appID) {
            let matching = candidates.filter { $0.appID == configured }
            if matching.count == 1 { return matching.first }
        }
        throw CoreError.severalCredentials(try await Self.descriptions(of: candidates, in: environment))
    }

    /// Descriptions as `MERCHANT (environment)`, with the app and the profile where these are ambiguous.
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
    /// The value of a variable; nil if it is unset or empty.
    package func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a key's variables; nil if none is set.
    ///
    /// - Throws: `.wrongVariable`, which names the variable to correct.
    package func checked(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        try ConfigurationLayers(variables: self).value(of: key)?.text
    }
}

/// A profile's section of the configuration file: its environment, merchant and app.
struct ProfileSection {
    private let name: String
    private let document: ConfigurationDocument
    private let service: ServiceEnvironment?
    private let merchantID: String?
    private let appID: String?

    /// Nil if the file has no section of that name.
    init?(_ name: String, in environment: CommandEnvironment) throws {
        guard let document = try environment.configuration(), let section = document.profiles[name] else { return nil }
        self.name = name
        self.document = document
        service = try section[.environment].map { try ServiceEnvironment(parsing: $0.text) }
        merchantID = section[.merchant]?.text
        appID = section[.appID]?.text
    }

    static func names(in environment: CommandEnvironment) throws -> [String] {
        try environment.configuration().map { Array($0.profiles.keys) } ?? []
    }

    var namesMerchantOrEnvironment: Bool { service != nil || merchantID != nil }

    func fits(_ key: CredentialKey) -> Bool { conflict(with: key) == nil }

    /// Throws `.otherSignIn` if the sign-in of this name contradicts the file, because either of them may be right.
    func check(_ key: CredentialKey) throws(ConfigurationError) {
        guard let conflicting = conflict(with: key), let entry = document.profiles[name]?[conflicting] else { return }
        throw .otherSignIn(
            profile: name, signedIn: key.words, key: conflicting,
            value: entry.text, path: document.path, line: entry.line)
    }

    private func conflict(with key: CredentialKey) -> ConfigurationKey? {
        if let service, service.name != key.environment { return .environment }
        if let merchantID, merchantID != key.merchantID { return .merchant }
        // A merchant's own token belongs to no app, so it matches any.
        if let appID, let other = key.appID, appID != other { return .appID }
        return nil
    }
}
