package import CloverConfiguration

/// `clover config get` and `list`: what is set, and who says so.
package struct ConfigurationReport: Sendable {
    /// What is said of one key.
    package struct Entry: Sendable {
        package let key: ConfigurationKey
        /// What counts; nil when it is open.
        package let value: ConfigurationValue?
        /// What is said besides, and does not count.
        package let overruled: [ConfigurationValue]
    }

    /// Whose settings these are; nil for nobody's in particular.
    package let profile: String?
    package let entries: [Entry]

    /// - Parameter choice: says whose settings are meant, as for a run.
    package static func make(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> ConfigurationReport {
        let settings = try await environment.settings(for: choice)
        let entries = try ConfigurationKey.allCases.map { key in
            let said = try settings.said(of: key, flag: Self.flag(key, choice))
            return Entry(
                key: key, value: try said.first ?? settings.valueOrStandard(of: key),
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
