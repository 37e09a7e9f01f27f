import GRDB
import GRDBSQLite

/// Rows in a form of our own, on this machine until their window is written.
///
/// Most windows have only new rows. Written from here, they are in no temporary table first.
final class SQLiteStagedRows: StagedRows {
    let table: RecordTable
    let name: String
    private unowned let store: SQLiteStore
    private let number: Int
    private var spool = RowSpool()

    /// What precedes a value.
    private enum Tag: UInt8 {
        case null, integer, real, text
    }

    init(_ table: RecordTable, in store: SQLiteStore, number: Int) {
        self.table = table
        self.store = store
        self.number = number
        name = store.temporary("stage_\(number)")
    }

    /// A row is its length in bytes, the number of its values, and the values.
    func add(_ cells: [Cell]) throws {
        try spool.append { buffer in
            let start = buffer.count
            Self.append(UInt32(0), to: &buffer)
            Self.append(UInt32(cells.count), to: &buffer)
            for cell in cells { Self.append(cell, to: &buffer) }
            withUnsafeBytes(of: UInt32(buffer.count - start)) { length in
                for place in length.indices { buffer[start + place] = length[place] }
            }
        }
    }

    private static func append(_ cell: Cell, to buffer: inout [UInt8]) {
        switch cell {
        case .null: buffer.append(Tag.null.rawValue)
        case .integer(let number): append(number, to: &buffer)
        case .boolean(let isTrue): append(Int64(isTrue ? 1 : 0), to: &buffer)
        case .real(let number):
            buffer.append(Tag.real.rawValue)
            withUnsafeBytes(of: number.bitPattern) { buffer.append(contentsOf: $0) }
        case .bytes(let bytes):
            buffer.append(Tag.text.rawValue)
            append(UInt32(bytes.count), to: &buffer)
            buffer.append(contentsOf: bytes)
        case .text(let text): append(text, to: &buffer)
        case .time(let milliseconds): append(TimeText.utc(milliseconds), to: &buffer)
        case .localTime(let seconds): append(TimeText.local(seconds), to: &buffer)
        }
    }

    private static func append(_ number: UInt32, to buffer: inout [UInt8]) {
        withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) }
    }

    private static func append(_ number: Int64, to buffer: inout [UInt8]) {
        buffer.append(Tag.integer.rawValue)
        withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) }
    }

    private static func append(_ text: String, to buffer: inout [UInt8]) {
        buffer.append(Tag.text.rawValue)
        append(UInt32(text.utf8.count), to: &buffer)
        buffer.append(contentsOf: text.utf8)
    }

    func writeDirectly(isEmpty: Bool) throws -> String? {
        let name = store.name(of: table)
        let last = try store.value("SELECT coalesce(max(rowid), 0) FROM \(name)").integer ?? .max
        // Beyond the last number, numbers are free ones at random.
        guard last < .max - Int64(spool.count) else { return nil }
        try store.run("SAVEPOINT direct")
        do {
            try insert(into: name)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // Rows that are there already, or twice in the window.
            try store.run("ROLLBACK TO direct")
            try store.run("RELEASE direct")
            return nil
        }
        try store.run("RELEASE direct")
        return isEmpty ? "true" : "entry.rowid > \(last)"
    }

    let hasOneRowForEachKey = false

    /// Rows of one key are written one after the other, so that the newest one stays.
    func load(key: [String], newerBy time: String?) throws {
        let columns = table.columns.map { "\($0.quoted) \(store.type(of: $0.kind))" }
        try store.run("CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
        try insert(into: name)
    }

    private func insert(into name: String) throws {
        let columns = table.columns.map(\.quoted).joined(separator: ", ")
        let places = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
        let statement = try store.database().makeStatement(sql: "INSERT INTO \(name) (\(columns)) VALUES (\(places))")
        try withExtendedLifetime(statement) {
            let insertion = statement.sqliteStatement
            var (place, size) = (0, RowSpool.readSize)
            while place < spool.count {
                let chunk = try spool.read(from: place, to: spool.count, size: size)
                let count = try chunk.withUnsafeBytes { try insert(rowsOf: $0, insertion) }
                // A row that is larger than what was read.
                size = count == 0 ? size * 2 : RowSpool.readSize
                place += count
            }
        }
    }

    /// Inserts all whole rows.
    ///
    /// - Returns: number of their bytes.
    private func insert(rowsOf bytes: UnsafeRawBufferPointer, _ insertion: OpaquePointer) throws -> Int {
        var start = 0
        while start + 8 <= bytes.count {
            let length = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            guard start + length <= bytes.count else { break }
            Self.bind(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]), insertion, table.columns.count)
            let result = sqlite3_step(insertion)
            sqlite3_reset(insertion)
            guard result == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
            start += length
        }
        return start
    }

    /// Binds the values of a row, and NULL to the columns that the table got after it.
    ///
    /// The texts are not copied: they live until the statement is run to its end.
    private static func bind(_ row: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ columns: Int) {
        let count = Int(row.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        var start = 8
        for place in 0..<columns {
            let parameter = Int32(place + 1)
            guard place < count, let tag = Tag(rawValue: row[start]) else {
                sqlite3_bind_null(statement, parameter)
                continue
            }
            start += 1
            switch tag {
            case .null: sqlite3_bind_null(statement, parameter)
            case .integer:
                sqlite3_bind_int64(statement, parameter, row.loadUnaligned(fromByteOffset: start, as: Int64.self))
                start += 8
            case .real:
                let bits = row.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                sqlite3_bind_double(statement, parameter, Double(bitPattern: bits))
                start += 8
            case .text:
                let size = Int(row.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                start += 4
                // Not null for the empty text, because `start` is inside the row or at its end.
                let text = row.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
                sqlite3_bind_text(statement, parameter, text, Int32(size), nil)
                start += size
            }
        }
    }

    func index(key: [String]) throws {
        let index = store.temporary("entries_\(number)")
        try store.run("CREATE INDEX \(index) ON \"stage_\(number)\" (\(key.joined(separator: ", ")))")
    }

    func discard() throws {
        spool = RowSpool()
        try store.run("DROP TABLE IF EXISTS \(name)")
    }
}
