import CloverHTTP
import CloverSystem
import Glibc
import Synchronization

/// One subscription to token events: the kernel's watches, and the content of the files when last read.
final class WatchSession: Sendable {
    private let state: StateDirectory
    private let clock: TokenClock
    private let keys: Set<CredentialKey>?
    private let watch: DirectoryWatch
    private let memory = Mutex(Memory())

    private struct Memory {
        var watched: [Int32] = []
        var known: [CredentialKey: Known] = [:]
        var pending: [TokenEvent] = []
        /// The profile names when last read.
        var names: [String: CredentialKey] = [:]
    }

    /// The last successful reading of a credential, and the error of a later one.
    private struct Known: Equatable {
        var state: TokenState?
        var error: CredentialError?
    }

    /// Subscribes first and then reads, so that no change in between is missed. Blocks.
    init(state: StateDirectory, clock: TokenClock, keys: Set<CredentialKey>?) throws(CredentialError) {
        self.state = state
        self.clock = clock
        self.keys = keys
        _ = try CredentialError.storing(
            try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret))
        watch = try CredentialError.storing(try DirectoryWatch())
        try subscribe()
        readNames()
        memory.withLock { $0.pending = [] }
    }

    /// The next event; nil after `stop`. Blocks. One caller at a time.
    func next() throws(CredentialError) -> TokenEvent? {
        while true {
            let event = memory.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
            if let event { return event }
            switch try CredentialError.storing(try watch.wait()) {
            case .stopped: return nil
            case .anything:
                try subscribe()
                readNames()
            case .entries(let names):
                try reread(at: names)
                // After the credentials: a name that is removed together with its credential is not reported.
                if names.contains(ProfileStore.name) { readNames() }
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
            for key in memory.withLock({ Set($0.known.keys) }) { note(key, Known()) }
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
        for key in found.union(memory.withLock { Set($0.known.keys) }) { read(key, in: directory) }
    }

    private func read(_ key: CredentialKey, in directory: borrowing OpenDirectory) {
        if let keys, !keys.contains(key) { return }
        do {
            note(key, Known(state: try TokenState.read(key, in: directory), error: nil))
        } catch {
            // The previous state stays: when the file can be read again, only a difference counts.
            note(key, Known(state: memory.withLock { $0.known[key]?.state }, error: error))
        }
    }

    /// Reads the profile names and reports those that no longer refer to their credential, before anything else found
    /// at the same time: when a name moves to another credential, it first ends for the old one. An unreadable profile
    /// file is ignored.
    private func readNames() {
        let found: [String: CredentialKey]
        do {
            guard let directory = try state.existing() else { return }
            found = try ProfileStore(state: state).read(in: directory)
        } catch {
            return
        }
        let at = clock.wall()
        memory.withLock { memory in
            var ends: [TokenEvent] = []
            for (name, key) in memory.names.sorted(by: { $0.key < $1.key })
            where found[name] != key && memory.known[key] != nil && (keys?.contains(key) ?? true) {
                ends.append(TokenEvent(kind: .nameForgotten(name), key: key, at: at))
            }
            memory.pending = ends + memory.pending
            memory.names = found
        }
    }

    /// Remembers a reading, and queues events for its changes.
    private func note(_ key: CredentialKey, _ found: Known) {
        let at = clock.wall()
        memory.withLock { memory in
            let before = memory.known[key] ?? Known()
            memory.known[key] = found == Known() ? nil : found
            // The credential's names end with it, whenever they are removed from the profiles.
            if found == Known() { memory.names = memory.names.filter { $0.value != key } }
            var kinds: [TokenEvent.Kind]
            if let error = found.error {
                kinds = before.error == error ? [] : [.unreadable(error)]
            } else {
                kinds = TokenState.changes(from: before.state, to: found.state)
                // An unreadable file that was never read before, and is now gone.
                if kinds.isEmpty, before.error != nil, found.state == nil { kinds = [.deleted] }
            }
            memory.pending += kinds.map { kind in
                let isKnown = kind != .deleted && found.error == nil
                return TokenEvent(
                    kind: kind, key: key, at: at, generation: isKnown ? found.state?.generation : nil,
                    accessTokenExpires: isKnown ? found.state?.accessTokenExpires : nil,
                    refreshTokenExpires: isKnown ? found.state?.refreshTokenExpires : nil)
            }
        }
    }
}

/// What a watch remembers of one credential: enough to detect changes, and no token.
struct TokenState: Equatable, Sendable {
    /// Identifies the access token; for a credential in the keyring, whose token cannot be read at every change, the
    /// rest of the pointer.
    let fingerprint: String
    let origin: Credential.Origin
    let generation: Int
    let createdAt: Int64
    /// Whether the journal shows that these tokens can no longer be renewed.
    let isInvalid: Bool
    let accessTokenExpires: Int64?
    let refreshTokenExpires: Int64?

    /// Reads the files of `key`; nil if there is no credential.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> TokenState? {
        guard let content = try CredentialFiles.read(key, in: directory) else { return nil }
        let journal = try CredentialFiles.readJournal(key, in: directory)
        let end = journal.flatMap { $0.state == .sent || !$0.isAboutSpending ? nil : $0.tokenHash }
        switch content {
        case .whole(let credential, _):
            let refreshTokenHash = credential.refreshToken.map { SecretHash.hexadecimal(of: $0) }
            return TokenState(
                fingerprint: SecretHash.hexadecimal(of: credential.accessToken), origin: credential.origin,
                generation: credential.generation, createdAt: credential.createdAt,
                isInvalid: end != nil && end == refreshTokenHash,
                accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires)
        case .pointer(let pointer):
            return TokenState(
                fingerprint: "\(pointer)", origin: pointer.origin, generation: pointer.generation,
                createdAt: pointer.createdAt, isInvalid: end != nil && end == pointer.refreshTokenHash,
                accessTokenExpires: pointer.accessTokenExpires, refreshTokenExpires: pointer.refreshTokenExpires)
        }
    }

    /// The changes between two readings. Intermediate changes that left no trace are not reported.
    static func changes(from before: TokenState?, to after: TokenState?) -> [TokenEvent.Kind] {
        guard let after else { return before == nil ? [] : [.deleted] }
        var changes: [TokenEvent.Kind] = []
        if before?.fingerprint != after.fingerprint {
            // A renewal keeps the time of the sign-in and increments the generation; any other change of the token is
            // new.
            let isRenewal =
                after.origin == .refresh && before?.createdAt == after.createdAt
                && before.map { $0.generation < after.generation } == true
            changes.append(isRenewal ? .refreshed : .new)
        }
        let wasInvalid = before?.isInvalid == true && before?.fingerprint == after.fingerprint
        if after.isInvalid, !wasInvalid { changes.append(.invalidated) }
        return changes
    }
}
