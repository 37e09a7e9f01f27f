package import CloverSystem

/// Stores credentials between runs: in files of this user, or in a database that several machines share.
package protocol CredentialStore: Sendable {
    /// Prepares the store and checks that it can hold credentials. Call it before an operation for a credential that
    /// cannot be repeated.
    func prepare() async throws(CredentialError)

    /// The credential for `key`; nil if there is none.
    func load(_ key: CredentialKey) async throws(CredentialError) -> Credential?

    /// What is known of the credential for `key` without its tokens and without querying a keyring; nil if there is
    /// none, or if it is not in a keyring.
    func outline(_ key: CredentialKey) async throws(CredentialError) -> CredentialOutline?

    /// Stores the credential, replacing the one with the same key. Once this returns, it survives a power failure.
    ///
    /// - Returns: `.leftInKeyring` if it replaced one in the keyring, whose item is still there.
    @discardableResult
    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError?

    /// Removes the credential for `key`, and its selection as the current one.
    ///
    /// - Returns: false if there was none.
    /// - Throws: `.leftInKeyring` if everything was removed except the keyring item.
    func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool

    /// Waits for exclusive access to the credential for `key`, across all processes, and holds it until the lease is
    /// released. Waiters are served in order of arrival. `save` and `remove` wait for it too.
    ///
    /// - Parameters:
    ///   - patience: timeout in seconds.
    ///   - onWait: called once, on any thread, if another lease is held.
    /// - Throws: `.lockBusy` if the timeout expires; `.cancelled` if the task is cancelled before it gets the lease.
    func lease(
        _ key: CredentialKey, patience: Double, onWait: @escaping @Sendable () -> Void
    ) async throws(CredentialError) -> any CredentialLease

    /// The journal of an unfinished refresh of the credential; nil if there is none. Unlike the lease's method, this
    /// does not wait, so the refresh may still be in progress.
    func journal(_ key: CredentialKey) async throws(CredentialError) -> RefreshJournal?

    /// The keys of all stored credentials, usable or not, in a stable order.
    func keys() async throws(CredentialError) -> [CredentialKey]

    /// The credential that commands use by default; nil if none is selected.
    func currentChoice() async throws(CredentialError) -> SignedIn?

    /// Selects the default credential; nil for none.
    func setCurrentChoice(_ choice: SignedIn?) async throws(CredentialError)

    /// Changes of these credentials, or of all if nil, from the time this returns, whichever process makes them.
    ///
    /// Changes that follow each other faster than they are read are reported as one. The stream ends when the task that
    /// reads it is cancelled. An unreadable credential is an event; the stream fails if the store can no longer be
    /// watched.
    ///
    /// - Parameter clock: provides the times of events.
    func events(
        of keys: Set<CredentialKey>?, clock: TokenClock
    ) async throws(CredentialError) -> AsyncThrowingStream<TokenEvent, any Error>
}

extension CredentialStore {
    /// The key of the default credential; nil if none is selected.
    package func current() async throws(CredentialError) -> CredentialKey? {
        try await currentChoice()?.key
    }

    /// The journal, if it is about the credential's refresh token.
    package func journal(of credential: Credential) async throws(CredentialError) -> RefreshJournal? {
        guard let token = credential.refreshToken, let journal = try await journal(credential.key),
            journal.isAbout(token)
        else { return nil }
        return journal
    }

    /// Clears the current credential if it is the one for `key`.
    package func forgetChoice(of key: CredentialKey) async throws(CredentialError) {
        do {
            if try await current() == key { try await setCurrentChoice(nil) }
        } catch .notJSON, .malformed, .newerVersion {
            // An unreadable selection does not select this key; commands that need one report the error.
        }
    }
}

/// Exclusive access to one credential. It ends with `release()`, with the last reference, or with the process, however
/// that ends. Afterwards everything except `release` throws `.leaseEnded`.
package protocol CredentialLease: Sendable {
    /// The current credential; nil if there is none.
    func load() async throws(CredentialError) -> Credential?

    /// Replaces the credential. Once this returns, it survives a power failure. Removes a journal that belongs to other
    /// tokens.
    ///
    /// - Returns: `.leftInKeyring` if it replaced one in the keyring, whose item is still there.
    @discardableResult
    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError?

    /// Removes the credential and its journal.
    ///
    /// - Returns: false if there was none.
    /// - Throws: `.leftInKeyring` if everything was removed except the keyring item.
    func remove() async throws(CredentialError) -> Bool

    /// The journal of an unfinished refresh; nil if there is none.
    func journal() async throws(CredentialError) -> RefreshJournal?

    /// Writes the journal, or removes it. Once this returns, a power failure does not undo it.
    func setJournal(_ journal: RefreshJournal?) async throws(CredentialError)

    /// Reserves space for the next `save`. Call it before an operation that cannot be repeated. The space is released
    /// by `save`, by `release`, or by the next process that saves.
    func reserve() async throws(CredentialError)

    /// Ends the lease. Repeated calls do nothing.
    func release()
}

