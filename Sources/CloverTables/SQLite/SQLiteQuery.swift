import CloverJSON
import GRDB
import GRDBSQLite
import Glibc

/// The rows of a file that is opened read-only: nothing of it can be changed, neither by the statement nor by recovering
/// from a program that was killed.
final class SQLiteQuery: DatabaseRows {
    private let queue: DatabaseQueue
    private let path: String
    private var statement: Statement?
    /// Names of the columns as JSON, with the colon.
    private var names: [String] = []
    /// Names of the columns as the statement has them, in order.
    private(set) var columns: [String] = []

    /// Seconds to wait for a transaction of another program.
    private static let patience = 20.0
    private static let pageSize = 500

    init(_ path: String, _ sql: String) throws(TableError) {
        self.path = path
        var facts = stat()
        if stat(path, &facts) != 0, errno == ENOENT || errno == ENOTDIR { throw .missing(path: path) }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.patience)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.unsafeRead { database in
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
            }
        } catch {
            throw SQLiteStore.translated(error, path: path)
        }
        do {
            let statement = try queue.unsafeRead { try $0.makeStatement(sql: sql) }
            guard statement.isReadonly, statement.columnCount > 0 else { throw TableError.notQuery(path: path) }
            self.statement = statement
            columns = statement.columnNames
            names = DatabaseQuery.distinct(columns).map { JSONString.quoted($0, isShown: false) + ":" }
        } catch let error as TableError {
            throw error
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    func next() throws(TableError) -> RecordBatch? {
        guard let statement else { return nil }
        do {
            return try queue.unsafeRead { _ in
                var batch = RecordBatch()
                var line: [UInt8] = []
                let handle = statement.sqliteStatement
                while batch.records.count < Self.pageSize {
                    let result = sqlite3_step(handle)
                    guard result == SQLITE_ROW else {
                        sqlite3_reset(handle)
                        self.statement = nil
                        guard result == SQLITE_DONE else {
                            let connection = sqlite3_db_handle(handle)
                            throw DatabaseError(
                                resultCode: ResultCode(rawValue: result),
                                message: sqlite3_errmsg(connection).map { String(cString: $0) })
                        }
                        return batch.isEmpty ? nil : batch
                    }
                    line.removeAll(keepingCapacity: true)
                    for (place, name) in names.enumerated() {
                        line += (place == 0 ? "{" : ",").utf8
                        line += name.utf8
                        Self.append(handle, Int32(place), to: &line)
                    }
                    line += "}".utf8
                    line.withUnsafeBytes { batch.append($0) }
                }
                return batch
            }
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    private static func append(_ row: OpaquePointer, _ place: Int32, to line: inout [UInt8]) {
        switch sqlite3_column_type(row, place) {
        case SQLITE_INTEGER: line += "\(sqlite3_column_int64(row, place))".utf8
        case SQLITE_FLOAT:
            let number = sqlite3_column_double(row, place)
            // JSON has no infinity.
            line += (number.isFinite ? "\(number)" : "null").utf8
        case SQLITE_TEXT:
            let count = Int(sqlite3_column_bytes(row, place))
            let text = UnsafeBufferPointer(start: sqlite3_column_text(row, place), count: count)
            line += JSONString.quoted(String(decoding: text, as: UTF8.self), isShown: false).utf8
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(row, place))
            let bytes = UnsafeRawBufferPointer(start: sqlite3_column_blob(row, place), count: count)
            line.append(UInt8(ascii: "\""))
            for byte in bytes {
                let digits = String(byte, radix: 16)
                line += (digits.count == 1 ? "0" + digits : digits).utf8
            }
            line.append(UInt8(ascii: "\""))
        default: line += "null".utf8
        }
    }

    /// What is wrong with the statement is its writer's to know; the rest is as for any database.
    private static func translated(_ error: any Error, path: String) -> TableError {
        guard let error = error as? DatabaseError else { return SQLiteStore.translated(error, path: path) }
        switch error.resultCode {
        // No statement, or more than one.
        case .SQLITE_MISUSE: return .notQuery(path: path)
        case .SQLITE_ERROR, .SQLITE_RANGE, .SQLITE_AUTH, .SQLITE_TOOBIG, .SQLITE_MISMATCH:
            return .badStatement(
                path: path, message: error.message ?? "SQLite error \(error.resultCode.rawValue)")
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY: return .notQuery(path: path)
        default: return SQLiteStore.translated(error, path: path)
        }
    }
}
