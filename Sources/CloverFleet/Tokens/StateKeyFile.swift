package import CloverAuth
import CloverHTTP
package import CloverSystem
import Glibc
import Synchronization

/// A key that encrypts credentials in the database. It is never sent to the server.
struct StateKey: Sendable {
    /// Made from the key itself, so that one that was changed is not taken for it.
    let id: String
    let bytes: [UInt8]
    /// Seconds since 1970.
    let createdAt: Int64

    init(bytes: [UInt8], createdAt: Int64) {
        id = String(SHA256.hash(Array("clover state key".utf8) + bytes).hexadecimalDigits.prefix(16))
        self.bytes = bytes
        self.createdAt = createdAt
    }
}

/// Where this machine has a key.
package enum StateKeyPlace: Equatable, Sendable {
    case file, keyring
    /// The file says that it is in the keyring, which has no such item.
    case goneFromKeyring
    /// The file says that it is in the keyring, which cannot be used.
    case unusable(SecretVaultError)
    /// The file does not name it.
    case elsewhere
}

/// The keys of this machine, in a private file beside the configuration file: `state-keys.json`, version 1:
/// `{"version":1,"keys":[{"id":"...","key":"HEXADECIMAL","createdAt":1700000000}]}`. A key that is in the keyring instead has
/// `"keyring":true` in place of `key`. The database says which of them encrypts new tokens; a next key `follows` one of them.
/// `"leftover":true` says that the keyring may have a copy of the key that is not used, because a process was killed.
/// `"databases"` has the addresses of the databases that are known to have used it.
///
/// Methods block, also while the keyring is asked, so they are for dedicated threads. No key is ever kept in the file because
/// the keyring cannot be used.
package struct StateKeyFile: Sendable {
    package static let name = "state-keys.json"
    private static let sizeLimit = 65_536

    private let directory: StateDirectory
    private let vault: (any SecretVault)?
    private let laterUses: StateKeyUses?
    private let onUnrecorded: @Sendable (UnrecordedKeyUse) -> Void
    private let known = Known()

    /// - Parameters:
    ///   - directory: absolute path; created when a key is.
    ///   - vault: the keyring; nil if there is none.
    ///   - state: gets the uses of keys that the file cannot be changed to have; nil for none.
    ///   - onUnrecorded: called, on any thread, with the first use that could not be recorded at all.
    package init(
        directory: String, vault: (any SecretVault)? = nil, state: StateDirectory? = nil,
        onUnrecorded: @escaping @Sendable (UnrecordedKeyUse) -> Void = { _ in }
    ) {
        // Keys are written by hand and rarely: locks of a network file system are good enough.
        self.directory = StateDirectory(path: directory, allowsNetworkFileSystem: true)
        self.vault = vault
        laterUses = state.map(StateKeyUses.init)
        self.onUnrecorded = onUnrecorded
    }

    package var path: String { directory.path + "/" + Self.name }

    /// What the file has of a key.
    struct Entry: Codable, Sendable {
        let id: String
        /// Nil if the key is in the keyring.
        private(set) var key: String?
        private(set) var keyring: Bool?
        let createdAt: Int64
        /// The key that this one is to replace; nil for the first key of a database.
        let follows: String?
        /// Whether the keyring may have an item of it that is not used.
        var leftover: Bool?
        /// Addresses of the databases that are known to have used it; nil if none was recorded.
        var databases: [String]?

        init(_ key: StateKey, inKeyring: Bool, of database: String, follows: String?) {
            id = key.id
            createdAt = key.createdAt
            self.follows = follows
            databases = [database]
            put(key, inKeyring: inKeyring)
        }

        /// A key that the keyring may get, or may have had before.
        init(leftover key: StateKey) {
            id = key.id
            self.key = nil
            keyring = nil
            createdAt = key.createdAt
            follows = nil
            leftover = true
        }

        /// Says where the key is.
        mutating func put(_ stateKey: StateKey, inKeyring: Bool) {
            key = inKeyring ? nil : stateKey.bytes.hexadecimalDigits
            keyring = inKeyring ? true : nil
        }

        /// Gives up the key in the keyring, which may still have it.
        mutating func abandon() { (keyring, leftover) = (nil, true) }

        var isInKeyring: Bool { keyring == true }
        /// Whether the key can be used.
        var isKey: Bool { key != nil || isInKeyring }
    }

    private struct Document: Codable {
        let keys: [Entry]
    }

    /// Keys of the keyring that were read already. A key's identifier is made from its bytes, so none of them changes.
    private final class Known: Sendable {
        private let keys = Mutex<[String: StateKey]>([:])
        /// Whether the file could not be changed to record a use.
        let isUnchangeable = Atomic(false)
        /// Whether a use could not be recorded at all.
        let isUnrecorded = Atomic(false)

        subscript(id: String) -> StateKey? {
            get { keys.withLock { $0[id] } }
            set { keys.withLock { $0[id] = newValue } }
        }
    }

    // MARK: Reading

    /// What the file has of the keys, oldest first; nothing without a file. The keyring is not asked.
    func entries() throws(CredentialError) -> [Entry] {
        guard let directory = try CredentialError.storing(try directory.existing()) else { return [] }
        return try read(in: directory).filter(\.isKey)
    }

    /// Whether the file says that one of the keys is in the keyring.
    package func hasKeysInKeyring() throws(CredentialError) -> Bool { try entries().contains(where: \.isInKeyring) }

    /// What the file has of the key of this identifier.
    ///
    /// - Throws: `.stateKey(.unknown)`.
    func entry(_ id: String) throws(CredentialError) -> Entry {
        guard let entry = try entries().first(where: { $0.id == id }) else {
            throw .stateKey(.unknown(id: id, path: path))
        }
        return entry
    }

    /// The key of this identifier, for a database that uses it, which is recorded.
    func key(_ id: String, for database: String) throws(CredentialError) -> StateKey {
        let found = try key(id)
        note(database, uses: [id])
        return found
    }

    /// Where a key is, for the user.
    func place(of entry: Entry) -> String { entry.isInKeyring ? "the keyring" : path }

    /// Where a key really is: the keyring is asked.
    func found(_ entry: Entry) throws(CredentialError) -> StateKeyPlace {
        guard entry.isInKeyring else { return .file }
        do throws(CredentialError) {
            _ = try key(entry.id)
            return .keyring
        } catch {
            switch error {
            case .stateKey(.goneFromKeyring): return .goneFromKeyring
            case .stateKey(.keyring(_, _, let cause)): return .unusable(cause)
            default: throw error
            }
        }
    }

    /// The key of this identifier.
    ///
    /// - Throws: `.stateKey(.unknown)`; `.stateKey(.keyring)` if it is in the keyring, which cannot be used.
    func key(_ id: String) throws(CredentialError) -> StateKey {
        let entry = try entry(id)
        guard entry.isInKeyring else { return try key(of: entry) }
        if let earlier = known[id] { return earlier }
        let found = try inKeyring(id) { (vault) async throws(SecretVaultError) -> Secret? in
            try await Self.lookup(id, in: vault)
        }
        guard let found else { throw .stateKey(.goneFromKeyring(id: id, path: path)) }
        let made = try key(found.exposed, of: entry)
        known[id] = made
        return made
    }

    /// The key of an entry that has it.
    private func key(of entry: Entry) throws(CredentialError) -> StateKey {
        try key(entry.key ?? "", of: entry)
    }

    private func key(_ digits: String, of entry: Entry) throws(CredentialError) -> StateKey {
        guard let bytes = [UInt8](hexadecimal: digits), bytes.count == AESGCM.keySize else {
            throw .stateKey(.unreadable(path: place(of: entry)))
        }
        let key = StateKey(bytes: bytes, createdAt: entry.createdAt)
        guard key.id == entry.id else { throw .stateKey(.unreadable(path: place(of: entry))) }
        return key
    }

    private func read(in directory: borrowing OpenDirectory) throws(CredentialError) -> [Entry] {
        let bytes = try CredentialError.storing(
            try PrivateFile.read(Self.name, in: directory, limit: Self.sizeLimit))
        guard let bytes else { return [] }
        let document: Document
        do throws(CredentialError) {
            document = try JSONDocument.decode(bytes, path: path)
        } catch {
            switch error {
            // It may be the only copy, so unlike a sign-in it is not to be removed.
            case .notJSON, .malformed: throw .stateKey(.unreadable(path: path))
            default: throw error
            }
        }
        for entry in document.keys where entry.key != nil || !entry.isInKeyring && entry.leftover != true {
            _ = try key(of: entry)
        }
        return document.keys
    }

    // MARK: Changing

    /// Makes a key. When this returns, it is on disk, or the keyring has returned it.
    ///
    /// - Parameters:
    ///   - database: the address of the database that is to use it.
    ///   - follows: the key that it is to replace; nil for the first key of a database.
    func add(
        now: Int64, inKeyring: Bool, of database: String, follows: String? = nil
    ) throws(CredentialError) -> StateKey {
        let made = StateKey(
            bytes: (0..<AESGCM.keySize).map { _ in .random(in: .min ... .max) }, createdAt: now)
        // Where that fails, so does the rest.
        if inKeyring { try? removeLeftovers() }
        try change { (entries, write) throws(CredentialError) in
            if inKeyring {
                // A later process removes it from the keyring if this one is killed.
                try write(entries + [Entry(leftover: made)])
                do throws(CredentialError) {
                    try keep(made)
                } catch {
                    if !Self.mayBeStored(error) { try write(entries) }
                    throw error
                }
            }
            entries.append(Entry(made, inKeyring: inKeyring, of: database, follows: follows))
        }
        return made
    }

    /// Records which keys a database uses, so that another one does not take them for unused: in the state directory if the
    /// file cannot be changed. What cannot be changed is not tried again.
    func note(_ database: String, uses ids: Set<String>) {
        guard !known.isUnrecorded.load(ordering: .relaxed) else { return }
        var news = ids
        do throws(CredentialError) {
            news = Set(try entries().filter { Self.isNews($0, database, ids) }.map(\.id))
            guard !news.isEmpty else { return }
            if known.isUnchangeable.load(ordering: .relaxed) {
                try laterUses?.add(database, to: news)
            } else {
                try record(database, uses: news)
            }
        } catch {
            known.isUnrecorded.store(true, ordering: .relaxed)
            onUnrecorded(UnrecordedKeyUse(database: database, keys: news.sorted(), cause: error))
        }
    }

    private static func isNews(_ entry: Entry, _ database: String, _ ids: Set<String>) -> Bool {
        entry.isKey && ids.contains(entry.id) && entry.databases?.contains(database) != true
    }

    private func record(_ database: String, uses ids: Set<String>) throws(CredentialError) {
        do throws(CredentialError) {
            try change { (entries, _) throws(CredentialError) in
                for place in entries.indices where Self.isNews(entries[place], database, ids) {
                    entries[place].databases = (entries[place].databases ?? []) + [database]
                }
            }
        } catch {
            known.isUnchangeable.store(true, ordering: .relaxed)
            guard let laterUses else { throw error }
            try laterUses.add(database, to: ids)
        }
    }

    /// Whether a use could not be recorded by this process. Then earlier ones may be missing, too.
    var lacksUses: Bool { known.isUnrecorded.load(ordering: .relaxed) }

    /// The addresses of databases that use keys of the file, beside those in its entries, by key.
    func databasesElsewhere() throws(CredentialError) -> [String: [String]] { try laterUses?.read() ?? [:] }

    /// Removes the key of this identifier. If the keyring has it and cannot be used, nothing is removed.
    ///
    /// - Parameter forced: whether a key is given up that the keyring still has, because it cannot be used.
    /// - Returns: where it was, for the user.
    /// - Throws: `.stateKey(.absent)`.
    func remove(_ id: String, forced: Bool = false) throws(CredentialError) -> String {
        guard let entry = try entries().first(where: { $0.id == id }) else {
            throw .stateKey(.absent(id: id, path: path))
        }
        var (wasThere, mayBeLeft) = (true, false)
        do throws(CredentialError) {
            if entry.isInKeyring { wasThere = try removeFromKeyring(id) }
        } catch {
            guard forced, case .stateKey(.keyring) = error else { throw error }
            (wasThere, mayBeLeft) = (false, true)
        }
        try change { (entries, _) throws(CredentialError) in
            if mayBeLeft {
                for place in entries.indices where entries[place].id == id { entries[place].abandon() }
            } else {
                entries.removeAll { $0.id == id }
            }
        }
        return wasThere ? place(of: entry) : "\(path), which only named it"
    }

    /// Moves all keys into the keyring, or from there into the file. Each is in one of both at any time.
    ///
    /// - Returns: the identifiers of those that were moved.
    /// - Throws: `.stateKey(.leftInKeyring)` if a key that is in the file now could not be removed from the keyring.
    func move(toKeyring: Bool) throws(CredentialError) -> [String] {
        let moving = try entries().filter { $0.isInKeyring != toKeyring }
        if !moving.isEmpty {
            try change { (entries, write) throws(CredentialError) in
                for place in entries.indices where entries[place].isKey && entries[place].isInKeyring != toKeyring {
                    let moved = try key(entries[place].id)
                    if toKeyring {
                        entries[place].leftover = true
                        try write(entries)
                        do throws(CredentialError) {
                            try keep(moved)
                        } catch {
                            if !Self.mayBeStored(error) { entries[place].leftover = nil }
                            try write(entries)
                            throw error
                        }
                    }
                    entries[place].put(moved, inKeyring: toKeyring)
                    entries[place].leftover = toKeyring ? nil : true
                }
            }
        }
        if !toKeyring { try removeLeftovers() }
        return moving.map(\.id)
    }

    /// Removes copies of keys from the keyring that are not used: those of keys that are in the file now, and those of killed
    /// processes.
    private func removeLeftovers() throws(CredentialError) {
        guard let place = try CredentialError.storing(try directory.existing()),
            try read(in: place).contains(where: { $0.leftover == true })
        else { return }
        try change { (entries, write) throws(CredentialError) in
            for entry in entries where entry.leftover == true {
                do throws(CredentialError) {
                    _ = try removeFromKeyring(entry.id)
                } catch {
                    guard case .stateKey(.keyring(let id, _, let cause)) = error else { throw error }
                    throw .stateKey(.leftInKeyring(id: id, path: path, cause))
                }
                for place in entries.indices where entries[place].id == entry.id { entries[place].leftover = nil }
                entries.removeAll { !$0.isKey && $0.leftover != true }
                try write(entries)
            }
        }
    }

    /// Changes the file under its lock.
    ///
    /// - Parameter body: may also write what the file is to have meanwhile.
    private func change(
        _ body: (inout [Entry], _ write: ([Entry]) throws(CredentialError) -> Void) throws(CredentialError) -> Void
    ) throws(CredentialError) {
        let place = try CredentialError.storing(try directory.prepare())
        let lock = try CredentialError.storing(try FileLock.acquire("." + Self.name + ".lock", in: place))
        var entries = try read(in: place)
        let write = { (entries: [Entry]) throws(CredentialError) -> Void in
            guard !entries.isEmpty else {
                _ = try CredentialError.storing(try AtomicFile.remove(Self.name, in: place, holding: lock))
                return
            }
            let bytes = try JSONDocument.encode(Document(keys: entries))
            try CredentialError.storing(try AtomicFile.replace(Self.name, in: place, with: bytes, holding: lock))
        }
        try body(&entries, write)
        try write(entries)
    }

    // MARK: The keyring

    /// Stores a key in the keyring, and reads it back: unlike a token, it cannot be had again.
    private func keep(_ key: StateKey) throws(CredentialError) {
        let (id, secret) = (key.id, Secret(key.bytes.hexadecimalDigits))
        do throws(CredentialError) {
            try inKeyring(id) { (vault) async throws(SecretVaultError) -> Void in
                try await vault.store(secret, for: Self.attributes(of: id), label: "clover: state key \(id)")
                guard try await Self.lookup(id, in: vault) == secret else { throw .notKept }
            }
        } catch {
            guard case .stateKey(.keyring(_, _, let cause)) = error else { throw error }
            throw .stateKey(.notStored(cause))
        }
    }

    /// Whether the keyring may have a key although it did not confirm that.
    private static func mayBeStored(_ error: CredentialError) -> Bool {
        guard case .stateKey(.notStored(let cause)) = error else { return true }
        switch cause {
        case .noAnswer, .failed: return true
        case .absent, .noCollection, .locked, .notKept: return false
        }
    }

    /// - Returns: false if it is gone already.
    private func removeFromKeyring(_ id: String) throws(CredentialError) -> Bool {
        try inKeyring(id) { (vault) async throws(SecretVaultError) -> Bool in
            try await vault.remove(Self.attributes(of: id))
        }
    }

    private static func lookup(_ id: String, in vault: any SecretVault) async throws(SecretVaultError) -> Secret? {
        try await vault.lookup(attributes(of: id))
    }

    /// The attributes that identify the item (in the Secret Service, attributes are not secret).
    private static func attributes(of id: String) -> [String: String] {
        ["application": "clover", "kind": "state-key", "item": id]
    }

    /// Blocks this thread until the keyring has answered or not, which takes some seconds at most.
    private func inKeyring<Value: Sendable>(
        _ id: String, _ work: @escaping @Sendable (any SecretVault) async throws(SecretVaultError) -> Value
    ) throws(CredentialError) -> Value {
        guard let vault else { throw .stateKey(.keyring(id: id, path: path, .absent(detail: "none is set up"))) }
        let outcome = Monitor<Result<Value, SecretVaultError>?>(nil)
        Task.detached {
            let result: Result<Value, SecretVaultError>
            do throws(SecretVaultError) {
                result = .success(try await work(vault))
            } catch {
                result = .failure(error)
            }
            outcome.update { $0 = result }
        }
        switch outcome.wait(until: { $0 }) {
        case .success(let value): return value
        case .failure(let error): throw .stateKey(.keyring(id: id, path: path, error))
        }
    }
}
