package import CloverSystem
import Glibc

/// Credentials as files of the state directory: `credentials/ENVIRONMENT_MERCHANT_APP.json` with mode 0600 in a
/// directory with mode 0700; beside it a refresh journal `ENVIRONMENT_MERCHANT_APP.refresh.json` while one is needed;
/// and `current.json` beside that directory.
///
/// A file with looser permissions or another owner, a link, or a file that is not JSON, from a later version or for
/// another key is refused with the reason and left unchanged, also by `save`. Writers take the kernel lock on
/// `NAME.json.lock`; readers need no lock, because files are replaced as a whole. File operations run on dedicated
/// threads, because they may wait for a lock.
///
/// A credential in the keyring is a keyring item, and its file is a pointer to it.
package struct FileCredentialStore: CredentialStore {
    /// Maximum size of a file that is read, in bytes.
    package static let sizeLimit = CredentialFiles.sizeLimit

    /// Timeout in seconds of `save` and `remove` for another lease. Longer than any refresh takes.
    private static let patience: Double = 120
    private static let currentName = "current.json"

    private let state: StateDirectory
    private let items: KeyringCredentials
    private let onLongWait: @Sendable (CredentialKey) -> Void

    /// The store in `state`. Nothing is opened, and nothing is created before the first `save`.
    ///
    /// - Parameters:
    ///   - vault: the keyring; without one, credentials in it cannot be read.
    ///   - onLongWait: called once for each wait that has lasted some seconds, on any thread.
    package init(
        state: StateDirectory, vault: (any SecretVault)? = nil,
        onLongWait: @escaping @Sendable (CredentialKey) -> Void = { _ in }
    ) {
        self.state = state
        self.onLongWait = onLongWait
        items = KeyringCredentials(vault: vault)
    }

    package func prepare() async throws(CredentialError) {
        try await onThread { () throws(StorageError) in
            try state.refuseMoved()
            let directory = try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret)
            guard access(directory.path, W_OK | X_OK) == 0 else {
                throw .system(.write, path: directory.path, errno: errno)
            }
            // Space is a property of the disk, so checking it with another file is enough.
            let parent = try state.prepare()
            let lock = try FileLock.acquire(Self.currentName + ".lock", in: parent)
            try AtomicFile.reserve(FileCredentialLease.room, for: Self.currentName, in: parent, holding: lock)
            AtomicFile.giveBack(Self.currentName, in: parent, holding: lock)
        }
    }

    package func load(_ key: CredentialKey) async throws(CredentialError) -> Credential? {
        switch try await content(key) {
        case nil: nil
        case .whole(let credential, _): credential
        case .pointer(let outline): try await items.credential(for: outline, path: state.path + "/" + key.filePath)
        }
    }

    package func outline(_ key: CredentialKey) async throws(CredentialError) -> CredentialOutline? {
        if case .pointer(let outline) = try await content(key) { outline } else { nil }
    }

    @discardableResult
    package func save(_ credential: Credential) async throws(CredentialError) -> CredentialError? {
        try CredentialDocument.check(credential)
        let lease = try await lease(credential.key, patience: Self.patience, onWait: {})
        defer { lease.release() }
        return try await lease.save(credential)
    }

    /// See the protocol. A file whose content `load` would refuse is removed too; one with loose permissions or another
    /// owner, or a link in its place, is refused and stays.
    package func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool {
        var existed = false
        var leftover: CredentialError?
        if try await reading({ (_) throws(CredentialError) in true }) == true {
            let lease = try await lease(key, patience: Self.patience, onWait: {})
            defer { lease.release() }
            do {
                existed = try await lease.remove()
            } catch {
                guard case .leftInKeyring = error else { throw error }
                leftover = error
            }
        }
        try await forgetChoice(of: key)
        if let leftover { throw leftover }
        return existed
    }

    package func lease(
        _ key: CredentialKey, patience: Double, onWait: @escaping @Sendable () -> Void
    ) async throws(CredentialError) -> any CredentialLease {
        let (events, waiter) = AsyncStream.makeStream(of: LeaseEvent.self)
        // flock(2) has no timeout, so a thread waits for it, and its lease is dropped if it is no longer wanted. The
        // thread itself remains until it gets the lock.
        let wait: @Sendable () -> Void = { [state, items] in
            do throws(StorageError) {
                let directory = try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret)
                let path = directory.path(of: key.lockName)
                let lock = try FileLock.acquire(key.lockName, in: directory) {
                    onWait()
                    waiter.yield(.waits(path: path))
                }
                // The move may have been what this waited for.
                try state.refuseMoved()
                waiter.yield(
                    .ended(
                        .success(
                            FileCredentialLease(
                                key: key, items: items, state: state, directory: directory, lock: lock))))
            } catch {
                waiter.yield(.ended(.failure(.storage(error))))
            }
        }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-lease", wait)
        } catch {
            // Blocking this thread is better than failing.
            wait()
        }
        var timer: Task<Void, any Error>?
        defer {
            timer?.cancel()
            waiter.finish()
        }
        for await event in events {
            switch event {
            case .ended(let result): return try result.get()
            case .waits(let path):
                // A bare task, which this function cancels on any outcome.
                timer = Task { [onLongWait] in
                    let start = min(patience, Self.longWait)
                    try await Task.sleep(for: .seconds(start))
                    if patience > start {
                        onLongWait(key)
                        try await Task.sleep(for: .seconds(patience - start))
                    }
                    waiter.yield(.ended(.failure(.lockBusy(path: path))))
                }
            }
        }
        // Only the cancellation of this task ends the events.
        throw .cancelled
    }

    /// Seconds of waiting after which `onLongWait` is called.
    private static let longWait: Double = 5

    /// The progress of a wait for a lease. The first end counts.
    private enum LeaseEvent: Sendable {
        /// Another lease is held.
        case waits(path: String)
        case ended(Result<FileCredentialLease, CredentialError>)
    }

    package func journal(_ key: CredentialKey) async throws(CredentialError) -> RefreshJournal? {
        try await reading { (directory) throws(CredentialError) in
            try CredentialFiles.readJournal(key, in: directory)
        }
    }

    package func keys() async throws(CredentialError) -> [CredentialKey] {
        let names = try await reading { (directory) throws(CredentialError) in
            try CredentialError.storing(try directory.names())
        }
        return (names ?? []).compactMap { CredentialKey(fileName: $0) }
    }

    /// The same, and those of credentials that a process may be about to store for the first time.
    package func keysInUse() async throws(CredentialError) -> [CredentialKey] {
        let names = try await reading { (directory) throws(CredentialError) in
            try CredentialError.storing(try directory.names())
        }
        var seen: Set<CredentialKey> = []
        return (names ?? []).sorted()
            .compactMap { CredentialKey(fileName: $0.hasSuffix(".lock") ? String($0.dropLast(5)) : $0) }
            .filter { seen.insert($0).inserted }
    }

    package func currentChoice() async throws(CredentialError) -> SignedIn? {
        let bytes = try await onThread { () throws(StorageError) -> [UInt8]? in
            guard let directory = try state.existing() else { return nil }
            return try PrivateFile.read(Self.currentName, in: directory, rule: .own, limit: Self.sizeLimit)
        }
        guard let bytes else { return nil }
        return try JSONDocument.decode(bytes, path: state.path + "/" + Self.currentName) as SignedIn
    }

    package func setCurrentChoice(_ choice: SignedIn?) async throws(CredentialError) {
        if let profile = choice?.profile { try ProfileStore.check(profile) }
        let bytes = try choice.map { (choice) throws(CredentialError) in try JSONDocument.encode(choice) }
        try await onThread { () throws(StorageError) in
            let directory = try state.prepare()
            let lock = try FileLock.acquire(Self.currentName + ".lock", in: directory)
            if let bytes {
                try AtomicFile.replace(Self.currentName, in: directory, with: bytes, holding: lock)
            } else {
                _ = try AtomicFile.remove(Self.currentName, in: directory, holding: lock)
            }
        }
    }

    /// See the protocol. Creates the directory of credentials if it is missing; later it may be removed and created
    /// again.
    ///
    /// It is built on inotify(7), which reports changes made on this machine only, and reports that something happened,
    /// not what: the files are read and compared with their previous content. Events are pulled: until the next one is
    /// requested, only the kernel queues them.
    package func events(
        of keys: Set<CredentialKey>?, clock: TokenClock
    ) async throws(CredentialError) -> AsyncThrowingStream<TokenEvent, any Error> {
        let session = try await DedicatedThread.run { () throws(CredentialError) in
            try WatchSession(state: state, clock: clock, keys: keys)
        }
        let thread = SerialThread(name: "clover-watch")
        return AsyncThrowingStream {
            let end = await withTaskCancellationHandler {
                await thread.run { Result { () throws(CredentialError) in try session.next() } }
            } onCancel: {
                session.stop()
            }
            guard let end else { throw CredentialError.storage(.system(.watch, path: state.path, errno: EAGAIN)) }
            return try end.get()
        }
    }

    private func content(_ key: CredentialKey) async throws(CredentialError) -> CredentialDocument.Content? {
        try await reading { (directory) throws(CredentialError) in try CredentialFiles.read(key, in: directory) }
    }

    /// Reads in the directory of credentials, on a separate thread; nil if there is no directory.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing OpenDirectory) throws(CredentialError) -> Value?
    ) async throws(CredentialError) -> Value? {
        try await DedicatedThread.run { () throws(CredentialError) in
            try CredentialError.storing(try state.refuseMoved())
            let directory = try CredentialError.storing(
                try state.existingSubdirectory(CredentialFiles.directoryName, rule: .secret))
            guard let directory else { return nil }
            return try body(directory)
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Value
    ) async throws(CredentialError) -> Value {
        do {
            return try await DedicatedThread.run(body)
        } catch {
            throw .storage(error)
        }
    }
}

/// Reads the files of one credential in the directory of credentials. Blocks: call only on a thread that may.
enum CredentialFiles {
    /// In bytes; a real file has less than two thousand.
    static let sizeLimit = 65_536
    /// The directory's name in the state directory.
    static let directoryName = "credentials"

    /// The content of the credential's file; nil if there is none.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> CredentialDocument.Content? {
        guard let bytes = try bytes(of: key.fileName, in: directory) else { return nil }
        return try CredentialDocument.decode(bytes, key: key, path: directory.path(of: key.fileName))
    }

    /// The journal of a refresh; nil if there is none.
    static func readJournal(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> RefreshJournal? {
        guard let bytes = try bytes(of: key.journalName, in: directory) else { return nil }
        return try JSONDocument.decode(bytes, path: directory.path(of: key.journalName)) as RefreshJournal
    }

    private static func bytes(
        of name: String, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> [UInt8]? {
        try CredentialError.storing(try PrivateFile.read(name, in: directory, limit: sizeLimit))
    }
}
