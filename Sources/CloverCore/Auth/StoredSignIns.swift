package import CloverAuth

/// A snapshot of this machine's sign-ins and their names, for callers with several queries.
package struct StoredSignIns: Sendable {
    package let keys: [CredentialKey]
    package let profiles: [String: CredentialKey]

    package static func read(in environment: CommandEnvironment) async throws -> StoredSignIns {
        StoredSignIns(
            keys: try await environment.credentialStore().keys(), profiles: try await environment.profiles().all())
    }

    /// The profile's credential key; nil if there is no profile of this name.
    ///
    /// - Throws: `.invalidProfile`.
    func key(named name: String) throws(CredentialError) -> CredentialKey? {
        guard ProfileStore.isName(name) else { throw .invalidProfile(name) }
        return profiles[name]
    }

    /// The sign-in of `auth switch`.
    ///
    /// - Parameter name: a profile's name or a merchant's id; nil to use the choice alone.
    package func find(
        _ name: String?, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        var choice = choice
        if let name {
            if try key(named: name) != nil {
                choice.profile = name
            } else {
                choice.merchantID = name
            }
        }
        guard let key = try await choice.key(in: environment, takesCurrent: false, among: self), keys.contains(key)
        else {
            if let name, choice.profile == nil {
                throw CoreError.unknownProfile(name, known: profiles.keys.sorted())
            }
            throw CoreError.notSignedIn(choice)
        }
        return SignedIn(key: key, profile: choice.profile ?? profiles.filter { $0.value == key }.keys.min())
    }
}

extension ProfileStore {
    /// The name of a credential; nil if it has none. Of several names, the one chosen last, or else the first.
    package func name(
        of key: CredentialKey, preferring chosen: SignedIn? = nil
    ) async throws(CredentialError) -> String? {
        let names = try await all().filter { $0.value == key }.keys.sorted()
        if let chosen, chosen.key == key, let name = chosen.profile, names.contains(name) { return name }
        return names.first
    }
}
