import CloverStorage
import Glibc
import Synchronization

/// One subscription to token events: the kernel's watches, and what the files said when they were last read.
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
        /// The names as they were read last.
        var names: [String: CredentialKey] = [:]
    }

    /// The last good look at a credential, and the error of a later one.
    private struct Known: Equatable {
        var state: TokenState?
        var error: CredentialError?
    }

    /// Subscribes first and reads then, so that nothing between the two is missed. Blocks.
    init(state: StateDirectory, clock: TokenClock, keys: Set<CredentialKey>?) throws(CredentialError) {
        self.state = state
        self.clock = clock
        self.keys = keys
        do {
            _ = try state.prepareSubdirectory(CredentialFiles.directoryName, rule: .secret)
            watch = try DirectoryWatch()
        } catch {
            throw .storage(error)
        }
        try subscribe()
        readNames()
        memory.withLock { $0.pending = [] }
    }

    /// The next event; nil after `stop`. Blocks. One caller at a time.
    func next() throws(CredentialError) -> TokenEvent? {
        while true {
            let event = memory.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
            if let event { return event }
            let news: DirectoryWatch.News
            do {
                news = try watch.wait()
            } catch {
                throw .storage(error)
            }
            switch news {
            case .stopped: return nil
            case .anything:
                try subscribe()
                readNames()
            case .entries(let names):
                try look(at: names)
                // After the credentials: a name that goes with its own is no news.
                if names.contains(ProfileBook.name) { readNames() }
            }
        }
    }

    /// Ends `next`, from any thread.
    func stop() {
        watch.stop()
    }

    private var directoryPath: String { state.path + "/" + CredentialFiles.directoryName }

    private func existingDirectory() throws(CredentialError) -> OpenDirectory? {
        try CredentialError.wrapping { () throws(StorageError) in
            try state.existingSubdirectory(CredentialFiles.directoryName, rule: .secret)
        }
    }

    /// Reads again what the news are about. While the directory is missing, the news are about its parents.
    private func look(at names: Set<String>) throws(CredentialError) {
        let isWaiting = memory.withLock { $0.watched.count == 1 }
        if isWaiting { return try subscribe() }
        let touched = Set(names.compactMap { CredentialFileName.key(fromEither: $0) })
        // The state directory is watched, too, and most of its entries say nothing about credentials.
        if touched.isEmpty { return }
        guard let directory = try existingDirectory() else { return try subscribe() }
        for key in touched { read(key, in: directory) }
    }

    /// Begins anew: watches the directory and its parent, or, while it is missing, the nearest parent that is there.
    /// Then everything is read again.
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

    /// Watches the directory and the one it is in; nil when it was replaced meanwhile.
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

    /// Watches the nearest directory above that exists; nil when there is more by the time it is watched.
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
                // It may have come between the look and the watch.
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
        let names: [String]
        do {
            names = try directory.names()
        } catch {
            throw .storage(error)
        }
        let found = Set(names.compactMap { CredentialFileName.key(from: $0) })
        for key in found.union(memory.withLock { Set($0.known.keys) }) { read(key, in: directory) }
    }

    private func read(_ key: CredentialKey, in directory: borrowing OpenDirectory) {
        if let keys, !keys.contains(key) { return }
        do {
            note(key, Known(state: try TokenState.read(key, in: directory), error: nil))
        } catch {
            // What was known stays: when the file can be read again, only a difference counts.
            note(key, Known(state: memory.withLock { $0.known[key]?.state }, error: error))
        }
    }

    /// Reads which name stands for which credential, and tells of those that do so no more, before whatever else was found at
    /// the same time: a name that goes to another credential ends with the one and begins with the other. A book that cannot
    /// be read says nothing.
    private func readNames() {
        let found: [String: CredentialKey]
        do {
            guard let directory = try state.existing() else { return }
            found = try ProfileBook(state: state).read(in: directory)
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

    /// Remembers a look, and tells what is new about it.
    private func note(_ key: CredentialKey, _ found: Known) {
        let at = clock.wall()
        memory.withLock { memory in
            let before = memory.known[key] ?? Known()
            memory.known[key] = found == Known() ? nil : found
            // Its names end with it, whenever they are taken out of the book.
            if found == Known() { memory.names = memory.names.filter { $0.value != key } }
            var kinds: [TokenEvent.Kind]
            if let error = found.error {
                kinds = before.error == error ? [] : [.unreadable(error)]
            } else {
                kinds = TokenState.changes(from: before.state, to: found.state)
                // An unreadable file that was never read before, and is gone.
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
