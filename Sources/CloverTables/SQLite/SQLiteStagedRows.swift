import CloverSystem
import GRDB

/// Rows in a form of our own, on this machine until their window is written.
///
/// Most windows have only new rows. Written from here, they are in no temporary table first. Those of the first window of a
/// new file are written piece by piece, on a thread of their own, while the window is read.
final class SQLiteStagedRows: StagedRows {
    let table: RecordTable
    let name: String
    private unowned let store: SQLiteStore
    private let number: Int
    private var spool = RowSpool()
    /// The last rows, which are in no piece and not in the spool yet.
    private var rows = SQLiteRowBuffer()
    /// The memory of the piece before, for the rows after those.
    private var spare: SQLiteRowBuffer?
    /// The sums of the rows that are in the spool or in the table.
    private var sums = SQLiteRowSums()
    private var columns: [SQLiteRowSums.Column] = []
    /// Whether a row has a value in a column. Half of the columns of most tables have none.
    private var hasValues: [Bool] = []
    private let makeTable: (() throws -> Void)?
    /// Number of columns with which the table was made; 0 before.
    private var madeColumns = 0
    /// The piece that is being written; nil for none.
    private var piece: Piece?

    /// Rows that are written before their window's end.
    private struct Piece {
        let rows: SQLiteRowBuffer
        /// What became of them; nil until then.
        let written = Monitor<Result<Written, TableError>?>(nil)
    }

    private struct Written {
        let count: Int
        let sums: SQLiteRowSums
    }

    /// Bytes of a piece.
    private static let pieceSize = RowSpool.bufferSize / 2
    /// Bytes that go into the spool together.
    private static let portionSize = 1 << 16

    init(_ table: RecordTable, in store: SQLiteStore, number: Int, _ makeTable: (() throws -> Void)?) {
        self.table = table
        self.store = store
        self.number = number
        self.makeTable = makeTable
        name = store.temporary("stage_\(number)")
    }

    func add(_ cells: [Cell]) throws {
        if columns.count < cells.count { describeColumns() }
        rows.append(cells, &hasValues)
        if let makeTable {
            if rows.size >= Self.pieceSize { try writePiece(makeTable) }
        } else if rows.size >= Self.portionSize {
            try keepRows()
        }
    }

    /// Puts the last rows into the spool.
    private func keepRows() throws {
        sums += SQLiteRowSums(of: rows.bytes, columns)
        try spool.append(rows.bytes)
        rows.removeAll()
    }

    var areWritten: Bool { madeColumns > 0 }

    func finish() throws {
        try finishPiece()
        try keepRows()
        (rows, spare) = (SQLiteRowBuffer(), nil)
    }

    private func finishPiece() throws {
        guard let piece else { return }
        self.piece = nil
        let written = try piece.written.wait(until: { $0 }).get()
        sums += written.sums
        // Where a key was there, its newest row is found at the end.
        if written.count < piece.rows.count { try spool.putBack(Array(piece.rows.bytes)) }
        piece.rows.removeAll()
        spare = piece.rows
    }

    /// Begins to write the rows so far, after the piece before is written.
    private func writePiece(_ makeTable: () throws -> Void) throws {
        let columns = columns
        // The thread that writes is late: this one makes the sums in the time for which it would wait.
        let isLate = piece.map { $0.written.withLock { $0 == nil } } ?? false
        let early = isLate ? SQLiteRowSums(of: rows.bytes, columns) : nil
        try finishPiece()
        if madeColumns < table.columns.count {
            try store.access {
                try store.openWindow()
                try makeTable()
            }
            madeColumns = table.columns.count
        }
        let piece = Piece(rows: rows)
        (rows, spare) = (spare ?? SQLiteRowBuffer(), nil)
        // With another rule, SQLite copies each page first, to be able to undo the statement alone.
        let statement = insertion(into: store.name(of: table), "OR IGNORE ")
        // Its methods run one at a time, whatever thread calls them.
        nonisolated(unsafe) let destination = store
        let write: @Sendable () -> Void = {
            let sums = early ?? SQLiteRowSums(of: piece.rows.bytes, columns)
            let result = Result { () throws(TableError) -> Written in
                try destination.access {
                    let reader = { SQLiteSpoolReader(piece.rows) }
                    try destination.rowTable.withRows(reader) { try destination.run(statement) }
                    return Written(count: try destination.database().changesCount, sums: sums)
                }
            }
            piece.written.update { $0 = result }
        }
        self.piece = piece
        if DedicatedThread.tryStart(name: "clover-rows", write) != 0 { write() }
    }

