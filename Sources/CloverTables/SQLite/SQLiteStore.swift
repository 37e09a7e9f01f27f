import GRDB
import GRDBSQLite
import Glibc

/// An SQLite database as a destination.
final class SQLiteStore: TableStore {
    private let queue: DatabaseQueue
    let path: String
    /// Gives SQLite the rows that wait.
    let rowTable = SQLiteRowTable()
    /// The connection inside `access` and `write`.
    private var connection: Database?
    /// Whether there was nothing in the file when it was opened, and no window is written or given up yet. Its rows are
    /// written while the window is read: others would see none in any case.
    private(set) var isNew = false
    /// Whether the transaction of a window is open.
    private var isWindowOpen = false

    /// Seconds to wait for other processes' transactions.
    private static let patience = 20.0

    /// Opens the file, which is created if it does not exist. Nothing is written to one that is there.
    ///
    /// - Parameter isPrivate: whether only this user may read it.
    init(_ path: String, isPrivate: Bool) throws(TableError) {
        let path = try Self.resolved(path)
        self.path = path
        try Self.check(path, isPrivate: isPrivate)
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            // The first look at the file.
            isNew = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") } == 0
            try queue.inDatabase { [rowTable] in
                if let connection = $0.sqliteConnection { try rowTable.add(to: connection) }
            }
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    /// Opens a file that is there, to read from it only.
    init(reading path: String) throws(TableError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .missing(path: path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notFile(path: path) }
        self.path = path
        var configuration = Self.configuration
        configuration.readonly = true
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    /// KiB, as SQLite writes them. They are enough for the inner pages of the indices of a large table; the usual 2000 are not.
    private static let cacheSize = -8000
    private static let sortSize = -2000

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.label = "clover-tables"
        // Off in SQLite, too: a user's table may refer to one of ours.
        configuration.foreignKeysEnabled = false
        // That of a window is open for longer than one access.
        configuration.allowsUnsafeTransactions = true
        // A new file gets larger pages than usual, because records are large: they make it smaller, and writing faster.
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA page_size = 8192; PRAGMA cache_size = \(cacheSize)")
        }
        return configuration
    }

