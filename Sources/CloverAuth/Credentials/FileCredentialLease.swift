import CloverHTTP
import CloverStorage
import CloverThreads
import Synchronization

/// A lease on a credential's files: the kernel lock on `NAME.json.lock`.
final class FileCredentialLease: CredentialLease {
    private let key: CredentialKey
    private let items: KeyringItems
    private let directory: OpenDirectory
    /// Nil after the release. The mutex is held while files are worked on, so that the lock cannot go meanwhile.
    private let state: Mutex<Held?>

    /// The lock, and whether room was reserved under it.
    private struct Held: ~Copyable {
        let lock: FileLock
        var hasReserved = false

        init(lock: consuming FileLock) {
            self.lock = lock
        }
    }

    /// Room for the longest document: two tokens of 8192 bytes, and what is around them.
    static let room = 24_576

    init(key: CredentialKey, items: KeyringItems, directory: consuming OpenDirectory, lock: consuming FileLock) {
        self.key = key
        self.items = items
        self.directory = directory
        state = Mutex(Held(lock: lock))
    }

    deinit {
        release()
    }

    private var name: String { CredentialFileName.name(for: key) }
    private var journalName: String { CredentialFileName.journalName(for: key) }
    private var path: String { directory.path(of: name) }

    func load() async throws(CredentialError) -> Credential? {
        switch try await content() {
        case nil: nil
        case .whole(let credential, _): credential
        case .pointer(let pointer): try await items.credential(for: pointer, key: key, path: path)
        }
    }

    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError? {
        try CredentialDocument.check(credential)
        // A file that `load` would refuse is somebody's to look at, not ours to write over.
        let old = try await content()
        // The item that has, or had, tokens of this credential.
        let item: String?
        var isFirstTry = false
        switch old {
        case nil: item = nil
        case .whole(_, let formerItem): item = formerItem
        case .pointer(let pointer):
            item = pointer.item
            isFirstTry = true
        }
        if credential.isInKeyring {
            let item = item ?? CredentialPointer.makeItemName()
            try await items.store(credential, item: item, path: path)
            try await write(CredentialDocument.encodePointer(credential, item: item), for: credential)
            return nil
        }
        // Its name goes into the file until it is removed: nothing else knows it.
        try await write(CredentialDocument.encode(credential, formerItem: item), for: credential)
        guard let item else { return nil }
        // The new tokens are safe, and nothing needs the item any more.
        if let leftover = await items.remove(item, key: key) { return isFirstTry ? leftover : nil }
        do throws(CredentialError) {
            try await write(CredentialDocument.encode(credential), for: credential)
        } catch {
            // The name of an item that is gone does no harm; the next one who saves removes it.
        }
        return nil
    }

    /// Replaces the credential's file.
    private func write(_ bytes: [UInt8], for credential: Credential) async throws(CredentialError) {
        try await withLock { (lock) throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                try AtomicFile.replace(self.name, in: self.directory, with: bytes, holding: lock)
            }
            self.removeJournal(unlessAbout: credential.refreshToken, holding: lock)
        }
    }

    func remove() async throws(CredentialError) -> Bool {
        // Owner, mode and kind are judged before anything goes.
        let exists = try await withLock { (_) throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                _ = try PrivateFile.check(self.journalName, in: self.directory)
                return try PrivateFile.check(self.name, in: self.directory)
            }
        }
        var leftover: CredentialError?
        if exists {
            do {
                switch try await content() {
                case .pointer(let pointer): leftover = await items.remove(pointer.item, key: key)
                case .whole(_, let item?): leftover = await items.remove(item, key: key)
                case .whole(_, nil), nil: break
                }
            } catch .notJSON, .malformed, .newerVersion, .otherKey {
                // What cannot be read is removed all the same.
            }
        }
        let existed = try await withLock { (lock) throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                var existed = false
                if exists { existed = try AtomicFile.remove(self.name, in: self.directory, holding: lock) }
                _ = try AtomicFile.remove(self.journalName, in: self.directory, holding: lock)
                return existed
            }
        }
        if let leftover { throw leftover }
        return existed
    }

    func journal() async throws(CredentialError) -> RefreshJournal? {
        try await withLock { (_) throws(CredentialError) in
            try CredentialFiles.readJournal(self.key, in: self.directory)
        }
    }

    func setJournal(_ journal: RefreshJournal?) async throws(CredentialError) {
        let bytes = try journal.map { (journal) throws(CredentialError) in try RefreshJournalDocument.encode(journal) }
        try await withLock { (lock) throws(CredentialError) in
            // One that cannot be read is somebody's to look at.
            _ = try CredentialFiles.readJournal(self.key, in: self.directory)
            try CredentialError.wrapping { () throws(StorageError) in
                if let bytes {
                    try AtomicFile.replace(self.journalName, in: self.directory, with: bytes, holding: lock)
                } else {
                    _ = try AtomicFile.remove(self.journalName, in: self.directory, holding: lock)
                }
            }
        }
    }

    func reserve() async throws(CredentialError) {
        try await withLock { (lock) throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                try AtomicFile.reserve(Self.room, for: self.name, in: self.directory, holding: lock)
            }
        }
        state.withLock { $0?.hasReserved = true }
    }

    func release() {
        state.withLock { held in
            if case .some(let last) = consume held, last.hasReserved {
                AtomicFile.giveBack(name, in: directory, holding: last.lock)
            }
            held = nil
        }
    }

    private func content() async throws(CredentialError) -> CredentialDocument.Content? {
        try await withLock { (_) throws(CredentialError) in
            try CredentialFiles.read(self.key, in: self.directory)
        }
    }

    /// A journal about tokens that are gone explains nothing any more. One that cannot be read stays, and so does one
    /// that cannot be removed: both do no harm.
    private func removeJournal(unlessAbout token: Secret?, holding lock: borrowing FileLock) {
        do {
            guard let journal = try CredentialFiles.readJournal(key, in: directory) else { return }
            if let token, journal.isAbout(token) { return }
            _ = try AtomicFile.remove(journalName, in: directory, holding: lock)
        } catch {
            return
        }
    }

    /// Works on files under the lock, on a thread of its own.
    private func withLock<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing FileLock) throws(CredentialError) -> Value
    ) async throws(CredentialError) -> Value {
        try await DedicatedThread.run { [self] () throws(CredentialError) in
            try state.withLock { (held) throws(CredentialError) -> Value in
                switch held {
                case .some(let held): return try body(held.lock)
                case nil: throw .leaseEnded(path: path)
                }
            }
        }
    }
}
