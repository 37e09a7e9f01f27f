import CloverAPI
package import CloverJSON
import GRDB
import GRDBSQLite

/// The rows of one output of a window, in temporary tables until the window is read to its end. They need no lock of the
/// database, so that others can work with it while the service sends.
///
/// One thread at a time may use it.
package final class TableStage: @unchecked Sendable {
    let root: RecordTable
    private let database: TableDatabase
    /// A table and the temporary one with its rows.
    final class Staged {
        let table: RecordTable
        /// Name of the temporary table, quoted.
        let name: String
        fileprivate var columnCount = 0
        fileprivate var statement: Statement?
        var rows = 0

        init(_ table: RecordTable, name: String) {
            self.table = table
            self.name = name
        }
    }
    /// In the order that `RecordTable.read` meets them: a list after its records.
    private(set) var tables: [ObjectIdentifier: Staged] = [:]
    private var count = 0

    init(_ root: RecordTable, in database: TableDatabase) {
        self.root = root
        self.database = database
    }

    /// Adds records.
    package func add(_ batch: RecordBatch) throws(TableError) {
        try database.access { database in
            // Deferred: it locks the temporary tables only.
            try database.inTransaction(.deferred) {
                try batch.bytes.withUnsafeBytes { bytes in
                    for record in batch.records {
                        let number = count
                        count += 1
                        try root.read(UnsafeRawBufferPointer(rebasing: bytes[record.range]), number: number) {
                            table, cells in try insert(cells, into: table, database)
                        }
                    }
                }
                return .commit
            }
        }
    }

    /// Drops the rows.
    package func discard() throws(TableError) {
        self.database.stages.removeAll { $0 === self }
        try database.access { database in
            for staged in tables.values {
                staged.statement = nil
                try database.execute(sql: "DROP TABLE IF EXISTS \(staged.name)")
            }
        }
        tables = [:]
    }

    private func insert(_ cells: [Cell], into table: RecordTable, _ database: Database) throws {
        let staged = try staged(table, database)
        guard let statement = staged.statement?.sqliteStatement else { return }
        for (place, cell) in cells.enumerated() { Self.bind(cell, statement, Int32(place + 1)) }
        let result = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard result == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
        staged.rows += 1
    }

    /// The temporary table, with all columns that the table has by now.
    private func staged(_ table: RecordTable, _ database: Database) throws -> Staged {
        let key = ObjectIdentifier(table)
        let staged: Staged
        if let known = tables[key] {
            guard known.columnCount < table.columns.count else { return known }
            staged = known
            staged.statement = nil
            for column in table.columns[known.columnCount...] {
                try database.execute(
                    sql: "ALTER TABLE \(staged.name) ADD COLUMN \(column.quoted) \(column.declaration)")
            }
        } else {
            staged = Staged(table, name: self.database.nextTable("stage"))
            let columns = table.columns.map { "\($0.quoted) \($0.declaration)" }.joined(separator: ", ")
            try database.execute(sql: "CREATE TABLE \(staged.name) (\(columns))")
            tables[key] = staged
        }
        staged.columnCount = table.columns.count
        let places = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
        staged.statement = try database.makeStatement(sql: "INSERT INTO \(staged.name) VALUES (\(places))")
        return staged
    }

    /// SQLite copies what it needs before the statement is run to its end, and the bytes live until then.
    private static func bind(_ cell: Cell, _ statement: OpaquePointer, _ place: Int32) {
        switch cell {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .bytes(let bytes):
            // A null pointer would be NULL, not the empty text.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                sqlite3_bind_text(statement, place, "", 0, Self.transient)
                return
            }
            sqlite3_bind_text(statement, place, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
        case .text(let text):
            let count = Int32(text.utf8.count)
            sqlite3_bind_text(statement, place, text, count, Self.transient)
        }
    }

    /// Makes SQLite copy at once (SQLite: SQLITE_TRANSIENT).
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension TableDatabase {
    /// Begins an output of a window.
    ///
    /// - Parameters:
    ///   - resource: the resource, or `RESOURCE.PART`.
    ///   - model: model of the records; nil if unknown.
    ///   - lists: paths of the nested lists in the records that get tables.
    /// - Throws: `.foreignTable` when a table of the name was not made by an export.
    package func stage(_ resource: String, model: String?, lists: [String]) throws(TableError) -> TableStage {
        let name = Self.table(of: resource)
        let taken = try access { database in
            let taken = try takenColumns(database)
            try checkTables(name, lists, taken, database)
            return taken
        }
        let table = RecordTable(
            name, model: model.flatMap { ModelCatalogue.model(named: $0) }, lists: lists,
            isList: resource.contains("."), shop: shop, zone: zone, taken: taken)
        let stage = TableStage(table, in: self)
        stages.append(stage)
        return stage
    }

    /// Drops all rows that wait.
    package func discardStages() throws(TableError) {
        for stage in stages { try stage.discard() }
        try access { database in
            let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_temp_schema WHERE type = 'table'")
            for name in names where name.hasPrefix("changed_") {
                try database.execute(sql: "DROP TABLE temp.\(TableColumn.quoted(name))")
            }
        }
    }

    /// The columns of our tables with their fields; those that the user added have an empty one.
    private func takenColumns(_ database: Database) throws -> [String: [String: String]] {
        var taken: [String: [String: String]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM clover_export_columns") {
            taken[row["table_name"], default: [:]][row["column_name"]] = row["field"] as String
        }
        for table in taken.keys {
            let names = try String.fetchAll(
                database, sql: "SELECT lower(name) FROM pragma_table_info(?)", arguments: [table])
            for name in names where taken[table]?[name] == nil { taken[table]?[name] = "" }
        }
        return taken
    }

    private func checkTables(
        _ name: String, _ lists: [String], _ taken: [String: [String: String]], _ database: Database
    ) throws {
        let names = [name] + lists.map { Self.table(of: name + "." + $0) }
        for name in names where taken[name] == nil {
            let exists = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE lower(name) = ?)", arguments: [name])
            if exists == true { throw TableError.foreignTable(path: path, name: name) }
        }
    }
}
