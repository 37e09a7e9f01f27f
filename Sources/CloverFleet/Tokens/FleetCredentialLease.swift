import CloverAuth
import CloverHTTP
import CloverRateLimit
import CloverSystem
import CloverTables
import Synchronization

/// A lease on a credential in the database: an advisory lock of a separate session. It ends with the session.
final class FleetCredentialLease: CredentialLease {
    private let key: CredentialKey
    /// Nil after the release. The mutex is held during operations.
    private let session: Mutex<CredentialSession?>

    init(_ key: CredentialKey, _ session: sending CredentialSession) {
        self.key = key
        self.session = Mutex(session)
    }

    deinit { release() }

    func load() async throws(CredentialError) -> Credential? {
        try await inSession { (session) throws(CredentialError) in try session.load() }
    }

    func save(_ credential: Credential) async throws(CredentialError) -> CredentialError? {
        try CredentialDocument.check(credential)
        try await inSession { (session) throws(CredentialError) in try session.save(credential) }
        return nil
    }

    func remove() async throws(CredentialError) -> Bool {
        try await inSession { (session) throws(CredentialError) in try session.remove() }
    }

    func journal() async throws(CredentialError) -> RefreshJournal? {
        try await inSession { (session) throws(CredentialError) in try session.journal() }
    }

    func setJournal(_ journal: RefreshJournal?) async throws(CredentialError) {
        try await inSession { (session) throws(CredentialError) in try session.setJournal(journal) }
    }

    /// Checks that new tokens can be encrypted. Room for them cannot be reserved in the database.
    func reserve() async throws(CredentialError) {
        try await inSession { (session) throws(CredentialError) in try session.reserve() }
    }

    func release() {
        session.withLock { session in
            session?.close()
            session = nil
        }
    }

    private func inSession<Value: Sendable>(
        _ body: @escaping @Sendable (CredentialSession) throws(CredentialError) -> Value
    ) async throws(CredentialError) -> Value {
        try await DedicatedThread.run { [self] () throws(CredentialError) in
            try session.withLock { (session) throws(CredentialError) -> Value in
                guard let session else { throw .leaseEnded(path: key.words) }
                return try body(session)
            }
        }
    }
}

/// One credential in the database, under its lock.
///
/// If the connection is lost, the lock is lost too. It is then taken again, and what another client did meanwhile is noticed by
/// the row's revision. Whether a commit whose response was lost took place is read from the row, which has a random number of
/// each change.
final class CredentialSession {
    private let key: CredentialKey
    private let table: CredentialTable
    private let unstored: UnstoredTokens?
    /// The session of the server that has the lock.
    private var lockedGeneration = 0
    /// The row as this client last read or wrote it.
    private var known: CredentialRow?
    /// The hash of the refresh token that this client may have spent: its successor replaces it whatever others recorded about it.
    private var spending: String?

    private let tokenPatience: Double

    /// Seconds for which a change is tried again while the database is away.
    private static let usualPatience = 5.0
    /// Milliseconds of one wait for the lock, which keeps a snapshot of the database that long.
    static let lockSlice = 2000

    /// - Parameters:
    ///   - unstored: nil if no token will be spent in this session.
    ///   - tokenPatience: seconds for which storing new tokens is tried.
    init(
        _ key: CredentialKey, _ table: CredentialTable, _ unstored: UnstoredTokens? = nil, tokenPatience: Double = 0
    ) {
        self.key = key
        self.table = table
        self.unstored = unstored
        self.tokenPatience = tokenPatience
    }

    func close() { table.connection.close() }

    /// Takes the lock.
    ///
    /// - Parameter most: milliseconds to wait.
    /// - Returns: false if another session has it.
    func lock(most: Int) throws(CredentialError) -> Bool {
        let name = CredentialTable.arguments(key).compactMap(\.text).joined(separator: " ")
        // The time goes into the work of the session that has it.
        table.connection.isUncounted = most > 0
        defer { table.connection.isUncounted = false }
        let isLocked = try table.run(
            "SELECT clover_state.lock_credential($1, $2::int)", [.text(name), .integer(Int64(most))]
        ).first?.first?.isTrue
        guard isLocked == true else { return false }
        lockedGeneration = table.connection.generation
        return true
    }

