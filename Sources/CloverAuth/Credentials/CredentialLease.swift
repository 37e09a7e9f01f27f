/// The right to work on one credential alone. It ends with `release()`, with the last reference, or with the process,
/// however that ends. Everything but `release` throws `.leaseEnded` afterwards.
package protocol CredentialLease: Sendable {
    /// The credential as it is now; nil when there is none.
    func load() async throws(CredentialError) -> Credential?

    /// Replaces the credential. When it returns, a power failure does not lose it. A journal that is about other tokens
    /// is removed.
    ///
    /// - Returns: `.leftInKeyring` when it took the place of one in the keyring, which is still there.
    @discardableResult
    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError?

    /// Forgets the credential and its journal.
    ///
    /// - Returns: false when there was none.
    /// - Throws: `.leftInKeyring` when all is gone but the keyring's item.
    func remove() async throws(CredentialError) -> Bool

    /// What the last refresh left written down; nil when it was finished.
    func journal() async throws(CredentialError) -> RefreshJournal?

    /// Writes the journal, or removes it. When it returns, a power failure does not undo it.
    func setJournal(_ journal: RefreshJournal?) async throws(CredentialError)

    /// Makes sure that there is room for the next `save`, before something is done that cannot be repeated. The room
    /// is given back by `save`, by `release`, or by whoever saves next.
    func reserve() async throws(CredentialError)

    /// Lets the others in. Calling it again does nothing.
    func release()
}
