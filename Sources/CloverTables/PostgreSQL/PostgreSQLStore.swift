import Synchronization

/// A database of a PostgreSQL server as a destination: the first schema of the user's search path.
///
/// A window is one transaction, in which everything is sent: until it is committed, the rows stay in temporary files of this
/// machine. So the connection may be lost at any time, and a pooler may stand between.
final class PostgreSQLStore: TableStore {
    let path: String
    private let isStopped: @Sendable () -> Bool
    private var connection: PostgreSQLConnection?
    /// The connection of the transaction under way. Nothing of it may go to another one.
    private var transaction: PostgreSQLConnection?
    /// The schema, once it is known.
    private var schemaName: String?
    /// Tables of the transaction under way that have no key yet.
    private var newKeys: [(table: String, key: String)] = []
    /// Rows of the window that is read.
    private var early: PostgreSQLEarlyRows?
    /// Whether the transaction under way is the one with these rows.
    private var hasEarlyRows = false

    /// First key of the lock that writes of exports hold; the second is the schema.
    private static let lockKey = 0x636C_6F76

    /// Connects.
    ///
    /// - Parameter isStopped: whether waits for the server are to end.
    init(_ url: String, isStopped: @escaping @Sendable () -> Bool) throws(TableError) {
        path = url
        self.isStopped = isStopped
        _ = try connected()
    }

    deinit { early?.giveUp() }

    /// The connection, which is made anew when it was lost.
    private func connected() throws(TableError) -> PostgreSQLConnection {
        if let connection, connection.isUsable { return connection }
        connection = nil
        let new = try Self.connect(path, isStopped)
        do {
            guard let schema = try new.run("SELECT current_schema()").first?.first?.text else {
                throw TableError.notAllowed(path: path, message: "no schema of the search path exists")
            }
            schemaName = schema
        } catch {
            throw translated(error)
        }
        connection = new
        return new
    }

    static func connect(_ url: String, _ isStopped: @escaping () -> Bool) throws(TableError) -> PostgreSQLConnection {
        let new = try PostgreSQLConnection(url, isStopped: isStopped)
        // From version 14 on, and on some systems: a server that looks whether we are still there.
        _ = try? new.run("SET client_connection_check_interval = '2s'")
        return new
    }

    private func translated(_ error: any Error) -> TableError {
        switch error {
        case let error as TableError: error
        case let error as PostgreSQLFailure: error.error(path: path)
        case let error as RowSpool.Failure: .temporaryFile(folder: error.folder, errno: error.errno)
        default: .failed(path: path, code: "", message: "\(error)")
        }
    }

    // MARK: Access