    /// Refuses a server that takes no changes, which is all that the lock is for: the caller then says why it waits.
    func refuseReadOnly() throws(CredentialError) {
        guard let reason = table.connection.readOnlyReason else { return }
        close()
        throw .databaseAway(address: table.connection.url, message: reason.message)
    }

    /// Reads the row for the first time, and stores what an earlier process of this machine could not store.
    ///
    /// - Returns: for how many milliseconds another client may still be waiting for the service: it recorded less than `grace`
    ///   ago that it spends the token, and lost only its session.
    func begin(grace: Int64) throws(CredentialError) -> Int64 {
        known = try table.row(of: key)
        if let known, try table.journal(known, of: key)?.state == .sent, known.age < grace { return grace - known.age }
        try storeUnstored()
        return 0
    }

    func load() throws(CredentialError) -> Credential? {
        try current().map { (row) throws(CredentialError) in try table.open(row.sealed, of: key) }
    }

    func journal() throws(CredentialError) -> RefreshJournal? {
        let found = try current().flatMap { (row) throws(CredentialError) in try table.journal(row, of: key) }
        // A token that an earlier process may have spent is tried once more.
        if let found, found.state == .sent { spending = found.tokenHash }
        return found
    }

    func reserve() throws(CredentialError) {
        try again(for: Self.usualPatience) { () throws(CredentialError) in
            try hold()
            _ = try table.currentKey()
        }
    }

    func save(_ credential: Credential) throws(CredentialError) {
        // One that cannot be read is left for the user to inspect.
        if let known, spending == nil { _ = try table.open(known.sealed, of: key) }
        let isKept = keep(credential)
        do throws(CredentialError) {
            try store(credential, patience: spending == nil ? Self.usualPatience : tokenPatience)
        } catch .overtaken(let key) {
            dropUnstored()
            known = try table.row(of: key)
            // Another process of this machine may have found the new tokens and stored them.
            guard let known, try table.open(known.sealed, of: key) == credential else { throw .overtaken(key) }
            spending = nil
            return
        } catch {
            guard isKept, let unstored else { throw error }
            throw .tokensUnstored(path: unstored.path, error)
        }
        dropUnstored()
    }

    /// Keeps new tokens on this machine until the database has them. If that fails, storing them is still tried.
    ///
    /// - Returns: whether they are on disk.
    private func keep(_ credential: Credential) -> Bool {
        guard let unstored, let known, let spending else { return false }
        do {
            // The key that reads the row is on this machine, and the database need not be asked for it.
            let sealed = try table.seal(credential, with: try table.keys.key(known.sealed.keyID))
            try unstored.write(UnstoredTokens.Document(spent: spending, sealed))
            return true
        } catch {
            return false
        }
    }

    /// Stores the tokens that are only on this machine, if the row still has those that they replace.
    private func storeUnstored() throws(CredentialError) {
        guard let unstored, let known else { return }
        let (present, kept): (Credential, Credential)
        do {
            guard let document = try unstored.read(), let tokens = document.tokens else { return }
            (present, kept) = (try table.open(known.sealed, of: key), try table.open(tokens, of: key))
            guard let token = present.refreshToken, SecretHash.hexadecimal(of: token) == document.spent,
                kept.refreshToken != token || kept.generation > present.generation
            else { return }
            spending = document.spent
        } catch {
            // A file that cannot be read, or a lost key, must not keep the user from signing in again.
            return
        }
        try store(kept, patience: Self.usualPatience)
        dropUnstored()
    }

    /// Removes the file of tokens that the row no longer needs. A file that stays fits no row, and the next one replaces it.
    private func dropUnstored() {
        do throws(CredentialError) { try unstored?.remove() } catch {}
    }

    private func store(_ credential: Credential, patience: Double) throws(CredentialError) {
        let hash = credential.refreshToken.map { SecretHash.hexadecimal(of: $0) }
        try change(for: patience) { (writer) throws(CredentialError) in
            let sealed = try table.seal(credential, with: try table.currentKey())
            let values: [SQLValue] = [
                .text(sealed.kind), .text(sealed.keyID), .text("\\x" + sealed.bytes.hexadecimalDigits),
                .integer(writer),
            ]
            guard let known else {
                return (
                    """
                    INSERT INTO clover_state.credentials
                        (environment, merchant, app, kind, key_id, sealed, revision, writer)
                    VALUES ($1, $2, $3, $4, $5, $6::bytea, 1, $7::bigint) ON CONFLICT DO NOTHING RETURNING revision
                    """, values
                )
            }
            // A journal about tokens that are gone no longer explains anything.
            return (
                """
                UPDATE clover_state.credentials SET kind = $4, key_id = $5, sealed = $6::bytea, writer = $7::bigint,
                    journal = CASE WHEN journal_token = $8 THEN journal END,
                    journal_token = CASE WHEN journal_token = $8 THEN journal_token END,
                    revision = revision + 1, changed_at = clock_timestamp()
                WHERE \(CredentialTable.isRow) AND (revision = $9::bigint OR journal_token = $10) RETURNING revision
                """, values + [SQLValue(hash), .integer(known.revision), SQLValue(spending)]
            )
        }
        if spending != hash { spending = nil }
    }

