package import CloverCalendar
import CloverExport
import CloverSystem
import GRDB
import Glibc

/// An SQLite database that exports write to.
///
/// It may have anything else in it: only the tables and views that exports made are changed, and never narrowed. How far the
/// exports are is in the table `clover_export`, and changes together with the rows: what the database says of itself is
/// always true, whatever became of the process, or of the state directory.
///
/// All methods block, so call them only on a thread that may; one thread at a time.
package final class TableDatabase: @unchecked Sendable {
    let queue: DatabaseQueue
    /// Absolute.
    package let path: String
    /// Rows that are waiting for their window's end.
    var stages: [TableStage] = []
    /// Number of temporary tables so far.
    private var tableCount = 0
    /// What the rows of this run need; see `prepare`.
    private(set) var shop = ShopFacts(currency: nil, decimals: 2, zone: nil)
    private(set) var zone: TimeZoneRules?

    /// Seconds to wait for other processes' transactions.
    private static let patience = 20.0
    /// Version of the tables named `clover_export...`.
    private static let version = 1

    /// Opens the file, which is created if it does not exist. Nothing is written to one that is there.
    ///
    /// - Parameter isPrivate: whether only this user may read it.
    package init(_ path: String, isPrivate: Bool) throws(TableError) {
        let path = try Self.resolved(path)
        self.path = path
        try Self.check(path, isPrivate: isPrivate)
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            try queue.read { database in
                // The first look at the file.
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
                let found = try Self.version(database) ?? Self.version
                guard found <= Self.version else {
                    throw TableError.newerVersion(path: path, found: found, known: Self.version)
                }
            }
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.label = "clover-tables"
        // Off in SQLite, too: a user's table may refer to one of ours.
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// The path of the file itself; a link is followed.
    package static func resolved(_ path: String) throws(TableError) -> String {
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

    private static func version(_ database: Database) throws -> Int? {
        guard try database.tableExists("clover_export_database") else { return nil }
        return try Int.fetchOne(database, sql: "SELECT version FROM clover_export_database")
    }

    /// A program was killed while it wrote, and a program that only reads cannot undo that.
    private static let needsRecovery: [ResultCode] = [
        .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTLOCK,
    ]

    static func translated(_ error: any Error, path: String) -> TableError {
        if let error = error as? TableError { return error }
        guard let error = error as? DatabaseError else { return .failed(path: path, code: 1, message: "\(error)") }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
        case .SQLITE_FULL: return .full(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .notDatabase(path: path)
        case .SQLITE_READONLY where Self.needsRecovery.contains(error.extendedResultCode):
            return .interrupted(path: path)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: return .readOnly(path: path)
        default:
            return .failed(path: path, code: error.extendedResultCode.rawValue, message: error.message ?? "")
        }
    }

    /// Runs `body` without a further transaction.
    func access<Value>(_ body: (Database) throws -> Value) throws(TableError) -> Value {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    /// Runs `body` in a transaction that excludes other writers.
    func write<Value>(_ body: (Database) throws -> Value) throws(TableError) -> Value {
        do {
            return try queue.write(body)
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    /// A new name for something temporary, quoted.
    func nextTable(_ kind: String) -> String {
        tableCount += 1
        return "temp.\"\(kind)_\(tableCount)\""
    }
}

/// Whose the database is.
extension TableDatabase {
    /// Id of the destination in the state; nil for a database that no export wrote to.
    package func identifier() throws(TableError) -> String? {
        try access { database in
            guard try Self.version(database) != nil else { return nil }
            return try String.fetchOne(database, sql: "SELECT id FROM clover_export_database")
        }
    }

    /// The id of the database at another path; nil when there is none.
    package static func identifier(at path: String) -> String? {
        var configuration = configuration
        configuration.readonly = true
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                guard try version(database) != nil else { return nil }
                return try String.fetchOne(database, sql: "SELECT id FROM clover_export_database")
            }
        } catch {
            // Not a database, or one that cannot be read: not the original.
            return nil
        }
    }

    /// Takes the database for a merchant's exports: writes its id and the tables of the export itself.
    ///
    /// - Parameters:
    ///   - identifier: id of the destination in the state.
    ///   - zone: the merchant's zone; nil if unknown.
    /// - Throws: `.otherMerchant`, `.foreignTable`.
    package func prepare(
        _ identifier: String, environment: String, merchant: String, shop: ShopFacts, zone: TimeZoneRules?
    ) throws(TableError) {
        var (shop, zone) = (shop, zone)
        try write { database in
            if try Self.version(database) == nil {
                try database.execute(sql: Self.schema)
                try database.execute(
                    sql: """
                        INSERT INTO clover_export_database (id, version, environment, merchant) VALUES (?, ?, ?, ?)
                        """, arguments: [identifier, Self.version, environment, merchant])
            }
            let row = try Row.fetchOne(database, sql: "SELECT * FROM clover_export_database")
            guard let row else { throw TableError.notDatabase(path: path) }
            guard row["environment"] == environment, row["merchant"] == merchant else {
                throw TableError.otherMerchant(path: path, known: row["merchant"], merchant: merchant)
            }
            // What earlier runs knew stays valid where this one knows nothing.
            if shop.currency == nil, let currency = row["currency"] as String? {
                (shop.currency, shop.decimals) = (currency, row["decimals"] ?? 0)
            }
            if zone == nil, let name = row["time_zone"] as String? {
                zone = try TimeZoneRules(named: name)
                shop.zone = name
            }
            // A run without news leaves the file as it is.
            try database.execute(
                sql: """
                    UPDATE clover_export_database SET id = :id, currency = :currency, decimals = :decimals, time_zone = :zone
                    WHERE (id, currency, decimals, time_zone) IS NOT (:id, :currency, :decimals, :zone)
                    """,
                arguments: [
                    "id": identifier, "currency": shop.currency, "decimals": shop.decimals, "zone": shop.zone,
                ])
        }
        self.shop = shop
        self.zone = zone
    }

    private static let schema = """
        CREATE TABLE clover_export_database (
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            environment TEXT NOT NULL,
            merchant TEXT NOT NULL,
            currency TEXT,
            decimals INTEGER,
            time_zone TEXT
        );
        CREATE TABLE clover_export (
            resource TEXT PRIMARY KEY NOT NULL,
            revision INTEGER NOT NULL,
            bookmark INTEGER,
            overlap INTEGER,
            beginning INTEGER,
            newest INTEGER,
            content TEXT,
            form TEXT,
            form_words TEXT,
            parts TEXT NOT NULL DEFAULT '',
            exported_at INTEGER NOT NULL
        );
        CREATE TABLE clover_export_windows (
            resource TEXT NOT NULL,
            "plan" TEXT NOT NULL,
            "window" INTEGER NOT NULL,
            PRIMARY KEY (resource, "plan", "window")
        ) WITHOUT ROWID;
        CREATE TABLE clover_export_columns (
            table_name TEXT NOT NULL,
            column_name TEXT NOT NULL,
            field TEXT NOT NULL,
            PRIMARY KEY (table_name, column_name)
        ) WITHOUT ROWID;
        CREATE TABLE clover_export_views (
            name TEXT PRIMARY KEY NOT NULL,
            definition TEXT NOT NULL
        ) WITHOUT ROWID;
        """
}
