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

    /// Whose settings these are; nil for nobody's in particular.
    package let profile: String?
    package let entries: [Entry]

    /// - Parameter choice: says whose settings are meant, as for a run.
    package static func make(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> ConfigurationReport {
        let settings = try await environment.settings(for: choice)
        let signIn = await signIn(choice, in: environment)
        let entries = try ConfigurationKey.allCases.map { key in
            let said = try settings.said(of: key, flag: Self.flag(key, choice))
            return Entry(
                key: key,
                value: try said.first ?? signIn[key] ?? settings.valueOrStandard(of: key)
                    ?? standard(of: key, settings, isForPerson: environment.terminal.isOutputTerminal),
                overruled: Array(said.dropFirst()))
        }
        return ConfigurationReport(profile: settings.profile, entries: entries)
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
