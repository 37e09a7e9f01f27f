import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverOutput

/// The settings and their sources, for `clover config get` and `list`.
struct ConfigurationReport: Sendable {
    /// One setting.
    struct Entry: Sendable {
        let key: ConfigurationKey
        /// Effective value; nil when not set.
        let value: ConfigurationValue?
        /// Values that are overridden.
        let overruled: [ConfigurationValue]

        /// Whether the value comes from a flag, an environment variable or the file.
        var isSet: Bool { value.map { $0.source != .signIn && $0.source != .standard } ?? false }
    }

    /// A profile named by an environment variable or the file whose section does not apply.
    struct IgnoredProfile: Sendable {
        let name: String
        /// The flags or variables that select the merchant instead.
        let causes: [String]
    }

    /// Profile of the settings; nil without one.
    let profile: String?
    /// Nil when no section is ignored, or the ignored one is empty.
    let ignoredProfile: IgnoredProfile?
    let entries: [Entry]

    /// - Parameter choice: selects the profile, as for a run.
    static func make(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> ConfigurationReport {
        let settings = try await environment.settings(for: choice)
        let signIn = await signIn(choice, in: environment)
        let idle = ignoredProfile(settings, choice)
        let entries = try ConfigurationKey.allCases.map { key in
            let values = try settings.values(of: key, flag: Self.flag(key, choice))
            return Entry(
                key: key,
                value: try values.first ?? signIn[key] ?? settings.valueOrStandard(of: key)
                    ?? standard(of: key, isForPerson: environment.terminal.isOutputTerminal),
                overruled: values.dropFirst()
                    + [idle.flatMap { settings.value(of: key, inProfile: $0.name) }].compactMap(\.self))
        }
        return ConfigurationReport(profile: settings.profile, ignoredProfile: idle, entries: entries)
    }

    /// A given merchant or environment takes precedence over a profile named by the file, and a flag over either.
    private static func ignoredProfile(_ settings: ConfigurationLayers, _ choice: ConnectionChoice) -> IgnoredProfile? {
        let named = settings.variables.nonEmpty("CLOVER_PROFILE") ?? settings.document?.common[.profile]?.text
        guard settings.profile == nil, let named, settings.document?.profiles[named]?.isEmpty == false else {
            return nil
        }
        let flags = [("--environment", choice.environment), ("--merchant", choice.merchantID)]
            .filter { $0.1 != nil }.map(\.0)
        return IgnoredProfile(
            name: named, causes: flags.isEmpty ? ConnectionChoice.naming(in: settings.variables) : flags)
    }

    /// - Throws: `.noValue` when the key is not set and has no default.
    func value(of key: ConfigurationKey) throws(ConfigurationError) -> ConfigurationValue {
        guard let value = entries.first(where: { $0.key == key })?.value else {
            throw .noValue(key, profile: profile)
        }
        return value
    }

    /// Values of the sign-in that a run would use. Its errors are reported by `auth status`, not here.
    private static func signIn(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async -> [ConfigurationKey: ConfigurationValue] {
        // A static credential takes precedence over any sign-in except one given by flag.
        guard choice.profile != nil || environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") == nil else { return [:] }
        do {
            guard let key = try await choice.key(in: environment) else { return [:] }
            let current = try await environment.credentialStore().currentChoice()
            let texts: [ConfigurationKey: String?] = [
                .profile: try await environment.profiles().name(of: key, preferring: current),
                .environment: key.environment, .merchant: key.merchantID,
            ]
            return texts.compactMapValues { $0.map { ConfigurationValue(text: $0, source: .signIn) } }
        } catch {
            return [:]
        }
    }

    /// Defaults that depend on the terminal, or on more than the key.
    private static func standard(
        of key: ConfigurationKey, isForPerson: Bool
    ) -> ConfigurationValue? {
        let text: String? =
            switch key {
            case .environment: ServiceEnvironment.us.name
            case .format: (isForPerson ? RecordFormat.table : .ndjson).rawValue
            case .zone: "merchant"
            default: nil
            }
        return text.map { ConfigurationValue(text: $0, source: .standard) }
    }

    /// Values of the connection's options.
    private static func flag(_ key: ConfigurationKey, _ choice: ConnectionChoice) -> String? {
        switch key {
        case .profile: choice.profile
        case .environment: choice.environment
        case .merchant: choice.merchantID
        case .certificates: choice.certificateFile
        default: nil
        }
    }
}
