import GRDB

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

    func add(_ cells: [Cell]) throws {
        if columns.count < cells.count { describeColumns() }
        // Its memory is used again.
        var row: [UInt8] = []
        swap(&row, &self.row)
        let columns = columns
        var (keySum, sum) = (0 as UInt64, 0 as UInt64)
        var isExact = digest != nil
        let count = SQLiteRow.write(cells, to: &row) { place, value in
            guard isExact else { return }
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
        if isExact {
            digest?.rows += 1
            digest?.keys &+= Int64(bitPattern: SQLiteHash.mixed(keySum))
            digest?.contents &+= Int64(bitPattern: SQLiteHash.mixed(sum))
        } else {
            digest = nil
        }
        try row.withUnsafeBytes { try spool.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        self.row = row
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
        try store.rowTable.withRows(reader) {
            try store.run(
                """
                INSERT INTO \(name) (\(columns))
                SELECT \(SQLiteRowTable.columns(table.columns.count)) FROM \(SQLiteRowTable.name)
                """)
        }
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
        spool = RowSpool()
        digest = TableDigest()
        try store.run("DROP TABLE IF EXISTS \(name)")
    }
}
