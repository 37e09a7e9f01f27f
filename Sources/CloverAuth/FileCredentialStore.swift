package import CloverStorage
import CloverThreads

/// Credentials as files of the state directory: `credentials/ENVIRONMENT_MERCHANT_APP.json` with mode 0600 in a
/// directory with mode 0700, and `current.json` beside that directory.
///
/// Whatever is looser, a link, somebody else's, not JSON, from a later version or for another key is refused with its
/// reason and left as it is, also by `save`. Writers take the kernel lock on `NAME.json.lock`; readers need none, since
/// files are replaced as a whole. Files are handled on threads of their own, because a lock may have to be waited for.
package struct FileCredentialStore: CredentialStore {
    /// The largest file that is read, in bytes; a real one has less than two thousand.
    package static let sizeLimit = 65_536

    private static let directoryName = "credentials"
    private static let currentName = "current.json"

    private let state: StateDirectory

    /// The store in `state`. Nothing is opened, and nothing is created before the first `save`.
    package init(state: StateDirectory) {
        self.state = state
    }

    package func load(_ key: CredentialKey) async throws(CredentialError) -> Credential? {
        try await DedicatedThread.run { () throws(CredentialError) in
            guard let directory = try existingDirectory() else { return nil }
            return try read(key, in: directory)
        }
    }

    package func save(_ credential: Credential) async throws(CredentialError) {
        let bytes = try CredentialDocument.encode(credential)
        let name = CredentialFileName.name(for: credential.key)
        try await DedicatedThread.run { () throws(CredentialError) in
            let directory = try CredentialError.wrapping { () throws(StorageError) in
                try state.prepareSubdirectory(Self.directoryName, rule: .secret)
            }
            let lock = try CredentialError.wrapping { () throws(StorageError) in
                try FileLock.acquire(Self.lockName(name), in: directory)
            }
            // A file that `load` would refuse is somebody's to look at, not ours to write over.
            _ = try read(credential.key, in: directory)
            try CredentialError.wrapping { () throws(StorageError) in
                try AtomicFile.replace(name, in: directory, with: bytes, holding: lock)
            }
        }
    }

    /// See the protocol. A file whose content `load` would refuse is removed all the same; one with loose mode, other
    /// owner or a link in its place is refused and stays.
    package func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool {
        let name = CredentialFileName.name(for: key)
        let existed = try await DedicatedThread.run { () throws(CredentialError) in
            guard let directory = try existingDirectory() else { return false }
            return try CredentialError.wrapping { () throws(StorageError) in
                let lock = try FileLock.acquire(Self.lockName(name), in: directory)
                guard try PrivateFile.check(name, in: directory) else { return false }
                return try AtomicFile.remove(name, in: directory, holding: lock)
            }
        }
        do {
            if try await current() == key { try await setCurrent(nil) }
        } catch .notJSON, .malformed, .newerVersion {
            // A choice that cannot be read is no choice of this key; whoever needs one is told what is wrong with it.
        }
        return existed
    }

    package func keys() async throws(CredentialError) -> [CredentialKey] {
        try await DedicatedThread.run { () throws(CredentialError) in
            guard let directory = try existingDirectory() else { return [] }
            return try CredentialError.wrapping { () throws(StorageError) in try directory.names() }.compactMap {
                CredentialFileName.key(from: $0)
            }
        }
    }

    package func current() async throws(CredentialError) -> CredentialKey? {
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

    package func setCurrent(_ key: CredentialKey?) async throws(CredentialError) {
        let bytes = try key.map { (key) throws(CredentialError) in try CurrentKeyDocument.encode(key) }
        try await DedicatedThread.run { () throws(CredentialError) in
            try CredentialError.wrapping { () throws(StorageError) in
                let directory = try state.prepare()
                let lock = try FileLock.acquire(Self.lockName(Self.currentName), in: directory)
                if let bytes {
                    try AtomicFile.replace(Self.currentName, in: directory, with: bytes, holding: lock)
                } else {
                    _ = try AtomicFile.remove(Self.currentName, in: directory, holding: lock)
                }
            }
        }
    }

    private static func lockName(_ name: String) -> String {
        name + ".lock"
    }

    private func existingDirectory() throws(CredentialError) -> OpenDirectory? {
        try CredentialError.wrapping { () throws(StorageError) in
            try state.existingSubdirectory(Self.directoryName, rule: .secret)
        }
    }

    private func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> Credential? {
        let name = CredentialFileName.name(for: key)
        let bytes: [UInt8]?
        do {
            bytes = try PrivateFile.read(name, in: directory, limit: Self.sizeLimit)
        } catch {
            throw .storage(error)
        }
        guard let bytes else { return nil }
        return try CredentialDocument.decode(bytes, key: key, path: directory.path(of: name))
    }
}