/// A stored credential and the name by which it is used.
package struct SignedIn: Equatable, Sendable {
    package let key: CredentialKey
    /// The profile; nil if the credential has no name, or was selected without it.
    package let profile: String?

    package init(key: CredentialKey, profile: String? = nil) {
        self.key = key
        self.profile = profile
    }
}

/// Why a credential cannot be read or stored. No case contains any part of a token.
package indirect enum CredentialError: Error, Equatable, Sendable {
    /// Not a known environment, and not an http or https URL of valid length.
    case invalidEnvironment(String)
    case invalidMerchant(String)
    /// Not 1 to 64 ASCII letters and digits, or the reserved word `static`.
    case invalidApp(String)
    case unusableToken(field: String)
    case storage(StorageError)
    case notJSON(path: String)
    case malformed(path: String, field: String)
    case newerVersion(path: String, found: Int, supported: Int)
    case otherKey(path: String)
    /// Foundation's encoder rejected plain strings and numbers.
    case notEncodable
    /// Another process used the credential longer than the timeout; the path is the lock file's.
    case lockBusy(path: String)
    /// The lease of this lock file was used after its release.
    case leaseEnded(path: String)
    /// The task was cancelled while waiting for the lock.
    case cancelled
    /// The file of this credential refers to the keyring, which has no such item.
    case missingInKeyring(CredentialKey)
    /// The credential was removed from its file, or has other tokens now, but the item of this name could not be
    /// removed from the keyring.
    case leftInKeyring(CredentialKey, item: String, SecretVaultError)
    /// The tokens of this file are in the keyring, or belong there, and the keyring cannot be used.
    case keyring(path: String, SecretVaultError)
    case invalidProfile(String)
    /// The database with the credentials cannot be reached now.
    case databaseAway(address: String, message: String)
    /// The database cannot keep credentials until someone changes something.
    case databaseUnusable(address: String, message: String, fix: String)
    /// A credential in the database cannot be decrypted, or none can be encrypted.
    case stateKey(StateKeyProblem)
    /// The connection was lost while this machine used the credential, and another machine changed it since.
    case overtaken(CredentialKey)
    /// The database could not store new tokens, for this reason. They are in the file at `path`, and the next process of this
    /// machine stores them.
    case tokensUnstored(path: String, CredentialError)
}

/// What is wrong with the key that encrypts credentials in a database.
package enum StateKeyProblem: Error, Equatable, Sendable {
    /// The database names no key yet.
    case none(address: String)
    /// The key of this identifier is not in the file at `path`.
    case unknown(id: String, path: String)
    /// The same, and nothing is known to need it.
    case absent(id: String, path: String)
    /// The file says that the key is in the keyring, which cannot be used.
    case keyring(id: String, path: String, SecretVaultError)
    /// The keyring does not take a key.
    case notStored(SecretVaultError)
    /// The file says that the key is in the keyring, which has no such item. `isUnused`: the database does not need it, nor does
    /// any other that is known.
    case goneFromKeyring(id: String, path: String, isUnused: Bool = false)
    /// A copy of the key that is not used could not be removed from the keyring.
    case leftInKeyring(id: String, path: String, SecretVaultError)
    /// The same, and it encrypts these sign-ins.
    case lost(id: String, path: String, signIns: [CredentialKey])
    /// The key file is there, but not usable.
    case unreadable(path: String)
    /// The row was changed, or belongs to another credential.
    case altered(CredentialKey, id: String)
    /// There is a key already.
    case exists(id: String, path: String)
    /// The key of this identifier still encrypts something.
    case inUse(id: String, credentials: Int)
    /// The key of this identifier encrypts new tokens in this file, which the database does not have yet.
    case keepsTokens(id: String, path: String, of: CredentialKey)
    /// The database does not use the key of this identifier, and it is not known that nothing else does: it may be one of these
    /// databases, or of any.
    case mayBeNeeded(id: String, by: [String], isNext: Bool)
    /// No next key was prepared.
    case notPrepared(path: String)
}

extension StateKeyProblem {
    /// Whether the keyring is the reason.
    package var isOfKeyring: Bool {
        switch self {
        case .keyring, .notStored, .leftInKeyring: true
        default: false
        }
    }
}

