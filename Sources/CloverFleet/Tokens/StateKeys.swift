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

    /// A key as it may be shown.
    package struct Shown: Equatable, Sendable {
        package let id: String
        /// Seconds since 1970; nil if the key is not on this machine.
        package let createdAt: Int64?
        /// Whether it is in the keyring instead of the file.
        package let isInKeyring: Bool
        /// Whether it encrypts new tokens.
        package let isCurrent: Bool
        /// Number of sign-ins that it encrypts.
        package let credentials: Int
    }

    /// The keys of this machine, and those that the database needs.
    package func shown() throws(CredentialError) -> [Shown] {
        let current = try table.currentKeyID()
        let counts = try self.counts()
        let own = try file.entries()
        let missing = Set(counts.keys).union([current].compactMap(\.self)).subtracting(own.map(\.id)).sorted()
        func shown(_ id: String, _ entry: StateKeyFile.Entry?) -> Shown {
            Shown(
                id: id, createdAt: entry?.createdAt, isInKeyring: entry?.isInKeyring ?? false, isCurrent: id == current,
                credentials: counts[id] ?? 0)
        }
        return own.map { shown($0.id, $0) } + missing.map { shown($0, nil) }
    }

    /// Reads the current key, if there is one.
    ///
    /// - Returns: its identifier, and where it is; nil if there is none.
    /// - Throws: `.stateKey`, also if it is in the keyring, which cannot be used.
    package func current() throws(CredentialError) -> (id: String, place: String)? {
        guard let id = try table.currentKeyID() else { return nil }
        return (try file.key(id).id, try place(of: id))
    }

    /// Where a key of this machine is, for the user.
    package func place(of id: String) throws(CredentialError) -> String { file.place(of: try file.entry(id)) }

    /// Moves the keys of this machine into the keyring, or from there into the file.
    ///
    /// - Returns: the identifiers of those that were moved.
    package func move(toKeyring: Bool) throws(CredentialError) -> [String] { try file.move(toKeyring: toKeyring) }

    /// Makes the first key of a database.
    ///
    /// - Parameter inKeyring: whether it is kept in the keyring instead of the file.
    /// - Returns: its identifier.
    /// - Throws: `.stateKey(.exists)` if there is one on this machine, `.stateKey(.unknown)` if another machine has it,
    ///   `.stateKey(.goneFromKeyring)` if the keyring has lost it.
    package func create(inKeyring: Bool = false) throws(CredentialError) -> String {
        if let id = try table.currentKeyID() {
            let place = try self.place(of: id)
            if try file.isGone(id) { throw .stateKey(.goneFromKeyring(id: id, path: file.path)) }
            throw .stateKey(.exists(id: id, path: place))
        }
        // On disk or in the keyring before anything can be encrypted with it.
        let key = try file.add(now: now, inKeyring: inKeyring)
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
    ///   - inKeyring: whether the key is kept in the keyring instead of the file.
    /// - Throws: `.stateKey(.lost)` if there are such sign-ins, `.stateKey(.exists)` if there is nothing to do.
    package func replace(forgets: Bool, inKeyring: Bool = false) throws(CredentialError) -> Made {
        guard let current = try table.currentKeyID() else { return Made(id: try create(inKeyring: inKeyring)) }
        var (own, gone): (Set<String>, Set<String>) = ([], [])
        for entry in try file.entries() {
            if try file.isGone(entry.id) { gone.insert(entry.id) } else { own.insert(entry.id) }
        }
        let lost = try table.rows().filter { !own.contains($0.row.sealed.keyID) }
        if let first = lost.first, !forgets {
            let id = first.row.sealed.keyID
            throw .stateKey(
                .lost(id: id, path: gone.contains(id) ? "the keyring" : file.path, signIns: lost.map(\.key)))
        }
        for (key, _) in lost { try forget(key) }
        let forgotten = lost.map(\.key)
        if own.contains(current) {
            if forgotten.isEmpty { throw .stateKey(.exists(id: current, path: try place(of: current))) }
            return Made(id: current, forgotten: forgotten)
        }
        // On disk or in the keyring before anything can be encrypted with it.
        let key = try file.add(now: now, inKeyring: inKeyring)
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
        if let next = try next() { return next.id }
        return try file.add(now: now, inKeyring: inKeyring || current.isInKeyring, follows: current.id).id
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
    /// - Returns: where it was, for the user.
    /// - Throws: `.stateKey(.absent)` if it is not there, `.stateKey(.inUse)` if the database needs it,
    ///   `.stateKey(.keepsTokens)` if tokens that the database lacks need it.
    package func remove(_ id: String) throws(CredentialError) -> String {
        guard try file.entries().contains(where: { $0.id == id }) else {
            throw .stateKey(.absent(id: id, path: file.path))
        }
        let count = try counts()[id] ?? 0
        if count > 0 { throw .stateKey(.inUse(id: id, credentials: count)) }
        if try table.currentKeyID() == id { throw .stateKey(.inUse(id: id, credentials: 0)) }
        for kept in try table.kept(in: state) {
            guard let key = kept.key, try UnstoredTokens(of: key, in: state).read()?.keyID == id else { continue }
            throw .stateKey(.keepsTokens(id: id, path: kept.path, of: key))
        }
        return try file.remove(id)
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
