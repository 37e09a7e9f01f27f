/// Where credentials are kept between runs: files of this user now, other places for a fleet of machines.
package protocol CredentialStore: Sendable {
    /// The credential for `key`; nil when there is none.
    func load(_ key: CredentialKey) async throws(CredentialError) -> Credential?

    /// Keeps the credential, in place of the one with the same key. When it returns, a power failure does not lose it.
    func save(_ credential: Credential) async throws(CredentialError)

    /// Forgets the credential for `key`, and the choice of it as the current one.
    ///
    /// - Returns: false when there was none.
    func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool

    /// The keys of all credentials kept, whether they are usable or not, in a stable order.
    func keys() async throws(CredentialError) -> [CredentialKey]

    /// The key that commands use when nothing else is said; nil when none was chosen.
    func current() async throws(CredentialError) -> CredentialKey?

    /// Chooses that key; nil for none.
    func setCurrent(_ key: CredentialKey?) async throws(CredentialError)
}
