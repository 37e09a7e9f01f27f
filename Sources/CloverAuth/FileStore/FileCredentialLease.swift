import CloverHTTP
import CloverSystem
import Synchronization

/// A lease on a credential's files: the kernel lock on `NAME.json.lock`.
final class FileCredentialLease: CredentialLease {
    private let key: CredentialKey
    private let items: KeyringCredentials
    private let state: StateDirectory
    private let directory: OpenDirectory
    /// Nil after the release. The mutex is held during file operations, so that the lock cannot be released meanwhile.
    private let held: Mutex<Held?>

    /// The lock, and whether space was reserved under it.
    private struct Held: ~Copyable {
        let lock: FileLock
        var hasReserved = false

        init(lock: consuming FileLock) {
            self.lock = lock
        }
    }

    /// Space for the largest document in bytes: two tokens of 8192 bytes, and the rest.
    static let room = 24_576

    init(
        key: CredentialKey, items: KeyringCredentials, state: StateDirectory, directory: consuming OpenDirectory,
        lock: consuming FileLock
    ) {
        self.key = key
        self.items = items
        self.state = state
        self.directory = directory
        held = Mutex(Held(lock: lock))
    }

    deinit {
        release()
    }

    private var path: String { directory.path(of: key.fileName) }

    func load() async throws(CredentialError) -> Credential? {
        switch try await content() {
        case nil: nil
        case .whole(let credential, _): credential
        case .pointer(let outline): try await items.credential(for: outline, path: path)
        }
    }

    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError? {
        try CredentialDocument.check(credential)
        // A file that `load` would refuse is left for the user to inspect; it must not be overwritten.
        let old = try await content()
        let isFirstTry = if case .pointer = old { true } else { false }
        // The item that holds, or held, tokens of this credential.
        let item = old?.item
        if credential.isInKeyring {
            let item = item ?? KeyringCredentials.makeItemName()
            try await items.store(credential, item: item, path: path)
            try await write(CredentialDocument.encodePointer(credential, item: item), for: credential)
            return nil
        }
        // The file keeps the item's name until the item is removed, because it is recorded nowhere else.
        try await write(CredentialDocument.encode(credential, formerItem: item), for: credential)
        guard let item else { return nil }
        // The new tokens are stored, and the item is no longer needed.
        if let leftover = await items.remove(item, key: key) { return isFirstTry ? leftover : nil }
        do throws(CredentialError) {
            try await write(CredentialDocument.encode(credential), for: credential)
        } catch {
            // The name of a removed item does no harm; the next save drops it.
        }
        return nil
    }

    /// Replaces the credential's file.
    private func write(_ bytes: [UInt8], for credential: Credential) async throws(CredentialError) {
        try await withLock { (lock) throws(StorageError) in
            // A sign-in that no one knew of was not waited for.
            try self.state.refuseMoved()
            try AtomicFile.replace(self.key.fileName, in: self.directory, with: bytes, holding: lock)
            self.removeJournal(unlessAbout: credential.refreshToken, holding: lock)
        }
    }

    func remove() async throws(CredentialError) -> Bool {
        // Check owner, mode and kind before removing anything.
        let exists = try await withLock { (_) throws(StorageError) in
            _ = try PrivateFile.check(self.key.journalName, in: self.directory)
            return try PrivateFile.check(self.key.fileName, in: self.directory)
        }
        var leftover: CredentialError?
        if exists {
            do {
                if let item = try await content()?.item { leftover = await items.remove(item, key: key) }
            } catch .notJSON, .malformed, .newerVersion, .otherKey {
                // Remove an unreadable file as well.
            }
        }
        let existed = try await withLock { (lock) throws(StorageError) in
            var existed = false
            if exists { existed = try AtomicFile.remove(self.key.fileName, in: self.directory, holding: lock) }
            _ = try AtomicFile.remove(self.key.journalName, in: self.directory, holding: lock)
            return existed
        }
        if let leftover { throw leftover }
        return existed
    }

    func journal() async throws(CredentialError) -> RefreshJournal? {
        try await underLock { (_) throws(CredentialError) in
            try CredentialFiles.readJournal(self.key, in: self.directory)
        }
    }

    func setJournal(_ journal: RefreshJournal?) async throws(CredentialError) {
        let bytes = try journal.map { (journal) throws(CredentialError) in try JSONDocument.encode(journal) }
        // An unreadable journal is left for the user to inspect.
        _ = try await self.journal()
        try await withLock { (lock) throws(StorageError) in
            if let bytes {
                try AtomicFile.replace(self.key.journalName, in: self.directory, with: bytes, holding: lock)
            } else {
                _ = try AtomicFile.remove(self.key.journalName, in: self.directory, holding: lock)
            }
        }
    }

    func reserve() async throws(CredentialError) {
        try await withLock { (lock) throws(StorageError) in
            try AtomicFile.reserve(Self.room, for: self.key.fileName, in: self.directory, holding: lock)
        }
        held.withLock { $0?.hasReserved = true }
    }

    func release() {
        held.withLock { held in
            if case .some(let last) = consume held, last.hasReserved {
                AtomicFile.giveBack(key.fileName, in: directory, holding: last.lock)
            }
            held = nil
        }
    }

    private func content() async throws(CredentialError) -> CredentialDocument.Content? {
        try await underLock { (_) throws(CredentialError) in
            try CredentialFiles.read(self.key, in: self.directory)
        }
    }

    /// Removes a journal about tokens that are gone, because it no longer explains anything. One that cannot be read or
    /// removed stays; it does no harm.
    private func removeJournal(unlessAbout token: Secret?, holding lock: borrowing FileLock) {
        do {
            guard let journal = try CredentialFiles.readJournal(key, in: directory) else { return }
            if let token, journal.isAbout(token) { return }
            _ = try AtomicFile.remove(key.journalName, in: directory, holding: lock)
        } catch {
            return
        }
    }

    private func withLock<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing FileLock) throws(StorageError) -> Value
    ) async throws(CredentialError) -> Value {
        try await underLock { (lock) throws(CredentialError) in try CredentialError.storing(try body(lock)) }
    }

    /// Performs file operations under the lock, on a dedicated thread.
    private func underLock<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing FileLock) throws(CredentialError) -> Value
    ) async throws(CredentialError) -> Value {
        try await DedicatedThread.run { [self] () throws(CredentialError) in
            try held.withLock { (held) throws(CredentialError) -> Value in
                switch held {
                case .some(let held): return try body(held.lock)
                case nil: throw .leaseEnded(path: path)
                }
            }
        }
    }
}