extension StateKeyProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none(let address): "the tokens in \(address) have no key yet"
        case .unknown(let id, let path): "the tokens are encrypted with the key \(id), which is not in \(path)"
        case .absent(let id, let path): "there is no key '\(id)' in \(path)"
        case .keyring(let id, _, let error): "cannot use the key \(id) in the keyring: \(error)"
        case .goneFromKeyring(let id, let path, _): "the key \(id) is not in the keyring, where \(path) says that it is"
        case .notStored(let error): "cannot store a key in the keyring: \(error)"
        case .leftInKeyring(let id, let path, let error):
            "the keyring still has a copy of the key \(id), which is not used beside \(path): \(error)"
        case .lost(let id, let path, let signIns):
            "the key \(id), which is not in \(path), encrypts the tokens of "
                + signIns.map(\.words).joined(separator: ", ")
        case .unreadable(let path): "\(path) is not a file of keys, or was changed"
        case .altered(let key, let id):
            "the tokens of \(key.words) in the database were changed: the key \(id) does not fit them"
        case .exists(let id, let path): "there is a key already: \(id) in \(path)"
        case .inUse(let id, let credentials):
            credentials == 0
                ? "the key \(id) encrypts new tokens"
                : "the key \(id) still encrypts the tokens of \(credentials) sign-ins"
        case .keepsTokens(let id, let path, let key):
            "the key \(id) encrypts new tokens of \(key.words) in \(path), which may not be in the database yet"
        case .mayBeNeeded(let id, let databases, _) where !databases.isEmpty:
            "the key \(id) belongs to \(databases.joined(separator: " and "))"
        case .mayBeNeeded(let id, _, true): "the key \(id) is the next key, which other machines may use at any time"
        case .mayBeNeeded(let id, _, false):
            "the database does not use the key \(id), but this machine cannot tell whether a backup or another database "
                + "needs it"
        case .notPrepared(let path): "\(path) has no next key"
        }
    }
}

extension CredentialError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidEnvironment(let text): "'\(text)' is not an environment"
        case .invalidMerchant(let text): "'\(text)' is not a merchant ID"
        case .invalidApp(let text): "'\(text)' is not an app ID"
        case .unusableToken(let field): "the \(field) cannot be used in a request"
        case .storage(let error): error.description
        case .notJSON(let path): "\(path) is not a JSON object"
        case .malformed(let path, let field): "\(path) has no usable '\(field)'"
        case .newerVersion(let path, let found, let supported):
            "\(path) has version \(found), and this program knows versions up to \(supported)"
        case .otherKey(let path): "\(path) belongs to a different credential than its name says"
        case .notEncodable: "the credential cannot be written as JSON"
        case .lockBusy(let path): "another process holds \(path)"
        case .leaseEnded(let path): "the lock \(path) is no longer held"
        case .cancelled: "the wait for the credential was cancelled"
        case .missingInKeyring(let key):
            "the tokens of \(key.words) are no longer in the keyring"
        case .leftInKeyring(let key, _, let error):
            "tokens of \(key.words) stay in the keyring: \(error)"
        case .keyring(let path, let error): "the tokens of \(path) cannot be reached: \(error)"
        case .invalidProfile(let text): "'\(text)' is not a profile name"
        case .databaseAway(let address, let message), .databaseUnusable(let address, let message, _):
            "the sign-ins in \(address) cannot be used: \(message)"
        case .stateKey(let problem): problem.description
        case .overtaken(let key):
            "the connection to the database was lost, and another machine changed the tokens of \(key.words) since"
        case .tokensUnstored(let path, let error):
            "the service renewed the tokens, and they are in \(path), encrypted, until the database can store them: \(error)"
        }
    }
}

extension CredentialError {
    /// The command that removes an item from a keyring that Clover cannot reach (secret-tool(1)).
    package static func removal(of item: String) -> String {
        "they are no longer used; when the keyring is available, remove them with: "
            + "secret-tool clear application clover item \(item)"
    }

    /// What happens to an item whose tokens have been replaced, and whose name is stored beside the new ones.
    package static func laterRemoval(of item: String) -> String {
        "they are no longer used, and the first renewal or sign-in that can use the keyring removes them; "
            + "to remove them by hand: secret-tool clear application clover item \(item)"
    }

    /// Rethrows the error of a file operation as `.storage`.
    package static func storing<Value: ~Copyable>(
        _ work: @autoclosure () throws(StorageError) -> Value
    ) throws(CredentialError) -> Value {
        do {
            return try work()
        } catch {
            throw .storage(error)
        }
    }
}
