import CloverAuth
import CloverPayments
import CloverRateLimit
import CloverSystem
import CloverTables

/// The database's side of a move. Used by one thread.
struct MoveSession {
    private let connection: FleetConnection
    private let table: CredentialTable
    /// The directory's side, for others.
    private let place: String

    init(_ url: String, _ keys: StateKeyFile, place: String, move: String) {
        connection = FleetConnection(url, command: "state move", needsClock: false, move: move)
        table = CredentialTable(connection, keys)
        self.place = place
    }

    func close() { connection.close() }

    /// What is moved besides the journal.
    struct Content: Sendable {
        var credentials: [(credential: Credential, journal: RefreshJournal?)] = []
        var names: [String: CredentialKey] = [:]
    }

    // MARK: Into the database

    /// Makes sure that the database takes a move: the server takes changes, and the tables are there, and the key.
    ///
    /// - Throws: `LedgerError`, `CredentialError.stateKey`.
    func check(needsKey: Bool) throws {
        try connection.open()
        if let reason = connection.readOnlyReason {
            throw LedgerError.away(address: connection.url, message: reason.message)
        }
        let tables = FleetSchema.closedTables + ["clover_state.moves", "clover_state.moved"]
        try connection.runInSession("SELECT FROM \(tables.joined(separator: ", ")) LIMIT 0")
        if needsKey { _ = try table.currentKey() }
    }

    /// Adds everything in one transaction, unless an earlier process of this move did.
    ///
    /// - Parameter beforeCommit: called once all is in the transaction.
    /// - Throws: `FleetMoveError.differs`; `LedgerError.away`, after which it may have taken place.
    func add(
        _ content: Content, _ move: String, _ journal: any JournalTransaction, machine: String, former: String?,
        beforeCommit: () throws -> Void
    ) throws -> FleetMove.Moved {
        try inTransaction {
            if let done = try moved(move) { return done }
            try reopen(former: former)
            let copy = JournalCopy(from: journal, to: Rows(connection: connection), .enters(machine))
            let charges: Int
            do {
                charges = try copy.run()
            } catch let difference as JournalCopy.Difference {
                throw FleetMoveError.chargesDiffer(
                    key: difference.key, inDirectory: difference.id, inDatabase: difference.other)
            }
            for (credential, journal) in content.credentials { try add(credential, journal) }
            let names = try table.profiles()
            for (name, key) in content.names {
                guard names[name] == nil || names[name] == key else {
                    throw FleetMoveError.differs("the name '\(name)'")
                }
                try connection.runInSession(
                    """
                    INSERT INTO profiles (environment, merchant, app, name) VALUES ($1, $2, $3, $4)
                    ON CONFLICT DO NOTHING
                    """, CredentialTable.arguments(key) + [.text(name)])
            }
            let moved = FleetMove.Moved(
                signIns: content.credentials.count, names: content.names.count, charges: charges)
            try record(moved, move)
            try beforeCommit()
            return moved
        }
    }

    private func record(_ moved: FleetMove.Moved, _ move: String) throws {
        try connection.runInSession(
            "INSERT INTO moves (id, place, sign_ins, names, charges) VALUES ($1, $2, $3::int, $4::int, $5::int)",
            [
                .text(move), .text(place), .integer(Int64(moved.signIns)), .integer(Int64(moved.names)),
                .integer(Int64(moved.charges)),
            ])
    }

    /// Uses the database again whose move to this directory was not completed.
    ///
    /// - Parameter move: whose result is recorded if there is none.
    /// - Returns: what the move into the database had added, or what it has.
    func takeBack(as move: String) throws -> FleetMove.Moved {
        try inTransaction {
            try reopen(former: nil)
            if let done = try moved(move) { return done }
            let counts = try connection.runInSession(
                """
                SELECT (SELECT count(*) FROM credentials), (SELECT count(*) FROM profiles),
                    (SELECT count(*) FROM operations)
                """
            ).first?.map { Int($0.integer ?? 0) }
            let whole = FleetMove.Moved(
                signIns: counts?[0] ?? 0, names: counts?[1] ?? 0, charges: counts?[2] ?? 0)
            try record(whole, move)
            return whole
        }
    }

    /// What a move into the database added; nil if it did not take place, and cannot any more.
    func result(of move: String) throws -> FleetMove.Moved? { try inTransaction { try moved(move) } }

    private func moved(_ move: String) throws -> FleetMove.Moved? {
        try connection.runInSession("SELECT sign_ins, names, charges FROM moves WHERE id = $1", [.text(move)]).first.map
        {
            FleetMove.Moved(
                signIns: Int($0[0].integer ?? 0), names: Int($0[1].integer ?? 0), charges: Int($0[2].integer ?? 0))
        }
    }

    /// Uses a database again that was moved to this directory, or whose move to it was not completed.
    ///
    /// After a move to another one the database is empty, and does not know which idempotency keys were charged.
    ///
    /// - Parameter former: the directory's last move, which identifies it also after it or its machine was renamed.
    private func reopen(former: String?) throws {
        guard let left = try left() else { return }
        guard left.place == place || left.isComplete && left.move == former else {
            throw FleetMoveError.closed(by: left.place, isComplete: left.isComplete)
        }
        for statement in FleetSchema.reopen { try connection.runInSession(statement) }
        try connection.runInSession("DELETE FROM moved")
    }

