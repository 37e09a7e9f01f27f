import CloverConfiguration

extension ConfigurationLayers {
    /// A path that somebody set; `~` in it is the home that `HOME` names.
    func path(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let text = try value(of: key)?.text else { return nil }
        guard text.hasPrefix("~/"), let home = variables.nonEmpty("HOME") else { return text }
        return home + text.dropFirst()
    }
}
