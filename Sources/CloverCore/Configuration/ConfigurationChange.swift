package import CloverConfiguration
import CloverThreads

/// `clover config set` and `unset`.
package struct ConfigurationChange: Sendable {
    /// As it was typed.
    package var name: String
    /// Nil removes the key.
    package var value: String?
    /// The section that is changed; nil for the top.
    package var profile: String?

    package init(_ name: String, to value: String?, profile: String?) {
        self.name = name
        self.value = value
        self.profile = profile
    }

    /// Changes the file, and gives it.
    ///
    /// - Throws: `ConfigurationError`; nothing was changed then. `CoreError.malformedProfile`.
    package func run(in environment: CommandEnvironment) async throws -> ConfigurationFile {
        if let profile, !ValueKind.profileName.accepts(profile) { throw CoreError.malformedProfile(profile) }
        let file = try environment.configurationFile()
        if let value {
            let key = try ConfigurationKey(naming: name)
            try await DedicatedThread.run { () throws(ConfigurationError) in
                try file.set(key, to: value, profile: profile)
            }
        } else {
            try await DedicatedThread.run { () throws(ConfigurationError) in
                try file.unset(name, profile: profile)
            }
        }
        return file
    }
}
