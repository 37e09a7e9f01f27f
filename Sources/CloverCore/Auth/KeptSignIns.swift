import CloverAuth

/// The sign-ins of this machine and their names, read once for whoever asks about many of them.
struct KeptSignIns: Sendable {
    let keys: [CredentialKey]
    let profiles: [String: CredentialKey]

    /// What the profile stands for; nil when there is none of this name.
    ///
    /// - Throws: `.invalidProfile`.
    func key(named name: String) throws(CredentialError) -> CredentialKey? {
        guard ProfileBook.isName(name) else { throw .invalidProfile(name) }
        return profiles[name]
    }

    /// The first name that a credential goes by; nil without one.
    func name(of key: CredentialKey) -> String? {
        profiles.filter { $0.value == key }.keys.min()
    }

    static func read(in environment: CommandEnvironment) async throws -> KeptSignIns {
        KeptSignIns(
            keys: try await environment.credentialStore().keys(), profiles: try await environment.profiles().all())
    }
}
