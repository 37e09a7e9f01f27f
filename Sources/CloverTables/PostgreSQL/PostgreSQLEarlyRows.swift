import CloverSystem

/// Rows of new tables that are sent while their window is read, in the transaction that ends the window.
///
/// They are sent on a separate connection and thread, to tables whose names no other program uses. So the transaction holds
/// no lock that others wait for: it takes the lock of exports, and the names of the tables, at the window's end. The rows
/// also stay in the temporary files, and the window is written from these when anything fails here.
final class PostgreSQLEarlyRows: @unchecked Sendable {
    // Unchecked: only the thread uses `connection`, `names` and what changes in a table until `isOver`, and only the thread
    // that writes the window from then on.
    private let url: String
    private let schema: String
    private let isStopped: @Sendable () -> Bool
    private let state = Monitor(State())
    /// The connection with the open transaction, once everything is sent.
    private var connection: PostgreSQLConnection?
    /// Names of the tables, with the schema.
    private var names: [String] = []
    private let end = ContinuousClock.now + PostgreSQLEarlyRows.limit

    /// Seconds without a new piece, and the time in total, after which the rows wait for their window's end: an open transaction
    /// keeps the server from removing old rows of all tables (PostgreSQL: routine vacuuming).
    private static let pause = 60.0
    private static let limit = Duration.seconds(300)

    /// A table that has only these rows.
    final class Table: @unchecked Sendable {
        // Unchecked: see `PostgreSQLEarlyRows`.
        /// Its name, with the schema, until it replaces the table that the rows are for.
        let name: String
        /// Number of columns; 0 before it is created.
        fileprivate(set) var columns = 0
        /// Where the rows end that it has.
        fileprivate(set) var end = 0

        init(_ schema: String) {
            name = schema + TableColumn.quoted("clover_rows_" + String(UInt64.random(in: 0 ... .max), radix: 16))
        }
    }

    typealias Column = (name: String, definition: String)

    /// Rows in the temporary file, all with the same columns.
    struct Piece: Sendable {
        let table: Table
        let columns: [Column]
        let file: RowSpool.File
        let start: Int
        let end: Int
    }

    private struct State {
        var pieces: [Piece] = []
        /// Whether the window is read to its end.
        var isComplete = false
        var isGivenUp = false
        /// Whether the thread has ended.
        var isOver = false
    }

    /// Rows are not sent early any more.
    private struct GivenUp: Error {}

    /// Begins to connect.
    ///
    /// - Parameter schema: name of the schema that the connection must find, too.
    init(_ url: String, schema: String, _ isStopped: @escaping @Sendable () -> Bool) {
        self.url = url
        self.schema = schema
        self.isStopped = isStopped
        let work: @Sendable () -> Void = { [self] in send() }
        if DedicatedThread.tryStart(name: "clover-copy", work) != 0 { state.update { $0.isOver = true } }
    }

    /// Sends a piece after those before it. Does not wait.
    func add(_ piece: Piece) {
        state.update { state in
            guard !state.isOver else { return }
            state.pieces.append(piece)
        }
    }

    /// Waits until all pieces are sent.
    ///
    /// - Returns: the connection with the open transaction; nil if anything failed.
    func finish() -> PostgreSQLConnection? {
        state.update { $0.isComplete = true }
        waitUntilOver()
        defer { connection = nil }
        return connection
    }

    /// Ends the connection, and with it the transaction.
    func giveUp() {
        state.update { $0.isGivenUp = true }
        waitUntilOver()
        connection = nil
    }

    private func waitUntilOver() { state.wait { $0.isOver ? () : nil } }

    /// Drops the tables that did not replace others, in the transaction that ends the window.
    func dropTables(on connection: PostgreSQLConnection) throws {
        guard !names.isEmpty else { return }
        try connection.run("DROP TABLE IF EXISTS \(names.joined(separator: ", "))")
    }

    // MARK: The thread

    private func send() {
        do {
            let connection = try begin()
            while let piece = try next() { try send(piece, on: connection) }
            self.connection = connection
        } catch {
            // The window is written at its end, which reports whatever is still wrong then.
        }
        state.update { state in
            state.isOver = true
            state.pieces = []
        }
    }

    private func begin() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLStore.connect(url) { [state, isStopped] in
            isStopped() || state.withLock { $0.isGivenUp }
        }
        try connection.run("BEGIN ISOLATION LEVEL \(PostgreSQLStore.writing)")
        try connection.run(PostgreSQLStore.settings)
        // Replicas get rows under the name that their table had when they were sent, and event triggers see that name.
        let found = try connection.run(
            """
            SELECT current_schema() = $1 AND current_setting('wal_level') <> 'logical'
                AND NOT EXISTS (SELECT 1 FROM pg_event_trigger WHERE evtenabled <> 'D')
            """, [.text(schema)])
        guard found.first?.first?.isTrue == true else { throw GivenUp() }
        return connection
    }

    /// The next piece, for which it waits; nil when the window is read to its end.
    private func next() throws(GivenUp) -> Piece? {
        let found = state.wait(atMost: Self.pause) { [end] state -> Result<Piece?, GivenUp>? in
            if state.isGivenUp || !state.isComplete && ContinuousClock.now > end {
                return Result.failure(GivenUp())
            }
            if !state.pieces.isEmpty { return Result.success(state.pieces.removeFirst()) }
            return state.isComplete ? Result.success(nil) : nil
        }
        guard let piece = found else { throw GivenUp() }
        return try piece.get()
    }

    private func send(_ piece: Piece, on connection: PostgreSQLConnection) throws {
        let table = piece.table
        if table.columns == 0 {
            let columns = piece.columns.map(\.definition).joined(separator: ", ")
            try connection.run("CREATE TABLE \(table.name) (\(columns))")
            names.append(table.name)
        } else {
            for column in piece.columns.dropFirst(table.columns) {
                try connection.run("ALTER TABLE \(table.name) ADD COLUMN \(column.definition)")
            }
        }
        table.columns = piece.columns.count
        try connection.copy(piece.columns.map(\.name), to: table.name, from: piece.start, to: piece.end) { start in
            try piece.file.read(from: start, size: min(RowSpool.readSize, piece.end - start))
        }
        table.end = piece.end
    }
}
