import CloverAPI
import CloverAuth
package import CloverConfiguration
import CloverRecords

/// `clover config get` and `list`: what is set, and who says so.
package struct ConfigurationReport: Sendable {
    /// What is said of one key.
    package struct Entry: Sendable {
        package let key: ConfigurationKey
        /// What counts; nil when it is open.
        package let value: ConfigurationValue?
        /// What is said besides, and does not count.
        package let overruled: [ConfigurationValue]

        /// Whether a flag, a variable or the file said it.
        package var isSet: Bool { value.map { $0.source != .signIn && $0.source != .standard } ?? false }
    }

    /// A profile that variables or the file name, and whose section of the file does not count all the same.
    package struct IdleProfile: Sendable {
        package let name: String
        /// The flags or variables that say instead whose data is meant.
        package let causes: [String]
    }

    /// Whose settings these are; nil for nobody's in particular.
    package let profile: String?
    /// Nil where no section is left out, or nothing is in it.
    package let idleProfile: IdleProfile?
    package let entries: [Entry]

    /// - Parameter choice: says whose settings are meant, as for a run.
    package static func make(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> ConfigurationReport {
        let settings = try await environment.settings(for: choice)
        let signIn = await signIn(choice, in: environment)
        let idle = idleProfile(settings, choice)
        let entries = try ConfigurationKey.allCases.map { key in
            let said = try settings.said(of: key, flag: Self.flag(key, choice))
            return Entry(
                key: key,
                value: try said.first ?? signIn[key] ?? settings.valueOrStandard(of: key)
                    ?? standard(of: key, settings, isForPerson: environment.terminal.isOutputTerminal),
                overruled: said.dropFirst() + [idle.flatMap { settings.said(of: key, by: $0.name) }].compactMap(\.self))
        }
        return ConfigurationReport(profile: settings.profile, idleProfile: idle, entries: entries)
    }

    /// A merchant or environment that is named goes before a profile that the file names, and a flag before any.
    private static func idleProfile(_ settings: ConfigurationLayers, _ choice: ConnectionChoice) -> IdleProfile? {
        let named = settings.variables.nonEmpty("CLOVER_PROFILE") ?? settings.document?.common[.profile]?.text
        guard settings.profile == nil, let named, settings.document?.profiles[named]?.isEmpty == false else {
            return nil
        }
        let flags = [("--environment", choice.environment), ("--merchant", choice.merchantID)]
            .filter { $0.1 != nil }.map(\.0)
        return IdleProfile(
            name: named, causes: flags.isEmpty ? ConnectionChoice.naming(in: settings.variables) : flags)
    }

    /// - Throws: `.noValue` when nobody said anything and there is no default.
    package func value(of key: ConfigurationKey) throws(ConfigurationError) -> ConfigurationValue {
        guard let value = entries.first(where: { $0.key == key })?.value else {
            throw .noValue(key, profile: profile)
        }
        return value
    }

    /// What the sign-in that a run would use says. Trouble with it is told by `auth status`, and is none of the settings'.
    private static func signIn(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async -> [ConfigurationKey: ConfigurationValue] {
        // A static credential goes before every sign-in, but for one that a flag names.
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

    /// What counts in the end where it depends on what surrounds the run.
    private static func standard(
        of key: ConfigurationKey, _ settings: ConfigurationLayers, isForPerson: Bool
    ) throws -> ConfigurationValue? {
        let usual: RecordFormat = isForPerson ? .table : .ndjson
        let text: String? =
            switch key {
            case .environment: ServiceEnvironment.us.name
            case .format: usual.rawValue
            case .zone: try settings.text(.format) ?? usual.rawValue == RecordFormat.table.rawValue ? "merchant" : "UTC"
            default: nil
            }
        return text.map { ConfigurationValue(text: $0, source: .standard) }
    }

    /// What the options of the connection say.
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