    /// The path of the file itself; a link is followed.
    static func resolved(_ path: String) throws(TableError) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let directory = parts.dropLast().joined(separator: "/")
        let start = directory.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : directory
        guard let name = parts.last, !name.isEmpty, let real = realpath(start, nil) else {
            throw .noDirectory(path: start)
        }
        defer { free(real) }
        let found = String(cString: real)
        return (found == "/" ? "" : found) + "/" + name
    }

    private static func check(_ path: String, isPrivate: Bool) throws(TableError) {
        var facts = stat()
        let exists = stat(path, &facts) == 0
        if exists, facts.st_mode & S_IFMT != S_IFREG { throw .notFile(path: path) }
        let directory = path.split(separator: "/").dropLast().joined(separator: "/")
        // The journal is beside the file.
        guard Glibc.access("/" + directory, W_OK) == 0, !exists || Glibc.access(path, W_OK) == 0 else {
            throw .readOnly(path: path)
        }
        guard isPrivate else { return }
        if exists { chmod(path, 0o600) } else { close(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)) }
    }

    /// A program was killed while it wrote, and a program that only reads cannot undo that.
    private static let needsRecovery: [ResultCode] = [
        .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTLOCK,
    ]

    static func translated(_ error: any Error, path: String) -> TableError {
        if let error = error as? TableError { return error }
        if let error = error as? RowSpool.Failure {
            return .temporaryFile(folder: error.folder, errno: error.errno)
        }
        guard let error = error as? DatabaseError else { return .failed(path: path, code: "1", message: "\(error)") }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
        case .SQLITE_FULL: return .full(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .notDatabase(path: path)
        case .SQLITE_READONLY where Self.needsRecovery.contains(error.extendedResultCode):
            return .interrupted(path: path)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: return .readOnly(path: path)
        default:
            return .failed(
                path: path, code: "\(error.extendedResultCode.rawValue)", message: error.message ?? "")
        }
    }

    // MARK: Access

    func access<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        do {
            return try queue.writeWithoutTransaction { try connected($0, body) }
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    func write<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        do {
            return try queue.write { try connected($0, body) }
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    /// Begins the transaction of a window, inside `access`, if it is not open. Until its end there is no other.
    func openWindow() throws {
        guard !isWindowOpen else { return }
        try database().beginTransaction(.immediate)
        isWindowOpen = true
    }

    func writeWindow<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        guard isWindowOpen else {
            let value = try write(body)
            isNew = false
            return value
        }
        do throws(TableError) {
            let value: Value = try access {
                let value = try body()
                try database().commit()
                return value
            }
            (isNew, isWindowOpen) = (false, false)
            return value
        } catch {
            // The error that ended the window is the one to report.
            _ = Result { () throws(TableError) in try abandonWindow() }
            throw error
        }
    }

    func abandonWindow() throws(TableError) {
        guard isWindowOpen else { return }
        (isNew, isWindowOpen) = (false, false)
        // Some errors have ended the transaction already.
        try access { if try database().isInsideTransaction { try database().rollback() } }
    }

    func snapshot<Value>(_ body: () throws -> Value) throws(TableError) -> Value {
        do {
            return try queue.read { try connected($0, body) }
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    func damage() throws -> String? {
        let found = try value("PRAGMA integrity_check(1)").text
        return found == "ok" ? nil : found
    }

    func stage(_ body: () throws -> Void) throws(TableError) {
        do {
            try body()
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    private func connected<Value>(_ database: Database, _ body: () throws -> Value) rethrows -> Value {
        connection = database
        defer { connection = nil }
        return try body()
    }

    /// The connection, inside `access` and `write`.
    func database() throws -> Database {
        guard let connection else { throw TableError.failed(path: path, code: "21", message: "not open") }
        return connection
    }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> [[SQLValue]] {
        let statement = try database().makeStatement(sql: sql)
        let values = arguments.map { value -> (any DatabaseValueConvertible)? in
            switch value {
            case .null: nil
            case .integer(let number): number
            case .text(let text): text
            }
        }
        statement.arguments = StatementArguments(values)
        guard statement.columnCount > 0 else {
            try statement.execute()
            return []
        }
        return try Row.fetchAll(statement).map { row in
            row.databaseValues.map { value in
                switch value.storage {
                case .int64(let number): .integer(number)
                case .string(let text): .text(text)
                case .double(let number): .text("\(number)")
                case .null, .blob: .null
                }
            }
        }
    }

    // MARK: Tables

    let schema = "main."

    func temporary(_ name: String) -> String { "temp." + TableColumn.quoted(name) }

    func relation(_ name: String) throws -> Relation? {
        let found = try run(
            "SELECT type, coalesce(sql, '') FROM sqlite_schema WHERE lower(name) = $1", [.text(name)])
        guard let row = found.first else { return nil }
        return switch row[0] {
        case .text("table"): .table
        case .text("view"): .view(row[1].text ?? "")
        default: .other
        }
    }

    func columns(of table: String) throws -> [String: String] {
        let rows = try run("SELECT lower(name), type FROM pragma_table_info($1)", [.text(table)])
        return Dictionary(rows.map { ($0[0].text ?? "", $0[1].text ?? "") }) { first, _ in first }
    }

    /// Whether the table stores the values that fit its columns as they are given: its columns have our types, and nothing of
    /// the user's changes its rows.
    func keepsValues(of table: RecordTable) throws -> Bool {
        let types = try columns(of: table.name)
        guard table.columns.allSatisfy({ types[$0.name] == type(of: $0.kind) }) else { return false }
        let triggers = try value(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = $1", .text(table.name))
        return try triggers.integer == 0 && value("PRAGMA main.encoding").text == "UTF-8"
    }

    func makeTable(_ name: String, columns: [String], key: String) throws {
        try run("CREATE TABLE \(name) (\n\(columns.joined(separator: ",\n")),\n    PRIMARY KEY (\(key))\n)")
    }

    func makeKeys() throws {}

    /// SQLite sorts in as much memory again as its cache has, which gains nothing here.
    func makeIndex(_ name: String, on table: RecordTable, _ column: TableColumn) throws {
        let index = schema + TableColumn.quoted(name)
        try run("PRAGMA cache_size = \(Self.sortSize)")
        try run("CREATE INDEX IF NOT EXISTS \(index) ON \(TableColumn.quoted(table.name)) (\(column.quoted))")
        try run("PRAGMA cache_size = \(Self.cacheSize)")
    }

    func replaceView(_ name: String, _ definition: String) throws -> Bool {
        try run("DROP VIEW IF EXISTS \(name)")
        try run(definition)
        return true
    }

    func stagedRows(of table: RecordTable, number: Int, _ makeTable: (() throws -> Void)?) -> any StagedRows {
        SQLiteStagedRows(table, in: self, number: number, isNew ? makeTable : nil)
    }

    func makeList(named name: String) throws {
        try run("CREATE TABLE \(name) (id TEXT PRIMARY KEY) WITHOUT ROWID")
    }

    func dropTemporary(_ names: [String]) throws {
        try access { for name in names { try run("DROP TABLE IF EXISTS \(name)") } }
    }

    /// SQLite has at most 2000 columns in a table.
    let limits = TableLimits(columns: 1000)

    /// Without a number for each row, they are in the order of their keys.
    func makeOwnTable(_ definition: String) throws { try run(definition + " WITHOUT ROWID") }

    func type(of kind: TableColumn.Kind) -> String {
        switch kind {
        case .text, .utc, .local, .parent, .record: "TEXT"
        case .integer, .boolean, .money, .milliseconds, .seconds, .position: "INTEGER"
        case .real: "REAL"
        // Values are stored as they are.
        case .any: ""
        }
    }

    func digest(
        of table: String, keys: [String], columns: [(name: String, type: String)], where condition: String
    ) throws -> TableDigest {
        var digest = TableDigest()
        try readDigests(of: table, keys, columns, condition) { digest = digest + $0 }
        return digest
    }

    func digests(
        of table: String, keys: [String], columns: [(name: String, type: String)], where condition: String
    ) throws -> [TableDigest] {
        var digests: [TableDigest] = []
        try readDigests(of: table, keys, columns, condition) { digests.append($0) }
        return digests
    }

    private func readDigests(
        of table: String, _ keys: [String], _ columns: [(name: String, type: String)], _ condition: String,
        _ body: (TableDigest) -> Void
    ) throws {
        let names = keys + columns.map(\.name).filter { !keys.contains($0) }
        let list = names.map { "entry." + TableColumn.quoted($0) }.joined(separator: ", ")
        let statement = try database().makeStatement(
            sql: "SELECT \(list) FROM \(table) AS entry WHERE \(condition)")
        let row = statement.sqliteStatement
        let seeds = names.map { UInt64(bitPattern: TableDigest.seed(of: $0)) }
        try withExtendedLifetime(statement) {
            while true {
                let result = sqlite3_step(row)
                guard result == SQLITE_ROW else {
                    guard result == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
                    return
                }
                var digest = TableDigest(rows: 1)
                var sum: UInt64 = 0
                for (place, seed) in seeds.enumerated() {
                    sum &+= Self.hash(row, Int32(place), seed)
                    if place + 1 == keys.count { digest.keys = Int64(bitPattern: SQLiteHash.mixed(sum)) }
                }
                digest.contents = Int64(bitPattern: SQLiteHash.mixed(sum))
                body(digest)
            }
        }
    }

    /// A hash of a value; 0 for NULL.
    private static func hash(_ row: OpaquePointer, _ place: Int32, _ seed: UInt64) -> UInt64 {
        let type = sqlite3_column_type(row, place)
        switch type {
        case SQLITE_NULL: return 0
        case SQLITE_INTEGER: return SQLiteHash.of(sqlite3_column_int64(row, place), seed)
        case SQLITE_FLOAT: return SQLiteHash.of(sqlite3_column_double(row, place), seed)
        default:
            let count = Int(sqlite3_column_bytes(row, place))
            let bytes = UnsafeRawBufferPointer(start: sqlite3_column_blob(row, place), count: count)
            // Exports write no BLOB, and no text equals one.
            return SQLiteHash.of(bytes, type == SQLITE_BLOB ? ~seed : seed)
        }
    }

    func rounded(_ number: String, to decimals: Int) -> String { number }

    func day(of time: String) -> String { "substr(\(time), 1, 10)" }

    func comparable(_ value: String, _ column: TableColumn) -> String { value }
}
