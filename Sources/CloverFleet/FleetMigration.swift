package import CloverRateLimit
import CloverTables

/// Creates, upgrades and checks the tables of the shared state.
package struct FleetMigration {
    private let connection: FleetConnection

    /// Nothing is opened yet.
    ///
    /// - Parameter openLimit: seconds that the session may take to begin; nil for the usual ones.
    package init(_ url: String, openLimit: Double? = nil) {
        connection = FleetConnection(url, openLimit: openLimit)
    }

    /// Brings the tables to this program's version, in one transaction.
    ///
    /// - Parameters:
    ///   - creates: whether tables that do not exist are created.
    ///   - target: another version, for tests of what an older program left.
    /// - Returns: the version before, and the version now.
    /// - Throws: `.unusable` if a newer program made the tables, if there are none, or if the server is read-only.
    package func migrate(
        creates: Bool, to target: Int = FleetSchema.version
    ) throws(LedgerError) -> (from: Int, to: Int) {
        if !connection.isConnected { try connection.connect() }
        try refuseReadOnly()
        try connection.runInSession("BEGIN")
        do throws(LedgerError) {
            try connection.runInSession(FleetSchema.migrationLock)
            let version = try connection.schemaVersion()
            guard version <= FleetSchema.version, creates || version > 0 else {
                throw connection.unusable(version: version)
            }
            for statements in FleetSchema.steps[version..<max(version, target)] {
                for statement in statements { try connection.runInSession(statement) }
            }
            if version < target {
                try connection.runInSession(
                    "UPDATE clover_state.schema_version SET version = $1::int", [.integer(Int64(target))])
            }
            try connection.runInSession("COMMIT")
            return (version, target)
        } catch {
            // Ends the transaction too.
            connection.close()
            throw error
        }
    }

    /// A privilege that the user does not have on a table.
    package struct Missing: Equatable, Sendable {
        package let privilege: String
        package let table: String
    }

    /// What a check of the database found.
    package struct Check: Equatable, Sendable {
        package let version: Int
        /// The server's version, such as `15.20`.
        package let server: String
        /// The shortest round trip, in milliseconds.
        package let roundTrip: Double
        /// Number of tokens and apps that are counted.
        package let budgets: Int
        /// Size of their table in bytes.
        package let size: Int
        /// Sessions of this and other clients.
        package let sessions: Int
        /// Number of sign-ins.
        package let signIns: Int
        /// Identifier of the key that encrypts new tokens; nil if there is none.
        package let keyID: String?
        /// Number of operations in the journal of charges, and of those whose outcome is unknown.
        package let charges: Int
        package let openCharges: Int
        /// Whether a committed change survives a loss of power (PostgreSQL: fsync, full_page_writes).
        package let isDurable: Bool
        package let user: String
        /// What this user may not do, although each machine has to: privileges and tables.
        package let missing: [Missing]

        /// Whether old rows have piled up in the table.
        package var isBloated: Bool { size > 1 << 20 }
        /// Why that is, and what to do.
        package var bloat: String {
            "the table of requests has \(size / 1_048_576) MB: a long transaction in this database keeps old "
                + "rows; use a separate database, and run: VACUUM FULL clover_state.budgets"
        }
    }

    /// Connects as a run does, and measures the round trip.
    ///
    /// - Throws: `.away`, `.unusable`.
    package func check() throws(LedgerError) -> Check {
        do throws(LedgerError) {
            try connection.open()
        } catch {
            try refuseReadOnly()
            throw error
        }
        try refuseReadOnly()
        try connection.adjustClock()
        let row = try connection.runInSession(
            """
            SELECT current_setting('server_version'), (SELECT count(*) FROM clover_state.budgets),
                pg_total_relation_size('clover_state.budgets'), (SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name LIKE 'clover %'),
                (SELECT count(*) FROM clover_state.credentials), (SELECT id FROM clover_state.token_key),
                current_setting('fsync')::bool AND current_setting('full_page_writes')::bool,
                (SELECT count(*) FROM clover_state.operations), (SELECT count(*) FROM clover_state.operations
                    WHERE state IN ('created', 'sent', 'unknown') AND rail <> 'square')
            """
        ).first
        let user = try connection.runInSession("SELECT current_user::text").first?.first?.text
        return Check(
            version: FleetSchema.version, server: row?[0].text ?? "",
            roundTrip: Double(connection.clock.shortestTrip) / 1e6, budgets: Int(row?[1].integer ?? 0),
            size: Int(row?[2].integer ?? 0), sessions: Int(row?[3].integer ?? 0),
            signIns: Int(row?[4].integer ?? 0), keyID: row?[5].text,
            charges: Int(row?[7].integer ?? 0), openCharges: Int(row?[8].integer ?? 0),
            isDurable: row?[6].isTrue ?? false,
            user: user ?? "", missing: try missing())
    }

    /// - Throws: `.unusable` if the server takes no changes from this user, also if there is nothing to change now.
    private func refuseReadOnly() throws(LedgerError) {
        guard let reason = connection.readOnlyReason else { return }
        throw .unusable(address: connection.url, message: reason.message, fix: reason.fix)
    }

    /// What each machine does with the tables, apart from 'state key' and 'state move'.
    private static let privileges = [
        "SELECT, INSERT": ["transitions", "server_start"],
        "SELECT, INSERT, UPDATE": ["operations"],
        "SELECT, INSERT, DELETE": ["journal_writes"],
        "SELECT, INSERT, UPDATE, DELETE": [
            "budgets", "slots", "waiters", "credentials", "profiles", "export_rounds", "export_runs", "export_units",
        ],
    ]

    private func missing() throws(LedgerError) -> [Missing] {
        let wanted = Self.privileges.flatMap { list, tables in
            tables.flatMap { table in list.split(separator: ", ").map { "('\(table)', '\($0)')" } }
        }
        return try connection.runInSession(
            """
            SELECT privilege, name FROM (VALUES \(wanted.joined(separator: ", "))) v (name, privilege)
            WHERE NOT has_table_privilege('clover_state.' || name, privilege) ORDER BY privilege, name
            """
        ).map { Missing(privilege: $0[0].text ?? "", table: "clover_state." + ($0[1].text ?? "")) }
    }
}