    func setJournal(_ journal: RefreshJournal?) throws(CredentialError) {
        guard let known else {
            if journal == nil { return }
            throw .overtaken(key)
        }
        // An unreadable journal is left for the user to inspect.
        _ = try table.journal(known, of: key)
        let text = try journal.map { (journal) throws(CredentialError) in
            String(decoding: try JSONDocument.encode(journal), as: UTF8.self)
        }
        try change(for: Self.usualPatience) { (writer) throws(CredentialError) in
            (
                """
                UPDATE clover_state.credentials SET journal = $4, journal_token = $5, writer = $6::bigint,
                    revision = revision + 1, changed_at = clock_timestamp()
                WHERE \(CredentialTable.isRow) AND revision = $7::bigint RETURNING revision
                """,
                [
                    SQLValue(text), SQLValue(journal?.tokenHash), .integer(writer),
                    .integer(self.known?.revision ?? 0),
                ]
            )
        }
        spending = journal?.state == .sent ? journal?.tokenHash : nil
    }

    func remove() throws(CredentialError) -> Bool {
        try unstored?.remove()
        guard known != nil else { return false }
        try change(for: Self.usualPatience, isRemoval: true) { (_) throws(CredentialError) in
            (
                """
                DELETE FROM clover_state.credentials WHERE \(CredentialTable.isRow) AND revision = $4::bigint
                RETURNING revision
                """, [.integer(self.known?.revision ?? 0)]
            )
        }
        spending = nil
        return true
    }

    /// The row, which only this client changes while it has the lock.
    private func current() throws(CredentialError) -> CredentialRow? {
        try again(for: Self.usualPatience) { () throws(CredentialError) in
            try hold()
            let found = try table.row(of: key)
            let isSame = found.map { row in known?.isSame(as: row) ?? false } ?? (known == nil)
            guard isSame else { throw .overtaken(key) }
            return found
        }
    }

    /// Makes sure that there is a session, and that it has the lock.
    private func hold() throws(CredentialError) {
        try CredentialError.ofDatabase { () throws(LedgerError) in try table.connection.open() }
        guard lockedGeneration != table.connection.generation else { return }
        // The server may not have noticed yet that the former session is gone.
        guard try lock(most: Self.lockSlice) else {
            throw .databaseAway(
                address: table.connection.url, message: "the connection was lost, and another process has the lock")
        }
    }

    /// Runs one statement that changes the row. It takes effect once, also if its response is lost.
    private func change(
        for patience: Double, isRemoval: Bool = false,
        _ statement: (_ writer: Int64) throws(CredentialError) -> (sql: String, values: [SQLValue])
    ) throws(CredentialError) {
        let writer = Int64.random(in: 1...Int64.max)
        var wasSent = false
        try again(for: patience) { () throws(CredentialError) in
            try hold()
            if wasSent {
                let found = try table.row(of: key)
                if isRemoval ? found == nil : found?.writer == writer {
                    known = found
                    return
                }
            }
            let (sql, values) = try statement(writer)
            wasSent = true
            let rows = try table.run(sql, CredentialTable.arguments(key) + values)
            guard !rows.isEmpty else { throw .overtaken(key) }
            known = isRemoval ? nil : try table.row(of: key)
        }
    }

    /// Tries again while the database is away.
    private func again<Value>(
        for patience: Double, _ work: () throws(CredentialError) -> Value
    ) throws(CredentialError) -> Value {
        let end = BootInstant.now.advanced(by: Int64(patience * 1e9))
        while true {
            do throws(CredentialError) {
                return try work()
            } catch {
                guard error.isAway, BootInstant.now < end else { throw error }
                table.connection.pause()
            }
        }
    }
}
