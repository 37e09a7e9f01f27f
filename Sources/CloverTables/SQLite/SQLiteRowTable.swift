import GRDB
import GRDBSQLite
import Glibc

/// A table of SQLite whose rows are those that wait on this machine (SQLite: The Virtual Table Mechanism).
///
/// One statement copies them all, which takes half the time of a statement for each row.
final class SQLiteRowTable {
    /// The name by which statements read it.
    static let name = "clover_rows"
    /// The rows that it has at present.
    private var spool: (() -> SQLiteSpoolReader)?
    /// Why the rows could not be read.
    private var failure: RowSpool.Failure?

    /// More than any table has.
    private static let columnCount = 1100
    private static let definition =
        "CREATE TABLE rows (" + (0..<columnCount).map { "c\($0)" }.joined(separator: ", ") + ")"

    /// The columns that a statement reads, by the places of their values in a row.
    static func columns(_ places: [Int]) -> String { places.map { "c\($0)" }.joined(separator: ", ") }

    /// Adds the table to a connection, which the object must outlive.
    func add(to connection: OpaquePointer) throws {
        let result = sqlite3_create_module_v2(
            connection, Self.name, Self.module, Unmanaged.passUnretained(self).toOpaque(), nil)
        guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    }

    /// Runs `body`, in which the table has these rows.
    func withRows(_ reader: @escaping () -> SQLiteSpoolReader, _ body: () throws -> Void) throws {
        (spool, failure) = (reader, nil)
        defer { spool = nil }
        do {
            try body()
        } catch {
            throw failure ?? error
        }
    }

    private struct Table {
        var base = sqlite3_vtab()
        let owner: Unmanaged<SQLiteRowTable>
    }

    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        var reader: SQLiteSpoolReader?
        /// The current row; nil after the last one.
        var row: SQLiteRow.Reader?
    }

    nonisolated(unsafe) private static let module: UnsafeMutablePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var new = sqlite3_module()
        new.xConnect = { connection, owner, _, _, table, _ in
            guard let owner, let table else { return SQLITE_ERROR }
            let result = sqlite3_declare_vtab(connection, SQLiteRowTable.definition)
            guard result == SQLITE_OK else { return result }
            let new = UnsafeMutablePointer<Table>.allocate(capacity: 1)
            new.initialize(to: Table(owner: Unmanaged.fromOpaque(owner)))
            table.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }
        new.xDisconnect = { table in
            table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self) }?.deallocate()
            return SQLITE_OK
        }
        new.xBestIndex = { _, plan in
            plan?.pointee.estimatedCost = 1
            return SQLITE_OK
        }
        new.xOpen = { _, cursor in
            let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            new.initialize(to: Cursor())
            cursor?.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        new.xClose = { cursor in
            let cursor = SQLiteRowTable.cursor(cursor)
            cursor?.deinitialize(count: 1)
            cursor?.deallocate()
            return SQLITE_OK
        }
        new.xFilter = { cursor, _, _, _, _ in
            guard let owner = SQLiteRowTable.owner(of: cursor), let spool = owner.spool else { return SQLITE_MISUSE }
            SQLiteRowTable.cursor(cursor)?.pointee.reader = spool()
            return SQLiteRowTable.advance(cursor)
        }
        new.xNext = { SQLiteRowTable.advance($0) }
        new.xEof = { SQLiteRowTable.cursor($0)?.pointee.row == nil ? 1 : 0 }
        new.xColumn = { cursor, result, place in
            guard let value = SQLiteRowTable.cursor(cursor)?.pointee.row?.value(Int(place))
            else { return SQLITE_MISUSE }
            SQLiteRowTable.give(value, to: result)
            return SQLITE_OK
        }
        new.xRowid = { _, _ in SQLITE_OK }
        module.initialize(to: new)
        return module
    }()

    private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor>? {
        base.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
    }

    private static func owner(of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> SQLiteRowTable? {
        guard let table = cursor?.pointee.pVtab else { return nil }
        return UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.owner.takeUnretainedValue()
    }

    private static func advance(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        guard let place = cursor(base) else { return SQLITE_MISUSE }
        do throws(RowSpool.Failure) {
            place.pointee.row = try place.pointee.reader?.nextRow()
            return SQLITE_OK
        } catch {
            owner(of: base)?.failure = error
            return SQLITE_IOERR
        }
    }

    /// Gives SQLite a value. Texts are not copied: they stay until the next row.
    @inline(__always)
    private static func give(_ value: SQLiteRow.Value, to result: OpaquePointer?) {
        switch value {
        case .null: sqlite3_result_null(result)
        case .integer(let number): sqlite3_result_int64(result, number)
        case .real(let number): sqlite3_result_double(result, number)
        case .text(let text):
            // Not null for the empty text, because it is inside the row or at its end.
            let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
            sqlite3_result_text(result, start, Int32(text.count), nil)
        }
    }
}

/// Reads the rows of a spool, in the form of `SQLiteRow`, one after the other.
final class SQLiteSpoolReader {
    /// Nil where all rows are in memory.
    private let read: ((Int, Int) throws(RowSpool.Failure) -> ArraySlice<UInt8>)?
    /// Where they are then.
    private let rows: SQLiteRowBuffer?
    private let end: Int
    /// Where the next row begins in the spool.
    private var next = 0
    /// What was read of the spool, from `place` on.
    private var chunk: UnsafeMutableRawBufferPointer
    private var (place, count) = (0, 0)

    /// - Parameters:
    ///   - end: number of bytes of the spool.
    ///   - read: gives some bytes from a place on, up to a number.
    init(end: Int, _ read: @escaping (Int, Int) throws(RowSpool.Failure) -> ArraySlice<UInt8>) {
        self.end = end
        self.read = read
        rows = nil
        chunk = .allocate(byteCount: RowSpool.readSize, alignment: 8)
    }

    /// Reads rows that are in memory, where they are.
    init(_ rows: SQLiteRowBuffer) {
        self.rows = rows
        read = nil
        (end, count) = (rows.size, rows.size)
        chunk = UnsafeMutableRawBufferPointer(mutating: rows.bytes)
    }

    deinit { if rows == nil { chunk.deallocate() } }

    /// The next row, which stays until the next call; nil after the last one.
    func nextRow() throws(RowSpool.Failure) -> SQLiteRow.Reader? {
        guard next < end else { return nil }
        let length = try Int(bytes(SQLiteRow.headSize).loadUnaligned(as: UInt32.self))
        let row = try bytes(length)
        next += length
        return SQLiteRow.Reader(row)
    }

    /// Bytes of the spool from `next` on, which stay until the next call.
    private func bytes(_ wanted: Int) throws(RowSpool.Failure) -> UnsafeRawBufferPointer {
        if next + wanted > place + count, let read {
            if wanted > chunk.count {
                chunk.deallocate()
                chunk = .allocate(byteCount: wanted, alignment: 8)
            }
            (place, count) = (next, 0)
            while count < wanted {
                let found = try read(place + count, chunk.count - count)
                found.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: chunk[count...]).copyMemory(from: $0) }
                count += found.count
            }
        }
        return UnsafeRawBufferPointer(rebasing: chunk[(next - place)..<(next - place + wanted)])
    }
}
