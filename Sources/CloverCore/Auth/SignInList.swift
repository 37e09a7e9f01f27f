import CloverAPI
package import CloverAuth

/// `auth list`: every credential kept on this machine.
package enum SignInList {
    /// A credential, or why it cannot be read.
    package enum Entry: Sendable {
        case status(SignInStatus)
        /// Its file is here, but the keyring with its tokens cannot be used, or has lost them.
        case unreachable(SignInStatus, CredentialError)
        case unreadable(CredentialKey, profile: String?, CredentialError)
    }

    /// One entry for each name, and one for a credential without a name; only those that the choice fits.
    package static func entries(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> [Entry] {
        let store = try environment.credentialStore()
        let service = try choice.service()
        let profiles = try await environment.profiles().all()
        if let name = choice.profile, profiles[name] == nil {
            throw CoreError.unknownProfile(name, known: profiles.keys.sorted())
        }
        var entries: [Entry] = []
        for key in try await store.keys() {
            guard service == nil || key.environment == service?.name,
                choice.merchantID == nil || key.merchantID == choice.merchantID
            else { continue }
            var names: [String?] = profiles.filter { $0.value == key }.keys.sorted()
            if let name = choice.profile { names = names.filter { $0 == name } } else if names.isEmpty { names = [nil] }
            for name in names {
                if let entry = try await entry(key, name: name, in: environment) { entries.append(entry) }
            }
        }
        return entries
    }

    private static func entry(
        _ key: CredentialKey, name: String?, in environment: CommandEnvironment
    ) async throws -> Entry? {
        do {
            // One that was removed meanwhile is no entry, here and below.
            guard let credential = try await environment.credentialStore().load(key) else { return nil }
            var status = try await SignInStatus.of(credential, in: environment)
            // Of several names of the current credential one is the current one.
            status.isCurrent = status.isCurrent && status.profile == name
            status.profile = name
            return .status(status)
        } catch CredentialError.keyring(let path, let error) {
            guard let outline = try await environment.credentialStore().outline(key) else { return nil }
            return .unreachable(
                try await SignInStatus.of(outline, name: name, .keyringUnusable(error), in: environment),
                CredentialError.keyring(path: path, error))
        } catch CredentialError.missingInKeyring(let key) {
            guard let outline = try await environment.credentialStore().outline(key) else { return nil }
            return .unreachable(
                try await SignInStatus.of(outline, name: name, .goneFromKeyring, in: environment),
                CredentialError.missingInKeyring(key))
        } catch let error as CredentialError {
            return .unreadable(key, profile: name, error)
        }
    }
}
