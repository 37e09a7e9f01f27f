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
    /// The sums of the rows; nil once there is a value that SQLite may store as another one.
    private var digest: TableDigest? = TableDigest()
    private var row: [UInt8] = []
    private var columns: [(seed: UInt64, affinity: Affinity, isKey: Bool)] = []

    /// What precedes a value.
    private enum Tag: UInt8 {
        case null, integer, real, text
    }

    /// What a column makes of its values (SQLite: Datatypes, type affinity).
    private enum Affinity {
        case integer, real, text, none
    }

    init(_ table: RecordTable, in store: SQLiteStore, number: Int) {
        self.table = table
        self.store = store
        self.number = number
        name = store.temporary("stage_\(number)")
    }

    /// A row is its length in bytes, the number of its values, and the values.
    func add(_ cells: [Cell]) throws {
        // Its memory is used again.
        var row: [UInt8] = []
        swap(&row, &self.row)
        row.removeAll(keepingCapacity: true)
        Self.append(UInt32(0), to: &row)
        Self.append(UInt32(cells.count), to: &row)
        for cell in cells { Self.append(cell, to: &row) }
        let length = UInt32(row.count)
        row.withUnsafeMutableBytes { $0.storeBytes(of: length, as: UInt32.self) }
        if digest != nil { row.withUnsafeBytes { count($0) } }
        try spool.append(row)
        self.row = row
    }

    /// Adds a row to the sums.
    private func count(_ row: UnsafeRawBufferPointer) {
        if columns.count < table.columns.count { describeColumns() }
        var (keySum, sum) = (0 as UInt64, 0 as UInt64)
        var isExact = true
        let columns = columns
        Self.eachValue(of: row) { place, value in
            let column = columns[place]
            let hash: UInt64
            switch (value, column.affinity) {
            case (.null, _): return
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
        guard isExact else { return digest = nil }
        digest?.rows += 1
        digest?.keys &+= Int64(bitPattern: SQLiteHash.mixed(keySum))
        digest?.contents &+= Int64(bitPattern: SQLiteHash.mixed(sum))
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
    }

    private static func append(_ cell: Cell, to buffer: inout [UInt8]) {
        switch cell {
        case .null: buffer.append(Tag.null.rawValue)
        case .integer(let number): append(number, to: &buffer)
        case .boolean(let isTrue): append(Int64(isTrue ? 1 : 0), to: &buffer)
        case .real(let number):
            buffer.append(Tag.real.rawValue)
            withUnsafeBytes(of: number.bitPattern) { buffer.append(contentsOf: $0) }
        case .bytes(let bytes): append(bytes, to: &buffer)
        case .text(let text): append(text, to: &buffer)
        case .time(let milliseconds): TimeText.utc(milliseconds) { append($0, to: &buffer) }
        case .localTime(let seconds): TimeText.local(seconds) { append($0, to: &buffer) }
        }
    }

    private static func append(_ number: UInt32, to buffer: inout [UInt8]) {
        withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) }
    }

    private static func append(_ number: Int64, to buffer: inout [UInt8]) {
        buffer.append(Tag.integer.rawValue)
        withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) }
    }

    private static func append(_ text: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        buffer.append(Tag.text.rawValue)
        append(UInt32(text.count), to: &buffer)
        buffer.append(contentsOf: text)
    }

    private static func append(_ text: String, to buffer: inout [UInt8]) {
        buffer.append(Tag.text.rawValue)
        append(UInt32(text.utf8.count), to: &buffer)
        buffer.append(contentsOf: text.utf8)
    }

    func writeDirectly(isEmpty: Bool) throws -> WrittenRows? {
        let name = store.name(of: table)
        let keepsValues = try store.keepsValues(of: table)
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
        return WrittenRows(
            condition: isEmpty ? "true" : "entry.rowid > \(last)", digest: keepsValues ? digest : nil)
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
            Self.bind(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]), insertion)
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
    private static func bind(_ row: UnsafeRawBufferPointer, _ statement: OpaquePointer) {
        sqlite3_clear_bindings(statement)
        eachValue(of: row) { place, value in
            let parameter = Int32(place + 1)
            switch value {
            case .null: break
            case .integer(let number): sqlite3_bind_int64(statement, parameter, number)
            case .real(let number): sqlite3_bind_double(statement, parameter, number)
            case .text(let text):
                // Not null for the empty text, because it is inside the row or at its end.
                let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
                sqlite3_bind_text(statement, parameter, start, Int32(text.count), nil)
            }
        }
    }

    private enum Value {
        case null
        case integer(Int64)
        case real(Double)
        case text(UnsafeRawBufferPointer)
    }

    /// Calls `body` with the place and the value of each column that a row has.
    @inline(__always)
    private static func eachValue(of row: UnsafeRawBufferPointer, _ body: (Int, Value) -> Void) {
        var start = 8
        for place in 0..<Int(row.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) {
            let tag = Tag(rawValue: row[start])
            start += 1
            switch tag {
            case .integer:
                body(place, .integer(row.loadUnaligned(fromByteOffset: start, as: Int64.self)))
                start += 8
            case .real:
                let bits = row.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                body(place, .real(Double(bitPattern: bits)))
                start += 8
            case .text:
                let size = Int(row.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                start += 4
                body(place, .text(UnsafeRawBufferPointer(rebasing: row[start..<start + size])))
                start += size
            case .null, nil: body(place, .null)
            }
        }
    }

    func index(key: [String]) throws {
        let index = store.temporary("entries_\(number)")
        try store.run("CREATE INDEX \(index) ON \"stage_\(number)\" (\(key.joined(separator: ", ")))")
    }

    func discard() throws {
        spool = RowSpool()
        digest = TableDigest()
        try store.run("DROP TABLE IF EXISTS \(name)")
    }
}