    func access<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        _ = try connected()
        do {
            return try body()
        } catch {
            throw translated(error)
        }
    }

    func snapshot<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        try transact("REPEATABLE READ READ ONLY") { _ in try body() }
    }

    /// Maximum size in bytes of a table that a server reads fast as a whole.
    private static let fastSize: Int64 = 64 << 20

    /// A server may read the whole table to count its rows.
    func countsFast(_ table: String) throws -> Bool {
        try value("SELECT pg_relation_size($1::text::regclass) <= $2::bigint", .text(table), .integer(Self.fastSize))
            .isTrue
    }

    /// The server looks after its own files.
    func damage() throws -> String? { nil }

    func write<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        try transact(Self.writing) { connection in
            try connection.run(Self.settings)
            try connection.run(Self.lock)
            return try body()
        }
    }

    static let writing = "READ COMMITTED READ WRITE"

    /// Sets what a transaction that writes needs: the user's own settings may be others.
    static let settings = """
        SELECT set_config('lock_timeout', '20s', true), set_config('statement_timeout', '0', true),
            set_config('idle_in_transaction_session_timeout', '0', true),
            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)
        """

    private static let lock = "SELECT pg_advisory_xact_lock(\(lockKey), hashtext(current_schema()))"

    private func transact<Value>(
        _ mode: String, _ body: (PostgreSQLConnection) throws -> Value
    ) throws(TableError) -> Value {
        let connection = try connected()
        transaction = connection
        newKeys = []
        defer { transaction = nil }
        do {
            try connection.run("BEGIN ISOLATION LEVEL \(mode)")
            let value = try body(connection)
            try connection.run("COMMIT")
            return value
        } catch {
            let error = translated(error)
            if connection.isUsable, !isStopped() {
                do {
                    try connection.run("ROLLBACK")
                } catch {
                    // The server ends the transaction together with the connection.
                    self.connection = nil
                }
            } else {
                self.connection = nil
            }
            throw error
        }
    }

    func stage(_ body: () throws -> Void) throws(TableError) {
        do {
            try body()
        } catch {
            throw translated(error)
        }
    }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> [[SQLValue]] {
        try current().run(sql, arguments)
    }

    /// The connection that statements go to now.
    func current() throws(TableError) -> PostgreSQLConnection {
        if let transaction { return transaction }
        return try connected()
    }

    // MARK: Rows that are sent before their window's end

    /// A table for rows that are sent while the window is read; nil where they have to wait.
    func earlyTable(for table: RecordTable) -> PostgreSQLEarlyRows.Table? {
        // A server that cannot be asked now is waited for at the window's end.
        guard let connection, connection.isUsable, let schemaName,
            (try? relation(table.name) == nil) == true
        else { return nil }
        early = early ?? PostgreSQLEarlyRows(path, schema: schemaName, isStopped)
        return PostgreSQLEarlyRows.Table(schema)
    }

    func sendEarly(_ piece: PostgreSQLEarlyRows.Piece) { early?.add(piece) }

    func writeWindow<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        if let value = try endEarlyWindow(body) { return value }
        return try write(body)
    }

    /// Ends a window in the transaction that has rows of it already.
    ///
    /// - Returns: nil when there is no such transaction, or it failed before its end: nothing of it is left.
    /// - Throws: `.away` when it is not known whether the transaction is there.
    private func endEarlyWindow<Value>(_ body: () throws -> Value) throws(TableError) -> Value? {
        guard let early else { return nil }
        self.early = nil
        guard let connection = early.finish() else { return nil }
        transaction = connection
        hasEarlyRows = true
        newKeys = []
        defer { (transaction, hasEarlyRows) = (nil, false) }
        var isEnding = false
        do {
            try connection.run(Self.lock)
            let value = try body()
            try early.dropTables(on: connection)
            isEnding = true
            try connection.run("COMMIT")
            return value
        } catch {
            if isEnding { throw translated(error) }
            // The server ends the transaction together with the connection.
            return nil
        }
    }

    func abandonWindow() throws(TableError) {
        early?.giveUp()
        early = nil
    }

    /// Puts the table with the rows that were sent early in the place of an empty one, if this transaction made both.
    ///
    /// - Returns: where the rows begin that the table does not have yet.
    func adopt(_ early: PostgreSQLEarlyRows.Table?, as table: RecordTable) throws -> Int {
        let name = self.name(of: table)
        let isNew = newKeys.contains { $0.table == name }
        guard let early, hasEarlyRows, isNew, early.columns > 0 else { return 0 }
        try run("DROP TABLE \(name)")
        for column in table.columns.dropFirst(early.columns) {
            try run("ALTER TABLE \(early.name) ADD COLUMN \(definition(of: column))")
        }
        try run("ALTER TABLE \(early.name) RENAME TO \(TableColumn.quoted(table.name))")
        return early.end
    }

    // MARK: Tables

    var schema: String { TableColumn.quoted(schemaName ?? "public") + "." }

    func temporary(_ name: String) -> String { "pg_temp." + TableColumn.quoted(name) }

    /// What a view's comment has while its definition is the one that an export wrote.
    private static let mark = "clover "

    func relation(_ name: String) throws -> Relation? {
        let found = try run(
            """
            SELECT relkind::text, CASE WHEN relkind = 'v' THEN md5(pg_get_viewdef(oid)) END, obj_description(oid, 'pg_class')
            FROM pg_class WHERE relname = $1 AND relnamespace = current_schema()::regnamespace
            """, [.text(name)])
        guard let row = found.first else { return nil }
        switch row[0].text {
        case "r", "p", "f": return .table
        case "v":
            guard let hash = row[1].text, row[2].text == Self.mark + hash else { return .view("") }
            let known = try run("SELECT definition FROM clover_export_views WHERE name = $1", [.text(name)])
            return .view(known.first?.first?.text ?? "")
        default: return .other
        }
    }

    func columns(of table: String) throws -> [String: String] {
        let rows = try run(
            """
            SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE relname = $1 AND relnamespace = current_schema()::regnamespace AND attnum > 0 AND NOT attisdropped
            """, [.text(table)])
        return Dictionary(rows.map { ($0[0].text ?? "", $0[1].text ?? "") }) { first, _ in first }
    }

    /// Whether the table, whose columns have our types, stores values as they are given, and the server hashes them as
    /// `PostgreSQLHash` does.
    func keepsValues(of table: RecordTable) throws -> Bool {
        let probe = "clover"
        let hash = probe.utf8.withContiguousStorageIfAvailable { PostgreSQLHash.ofText(UnsafeRawBufferPointer($0), 1) }
        guard let hash else { return false }
        return try value(
            """
            SELECT getdatabaseencoding() = 'UTF8' AND hashtextextended($1, 1) = $2::bigint
                AND NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = $3::text::regclass AND NOT tgisinternal)
                AND NOT EXISTS (
                    SELECT 1 FROM pg_attribute JOIN pg_collation ON pg_collation.oid = attcollation
                    WHERE attrelid = $3::text::regclass AND NOT collisdeterministic)
            """, .text(probe), .integer(Int64(bitPattern: hash)), .text(name(of: table))
        ).isTrue
    }

    func makeTable(_ name: String, columns: [String], key: String) throws {
        try run("CREATE TABLE \(name) (\n\(columns.joined(separator: ",\n"))\n)")
        newKeys.append((name, key))
    }

    func makeKeys() throws {
        for (table, key) in newKeys { try run("ALTER TABLE \(table) ADD PRIMARY KEY (\(key))") }
        newKeys = []
    }

    func makeIndex(_ name: String, on table: RecordTable, _ column: TableColumn) throws {
        try run("CREATE INDEX IF NOT EXISTS \(TableColumn.quoted(name)) ON \(self.name(of: table)) (\(column.quoted))")
    }

    /// Others depend on the view, or gave a column a type that its functions and operators do not have (PostgreSQL: error
    /// codes).
    private static let keepsView: Set<String> = ["2BP01", "42883", "42804"]

    func replaceView(_ name: String, _ definition: String) throws -> Bool {
        try run("SAVEPOINT view")
        do {
            try run("DROP VIEW IF EXISTS \(name)")
            try run(definition)
        } catch let failure as PostgreSQLFailure where Self.keepsView.contains(failure.code) {
            try run("ROLLBACK TO view")
            return false
        }
        let hash = try value("SELECT md5(pg_get_viewdef($1::text::regclass))", .text(schema + name)).text ?? ""
        try run("COMMENT ON VIEW \(name) IS '\(Self.mark)\(hash)'")
        return true
    }

    func stagedRows(of table: RecordTable, number: Int, _ makeTable: (() throws -> Void)?) -> any StagedRows {
        PostgreSQLStagedRows(table, in: self, number: number, isEarly: makeTable != nil)
    }

    func makeList(named name: String) throws {
        try run("CREATE TEMPORARY TABLE \(name) (id text PRIMARY KEY) ON COMMIT DROP")
    }

    /// They end with their transaction.
    func dropTemporary(_ names: [String]) throws {}

    /// PostgreSQL has at most 1600 columns in a table, as far as they fit on a page, and cuts longer names.
    let limits = TableLimits(columns: 400, name: 63)

    func makeOwnTable(_ definition: String) throws { try run(definition) }

    /// As `format_type` writes them.
    func type(of kind: TableColumn.Kind) -> String {
        switch kind {
        case .text, .parent, .any: "text"
        case .integer, .money, .milliseconds, .seconds, .position: "bigint"
        case .boolean: "boolean"
        case .real: "double precision"
        case .utc: "timestamp with time zone"
        case .local: "timestamp without time zone"
        // Keeps the bytes as they were sent, and takes what jsonb refuses, such as \u0000.
        case .record: "json"
        }
    }

    func digest(
        of table: String, keys: [String], columns: [(name: String, type: String)], where condition: String
    ) throws -> TableDigest {
        func sum(_ columns: [(name: String, type: String)]) -> String {
            "coalesce(sum(\(Self.rowHash(of: columns))), 0)::bigint"
        }
        let row = try run(
            """
            SELECT count(*), \(sum(columns.filter { keys.contains($0.name) })), \(sum(columns))
            FROM \(table) AS entry WHERE \(condition)
            """, []
        ).first
        return TableDigest(
            rows: row?[0].integer ?? 0, keys: row?[1].integer ?? 0, contents: row?[2].integer ?? 0)
    }

    func digests(
        of table: String, keys: [String], columns: [(name: String, type: String)], where condition: String
    ) throws -> [TableDigest] {
        let key = columns.filter { keys.contains($0.name) }
        return try run(
            "SELECT \(Self.rowHash(of: key)), \(Self.rowHash(of: columns)) FROM \(table) AS entry WHERE \(condition)",
            []
        ).map { TableDigest(rows: 1, keys: $0[0].integer ?? 0, contents: $0[1].integer ?? 0) }
    }

    private static func rowHash(of columns: [(name: String, type: String)]) -> String {
        "hashint8extended(\(columns.map(Self.hash).joined(separator: " # ")), 0) & 4294967295"
    }

    /// A hash of a column; 0 for NULL. The functions are those of hash partitions, which stay the same from version to
    /// version, and none depends on the settings of the session.
    private static func hash(_ name: String, _ type: String) -> String {
        let (value, seed) = ("entry." + TableColumn.quoted(name), TableDigest.seed(of: name))
        let hash =
            switch type {
            case "bigint": "hashint8extended(\(value), \(seed))"
            case "boolean": "hashint8extended(\(value)::int, \(seed))"
            case "double precision": "hashfloat8extended(\(value), \(seed))"
            case "timestamp with time zone", "timestamp without time zone":
                "hashfloat8extended(date_part('epoch', \(value)), \(seed))"
            default: "hashtextextended(\(value)::text, \(seed))"
            }
        return "coalesce(\(hash), 0)"
    }

    func rounded(_ number: String, to decimals: Int) -> String { "round((\(number))::numeric, \(decimals))" }

    func day(of time: String) -> String { "to_char(\(time), 'YYYY-MM-DD')" }

    /// JSON cannot be compared.
    func comparable(_ value: String, _ column: TableColumn) -> String {
        column.kind == .record ? value + "::text" : value
    }
}
