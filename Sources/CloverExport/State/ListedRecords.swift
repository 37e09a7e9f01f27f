import CloverSystem
import GRDB
import Glibc

/// The records of a list that is exported in full, with a hash of each version, while a run reads them. They are in a
/// temporary database, which SQLite keeps on disk when it grows and removes by itself, so that memory stays flat.
package final class ListedRecords: Sendable {
    /// A record and its version.
    package struct Version: Sendable, Equatable {
        /// Its id; for an entry of a nested list, the id of its record, `/`, and its own.
        package var id: String
        /// Hash of its bytes.
        package var hash: Int64

        package init(id: String, hash: Int64) {
            self.id = id
            self.hash = hash
        }
    }

    private let database: TemporaryDatabase

    /// - Throws: `ExportError.file` when there is no space for temporary files.
    package init() throws {
        database = try TemporaryDatabase(
            "CREATE TABLE listed (id TEXT PRIMARY KEY, hash INTEGER NOT NULL) STRICT, WITHOUT ROWID")
    }

    package func add(_ versions: [Version]) throws {
        try database.write { database in
            let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO listed VALUES (?, ?)")
            for version in versions { try statement.execute(arguments: [version.id, version.hash]) }
        }
    }

    package var count: Int { get throws { try database.read { try $0.value("SELECT count(*) FROM listed", []) ?? 0 } } }

    /// Passes all records to `body`, sorted by the bytes of their ids.
    func forEach(_ body: (Version) throws -> Void) throws {
        try database.read { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT id, hash FROM listed ORDER BY id")
            while let row = try rows.next() { try body(Version(id: row["id"], hash: row["hash"])) }
        }
    }

    fileprivate func has(_ id: String) throws -> Bool {
        try database.read { try $0.value("SELECT EXISTS (SELECT 1 FROM listed WHERE id = ?)", [id]) ?? false }
    }
}

/// A database of one run, without a name in the file system.
package struct TemporaryDatabase: Sendable {
    private let queue: DatabaseQueue

    /// - Parameter schema: the statement that makes its tables.
    init(_ schema: String) throws {
        var configuration = Configuration()
        configuration.label = "clover-temporary"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        // SQLite: sqlite3_open(), "If the filename is an empty string, then a private, temporary on-disk database".
        queue = try Self.translating { try DatabaseQueue(path: "", configuration: configuration) }
        try write { try $0.execute(sql: schema) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating { try queue.read(body) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating { try queue.write(body) }
    }

    private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            let number = error.resultCode == .SQLITE_FULL ? ENOSPC : error.resultCode == .SQLITE_NOMEM ? ENOMEM : EIO
            throw ExportError.file(.write, path: "a temporary file", errno: number)
        }
    }
}

/// Versions of the records in current files of lists that are exported in full.
extension ExportStore {
    /// What happened to a record since the last run.
    package enum RecordChange: String, Sendable {
        case added, changed, removed
    }

    /// Compares records with those of the last run.
    ///
    /// - Returns: for each record what happened to it; nil when it is as it was.
    package func changes(
        _ versions: [ListedRecords.Version], of resource: String, in stream: Int64
    ) async throws -> [RecordChange?] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT hash FROM current_records WHERE stream = ? AND resource = ? AND id = ?")
            return try versions.map { version in
                let known = try Int64.fetchOne(statement, arguments: [stream, resource, version.id])
                return known == nil ? .added : known == version.hash ? nil : .changed
            }
        }
    }

    /// Passes the ids of the last run's records that are not listed any more to `body`, sorted.
    package func removed(
        from listed: ListedRecords, of resource: String, in stream: Int64,
        _ body: @escaping @Sendable (String) throws -> Void
    ) async throws {
        try await read { database in
            let ids = try String.fetchCursor(
                database, sql: "SELECT id FROM current_records WHERE stream = ? AND resource = ? ORDER BY id",
                arguments: [stream, resource])
            while let id = try ids.next() {
                if try !listed.has(id) { try body(id) }
            }
        }
    }

    /// Replaces the known versions of a list.
    ///
    /// - Parameter run: differs from run to run.
    static func replaceCurrent(
        _ listed: ListedRecords, of resource: String, in stream: Int64, run: Int64, _ database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO current_records (stream, resource, id, hash, run) VALUES (?, ?, ?, ?, ?)")
        try listed.forEach { version in
            try statement.execute(arguments: [stream, resource, version.id, version.hash, run])
        }
        try database.run(
            "DELETE FROM current_records WHERE stream = ? AND resource = ? AND run <> ?", [stream, resource, run])
    }
}
