package import CloverAuth

/// `auth switch`: sets the credential that commands use by default.
package struct SignInSwitch: Sendable {
    /// A profile's name or a merchant's id; nil to use the choice.
    package var name: String?
    package var choice: ConnectionChoice

    package init(name: String?, choice: ConnectionChoice) {
        self.name = name
        self.choice = choice
    }

    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let chosen = try await chosen(among: StoredSignIns.read(in: environment), in: environment)
        try await environment.credentialStore().setCurrentChoice(
            ActiveCredential(key: chosen.key, profile: chosen.profile))
        environment.noteOverridingToken()
        try environment.noteOverridingConfiguration(chosen.key, profile: chosen.profile)
        return chosen
    }

    /// Finds the chosen sign-in without changing anything.
    func chosen(among kept: StoredSignIns, in environment: CommandEnvironment) async throws -> SignedIn {
        var choice = choice
        if let name {
            if try kept.key(named: name) != nil {
                choice.profile = name
            } else {
                choice.merchantID = name
            }
        }
        guard let key = try await choice.key(in: environment, takesCurrent: false, among: kept), kept.keys.contains(key)
        else {
            if let name, choice.profile == nil {
                throw CoreError.unknownProfile(name, known: kept.profiles.keys.sorted())
            }
            throw CoreError.notSignedIn(choice)
        }
        return SignedIn(key: key, profile: choice.profile ?? kept.name(of: key))
    }
}

/// A snapshot of this machine's sign-ins and their names, for callers with several queries.
package struct StoredSignIns: Sendable {
    let keys: [CredentialKey]
    let profiles: [String: CredentialKey]

    /// The profile's credential key; nil if there is no profile of this name.
    ///
    /// - Throws: `.invalidProfile`.
    func key(named name: String) throws(CredentialError) -> CredentialKey? {
        guard ProfileStore.isName(name) else { throw .invalidProfile(name) }
        return profiles[name]
    }

    /// The first name of a credential; nil if it has none.
    func name(of key: CredentialKey) -> String? {
        profiles.filter { $0.value == key }.keys.min()
    }

    static func read(in environment: CommandEnvironment) async throws -> StoredSignIns {
        StoredSignIns(
            keys: try await environment.credentialStore().keys(), profiles: try await environment.profiles().all())
    }
}

extension ProfileStore {
    /// The name of a credential; nil if it has none. Of several names, the one chosen last, or else the first.
    package func name(of key: CredentialKey, preferring chosen: ActiveCredential? = nil) async throws(CredentialError)
        -> String?
    {
        let names = try await all().filter { $0.value == key }.keys.sorted()
        if let chosen, chosen.key == key, let name = chosen.profile, names.contains(name) { return name }
        return names.first
    }
}
