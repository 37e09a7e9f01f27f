package import CloverDatabase
package import CloverSystem
import GRDB

/// Remembers connected readers, in `readers.sqlite` of the state directory.
///
/// All methods block the calling thread. They throw `StateDatabaseError`.
package struct ReaderStore: Sendable {
    private let directory: StateDirectory

    private static let name = "readers.sqlite"
    /// `ClvR`.
    private static let applicationID: Int32 = 0x436C_7652
    private static let migrations = [
        """
        CREATE TABLE reader (
            transport TEXT NOT NULL,
            id TEXT NOT NULL,
            name TEXT,
            firmware TEXT,
            serial TEXT,
            model TEXT,
            battery INTEGER,
            first_connected INTEGER NOT NULL,
            last_connected INTEGER NOT NULL,
            PRIMARY KEY (transport, id)
        ) STRICT, WITHOUT ROWID;
        """
    ]

    package init(directory: StateDirectory) {
        self.directory = directory
    }

    /// Records a reader's connection at a time, in milliseconds since 1970. Properties that are unknown now keep their
    /// earlier values.
    package func note(_ reader: Reader, connectedAt time: Int64) throws {
        let database = try StateDatabase(
            Self.name, in: directory, applicationID: Self.applicationID, migrations: Self.migrations)
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO reader VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET
                        name = coalesce(excluded.name, name), firmware = coalesce(excluded.firmware, firmware),
                        serial = coalesce(excluded.serial, serial), model = coalesce(excluded.model, model),
                        battery = coalesce(excluded.battery, battery),
                        last_connected = max(last_connected, excluded.last_connected)
                    """,
                arguments: [
                    reader.transport.rawValue, reader.id, reader.name, reader.firmware, reader.serial, reader.model,
                    reader.battery, time, time,
                ])
        }
    }

    /// All readers, last connected first. Creates nothing if there is no database.
    package func all() throws -> [KnownReader] {
        guard let database = try existing() else { return [] }
        return try Self.all(in: database)
    }

    /// All readers, without waiting and without changing anything.
    package func glance() throws -> [KnownReader] {
        let database = try StateDatabase.glance(
            Self.name, in: directory, applicationID: Self.applicationID, version: Self.migrations.count)
        return try database.map { try Self.all(in: $0) } ?? []
    }

    private static func all(in database: StateDatabase) throws -> [KnownReader] {
        try database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM reader ORDER BY last_connected DESC, transport, id")
                .compactMap { Self.reader($0) }
        }
    }

    /// The readers with this ID or name, ignoring case.
    package func named(_ word: String) throws -> [KnownReader] {
        try all().filter { $0.reader.isCalled(word) }
    }

    /// Checks whether the database can be used, without waiting and without changing anything.
    ///
    /// - Returns: the version of the database; nil if there is none.
    package func inspect() throws(StateDatabaseError) -> Int? {
        try StateDatabase.inspect(
            Self.name, in: directory, applicationID: Self.applicationID, newestVersion: Self.migrations.count)
    }

    /// Removes a reader.
    /// - Returns: false if it was not known.
    package func forget(_ reader: Reader) throws -> Bool {
        guard let database = try existing() else { return false }
        return try database.write { database in
            try database.execute(
                sql: "DELETE FROM reader WHERE transport = ? AND id = ?",
                arguments: [reader.transport.rawValue, reader.id])
            return database.changesCount > 0
        }
    }

    private func existing() throws -> StateDatabase? {
        try StateDatabase.existing(
            Self.name, in: directory, applicationID: Self.applicationID, migrations: Self.migrations)
    }

    /// Returns nil for a transport that this version does not know.
    private static func reader(_ row: Row) -> KnownReader? {
        guard let transport = ReaderTransport(rawValue: row["transport"]) else { return nil }
        let reader = Reader(
            id: row["id"], transport: transport, name: row["name"], battery: row["battery"],
            firmware: row["firmware"], serial: row["serial"], model: row["model"])
        return KnownReader(
            reader: reader, firstConnected: row["first_connected"], lastConnected: row["last_connected"])
    }
}

/// A reader that was connected before.
package struct KnownReader: Sendable, Equatable {
    /// The reader when it was last connected: without rssi, and not connected.
    package let reader: Reader
    /// Milliseconds since 1970.
    package let firstConnected: Int64
    package let lastConnected: Int64

    package init(reader: Reader, firstConnected: Int64, lastConnected: Int64) {
        self.reader = reader
        self.firstConnected = firstConnected
        self.lastConnected = lastConnected
    }
}