    private func add(_ credential: Credential, _ journal: RefreshJournal?) throws {
        let key = credential.key
        if let row = try table.row(of: key) {
            guard try table.open(row.sealed, of: key) == credential else {
                throw FleetMoveError.differs("the sign-in of \(key.words)")
            }
            return
        }
        let sealed = try table.seal(credential, with: try table.currentKey())
        let text = try journal.map { String(decoding: try JSONDocument.encode($0), as: UTF8.self) }
        try connection.runInSession(
            """
            INSERT INTO credentials
                (environment, merchant, app, kind, key_id, sealed, journal, journal_token, revision, writer)
            VALUES ($1, $2, $3, $4, $5, $6::bytea, $7, $8, 1, $9::bigint)
            """,
            CredentialTable.arguments(key) + [
                .text(sealed.kind), .text(sealed.keyID), .text("\\x" + sealed.bytes.hexadecimalDigits), SQLValue(text),
                SQLValue(journal?.tokenHash), .integer(.random(in: 1...Int64.max)),
            ])
    }

    // MARK: Out of the database

    /// A move to a directory that was begun.
    struct Left {
        let move: String
        let place: String
        let isComplete: Bool
    }

    func left() throws -> Left? {
        try connection.run("SELECT id, place, is_complete FROM clover_state.moved").first.map {
            Left(move: $0[0].text ?? "", place: $0[1].text ?? "", isComplete: $0[2].isTrue)
        }
    }

    /// Makes the database refuse all others.
    ///
    /// - Throws: `FleetMoveError.inUse` if a process works on a charge or renews tokens.
    func leave(_ move: String) throws {
        try inTransaction {
            let owner = try connection.runInSession(
                """
                SELECT pg_get_userbyid(relowner)::text, pg_has_role(relowner, 'USAGE') FROM pg_class
                WHERE oid = 'operations'::regclass
                """
            ).first
            if owner?[1].isTrue != true { throw FleetMoveError.notOwner(owner?[0].text ?? "another role") }
            // Waits for those that are changing something.
            try connection.runInSession("SELECT set_config('lock_timeout', '5s', true)")
            try connection.runInSession(
                "LOCK TABLE \(FleetSchema.closedTables.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE")
            if let left = try left() {
                throw FleetMoveError.closed(by: left.place, isComplete: left.isComplete)
            }
            if let user = try user() { throw FleetMoveError.inUse(user) }
            if let signIn = try table.unstored().first { throw FleetMoveError.unstored(signIn) }
            try connection.runInSession(
                "INSERT INTO moved (id, place) VALUES ($1, $2)", [.text(move), .text(place)])
            for statement in FleetSchema.close { try connection.runInSession(statement) }
        }
    }

    /// What a process is working on; nil if none may be.
    private func user() throws -> String? {
        let charge = try connection.runInSession(
            """
            SELECT id FROM operations WHERE owner IS NOT NULL AND clock_timestamp() <= greatest(alive_at,
                pg_postmaster_start_time(), (SELECT at FROM server_start))
                + interval '\(FleetSchema.operationGrace) s' LIMIT 1
            """
        ).first?.first?.text
        if let charge { return "the charge \(charge)" }
        let merchant = try connection.runInSession(
            """
            SELECT merchant FROM credentials WHERE journal::json ->> 'state' = 'sent'
                AND changed_at > clock_timestamp() - interval '\(Int(FleetCredentialStore.usualGrace)) s' LIMIT 1
            """
        ).first?.first?.text
        if let merchant { return "the tokens of merchant \(merchant)" }
        let lock = try connection.runInSession(
            """
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND classid::bigint IN (SELECT hashtext('clover ' || name)::bigint & 4294967295
                    FROM unnest(ARRAY['operation', 'credential', 'claim']) name) LIMIT 1
            """
        ).first
        return lock == nil ? nil : "tokens or a charge"
    }

    /// The sign-ins and their names.
    func content() throws -> Content {
        var content = Content()
        for (key, row) in try table.rows() {
            content.credentials.append(
                (try table.open(row.sealed, of: key), try table.journal(row, of: key)))
        }
        content.names = try table.profiles()
        return content
    }

    /// Copies the journal to a file.
    func copyJournal(to target: any JournalTransaction, machine: String?) throws -> Int {
        try inTransaction {
            do {
                return try JournalCopy(from: Rows(connection: connection), to: target, .leaves(machine)).run()
            } catch let difference as JournalCopy.Difference {
                throw FleetMoveError.chargesDiffer(
                    key: difference.key, inDirectory: difference.other, inDatabase: difference.id)
            }
        }
    }

    /// New tokens that this machine kept.
    func kept(in state: StateDirectory) throws -> [KeptTokens] { try table.kept(in: state) }

    func removeUnneeded(in state: StateDirectory) throws -> [String] { try table.removeUnneeded(in: state) }

    /// Removes what the directory has.
    func empty() throws {
        try inTransaction {
            for name in ["transitions", "operations", "credentials", "profiles"] {
                try connection.runInSession("DELETE FROM \(name)")
            }
            try connection.runInSession("UPDATE moved SET is_complete = true")
        }
    }

    // MARK: Transactions

    /// Runs statements in one transaction, as if this were the only client that changes the journal.
    private func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try FleetSession.transaction("BEGIN", connection) {
            try connection.runInSession(
                """
                SELECT set_config('search_path', 'clover_state', true),
                    pg_advisory_xact_lock(hashtext('clover journal'), 0)
                """)
            return try body()
        }
    }

    /// The journal's rows. Nothing is locked in the middle of a move.
    private struct Rows: JournalTransaction {
        let connection: FleetConnection

        func rows(_ sql: String, _ arguments: [JournalValue]) throws -> [[JournalValue]] {
            try connection.journalRows(sql, arguments)
        }

        func execute(_ sql: String, _ arguments: [JournalValue]) throws { _ = try rows(sql, arguments) }
        func lockNew(_ place: Int64) throws -> OperationLock { throw JournalError.missing(id: "\(place)") }
        func confirmLock(of id: String) throws { throw JournalError.overtaken(id: id) }
        func markUsed() {}
    }
}
