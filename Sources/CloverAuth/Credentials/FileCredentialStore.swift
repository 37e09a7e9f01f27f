package import CloverStorage
import CloverThreads
import Glibc

/// Credentials as files of the state directory: `credentials/ENVIRONMENT_MERCHANT_APP.json` with mode 0600 in a
/// directory with mode 0700, a refresh journal `ENVIRONMENT_MERCHANT_APP.refresh.json` beside it while one is needed,
/// and `current.json` beside that directory.
///
/// Whatever is looser, a link, somebody else's, not JSON, from a later version or for another key is refused with its
/// reason and left as it is, also by `save`. Writers take the kernel lock on `NAME.json.lock`; readers need none, since
/// files are replaced as a whole. Files are handled on threads of their own, because a lock may have to be waited for.
///
/// With a keyring, a credential that is meant to be there is an item of it, and its file a pointer.
package struct FileCredentialStore: CredentialStore {
    /// The largest file that is read, in bytes; a real one has less than two thousand.
    package static let sizeLimit = CredentialFiles.sizeLimit

    /// How long `save` and `remove` wait for somebody else's lease, in seconds. Longer than any refresh takes.
    private static let patience: Double = 120
    private static let currentName = "current.json"

    private let state: StateDirectory
    private let items: KeyringItems
    private let onLongWait: @Sendable (CredentialKey) -> Void

    /// The store in `state`. Nothing is opened, and nothing is created before the first `save`.
    ///
    /// - Parameters:
    ///   - vault: the keyring; without one, credentials that are there cannot be read.
    ///   - onLongWait: called once for each wait that has lasted some seconds, on any thread.
    package init(
        state: StateDirectory, vault: (any SecretVault)? = nil,
        onLongWait: @escaping @Sendable (CredentialKey) -> Void = { _ in }
    ) {
        self.state = state
        self.onLongWait = onLongWait
        items = KeyringItems(vault: vault)
    }

    package func prepare() async throws(CredentialError) {
        try await DedicatedThread.run { () throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                let directory = try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret)
                guard access(directory.path, W_OK | X_OK) == 0 else {
                    throw .system(.write, path: directory.path, errno: errno)
                }
                // Room is a matter of the disk, so the place of another file will do.
                let parent = try state.prepare()
                let lock = try FileLock.acquire(Self.currentName + ".lock", in: parent)
                try AtomicFile.reserve(FileCredentialLease.room, for: Self.currentName, in: parent, holding: lock)
                AtomicFile.giveBack(Self.currentName, in: parent, holding: lock)
            }
        }
    }

    package func load(_ key: CredentialKey) async throws(CredentialError) -> Credential? {
        let content = try await DedicatedThread.run { () throws(CredentialError) in
            try existingDirectory { (directory) throws(CredentialError) in
                try CredentialFiles.read(key, in: directory)
            } ?? nil
        }
        switch content {
        case nil: return nil
        case .whole(let credential, _): return credential
        case .pointer(let pointer):
            let path = "\(state.path)/\(CredentialFiles.directoryName)/\(CredentialFileName.name(for: key))"
            return try await items.credential(for: pointer, key: key, path: path)
        }
    }

    package func outline(_ key: CredentialKey) async throws(CredentialError) -> CredentialOutline? {
        let content = try await DedicatedThread.run { () throws(CredentialError) in
            try existingDirectory { (directory) throws(CredentialError) in
                try CredentialFiles.read(key, in: directory)
            } ?? nil
        }
        guard case .pointer(let pointer) = content else { return nil }
        return CredentialOutline(
            key: key, kind: pointer.kind, employeeID: pointer.employeeID,
            accessTokenExpires: pointer.accessTokenExpires,
            refreshTokenExpires: pointer.refreshTokenExpires)
    }

    @discardableResult
    package func save(_ credential: Credential) async throws(CredentialError) -> CredentialError? {
        try CredentialDocument.check(credential)
        let lease = try await lease(credential.key, patience: Self.patience, onWait: {})
        defer { lease.release() }
        return try await lease.save(credential)
    }

    /// See the protocol. A file whose content `load` would refuse is removed all the same; one with loose mode, other
    /// owner or a link in its place is refused and stays.
    package func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool {
        let hasDirectory = try await DedicatedThread.run { () throws(CredentialError) in
            try existingDirectory { (_) throws(CredentialError) in true } ?? false
        }
        var existed = false
        var leftover: CredentialError?
        if hasDirectory {
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

    package func forgetChoice(of key: CredentialKey) async throws(CredentialError) {
        do {
            if try await current() == key { try await setCurrent(nil) }
        } catch .notJSON, .malformed, .newerVersion {
            // A choice that cannot be read is no choice of this key; whoever needs one is told what is wrong with it.
        }
    }

    package func lease(
        _ key: CredentialKey, patience: Double, onWait: @escaping @Sendable () -> Void
    ) async throws(CredentialError) -> any CredentialLease {
        let race = LeaseRace()
        let name = CredentialFileName.lockName(for: key)
        // flock(2) cannot be given a time, so a thread waits for it, and its lease is dropped when nobody wants it any
        // more. The thread itself then stays until its turn comes.
        let wait: @Sendable () -> Void = { [state, items, onLongWait] in
            race.settle(
                Result { () throws(CredentialError) in
                    try CredentialError.wrapping { () throws(StorageError) in
                        let directory = try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret)
                        let path = directory.path(of: name)
                        let lock = try FileLock.acquire(name, in: directory) {
                            onWait()
                            race.giveUp(after: patience, with: .lockBusy(path: path)) { onLongWait(key) }
                        }
                        return FileCredentialLease(key: key, items: items, directory: directory, lock: lock)
                    }
                })
        }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-lease", wait)
        } catch {
            // Late is better than not at all.
            wait()
        }
        return try await race.end().get()
    }

    package func journal(_ key: CredentialKey) async throws(CredentialError) -> RefreshJournal? {
        try await DedicatedThread.run { () throws(CredentialError) in
            try existingDirectory { (directory) throws(CredentialError) in
                try CredentialFiles.readJournal(key, in: directory)
            } ?? nil
        }
    }

    package func keys() async throws(CredentialError) -> [CredentialKey] {
        try await DedicatedThread.run { () throws(CredentialError) in
            let names = try existingDirectory { (directory) throws(CredentialError) in
                do throws(StorageError) {
                    return try directory.names()
                } catch {
                    throw .storage(error)
                }
            }
            return (names ?? []).compactMap { CredentialFileName.key(from: $0) }
        }
    }

    package func currentChoice() async throws(CredentialError) -> CurrentChoice? {
        try await DedicatedThread.run { () throws(CredentialError) in
            let bytes = try CredentialError.wrapping { () throws(StorageError) -> [UInt8]? in
                guard let directory = try state.existing() else { return nil }
                return try PrivateFile.read(Self.currentName, in: directory, rule: .own, limit: Self.sizeLimit)
            }
            return try bytes.map { (bytes) throws(CredentialError) in
                try CurrentKeyDocument.decode(bytes, path: state.path + "/" + Self.currentName)
            }
        }
    }

    package func setCurrentChoice(_ choice: CurrentChoice?) async throws(CredentialError) {
        if let profile = choice?.profile { try ProfileBook.check(profile) }
        let bytes = try choice.map { (choice) throws(CredentialError) in try CurrentKeyDocument.encode(choice) }
        try await DedicatedThread.run { () throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                let directory = try state.prepare()
                let lock = try FileLock.acquire(Self.currentName + ".lock", in: directory)
                if let bytes {
                    try AtomicFile.replace(Self.currentName, in: directory, with: bytes, holding: lock)
                } else {
                    _ = try AtomicFile.remove(Self.currentName, in: directory, holding: lock)
                }
            }
        }
    }

    /// Works on the directory of credentials; nil when it does not exist.
    private func existingDirectory<Value>(
        _ body: (borrowing OpenDirectory) throws(CredentialError) -> Value
    ) throws(CredentialError) -> Value? {
        let directory = try CredentialError.wrapping { () throws(StorageError) in
            try state.existingSubdirectory(CredentialFiles.directoryName, rule: .secret)
        }
        guard let directory else { return nil }
        return try body(directory)
    }
}
