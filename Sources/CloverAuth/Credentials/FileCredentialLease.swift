import CloverHTTP
import CloverSystem
import Synchronization

/// A lease on a credential's files: the kernel lock on `NAME.json.lock`.
final class FileCredentialLease: CredentialLease {
    private let key: CredentialKey
    private let items: KeyringCredentials
    private let directory: OpenDirectory
    /// Nil after the release. The mutex is held during file operations, so that the lock cannot be released meanwhile.
    private let state: Mutex<Held?>

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

    init(key: CredentialKey, items: KeyringCredentials, directory: consuming OpenDirectory, lock: consuming FileLock) {
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
        // A file that `load` would refuse is left for the user to inspect; it must not be overwritten.
        let old = try await content()
        // The item that holds, or held, tokens of this credential.
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
        try await withLock { (lock) throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                try AtomicFile.replace(self.name, in: self.directory, with: bytes, holding: lock)
            }
            self.removeJournal(unlessAbout: credential.refreshToken, holding: lock)
        }
    }

    func remove() async throws(CredentialError) -> Bool {
        // Check owner, mode and kind before removing anything.
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
                // Remove an unreadable file as well.
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
            // An unreadable journal is left for the user to inspect.
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

    /// Removes a journal about tokens that are gone, because it no longer explains anything. One that cannot be read or
    /// removed stays; it does no harm.
    private func removeJournal(unlessAbout token: Secret?, holding lock: borrowing FileLock) {
        do {
            guard let journal = try CredentialFiles.readJournal(key, in: directory) else { return }
            if let token, journal.isAbout(token) { return }
            _ = try AtomicFile.remove(journalName, in: directory, holding: lock)
        } catch {
            return
        }
    }

    /// Performs file operations under the lock, on a dedicated thread.
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

/// A wait for a lease, on a thread that cannot be interrupted, with a timeout and cancellation. The first outcome
/// counts; a lease that arrives later is dropped, and the next waiter gets it.
final class LeaseWaiter: Sendable {
    typealias Outcome = Result<FileCredentialLease, CredentialError>

    private enum State {
        case pending
        case awaited(CheckedContinuation<Outcome, Never>)
        case ended(Outcome)
        case over
    }

    private let state = Mutex(State.pending)
    private let timer = Mutex<Task<Void, Never>?>(nil)

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// Suspends until there is an outcome. Call once.
    func end() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end: Outcome? = state.withLock { state in
                    if case .ended(let end) = state {
                        state = .over
                        return end
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            settle(.failure(.cancelled))
        }
    }

    /// Sets the outcome, unless there already is one.
    func settle(_ end: Outcome) {
        let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .pending:
                state = .ended(end)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .ended, .over: return nil
            }
        }
        waiting?.resume(returning: end)
        timer.withLock { $0?.cancel() }
    }

    /// Seconds of waiting after which `onLongWait` is called.
    private static let longWait: Double = 5

    /// Fails with `error` after this many seconds.
    ///
    /// - Parameter onLongWait: called during the wait if it is long.
    func giveUp(
        after seconds: Double, with error: CredentialError, onLongWait: @escaping @Sendable () -> Void
    ) {
        // A bare task: this object cancels it on any other outcome. The task does not keep this object alive.
        let task = Task { [weak self] in
            do {
                if seconds > Self.longWait {
                    try await Task.sleep(for: .seconds(Self.longWait))
                    onLongWait()
                }
                try await Task.sleep(for: .seconds(max(seconds > Self.longWait ? seconds - Self.longWait : seconds, 0)))
                self?.settle(.failure(error))
            } catch {
                // There is an outcome already.
            }
        }
        timer.withLock { $0 = task }
    }
}
