package import CloverStorage
import CloverThreads
import GRDB

/// What is known of exports, in the state directory: which destinations there are, how far each resource is exported to
/// them, and what is under way.
///
/// It is kept apart from the files, on a local disk whose locks can be relied on, while files may go to a share. A
/// destination is known by the id in its folder and not by its path. Each change is one transaction, on the device when
/// the call returns. Calls are not cut short by cancellation.
package struct ExportStore: Sendable {
    let database: StateDatabase

    private static let name = "exports.sqlite"

    /// Opens the state, and makes it where there is none.
    package static func open(in directory: StateDirectory) async throws -> ExportStore {
        try await DedicatedThread.run {
            ExportStore(
                database: try StateDatabase(
                    name, in: directory, applicationID: ExportSchema.applicationID,
                    migrations: ExportSchema.migrations))
        }
    }

    /// Opens the state; nil when nothing was ever exported.
    package static func existing(in directory: StateDirectory) async throws -> ExportStore? {
        try await DedicatedThread.run {
            try StateDatabase.existing(
                name, in: directory, applicationID: ExportSchema.applicationID,
                migrations: ExportSchema.migrations
            ).map { ExportStore(database: $0) }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { try database.read(body) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { try database.write(body) }
    }

    /// The path of a destination that is known is what it is now.
    package func meet(_ destination: String, at path: String) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE destinations SET path = ? WHERE id = ?", arguments: [path, destination])
            try Self.forgetOthers(at: path, than: destination, database)
        }
    }

    /// What was at a path before is gone, or will be met where it is now.
    private static func forgetOthers(at path: String, than destination: String, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE destinations SET path = '' WHERE path = ? AND id <> ?", arguments: [path, destination])
    }

    /// Destinations that are gone are nobody's any more. One that comes back is known again by its id.
    package func forget(_ destinations: Set<String>) async throws {
        try await write { database in
            for destination in destinations {
                try database.execute(sql: "UPDATE destinations SET path = '' WHERE id = ?", arguments: [destination])
            }
        }
    }

    /// Adds a destination that is a copy of another. Its files are known, so that their names can be used again; how far
    /// they go is not.
    ///
    /// - Parameter has: whether the copy has a file.
    package func copy(
        _ original: String, as destination: String, at path: String, manifestSize: Int64,
        has: @escaping @Sendable (String) throws -> Bool
    ) async throws {
        try await write { database in
            try database.execute(
                sql: "INSERT INTO destinations (id, path, manifest_size) VALUES (?, ?, ?)",
                arguments: [destination, path, manifestSize])
            try Self.forgetOthers(at: path, than: destination, database)
            try database.execute(
                sql: """
                    INSERT INTO streams (destination, environment, merchant, resource)
                    SELECT ?, environment, merchant, resource FROM streams WHERE destination = ?
                    """, arguments: [destination, original])
            try database.execute(
                sql: """
                    INSERT INTO publishing (destination, path, size, file, stream, plan, drops_known)
                    SELECT ?, path, size, file, own.place, 0, drops_known
                    FROM publishing LEFT JOIN streams ON publishing.stream = streams.place
                        LEFT JOIN streams AS own ON own.destination = ? AND own.environment = streams.environment
                            AND own.merchant = streams.merchant AND own.resource = streams.resource
                    WHERE publishing.destination = ?
                    """, arguments: [destination, destination, original])
            let files = try String.fetchAll(
                database, sql: "SELECT DISTINCT path FROM files WHERE destination = ?", arguments: [original])
            for file in files where try has(file) {
                try database.execute(
                    sql: """
                        INSERT INTO files
                            (destination, stream, path, base, number, resource, field, start, finish, sha256, line,
                            is_listed, form, choice, is_first, is_regular, broken_plan, drops_known)
                        SELECT ?, own.place, path, base, number, files.resource, field, start, finish, sha256, line, 1,
                            files.form, choice, is_first, 0, broken_plan * 0, files.drops_known
                        FROM files JOIN streams ON files.stream = streams.place
                            JOIN streams AS own ON own.destination = ? AND own.environment = streams.environment
                                AND own.merchant = streams.merchant AND own.resource = streams.resource
                        WHERE files.destination = ? AND path = ? ORDER BY files.place
                        """, arguments: [destination, destination, original, file])
            }
        }
    }

    /// Adds a destination.
    ///
    /// - Parameter manifestSize: bytes of the manifest that is there already; new lines follow it.
    package func add(_ destination: String, at path: String, manifestSize: Int64 = 0) async throws {
        try await write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO destinations (id, path, manifest_size) VALUES (?, ?, ?)",
                arguments: [destination, path, manifestSize])
            try Self.forgetOthers(at: path, than: destination, database)
        }
    }

    /// The path of every destination by its id; empty for one whose path another one has now.
    package func destinations() async throws -> [String: String] {
        try await read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, path FROM destinations")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] as String, $0["path"] as String) })
        }
    }
}