    private func describeColumns() {
        let keys = TableDatabase.key(table.columns.map(\.name))
        columns = table.columns.map { column in
            let affinity: SQLiteRowSums.Affinity =
                switch store.type(of: column.kind) {
                case "INTEGER": .integer
                case "REAL": .real
                case "TEXT": .text
                default: .none
                }
            return SQLiteRowSums.Column(
                seed: UInt64(bitPattern: TableDigest.seed(of: column.name)), affinity: affinity,
                isKey: keys.contains(column.name))
        }
        hasValues += repeatElement(false, count: columns.count - hasValues.count)
    }

    func writeDirectly(isEmpty: Bool) throws -> WrittenRows? {
        let name = store.name(of: table)
        if areWritten {
            try insert(merging)
            // Fewer where a key came twice.
            let count = try store.value("SELECT count(*) FROM \(name)").integer
            let isExact = try count == sums.digest?.rows && store.keepsValues(of: table)
            return WrittenRows(condition: "true", digest: isExact ? sums.digest : nil)
        }
        let keepsValues = try store.keepsValues(of: table)
        let last = try store.value("SELECT coalesce(max(rowid), 0) FROM \(name)").integer ?? .max
        // Beyond the last number, numbers are free ones at random.
        guard last < .max - Int64(spool.count) else { return nil }
        try store.run("SAVEPOINT direct")
        do {
            try insert(insertion(into: name))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // Rows that are there already, or twice in the window.
            try store.run("ROLLBACK TO direct")
            try store.run("RELEASE direct")
            return nil
        }
        try store.run("RELEASE direct")
        return WrittenRows(
            condition: isEmpty ? "true" : "entry.rowid > \(last)", digest: keepsValues ? sums.digest : nil)
    }

    let hasOneRowForEachKey = false

    /// Rows of one key are written one after the other, so that the newest one stays.
    func load(key: [String], newerBy time: String?) throws {
        let columns = table.columns.map { "\($0.quoted) \(store.type(of: $0.kind))" }
        try store.run("CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
        try insert(insertion(into: name))
    }

    private func insertion(into name: String, _ rule: String = "") -> String {
        let used = table.columns.indices.filter { $0 < hasValues.count && hasValues[$0] }
        return """
            INSERT \(rule)INTO \(name) (\(used.map { table.columns[$0].quoted }.joined(separator: ", ")))
            SELECT \(SQLiteRowTable.columns(used)) FROM \(SQLiteRowTable.name)
            """
    }

    /// Of rows with one key, the newest stays.
    private var merging: String {
        let key = TableDatabase.key(table.columns.map(\.name))
        let values = table.columns.filter { !key.contains($0.name) }.map { "\($0.quoted) = excluded.\($0.quoted)" }
        let time = table.isList ? nil : table.columns.first { $0.field == RecordTable.modified }?.quoted
        return """
            \(insertion(into: store.name(of: table) + " AS there"))
            WHERE true ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
            SET \(values.joined(separator: ", "))
            WHERE \(time.map { "coalesce(excluded.\($0) >= there.\($0), true)" } ?? "true")
            """
    }

    private func insert(_ insertion: String) throws {
        try store.rowTable.withRows(reader) { try store.run(insertion) }
    }

    private func reader() -> SQLiteSpoolReader {
        SQLiteSpoolReader(end: spool.count) { [self] place, size throws(RowSpool.Failure) in
            try spool.read(from: place, to: spool.count, size: size)
        }
    }

    func index(key: [String]) throws {
        let index = store.temporary("entries_\(number)")
        try store.run("CREATE INDEX \(index) ON \"stage_\(number)\" (\(key.joined(separator: ", ")))")
    }

    func discard() throws {
        // Whether it was written does not matter any more.
        if let piece { _ = piece.written.wait(until: { $0 }) }
        piece = nil
        spool = RowSpool()
        (rows, spare, sums) = (SQLiteRowBuffer(), nil, SQLiteRowSums())
        try store.dropTemporary([name])
    }
}
