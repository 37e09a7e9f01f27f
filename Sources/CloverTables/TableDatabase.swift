package import CloverCalendar
package import CloverExport
import Synchronization

/// A database that exports write to.
///
/// It may have anything else in it: only the tables and views that exports made are changed, and never narrowed. How far the
/// exports are is in the table `clover_export`, and changes together with the rows: what the database says of itself is
/// always true, whatever became of the process, or of the state directory.
///
/// All methods block, so call them only on a thread that may; one thread at a time.
package final class TableDatabase: @unchecked Sendable {
    let store: any TableStore
    /// The name of the destination in the state and in messages.
    package let name: String
    /// Rows that are waiting for their window's end.
    var stages: [TableStage] = []
    /// The records of the window.
    var versions = RecordVersions()
    /// The pass in which rows are written.
    var pass = 0
    /// The tables that this run writes to.
    var written: Set<String> = []
    /// Whether others had deleted rows of a table when this run first wrote to it.
    var lacksRows: [String: Bool] = [:]
    /// The rows that this run added to such a table, by the hashes of their keys.
    var added: [String: [Int64: TableDigest]] = [:]
    /// The tables with too many of them to tell which ones were there before.
    var untraced: Set<String> = []
    /// Columns that get an index at the end of the window's transaction.
    var newIndices: [(table: RecordTable, column: TableColumn)] = []
    /// Those of tables that were made before the window's end.
    var earlyIndices: [(table: RecordTable, column: TableColumn)] = []
    /// Number of temporary tables so far.
    private var tableCount = 0
    /// Temporary tables of the window that is written.
    var lists: [String] = []
    /// What the rows of this run need; see `prepare`.
    private(set) var shop = ShopFacts(currency: nil, decimals: 2, zone: nil)
    private(set) var zone: TimeZoneRules?
    private let stop: Stop

    /// Version of the tables named `clover_export...`.
    private static let version = 1

    /// Whether waits for a server are to end.
    private final class Stop: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// Opens the database. A file is created if it does not exist; nothing is written to one that is there.
    ///
    /// - Parameter isPrivate: whether only this user may read a file.
    package init(_ address: DatabaseAddress, isPrivate: Bool) throws(TableError) {
        let stop = Stop()
        self.stop = stop
        switch address {
        case .sqlite(let path):
            let store = try SQLiteStore(path, isPrivate: isPrivate)
            self.store = store
            name = DatabaseAddress.sqlite(path: store.path).name
        case .postgreSQL(let url):
            store = try PostgreSQLStore(url) { stop.isSet.load(ordering: .relaxed) }
            name = address.name
        }
        try store.access {
            let found = try ownVersion() ?? Self.version
            guard found <= Self.version else {
                throw TableError.newerVersion(path: path, found: found, known: Self.version)
            }
            if let damage = try ownDamage() { throw damage }
        }
    }

    /// Opens a database that is there, to read from it only.
    init(reading address: DatabaseAddress) throws(TableError) {
        store =
            switch address {
            case .sqlite(let path): try SQLiteStore(reading: path)
            case .postgreSQL(let url): try PostgreSQLStore(url) { false }
            }
        name = address.name
        stop = Stop()
    }

    /// What messages name: the path of a file, or the address of a server's database.
    package var path: String { store.path }

    /// Ends all waits for a server, now and later. Any thread may call it.
    package func endWaits() { stop.isSet.store(true, ordering: .relaxed) }

    /// The address with the path of the file itself; a link is followed.
    package static func resolved(_ address: DatabaseAddress) throws(TableError) -> DatabaseAddress {
        switch address {
        case .sqlite(let path): .sqlite(path: try SQLiteStore.resolved(path))
        case .postgreSQL: address
        }
    }

    /// Creates a schema if the server's database at the address does not have it.
    package static func makeSchema(_ name: String, at address: DatabaseAddress) throws(TableError) {
        guard case .postgreSQL(let url) = address else { return }
        // A store refuses an address whose schema does not exist.
        let connection = try PostgreSQLConnection(url) { false }
        do {
            let found = try connection.run("SELECT to_regnamespace($1) IS NOT NULL", [.text(name)])
            guard found.first?.first?.isTrue != true else { return }
            // Two machines may create it at once.
            try connection.run("SELECT pg_advisory_lock(hashtext('clover schema'), hashtext($1))", [.text(name)])
            try connection.run("CREATE SCHEMA IF NOT EXISTS \"\(name)\"")
        } catch let error as TableError {
            throw error
        } catch let failure as PostgreSQLFailure {
            throw failure.error(path: url)
        } catch {
            throw .away(path: url, message: "\(error)")
        }
    }

    private func ownVersion() throws -> Int? {
        guard try store.columns(of: OwnTable.database.name)["version"] != nil else { return nil }
        return try store.value("SELECT version FROM clover_export_database").integer.map { Int($0) }
    }

    /// A new name for something temporary.
    func nextNumber() -> Int {
        tableCount += 1
        return tableCount
    }
}

/// Whose the database is.
extension TableDatabase {
    /// Id of the destination in the state; nil for a database that no export wrote to, and where others deleted it.
    package func identifier() throws(TableError) -> String? {
        try store.access {
            guard try ownVersion() != nil else { return nil }
            return try store.value("SELECT id FROM clover_export_database").text
        }
    }

    /// The id of another database; nil when there is none.
    package static func identifier(at address: DatabaseAddress) -> String? {
        do throws(TableError) {
            return try TableDatabase(reading: address).identifier()
        } catch {
            // Not a database, or one that cannot be read: not the original.
            return nil
        }
    }

    /// Takes the database for a merchant's exports: writes its id and the tables of the export itself, also those that others
    /// deleted.
    ///
    /// - Parameters:
    ///   - identifier: id of the destination in the state.
    ///   - zone: the merchant's zone; nil if unknown.
    /// - Throws: `.otherMerchant`, `.foreignTable`.
    package func prepare(
        _ identifier: String, environment: String, merchant: String, shop: ShopFacts, zone: TimeZoneRules?
    ) throws(TableError) {
        (self.shop, self.zone) = try store.write {
            var (shop, zone) = (shop, zone)
            for table in OwnTable.always { try table.make(in: store) }
            if try ownVersion() == nil {
                try store.run(
                    "INSERT INTO clover_export_database (id, version, environment, merchant) VALUES ($1, $2, $3, $4)",
                    .text(identifier), .integer(Int64(Self.version)), .text(environment), .text(merchant))
            }
            let found = try store.run(
                "SELECT environment, merchant, currency, decimals, time_zone FROM clover_export_database")
            guard let row = found.first else { throw TableError.notDatabase(path: path) }
            guard row[0].text == environment, row[1].text == merchant else {
                throw TableError.otherMerchant(path: path, known: row[1].text ?? "", merchant: merchant)
            }
            // What earlier runs knew stays valid where this one knows nothing.
            if shop.currency == nil, let currency = row[2].text {
                (shop.currency, shop.decimals) = (currency, Int(row[3].integer ?? 0))
            }
            if zone == nil, let name = row[4].text {
                zone = try TimeZoneRules(named: name)
                shop.zone = name
            }
            // A run without news leaves the database as it is.
            try store.run(
                """
                UPDATE clover_export_database SET id = $1, currency = $2, decimals = $3, time_zone = $4
                WHERE (id, currency, decimals, time_zone) IS DISTINCT FROM ($1, $2, $3, $4)
                """,
                .text(identifier), SQLValue(shop.currency), .integer(Int64(shop.decimals)), SQLValue(shop.zone))
            return (shop, zone)
        }
    }
}
