import CloverAuth
package import CloverConfiguration
import CloverStorage

extension CommandEnvironment {
    /// The configuration file. Nothing is opened.
    package func configurationFile() throws(ConfigurationError) -> ConfigurationFile {
        do throws(StorageError) {
            return try ConfigurationFile(environment: variables)
        } catch {
            throw .storage(error)
        }
    }

    /// What the configuration file says; nil when there is none. It is read once.
    ///
    /// - Throws: `.invalid` when anything in it cannot be meant, and what `ConfigurationFile.read` throws.
    package func configuration() throws(ConfigurationError) -> ConfigurationDocument? {
        try configurationCache.document { () throws(ConfigurationError) in
            let file: ConfigurationFile
            do throws(StorageError) {
                file = try ConfigurationFile(environment: variables)
            } catch {
                // Whoever has no home has no file in it either.
                return nil
            }
            guard let document = try file.read() else { return nil }
            guard document.problems.isEmpty else { throw .invalid(path: document.path, document.problems) }
            return document
        }
    }

    /// What is set for a run with this choice: the one way to variables and the file. Ask it with
    /// `wholeNumber(.retry)`, `text(.readerDriver)` and so on.
    ///
    /// The section of a profile counts when the profile is named by flag, by `CLOVER_PROFILE`, by `profile` in the file,
    /// or is the one that `auth switch` or the last sign-in chose; not when a merchant or environment is named instead.
    package func settings(for choice: ConnectionChoice) async throws -> ConfigurationLayers {
        let document = try configuration()
        func layers(_ profile: String?, isNamed: Bool = false) -> ConfigurationLayers {
            ConfigurationLayers(
                variables: variables, document: document, profile: profile, isProfileNamed: isNamed)
        }
        if let profile = choice.profile { return layers(profile, isNamed: true) }
        guard choice.environment == nil, choice.merchantID == nil else { return layers(nil) }
        if let profile = variables.nonEmpty("CLOVER_PROFILE") { return layers(profile, isNamed: true) }
        guard let document, !ConnectionChoice.isNamed(by: variables) else { return layers(nil) }
        if let profile = document.common[.profile]?.text { return layers(profile) }
        let isOpen = document.common[.merchant] == nil && document.common[.environment] == nil
        guard isOpen, !document.profiles.isEmpty, variables.nonEmpty("CLOVER_ACCESS_TOKEN") == nil else {
            return layers(nil)
        }
        return layers(try await credentialStore().currentChoice()?.profile)
    }
}
