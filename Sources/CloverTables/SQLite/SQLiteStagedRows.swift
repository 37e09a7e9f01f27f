import GRDB
import GRDBSQLite

/// Rows in a temporary table.
final class SQLiteStagedRows: StagedRows {
    let table: RecordTable
    let name: String
    private unowned let store: SQLiteStore
    private let number: Int
    /// Number of columns of the temporary table; 0 when there is none yet.
    private var columnCount = 0
    private var statement: Statement?

    init(_ table: RecordTable, in store: SQLiteStore, number: Int) {
        self.table = table
        self.store = store
        self.number = number
        name = store.temporary("stage_\(number)")
    }

    func add(_ cells: [Cell]) throws {
        if columnCount < table.columns.count { try makeTable() }
        guard let statement = statement?.sqliteStatement else { return }
        for (place, cell) in cells.enumerated() { Self.bind(cell, statement, Int32(place + 1)) }
        let result = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard result == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    }

    /// Makes the temporary table, with all columns that the table has by now.
    private func makeTable() throws {
        let database = try store.database()
        statement = nil
        let columns = table.columns.map { "\($0.quoted) \(store.type(of: $0.kind))" }
        if columnCount == 0 {
            try database.execute(sql: "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
        } else {
            for column in columns[columnCount...] {
                try database.execute(sql: "ALTER TABLE \(name) ADD COLUMN \(column)")
            }
        }
        columnCount = columns.count
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        statement = try database.makeStatement(sql: "INSERT INTO \(name) VALUES (\(places))")
    }

    /// SQLite copies from the temporary table as fast.
    func writeDirectly() throws -> Bool { false }

    let hasOneRowForEachKey = false

    /// Rows of one key are written one after the other, so that the newest one stays.
    func load(key: [String], newerBy time: String?) throws {}

    func index(key: [String]) throws {
        let index = store.temporary("entries_\(number)")
        try store.run("CREATE INDEX \(index) ON \"stage_\(number)\" (\(key.joined(separator: ", ")))")
    }

    func discard() throws {
        statement = nil
        try store.run("DROP TABLE IF EXISTS \(name)")
    }

    /// SQLite copies what it needs before the statement is run to its end, and the bytes live until then.
    private static func bind(_ cell: Cell, _ statement: OpaquePointer, _ place: Int32) {
        switch cell {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .boolean(let isTrue): sqlite3_bind_int64(statement, place, isTrue ? 1 : 0)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .bytes(let bytes):
            // A null pointer would be NULL, not the empty text.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                sqlite3_bind_text(statement, place, "", 0, Self.transient)
                return
            }
            sqlite3_bind_text(statement, place, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
        case .text(let text): bind(text, statement, place)
        case .time(let milliseconds): bind(TimeText.utc(milliseconds), statement, place)
        case .localTime(let seconds): bind(TimeText.local(seconds), statement, place)
        }
    }

    private static func bind(_ text: String, _ statement: OpaquePointer, _ place: Int32) {
        sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), transient)
    }

    /// Makes SQLite copy at once (SQLite: SQLITE_TRANSIENT).
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
