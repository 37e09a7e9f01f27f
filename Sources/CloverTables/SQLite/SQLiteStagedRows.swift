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
    /// The sums of the rows; nil once there is a value that SQLite may store as another one.
    private var digest: TableDigest? = TableDigest()
    private var row: [UInt8] = []
    private var columns: [(seed: UInt64, affinity: Affinity, isKey: Bool)] = []
    /// Whether a row has a value in a column. Half of the columns of most tables have none.
    private var hasValues: [Bool] = []
    private let makeTable: (() throws -> Void)?
    /// Number of columns with which the table was made; 0 before.
    private var madeColumns = 0
    /// Number of rows that the next piece has by now.
    private var pieceCount = 0
    /// The piece that is being written; nil for none.
    private var piece: Piece?

    /// Rows that are written before their window's end.
    private struct Piece {
        let bytes: [UInt8]
        let count: Int
        /// How many of them were written; nil until then.
        let written = Monitor<Result<Int, TableError>?>(nil)
    }

    /// Bytes of a piece, which is never in the spool's file.
    private static let pieceSize = RowSpool.bufferSize / 2

    /// What a column makes of its values (SQLite: Datatypes, type affinity).
    private enum Affinity {
        case integer, real, text, none
    }

    init(_ table: RecordTable, in store: SQLiteStore, number: Int, _ makeTable: (() throws -> Void)?) {
        self.table = table
        self.store = store
        self.number = number
        self.makeTable = makeTable
        name = store.temporary("stage_\(number)")
    }

    func add(_ cells: [Cell]) throws {
        if columns.count < cells.count { describeColumns() }
        // Its memory is used again.
        var row: [UInt8] = []
        swap(&row, &self.row)
        let columns = columns
        var hasValues: [Bool] = []
        swap(&hasValues, &self.hasValues)
        var (keySum, sum) = (0 as UInt64, 0 as UInt64)
        var isExact = digest != nil
        let count = SQLiteRow.write(cells, to: &row) { place, value in
            if case .null = value { return }
            hasValues[place] = true
            guard isExact else { return }
            let column = columns[place]
            let hash: UInt64
            switch (value, column.affinity) {
            case (.integer(let number), .integer), (.integer(let number), .none):
                hash = SQLiteHash.of(number, column.seed)
            // SQLite stores a negative zero in such a column as zero.
            case (.real(let number), .real) where number != 0, (.real(let number), .none):
                hash = SQLiteHash.of(number, column.seed)
            case (.text(let text), .text), (.text(let text), .none): hash = SQLiteHash.of(text, column.seed)
            default:
                isExact = false
                return
            }
            sum &+= hash
            if column.isKey { keySum &+= hash }
        }
        if isExact {
            digest?.rows += 1
            digest?.keys &+= Int64(bitPattern: SQLiteHash.mixed(keySum))
            digest?.contents &+= Int64(bitPattern: SQLiteHash.mixed(sum))
        } else {
            digest = nil
        }
        try row.withUnsafeBytes { try spool.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        (self.row, self.hasValues) = (row, hasValues)
        pieceCount += 1
        if let makeTable, spool.buffer.count >= Self.pieceSize { try writePiece(makeTable) }
    }

    var areWritten: Bool { madeColumns > 0 }

    func finish() throws {
        guard let piece else { return }
        self.piece = nil
        // Where a key was there, its newest row is found at the end.
        if try piece.written.wait(until: { $0 }).get() < piece.count { try spool.putBack(piece.bytes) }
    }

    /// Begins to write the rows so far, after the piece before is written.
    private func writePiece(_ makeTable: () throws -> Void) throws {
        try finish()
        if madeColumns < table.columns.count {
            try store.access {
                try store.openWindow()
                try makeTable()
            }
            madeColumns = table.columns.count
        }
        let piece = Piece(bytes: spool.take(), count: pieceCount)
        pieceCount = 0
        // With another rule, SQLite copies each page first, to be able to undo the statement alone.
        let statement = insertion(into: store.name(of: table), "OR IGNORE ")
        // Its methods run one at a time, whatever thread calls them.
        nonisolated(unsafe) let destination = store
        let write: @Sendable () -> Void = {
            let result = Result { () throws(TableError) -> Int in
                try destination.access {
                    let reader = { SQLiteSpoolReader(piece.bytes) }
                    try destination.rowTable.withRows(reader) { try destination.run(statement) }
                    return try destination.database().changesCount
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
            let affinity: Affinity =
                switch store.type(of: column.kind) {
                case "INTEGER": .integer
                case "REAL": .real
                case "TEXT": .text
                default: .none
                }
            return (UInt64(bitPattern: TableDigest.seed(of: column.name)), affinity, keys.contains(column.name))
        }
        hasValues += repeatElement(false, count: columns.count - hasValues.count)
    }

    func writeDirectly(isEmpty: Bool) throws -> WrittenRows? {
        let name = store.name(of: table)
        if areWritten {
            try insert(merging)
            // Fewer where a key came twice.
            let count = try store.value("SELECT count(*) FROM \(name)").integer
            let isExact = try count == digest?.rows && store.keepsValues(of: table)
            return WrittenRows(condition: "true", digest: isExact ? digest : nil)
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
            condition: isEmpty ? "true" : "entry.rowid > \(last)", digest: keepsValues ? digest : nil)
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
        digest = TableDigest()
        try store.dropTemporary([name])
    }
}
