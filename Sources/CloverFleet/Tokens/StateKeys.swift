package import CloverAuth
import CloverRateLimit
package import CloverSystem
import CloverTables

/// Creates, changes and shows the key that encrypts the credentials in a database. All methods block.
package struct StateKeys {
    private let table: CredentialTable
    private let file: StateKeyFile
    private let state: StateDirectory
    private let now: Int64

    /// - Parameters:
    ///   - state: keeps new tokens that the database cannot store yet.
    ///   - now: seconds since 1970.
    package init(_ url: String, _ file: StateKeyFile, state: StateDirectory, now: Int64) {
        table = CredentialTable(url, file)
        self.file = file
        self.state = state
        self.now = now
    }

    /// A key of this machine, or one that the database needs.
    package struct Shown: Equatable, Sendable {
        package let id: String
        /// Seconds since 1970; nil if the key is not on this machine.
        package let createdAt: Int64?
        package let place: StateKeyPlace
        package let use: Use
        /// Number of sign-ins that it encrypts.
        package let credentials: Int
        /// Addresses of the databases that are known to have used it.
        package let databases: [String]

        /// Whether it encrypts new tokens.
        package var isCurrent: Bool { use == .current }
        /// Whether sign-ins cannot be used without it.
        package var isNeeded: Bool { isCurrent || credentials > 0 }

        /// Why this machine cannot use it; nil if it can.
        ///
        /// - Parameter path: of the file of keys.
        package func problem(in path: String) -> StateKeyProblem? {
            switch place {
            case .file, .keyring: nil
            case .goneFromKeyring: .goneFromKeyring(id: id, path: path, isUnused: use == .unused)
            case .unusable(let cause): .keyring(id: id, path: path, cause)
            case .elsewhere: .unknown(id: id, path: path)
            }
        }
    }

    /// What needs a key, as far as this machine can know.
    package enum Use: Equatable, Sendable {
        /// It encrypts new tokens.
        case current
        /// It encrypts sign-ins.
        case signIns
        /// It encrypts tokens that the database does not have, in the file at `path`.
        case keptTokens(path: String, of: CredentialKey)
        /// It is to replace the current key.
        case next
        /// Another database is known to have used it.
        case otherDatabase
        /// It is not known whether something needs it.
        case unknown(Doubt)
        /// It is a former key of this database, which no longer needs it, and of no other that is known.
        case unused

        /// The word for it in output.
        package var name: String {
            switch self {
            case .current: "current"
            case .signIns: "signIns"
            case .keptTokens: "keptTokens"
            case .next: "next"
            case .otherDatabase: "otherDatabase"
            case .unknown: "unknown"
            case .unused: "unused"
            }
        }
    }

    /// Why it is not known whether something needs a key that encrypts no sign-in of the database.
    package enum Doubt: Equatable, Sendable {
        /// No chain of keys on this machine ends with the current one and contains it.
        case notFormer
        /// The same, and this machine does not have the current key, whose entry may name it.
        case lacksCurrent(id: String)
        /// A file of this machine that may name it cannot be read.
        case unreadable(CredentialError)
        /// Uses of keys cannot be recorded now, so earlier ones may be missing.
        case unrecorded
    }

    /// The keys of this machine, and those that the database needs. Asks the keyring for those that are in it.
    package func shown() throws(CredentialError) -> [Shown] {
        let current = try table.currentKeyID()
        let counts = try self.counts()
        file.note(table.connection.url, uses: Set(counts.keys).union([current].compactMap(\.self)))
        let own = try file.entries()
        let (kept, unread) = try keptTokens()
        var failure = unread
        var elsewhere: [String: [String]] = [:]
        do throws(CredentialError) { elsewhere = try file.databasesElsewhere() } catch { failure = error }
        let former = Self.former(of: current, among: own)
        func databases(_ id: String, _ entry: StateKeyFile.Entry?) -> [String] {
            let recorded = entry?.databases ?? []
            return recorded + (elsewhere[id] ?? []).filter { !recorded.contains($0) }
        }
        func use(of id: String, _ entry: StateKeyFile.Entry?) -> Use {
            if id == current { return .current }
            if counts[id] != nil { return .signIns }
            if let tokens = kept[id] { return .keptTokens(path: tokens.path, of: tokens.key) }
            if let current, entry?.follows == current { return .next }
            if databases(id, entry).contains(where: { $0 != table.connection.url }) { return .otherDatabase }
            if let failure { return .unknown(.unreadable(failure)) }
            if file.lacksUses { return .unknown(.unrecorded) }
            if former.contains(id) { return .unused }
            guard let current, !own.contains(where: { $0.id == current }) else { return .unknown(.notFormer) }
            return .unknown(.lacksCurrent(id: current))
        }
        func shown(_ id: String, _ entry: StateKeyFile.Entry?, _ place: StateKeyPlace) -> Shown {
            Shown(
                id: id, createdAt: entry?.createdAt, place: place, use: use(of: id, entry),
                credentials: counts[id] ?? 0, databases: databases(id, entry))
        }
        var all: [Shown] = []
        // A keyring that cannot be used is asked once.
        var trouble: StateKeyPlace?
        for entry in own {
            let place: StateKeyPlace
            if entry.isInKeyring, let trouble { place = trouble } else { place = try file.found(entry) }
            if case .unusable = place { trouble = place }
            all.append(shown(entry.id, entry, place))
        }
        let missing = Set(counts.keys).union([current].compactMap(\.self)).subtracting(own.map(\.id)).sorted()
        return all + missing.map { shown($0, nil, .elsewhere) }
    }

    /// The keys that were replaced, one after the other, until the current one was made.
    private static func former(of current: String?, among entries: [StateKeyFile.Entry]) -> Set<String> {
        var found: Set<String> = []
        var last = current
        while let id = last, let former = entries.first(where: { $0.id == id })?.follows, found.insert(former).inserted
        {
            last = former
        }
        return found
    }

    /// The files of tokens that the database does not have, by the key that encrypts them, and why one cannot be read.
    private func keptTokens() throws(CredentialError) -> (
        files: [String: (path: String, key: CredentialKey)], failure: CredentialError?
    ) {
        var (found, failure): ([String: (path: String, key: CredentialKey)], CredentialError?) = ([:], nil)
        for kept in try table.kept(in: state) {
            guard let key = kept.key else { continue }
            do throws(CredentialError) {
                if let id = try UnstoredTokens(of: key, in: state).read()?.keyID { found[id] = (kept.path, key) }
            } catch {
                failure = error
            }
        }
        return (found, failure)
    }

    /// Reads the current key, if there is one.
    ///
    /// - Returns: its identifier, and where it is; nil if there is none.
    /// - Throws: `.stateKey`, also if it is in the keyring, which cannot be used.
    package func current() throws(CredentialError) -> (id: String, place: String)? {
        guard let id = try table.currentKeyID() else { return nil }
        return (try file.key(id, for: table.connection.url).id, try place(of: id))
    }

    /// Where a key of this machine is, for the user.
    package func place(of id: String) throws(CredentialError) -> String { file.place(of: try file.entry(id)) }

    /// Moves the keys of this machine into the keyring, or from there into the file.
    ///
    /// - Returns: the identifiers of those that were moved.
    package func move(toKeyring: Bool) throws(CredentialError) -> [String] {
        do throws(CredentialError) {
            return try file.move(toKeyring: toKeyring)
        } catch {
            // Whether the database needs it, if that can be known.
            guard case .stateKey(.goneFromKeyring(let id, let path, _)) = error,
                let problem = (try? shown())?.first(where: { $0.id == id })?.problem(in: path)
            else { throw error }
            throw .stateKey(problem)
        }
    }

    /// Makes the first key of a database.
    ///
    /// - Parameter inKeyring: whether it is kept in the keyring instead of the file.
    /// - Returns: its identifier.
    /// - Throws: `.stateKey(.exists)` if there is one on this machine, `.stateKey(.unknown)` if another machine has it,
    ///   `.stateKey(.goneFromKeyring)` if the keyring has lost it, `.stateKey(.keyring)` if the keyring cannot be used.
    package func create(inKeyring: Bool = false) throws(CredentialError) -> String {
        if let id = try table.currentKeyID() {
            _ = try file.key(id, for: table.connection.url)
            throw .stateKey(.exists(id: id, path: try place(of: id)))
        }
        // On disk or in the keyring before anything can be encrypted with it.
        let key = try file.add(now: now, inKeyring: inKeyring, of: table.connection.url)
        try table.run(
            "INSERT INTO clover_state.token_key (id) VALUES ($1) ON CONFLICT DO NOTHING", [.text(key.id)])
        // Another machine may have been first.
        return try table.currentKey().id
    }

    /// A key that `replace` made.
    package struct Made: Equatable, Sendable {
        package let id: String
        /// The key that it replaces, which this machine does not have; nil if there was none.
        package var replaced: String?
        /// The sign-ins that were removed, because nothing on this machine decrypts them.
        package var forgotten: [CredentialKey] = []
    }

    /// Makes the first key of a database, or one in place of a key that this machine does not have.
    ///
    /// - Parameters:
    ///   - forgets: whether sign-ins are removed whose key this machine does not have.
    ///   - inKeyring: whether the key is kept in the keyring instead of the file; nil for the place of the key that it replaces.
    ///     With `forgets`, false also gives up the keys in a keyring that cannot be used.
    /// - Throws: `.stateKey(.lost)` if there are such sign-ins, `.stateKey(.exists)` if there is nothing to do,
    ///   `.stateKey(.keyring)` if a key that is needed is in a keyring that cannot be used.
    package func replace(forgets: Bool, inKeyring: Bool? = nil) throws(CredentialError) -> Made {
        guard let current = try table.currentKeyID() else { return Made(id: try create(inKeyring: inKeyring ?? false)) }
        let needed = try shown().filter(\.isNeeded)
        for key in needed {
            guard case .unusable(let cause) = key.place, !forgets || inKeyring != false else { continue }
            throw .stateKey(.keyring(id: key.id, path: file.path, cause))
        }
        let own = Set(needed.filter { $0.problem(in: file.path) == nil }.map(\.id))
        let lost = try table.rows().filter { !own.contains($0.row.sealed.keyID) }
        if let first = lost.first, !forgets {
            let id = first.row.sealed.keyID
            let isGone = needed.contains { $0.id == id && $0.place == .goneFromKeyring }
            throw .stateKey(.lost(id: id, path: isGone ? "the keyring" : file.path, signIns: lost.map(\.key)))
        }
        let forgotten = lost.map(\.key)
        if own.contains(current) {
            if forgotten.isEmpty { throw .stateKey(.exists(id: current, path: try place(of: current))) }
            for key in forgotten { try forget(key) }
            return Made(id: current, forgotten: forgotten)
        }
        let wasInKeyring = try file.entries().contains { $0.id == current && $0.isInKeyring }
        // On disk or in the keyring before anything can be encrypted with it, or is given up for it.
        let key = try file.add(
            now: now, inKeyring: inKeyring ?? wasInKeyring, of: table.connection.url, follows: current)
        for key in forgotten { try forget(key) }
        try table.run(
            "UPDATE clover_state.token_key SET id = $1 WHERE id = $2", [.text(key.id), .text(current)])
        // Another machine may have been first.
        return Made(id: try table.currentKey().id, replaced: current, forgotten: forgotten)
    }

    /// Removes a sign-in with its names.
    private func forget(_ key: CredentialKey) throws(CredentialError) {
        let session = try session(of: key, UnstoredTokens(of: key, in: state))
        defer { session.close() }
        _ = try session.remove()
        try table.run(
            "DELETE FROM clover_state.profiles WHERE \(CredentialTable.isRow)", CredentialTable.arguments(key))
    }

    /// A session that has the lock of a credential.
    private func session(
        of key: CredentialKey, _ unstored: UnstoredTokens? = nil
    ) throws(CredentialError) -> CredentialSession {
        let session = CredentialSession(key, CredentialTable(table.connection.url, file), unstored)
        for _ in 0...60 {
            guard try session.lock(most: CredentialSession.lockSlice) else { continue }
            _ = try session.begin(grace: 0)
            return session
        }
        session.close()
        throw .lockBusy(path: "the sign-in of \(key.words)")
    }

    /// Makes the next key, which encrypts nothing yet. It is kept in the keyring if the current one is there.
    ///
    /// - Parameter inKeyring: whether it is kept there in any case.
    /// - Returns: its identifier.
    package func prepareNext(inKeyring: Bool = false) throws(CredentialError) -> String {
        let current = try file.entry(try table.currentKey().id)
        if let next = try next(), try file.found(next) != .goneFromKeyring { return next.id }
        return try file.add(
            now: now, inKeyring: inKeyring || current.isInKeyring, of: table.connection.url, follows: current.id
        ).id
    }

    /// The newest key of this machine that was made to replace the current one. Other databases may have keys here too.
    private func next() throws(CredentialError) -> StateKeyFile.Entry? {
        let current = try table.currentKey()
        return try file.entries().last { $0.follows == current.id }
    }

    /// Makes the next key the current one, and encrypts all credentials with it, each under its lock. A run that was killed is
    /// completed by the next one.
    ///
    /// - Returns: the current key's identifier, and how many credentials were encrypted anew.
    /// - Throws: `.stateKey(.notPrepared)` if there is nothing to do.
    package func rotate() throws(CredentialError) -> (id: String, credentials: Int) {
        let former = try table.currentKey()
        if let next = try next() {
            // It must be readable before anything can be encrypted with it.
            _ = try file.key(next.id)
            try table.run("UPDATE clover_state.token_key SET id = $1", [.text(next.id)])
        }
        let current = try table.currentKey()
        let isLeft = try counts().keys.contains { $0 != current.id }
        guard isLeft || current.id != former.id else {
            throw .stateKey(.notPrepared(path: file.path))
        }
        var count = 0
        for (key, row) in try table.rows() where row.sealed.keyID != current.id {
            let session = try session(of: key)
            defer { session.close() }
            if try session.encryptAnew() { count += 1 }
        }
        return (current.id, count)
    }

    /// Removes a key from this machine.
    ///
    /// - Parameter forced: whether it is removed although something may need it that this machine cannot know of.
    /// - Returns: where it was, for the user.
    /// - Throws: `.stateKey(.absent)` if it is not there, `.stateKey(.inUse)` if the database needs it,
    ///   `.stateKey(.keepsTokens)` if tokens that the database lacks need it, `.stateKey(.mayBeNeeded)`.
    package func remove(_ id: String, forced: Bool = false) throws(CredentialError) -> String {
        guard let key = try shown().first(where: { $0.id == id && $0.place != .elsewhere }) else {
            throw .stateKey(.absent(id: id, path: file.path))
        }
        switch key.use {
        case .current, .signIns: throw .stateKey(.inUse(id: id, credentials: key.credentials))
        case .keptTokens(let path, let signIn): throw .stateKey(.keepsTokens(id: id, path: path, of: signIn))
        case .next, .otherDatabase, .unknown:
            guard forced else {
                let others = key.databases.filter { $0 != table.connection.url }
                throw .stateKey(.mayBeNeeded(id: id, by: others, isNext: key.use == .next))
            }
        case .unused: break
        }
        return try file.remove(id, forced: forced)
    }

    /// New tokens that this machine kept because the database could not store them.
    package func kept() throws(CredentialError) -> [KeptTokens] { try table.kept(in: state) }

    /// Sign-ins whose new tokens the database does not have.
    package func unstored() throws(CredentialError) -> [UnstoredSignIn] { try table.unstored() }

    /// Removes the files of tokens that no sign-in needs.
    ///
    /// - Returns: their paths.
    package func removeUnneeded() throws(CredentialError) -> [String] { try table.removeUnneeded(in: state) }

    private func counts() throws(CredentialError) -> [String: Int] {
        let rows = try table.run("SELECT key_id, count(*) FROM clover_state.credentials GROUP BY key_id")
        return Dictionary(
            rows.compactMap { row in row[0].text.map { ($0, Int(row[1].integer ?? 0)) } }, uniquingKeysWith: +)
    }
}

extension CredentialSession {
    /// Encrypts the credential with the current key.
    ///
    /// - Returns: false if there is none any more.
    fileprivate func encryptAnew() throws(CredentialError) -> Bool {
        guard let credential = try load() else { return false }
        try save(credential)
        return true
    }
}
