extension ConfigurationValue {
    /// The value as it was set, for messages: `CLOVER_FORMAT=csv`, `format: csv (config.yml line 3)`.
    package func setting(_ key: ConfigurationKey) -> String {
        switch source {
        case .flag: "--\(key.name) \(text)"
        case .variable(let name): "\(name)=\(text)"
        case .file(_, let line, _): "\(key.name): \(text) (\(ConfigurationFile.name) line \(line))"
        case .signIn, .standard: "\(key.name) \(text)"
        }
    }
}
