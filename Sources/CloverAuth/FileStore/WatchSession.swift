import CloverHTTP
import CloverSystem
import Glibc
import Synchronization

/// One subscription to token events: the kernel's watches, and the content of the files when last read.
final class WatchSession: Sendable {
    private let state: StateDirectory
    private let watch: DirectoryWatch
    private let memory: Mutex<Memory>

    private struct Memory {
        var watched: [Int32] = []
        var changes: TokenChanges
    }

    /// Subscribes first and then reads, so that no change in between is missed. Blocks.
    init(state: StateDirectory, clock: TokenClock, keys: Set<CredentialKey>?) throws(CredentialError) {
        self.state = state
        try CredentialError.storing(try state.refuseMoved())
        memory = Mutex(Memory(changes: TokenChanges(of: keys, clock: clock)))
        _ = try CredentialError.storing(
            try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret))
        watch = try CredentialError.storing(try DirectoryWatch())
        try subscribe()
        readNames()
        memory.withLock { $0.changes.forgetEvents() }
    }

    /// The next event; nil after `stop`. Blocks. One caller at a time.
    func next() throws(CredentialError) -> TokenEvent? {
        while true {
            if let event = memory.withLock({ $0.changes.next() }) { return event }
            switch try CredentialError.storing(try watch.wait()) {
            case .stopped: return nil
            case .anything:
                try subscribe()
                readNames()
            case .entries(let names):
                try reread(at: names)
                // After the credentials: a name that is removed together with its credential is not reported.
                if names.contains(ProfileFile.name) { readNames() }
            }
        }
    }

    /// Ends `next`; may be called from any thread.
    func stop() {
        watch.stop()
    }

    private var directoryPath: String { state.path + "/" + CredentialFiles.directoryName }

    private func existingDirectory() throws(CredentialError) -> OpenDirectory? {
        try CredentialError.storing(try state.existingSubdirectory(CredentialFiles.directoryName, rule: .secret))
    }

    /// Reads the named credentials again. While the directory is missing, the names are entries of its parents.
    private func reread(at names: Set<String>) throws(CredentialError) {
        let isWaiting = memory.withLock { $0.watched.count == 1 }
        if isWaiting { return try subscribe() }
        let touched = Set(names.compactMap { CredentialKey(fromEither: $0) })
        // The state directory is watched too, and most of its entries do not concern credentials.
        if touched.isEmpty { return }
        guard let directory = try existingDirectory() else { return try subscribe() }
        for key in touched { read(key, in: directory) }
    }

    /// Starts over: watches the directory and its parent or, while it is missing, its nearest existing ancestor. Then
    /// reads everything again.
    private func subscribe() throws(CredentialError) {
        memory.withLock { memory in
            for number in memory.watched { watch.forget(number) }
            memory.watched = []
        }
        while true {
            if let directory = try existingDirectory() {
                guard let numbers = try watchBoth(directory) else { continue }
                memory.withLock { $0.watched = numbers }
                try rescan(directory)
                return
            }
            guard let number = try watchNearestParent() else { continue }
            memory.withLock { $0.watched = [number] }
            memory.withLock { $0.changes.noteAllGone() }
            return
        }
    }

    /// Watches the directory and its parent; nil if the directory was replaced meanwhile.
    private func watchBoth(_ directory: borrowing OpenDirectory) throws(CredentialError) -> [Int32]? {
        do {
            let own = try watch.add(directory)
            let parent: Int32
            do throws(StorageError) {
                parent = try watch.add(path: state.path)
            } catch .system(.watch, _, ENOENT) {
                watch.forget(own)
                return nil
            }
            if try directory.isStillAtItsPath() { return [own, parent] }
            watch.forget(own)
            watch.forget(parent)
            return nil
        } catch {
            throw .storage(error)
        }
    }

    /// Watches the nearest existing ancestor; nil if a nearer one exists by the time it is watched.
    private func watchNearestParent() throws(CredentialError) -> Int32? {
        var parent = directoryPath[...]
        while true {
            let child = parent
            guard let slash = parent.lastIndex(of: "/") else {
                throw .storage(.system(.watch, path: state.path, errno: ENOENT))
            }
            parent = parent[..<slash]
            do throws(StorageError) {
                let number = try watch.add(path: parent.isEmpty ? "/" : String(parent))
                // The child may have been created between the check and the watch.
                if access(String(child), F_OK) != 0 { return number }
                watch.forget(number)
                return nil
            } catch .system(.watch, _, ENOENT) {
                if parent.isEmpty { throw .storage(.system(.watch, path: "/", errno: ENOENT)) }
            } catch {
                throw .storage(error)
            }
        }
    }

    private func rescan(_ directory: borrowing OpenDirectory) throws(CredentialError) {
        let names = try CredentialError.storing(try directory.names())
        let found = Set(names.compactMap { CredentialKey(fileName: $0) })
        for key in found.union(memory.withLock { $0.changes.keys }) { read(key, in: directory) }
    }

    private func read(_ key: CredentialKey, in directory: borrowing OpenDirectory) {
        guard memory.withLock({ $0.changes.concerns(key) }) else { return }
        let found: Result<TokenState?, CredentialError>
        do throws(CredentialError) {
            found = .success(try TokenState.read(key, in: directory))
        } catch {
            found = .failure(error)
        }
        memory.withLock { $0.changes.note(key, found) }
    }

    /// Reads the profile names. An unreadable profile file is ignored.
    private func readNames() {
        let found: [String: CredentialKey]
        do {
            guard let directory = try state.existing() else { return }
            found = try ProfileFile(state: state).read(in: directory)
        } catch {
            return
        }
        memory.withLock { $0.changes.noteNames(found) }
    }
}

extension TokenState {
    /// Reads the files of `key`; nil if there is no credential.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> TokenState? {
        guard let content = try CredentialFiles.read(key, in: directory) else { return nil }
        let journal = try CredentialFiles.readJournal(key, in: directory)
        switch content {
        case .whole(let credential, _): return TokenState(credential, journal)
        case .pointer(let pointer):
            return TokenState(
                fingerprint: "\(pointer)", origin: pointer.origin, generation: pointer.generation,
                createdAt: pointer.createdAt, isInvalid: journal?.ends(pointer.refreshTokenHash) ?? false,
                accessTokenExpires: pointer.accessTokenExpires, refreshTokenExpires: pointer.refreshTokenExpires)
        }
    }
}
