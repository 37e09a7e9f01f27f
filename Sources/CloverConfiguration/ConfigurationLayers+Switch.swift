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
