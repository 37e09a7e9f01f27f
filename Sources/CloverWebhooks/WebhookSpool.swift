package import CloverDatabase
package import CloverSystem
import GRDB
import Glibc

/// Bodies that the listener has acknowledged and not delivered everywhere yet, in `webhooks.sqlite` of the state
/// directory.
///
/// All methods block the calling thread. They throw `StateDatabaseError`, and some `StorageError`.
package final class WebhookSpool: Sendable {
    let database: StateDatabase
    private let file: FileIdentity?
    /// Where the number of the last notice is noted, by which an older copy of the file is recognized.
    let numberPath: String

    private struct FileIdentity: Equatable {
        let device: dev_t
        let inode: ino_t

        /// Nil if there is no file.
        init?(at path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            (device, inode) = (facts.st_dev, facts.st_ino)
        }
    }

    private static let name = "webhooks.sqlite"
    /// `ClvW`.
    private static let applicationID: Int32 = 0x436C_7657
    private static let migrations = [
        """
        CREATE TABLE delivery (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            received INTEGER NOT NULL,
            body TEXT NOT NULL,
            signature TEXT,
            printed INTEGER NOT NULL DEFAULT 0,
            executed INTEGER NOT NULL DEFAULT 0,
            forwarded INTEGER NOT NULL DEFAULT 0,
            failure TEXT
        ) STRICT;
        """,
        """
        -- What the latest events were about, for feeds; see WebhookSpool.notices(after:limit:).
        CREATE TABLE notice (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            merchant TEXT NOT NULL,
            list TEXT NOT NULL,
            object TEXT NOT NULL,
            type TEXT NOT NULL,
            time INTEGER
        ) STRICT;
        """,
        """
        -- How sessions of Hosted Checkout ended, by webhooks with a valid signature.
        CREATE TABLE checkout (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session TEXT NOT NULL,
            merchant TEXT NOT NULL,
            type TEXT NOT NULL,
            payment TEXT
        ) STRICT;
        CREATE INDEX checkout_session ON checkout (session);
        """,
        """
        -- Where a body was to be delivered to when it was accepted; see WebhookGoals.
        ALTER TABLE delivery ADD COLUMN goals INTEGER NOT NULL DEFAULT 0;
        """,
        """
        -- Tells this file from another one in its place, whose events have the same numbers.
        CREATE TABLE spool (identity INTEGER NOT NULL) STRICT;
        INSERT INTO spool VALUES (random());
        """,
        """
        -- Whether events were lost with another file, or with a later state of this one.
        ALTER TABLE spool ADD COLUMN has_lost INTEGER NOT NULL DEFAULT 0;
        """,
        """
        -- The message of a Hosted Checkout webhook, which may state the amount.
        ALTER TABLE checkout ADD COLUMN message TEXT;
        """,
    ]

    /// Opens the spool, and creates it if necessary.
    package init(directory: StateDirectory) throws(StateDatabaseError) {
        database = try StateDatabase(
            Self.name, in: directory, applicationID: Self.applicationID, migrations: Self.migrations)
        file = FileIdentity(at: database.path)
        numberPath = directory.path + "/" + WebhookSpoolLock.name(.listening)
    }

    private init(_ database: StateDatabase, _ directory: StateDirectory) {
        self.database = database
        file = FileIdentity(at: database.path)
        numberPath = directory.path + "/" + WebhookSpoolLock.name(.listening)
    }

    /// Whether the file that was opened is still there, and no other one in its place.
    package var isInPlace: Bool { file != nil && FileIdentity(at: database.path) == file }

    /// Opens the spool; nil if there is none. Creates nothing.
    package static func existing(in directory: StateDirectory) throws(StateDatabaseError) -> WebhookSpool? {
        try StateDatabase.existing(name, in: directory, applicationID: applicationID, migrations: migrations)
            .map { WebhookSpool($0, directory) }
    }

    /// Size in bytes from which a batch of bodies takes no further one.
    private static let largestBatch = 1 << 20
    /// Free space that new deliveries leave on the device, in bytes. Changing or removing a batch needs some: the
    /// rollback journal has its pages, because SQLite of Debian overwrites what is deleted (PRAGMA secure_delete).
    private static let reserve = 3 * largestBatch

    /// Adds deliveries in one transaction. When it returns, all of them are on the device.
    ///
    /// - Throws: `StateDatabaseError`, such as `.full` as long as there is room for removing deliveries; then none was added.
    ///   `WebhookSpoolError.replaced` if the file is no longer there, or another one is in its place; `StorageError` if
    ///   the lock file cannot be written. Then they may have been added, and must not be acknowledged.
    package func add(_ arrivals: [WebhookArrival]) throws {
        let number: Int64
        do {
            number = try insert(arrivals)
        } catch {
            // SQLite refuses to write to a file that has lost its name.
            guard isInPlace else { throw WebhookSpoolError.replaced(path: database.path) }
            throw error
        }
        guard isInPlace else { throw WebhookSpoolError.replaced(path: database.path) }
        try FileLock.note(number, at: numberPath)
    }

    /// - Returns: the number of the last notice.
    private func insert(_ arrivals: [WebhookArrival]) throws -> Int64 {
        try database.write { [path = database.path] database in
            try renewIfOld(in: database)
            // What is noted for feeds is no longer than the body.
            let size = 2 * arrivals.reduce(0) { $0 + $1.body.count }
            if try !Self.hasRoom(for: size, in: database, at: path) {
                // Feeds can read everything again, but the bodies are only here.
                try WebhookNotice.removeAll(in: database)
                guard try Self.hasRoom(for: size, in: database, at: path) else {
                    throw StateDatabaseError.full(path: path)
                }
            }
            let statement = try database.cachedStatement(
                sql: "INSERT INTO delivery (received, body, signature, goals) VALUES (?, ?, ?, ?)")
            for arrival in arrivals {
                try statement.execute(arguments: [
                    arrival.received, String(decoding: arrival.body, as: UTF8.self), arrival.signature,
                    arrival.goals.rawValue,
                ])
            }
            try WebhookNotice.add(arrivals, in: database)
            try CheckoutNotice.add(arrivals, in: database)
            return try Self.end(database).number
        }
    }

    /// Whether bodies of this size in bytes fit, and there is still room for removing them.
    private static func hasRoom(for size: Int, in database: Database, at path: String) throws -> Bool {
        var space = statvfs()
        // If the system does not say, SQLite finds out.
        guard statvfs(path, &space) == 0 else { return true }
        let free = Int(space.f_bavail) * Int(space.f_frsize)
        if free > reserve + size { return true }
        let pages = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        // What was removed left its space to the file.
        return free > reserve / 2 && pages * pageSize > size
    }

    /// The next deliveries in order of arrival.
    ///
    /// - Parameters:
    ///   - number: only those that arrived after the delivery with this number.
    ///   - failed: only those that failed, or only those that wait; nil for both.
    ///   - printed: only those that were printed, or only those that were not; nil for both.
    ///   - limit: maximum number of deliveries. There are fewer if their bodies are large, but at least one if any is
    ///     left.
    package func deliveries(
        after number: Int64 = 0, failed: Bool?, printed: Bool? = nil, limit: Int
    ) throws -> [WebhookDelivery] {
        try database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT * FROM delivery
                    WHERE id > ? AND (failure IS NOT NULL) = ifnull(?, failure IS NOT NULL)
                    AND printed = ifnull(?, printed) ORDER BY id LIMIT ?
                    """, arguments: [number, failed, printed, limit])
            var deliveries: [WebhookDelivery] = []
            var size = 0
            while size < Self.largestBatch, let row = try rows.next() {
                deliveries.append(WebhookDelivery(row))
                size += deliveries[deliveries.count - 1].arrival.body.count
            }
            return deliveries
        }
    }

    /// The delivery with this number; nil if there is none.
    package func delivery(_ number: Int64) throws -> WebhookDelivery? {
        try database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM delivery WHERE id = ?", arguments: [number])
                .map { WebhookDelivery($0) }
        }
    }

    /// Stores the progress of deliveries in one transaction. Those removed meanwhile stay removed.
    package func update(_ deliveries: [WebhookDelivery]) throws {
        try database.write { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE delivery SET printed = ?, executed = ?, forwarded = ?, failure = ? WHERE id = ?")
            for delivery in deliveries {
                try statement.execute(arguments: [
                    delivery.isPrinted, delivery.executed, delivery.isForwarded, delivery.failure, delivery.number,
                ])
            }
        }
    }

    /// Removes deliveries in one transaction.
    ///
    /// - Returns: how many of them there were.
    @discardableResult
    package func remove(_ numbers: [Int64]) throws -> Int {
        try database.write { database in
            let statement = try database.cachedStatement(sql: "DELETE FROM delivery WHERE id = ?")
            var count = 0
            for number in numbers {
                try statement.execute(arguments: [number])
                count += database.changesCount
            }
            return count
        }
    }
}

/// A body that arrived at the listener.
package struct WebhookArrival: Sendable, Equatable {
    /// Milliseconds since 1970.
    package var received: Int64
    package var body: [UInt8]
    /// The value of the header `Clover-Signature`; nil if there was none.
    package var signature: String?
    /// Whether the signature was verified. Not kept.
    package var isVerified = false
    /// Where the listener that accepted it delivers to, besides printing.
    package var goals: WebhookGoals = []

    package init(received: Int64, body: [UInt8], signature: String?, goals: WebhookGoals = []) {
        self.received = received
        self.body = body
        self.signature = signature
        self.goals = goals
    }
}

/// Where a body is to be delivered to, besides printing.
package struct WebhookGoals: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The command of `--exec`.
    package static let command = WebhookGoals(rawValue: 1)
    /// The handler of `--forward-to`.
    package static let handler = WebhookGoals(rawValue: 2)
}

/// A body in the spool, and how far it was delivered.
package struct WebhookDelivery: Sendable, Equatable {
    /// Counts from 1 in order of arrival, and is never used again.
    package let number: Int64
    package let arrival: WebhookArrival
    /// Whether its events were printed.
    package var isPrinted: Bool
    /// The number of its events for which the command was run.
    package var executed: Int
    /// Whether it was forwarded.
    package var isForwarded: Bool
    /// Why a delivery failed; nil while it waits.
    package var failure: String?

    fileprivate init(_ row: Row) {
        number = row["id"]
        arrival = WebhookArrival(
            received: row["received"], body: Array((row["body"] as String).utf8), signature: row["signature"],
            goals: WebhookGoals(rawValue: row["goals"]))
        isPrinted = row["printed"]
        executed = row["executed"]
        isForwarded = row["forwarded"]
        failure = row["failure"]
    }
}

/// A lock that one process at a time holds for a task with the spool. It is held as long as the object lives.
package final class WebhookSpoolLock: Sendable {
    package enum Task: String, Sendable {
        /// Receiving webhooks, and delivering those that wait.
        case listening
        /// Delivering those that failed.
        case replaying
    }

    private let lock: FileLock

    static func name(_ task: Task) -> String { "webhooks-\(task.rawValue).lock" }

    /// Takes the lock, without waiting for it.
    package init(for task: Task, directory: StateDirectory) throws(WebhookSpoolError) {
        let name = Self.name(task)
        let taken: FileLock?
        let holder: LockHolder?
        do throws(StorageError) {
            let opened = try directory.prepare()
            taken = try FileLock.tryAcquire(name, in: opened)
            holder = LockHolder.ofLock(name, in: opened)
        } catch {
            throw .storage(error)
        }
        guard let taken else { throw .inUse(task, by: holder) }
        lock = taken
    }
}

/// Why the spool cannot be used.
package enum WebhookSpoolError: Error, Equatable, Sendable {
    /// Another process does this; nil if the system does not say which.
    case inUse(WebhookSpoolLock.Task, by: LockHolder?)
    /// Its file was removed, or replaced by another one, while it was in use.
    case replaced(path: String)
    case storage(StorageError)
}
