/// Where credentials are kept between runs: files of this user now, other places for a fleet of machines.
package protocol CredentialStore: Sendable {
    /// Makes the place ready and finds out whether credentials can be kept there, before anything is done for one that
    /// cannot be repeated.
    func prepare() async throws(CredentialError)

    /// The credential for `key`; nil when there is none.
    func load(_ key: CredentialKey) async throws(CredentialError) -> Credential?

    /// What is known of the credential for `key` without its tokens and without asking a keyring; nil when there is
    /// none, or when it is not in a keyring.
    func outline(_ key: CredentialKey) async throws(CredentialError) -> CredentialOutline?

    /// Keeps the credential, in place of the one with the same key. When it returns, a power failure does not lose it.
    ///
    /// - Returns: `.leftInKeyring` when it took the place of one in the keyring, which is still there.
    @discardableResult
    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError?

    /// Forgets the credential for `key`, and the choice of it as the current one.
    ///
    /// - Returns: false when there was none.
    /// - Throws: `.leftInKeyring` when all is gone but the keyring's item.
    func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool

    /// Forgets that the credential for `key` is the current one, if it is.
    func forgetChoice(of key: CredentialKey) async throws(CredentialError)

    /// Waits until nobody else, in any process, works on the credential for `key`, and keeps all others out until the
    /// lease is released. Those who wait get it in the order in which they came. `save` and `remove` wait for it, too.
    ///
    /// - Parameters:
    ///   - patience: seconds to wait at most.
    ///   - onWait: called once, on any thread, when somebody else is there.
    /// - Throws: `.lockBusy` when patience ran out; `.cancelled` when the task was cancelled before it got the lease.
    func lease(
        _ key: CredentialKey, patience: Double, onWait: @escaping @Sendable () -> Void
    ) async throws(CredentialError) -> any CredentialLease

    /// What a refresh of the credential left written down; nil when it was finished. Unlike the lease's, this waits for
    /// nobody, so that it may be of a refresh under way.
    func journal(_ key: CredentialKey) async throws(CredentialError) -> RefreshJournal?

    /// The keys of all credentials kept, whether they are usable or not, in a stable order.
    func keys() async throws(CredentialError) -> [CredentialKey]

    /// What commands use when nothing else is said; nil when nothing was chosen.
    func currentChoice() async throws(CredentialError) -> CurrentChoice?

    /// Chooses; nil for nothing.
    func setCurrentChoice(_ choice: CurrentChoice?) async throws(CredentialError)
}

extension CredentialStore {
    /// The key that commands use when nothing else is said; nil when none was chosen.
    package func current() async throws(CredentialError) -> CredentialKey? {
        try await currentChoice()?.key
    }

    /// Chooses that key without a profile; nil for none.
    package func setCurrent(_ key: CredentialKey?) async throws(CredentialError) {
        try await setCurrentChoice(key.map { CurrentChoice(key: $0) })
    }
}
