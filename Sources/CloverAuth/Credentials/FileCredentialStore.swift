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
    /// Maximum size of a file that is read, in bytes; a real one has less than two thousand.
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
        state: StateDirectory, vault: (any KeyringStore)? = nil,
        onLongWait: @escaping @Sendable (CredentialKey) -> Void = { _ in }
    ) {
        self.state = state
        self.onLongWait = onLongWait
        items = KeyringCredentials(vault: vault)
    }

    package func prepare() async throws(CredentialError) {
        try await DedicatedThread.run { () throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
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

    /// See the protocol. A file whose content `load` would refuse is removed too; one with loose permissions or another
    /// owner, or a link in its place, is refused and stays.
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
            // An unreadable selection does not select this key; commands that need one report the error.
        }
    }

    package func lease(
        _ key: CredentialKey, patience: Double, onWait: @escaping @Sendable () -> Void
    ) async throws(CredentialError) -> any CredentialLease {
        let race = LeaseWaiter()
        let name = CredentialFileName.lockName(for: key)
        // flock(2) has no timeout, so a thread waits for it, and its lease is dropped if it is no longer wanted. The
        // thread itself remains until it gets the lock.
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
            // Blocking this thread is better than failing.
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

    package func currentChoice() async throws(CredentialError) -> ActiveCredential? {
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

    package func setCurrentChoice(_ choice: ActiveCredential?) async throws(CredentialError) {
        if let profile = choice?.profile { try ProfileStore.check(profile) }
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

    /// Uses the directory of credentials; nil if it does not exist.
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

/// Reads the files of one credential in the directory of credentials. Blocks: call only on a thread that may.
enum CredentialFiles {
    /// Maximum size of a file that is read, in bytes.
    static let sizeLimit = 65_536
    /// The directory's name in the state directory.
    static let directoryName = "credentials"

    /// The content of the credential's file; nil if there is none.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> CredentialDocument.Content? {
        let name = CredentialFileName.name(for: key)
        guard let bytes = try bytes(of: name, in: directory) else { return nil }
        return try CredentialDocument.decode(bytes, key: key, path: directory.path(of: name))
    }

    /// The journal of a refresh; nil if there is none.
    static func readJournal(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> RefreshJournal? {
        let name = CredentialFileName.journalName(for: key)
        guard let bytes = try bytes(of: name, in: directory) else { return nil }
        return try RefreshJournalDocument.decode(bytes, path: directory.path(of: name))
    }

    private static func bytes(
        of name: String, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> [UInt8]? {
        do {
            return try PrivateFile.read(name, in: directory, limit: sizeLimit)
        } catch {
            throw .storage(error)
        }
    }
}

/// The name of a credential's file: `ENVIRONMENT_MERCHANT_APP.json`, with the environment percent-encoded (RFC 3986,
/// 2.1) except for letters, digits, `-` and inner dots, so that no name contains a slash, starts with a dot, or has
/// underscores other than the two separators.
enum CredentialFileName {
    /// The app's part for a credential without an app.
    static let noApp = "static"
    private static let ending = ".json"
    private static let journalEnding = ".refresh.json"

    /// The name for `key`.
    static func name(for key: CredentialKey) -> String {
        encode(key.environment) + "_" + key.merchantID + "_" + (key.appID ?? noApp) + ending
    }

    /// The name of the refresh journal of `key`.
    static func journalName(for key: CredentialKey) -> String {
        String(name(for: key).dropLast(ending.count)) + journalEnding
    }

    /// The name of the lock file for writers of either file.
    static func lockName(for key: CredentialKey) -> String {
        name(for: key) + ".lock"
    }

    /// The key of a credential file or journal file with this name.
    static func key(fromEither name: String) -> CredentialKey? {
        // App IDs contain no dot, so the two endings cannot be confused.
        name.hasSuffix(journalEnding) ? key(from: String(name.dropLast(journalEnding.count)) + ending) : key(from: name)
    }

    /// The key of a credential file with this name; nil for other names, such as those of lock files.
    static func key(from name: String) -> CredentialKey? {
        guard name.hasSuffix(ending) else { return nil }
        let parts = name.dropLast(ending.count).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = decode(parts[0]) else { return nil }
        let app = parts[2] == noApp ? nil : String(parts[2])
        do {
            let key = try CredentialKey(environment: environment, merchantID: String(parts[1]), appID: app)
            // A different spelling of the same key is not the file that is read for it.
            return self.name(for: key) == name ? key : nil
        } catch {
            return nil
        }
    }

    /// Percent-encodes everything except letters, digits, `-`, and dots after the first character.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                encoded.append(byte)
            case UInt8(ascii: ".") where !encoded.isEmpty:
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue }),
                let low = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue })
            else { return nil }
            decoded.append(UInt8(high << 4 | low))
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
