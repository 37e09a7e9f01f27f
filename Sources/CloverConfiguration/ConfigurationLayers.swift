/// All sources of a setting, in order of precedence: flags override variables, which override the file, which overrides
/// the defaults. In the file, the profile's section overrides the top level.
///
/// The identity (environment, merchant, app) is an exception: a profile selected by a flag or `CLOVER_PROFILE`
/// overrides the variables.
package struct ConfigurationLayers: Sendable {
    package let variables: [String: String]
    /// Nil if there is no file.
    package let document: ConfigurationDocument?
    /// The profile whose section of the file applies.
    package let profile: String?
    /// Whether the profile was selected for this run, not by the file or by `auth switch`.
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

    /// The value in effect; nil if no source sets the key.
    ///
    /// - Parameter flag: the value of the key's option; already checked by the command.
    /// - Throws: `.wrongVariable`.
    package func value(of key: ConfigurationKey, flag: String? = nil) throws(ConfigurationError) -> ConfigurationValue?
    {
        try values(of: key, flag: flag).first
    }

    /// The value in effect, or else the default.
    package func valueOrStandard(
        of key: ConfigurationKey, flag: String? = nil
    ) throws(ConfigurationError) -> ConfigurationValue? {
        if let value = try value(of: key, flag: flag) { return value }
        return key.facts.standard.map { ConfigurationValue(text: $0, source: .standard) }
    }

    /// All values of the key, in order of precedence.
    package func values(
        of key: ConfigurationKey, flag: String? = nil
    ) throws(ConfigurationError) -> [ConfigurationValue] {
        let typed = flag.map { ConfigurationValue(text: $0, source: .flag) }
        let variable = try variable(key)
        let own = profile.flatMap { value(of: key, inProfile: $0) }
        let common = document?.common[key].map { value($0, profile: nil) }
        let middle = isProfileNamed && key.isIdentity ? [own, variable] : [variable, own]
        return ([typed] + middle + [common]).compactMap { $0 }
    }

    /// The value in a profile's section, whether it is in effect or not.
    package func value(of key: ConfigurationKey, inProfile profile: String) -> ConfigurationValue? {
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
                    name: name, takes: key.facts.kind, key.holdsSecret(text) ? nil : text)
            }
            return ConfigurationValue(text: text, source: .variable(name))
        }
        return nil
    }
}

extension ConfigurationLayers {
    /// The text of the value in effect, or else of the default.
    package func text(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        try valueOrStandard(of: key)?.text
    }

    /// A whole number, if one is set.
    package func wholeNumber(_ key: ConfigurationKey) throws(ConfigurationError) -> Int? {
        try value(of: key).flatMap { ValueKind.wholeNumber($0.text) }
    }

    /// Seconds, if a duration is set.
    package func seconds(_ key: ConfigurationKey) throws(ConfigurationError) -> Double? {
        try value(of: key).flatMap { DurationText.seconds($0.text) }
    }

    /// Whether the setting is on.
    package func isOn(_ key: ConfigurationKey) throws(ConfigurationError) -> Bool {
        try value(of: key).flatMap { ValueKind.truth($0.text) } ?? false
    }
}

extension ConfigurationLayers {
    /// Whether a variable that does not belong to a key is set to a true value; false if it is unset or empty.
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
