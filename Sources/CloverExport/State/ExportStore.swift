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

    /// Whether the destination is known; then its path is what it is now.
    package func meet(_ destination: String, at path: String) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE destinations SET path = ? WHERE id = ?", arguments: [path, destination])
            return database.changesCount > 0
        }
    }

    /// Adds a destination.
    package func add(_ destination: String, at path: String) async throws {
        try await write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO destinations (id, path) VALUES (?, ?)", arguments: [destination, path])
        }
    }

    /// Every destination by its id.
    package func destinations() async throws -> [String: String] {
        try await read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, path FROM destinations")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] as String, $0["path"] as String) })
        }
    }
}
