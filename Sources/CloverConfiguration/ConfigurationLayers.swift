/// Everything that has a say in what a setting is: a flag before a variable, before the file, before the default. In the
/// file, the profile's section before the top level.
///
/// Whose data is meant (environment, merchant, app) is one thing: a profile that was named by flag or `CLOVER_PROFILE`
/// says it before the variables do.
package struct ConfigurationLayers: Sendable {
    package let variables: [String: String]
    /// Nil without a file.
    package let document: ConfigurationDocument?
    /// Whose section of the file counts.
    package let profile: String?
    /// The profile was named now, not by the file or by `auth switch`.
    package let isProfileNamed: Bool

    package init(
        variables: [String: String], document: ConfigurationDocument? = nil, profile: String? = nil,
        isProfileNamed: Bool = false
    ) {
        self.variables = variables
        self.document = document
        self.profile = profile
        self.isProfileNamed = isProfileNamed
    }

    /// What counts; nil when nobody said anything.
    ///
    /// - Parameter flag: what was typed after the key's option; the command has checked it.
    /// - Throws: `.wrongVariable`.
    package func value(of key: ConfigurationKey, flag: String? = nil) throws(ConfigurationError) -> ConfigurationValue?
    {
        try said(of: key, flag: flag).first
    }

    /// The same, with the default in the last place.
    package func valueOrStandard(
        of key: ConfigurationKey, flag: String? = nil
    ) throws(ConfigurationError) -> ConfigurationValue? {
        if let value = try value(of: key, flag: flag) { return value }
        return key.facts.standard.map { ConfigurationValue(text: $0, source: .standard) }
    }

    /// Everything that is said of the key, what counts first.
    package func said(of key: ConfigurationKey, flag: String? = nil) throws(ConfigurationError) -> [ConfigurationValue]
    {
        let typed = flag.map { ConfigurationValue(text: $0, source: .flag) }
        let variable = try variable(key)
        let own = profile.flatMap { said(of: key, by: $0) }
        let common = document?.common[key].map { value($0, profile: nil) }
        let middle = isProfileNamed && key.isIdentity ? [own, variable] : [variable, own]
        return ([typed] + middle + [common]).compactMap { $0 }
    }

    /// What the section of a profile says of the key, whether it counts or not.
    package func said(of key: ConfigurationKey, by profile: String) -> ConfigurationValue? {
        document?.profiles[profile]?[key].map { value($0, profile: profile) }
    }

    private func value(_ entry: ConfigurationDocument.Entry, profile: String?) -> ConfigurationValue {
        ConfigurationValue(
            text: entry.text, source: .file(path: document?.path ?? "", line: entry.line, profile: profile))
    }

    private func variable(_ key: ConfigurationKey) throws(ConfigurationError) -> ConfigurationValue? {
        for name in key.variables {
            guard let text = variables[name], !text.isEmpty else { continue }
            guard key.facts.kind.accepts(text) else {
                throw .wrongVariable(
                    name: name, takes: key.facts.kind, SecretShape.looksSecret(text) ? nil : text)
            }
            return ConfigurationValue(text: text, source: .variable(name))
        }
        return nil
    }
}

extension ConfigurationLayers {
    /// The text of what counts, the default too.
    package func text(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        try valueOrStandard(of: key)?.text
    }

    /// A whole number that somebody set.
    package func wholeNumber(_ key: ConfigurationKey) throws(ConfigurationError) -> Int? {
        try value(of: key).flatMap { ValueKind.wholeNumber($0.text) }
    }

    /// Seconds that somebody set.
    package func seconds(_ key: ConfigurationKey) throws(ConfigurationError) -> Double? {
        try value(of: key).flatMap { DurationText.seconds($0.text) }
    }

    /// Whether it is switched on.
    package func isOn(_ key: ConfigurationKey) throws(ConfigurationError) -> Bool {
        try value(of: key).flatMap { ValueKind.truth($0.text) } ?? false
    }
}

extension ConfigurationLayers {
    /// Whether a variable that is no key's is set to yes; false when it is unset or empty.
    ///
    /// - Throws: `.wrongVariable`.
    package static func isOn(
        variable name: String, in variables: [String: String]
    ) throws(ConfigurationError) -> Bool {
        guard let text = variables[name], !text.isEmpty else { return false }
        guard let value = ValueKind.truth(text) else { throw .wrongVariable(name: name, takes: .truth, text) }
        return value
    }
}
