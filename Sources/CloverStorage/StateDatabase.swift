internal import CLinux
package import GRDB
internal import Glibc

/// An SQLite database in the state directory, shared by all processes of the user.
///
/// What `write` has done is on the device when it returns, also through a power failure: a rollback journal with
/// `synchronous=EXTRA`, which syncs the directory too after the journal is deleted (SQLite: PRAGMA synchronous). A
/// write-ahead log would be quicker, but cannot be read on a full device, because reading it makes a file.
///
/// All methods block, for the device and for other processes: only for a thread that may.
package final class StateDatabase: Sendable {
    private let queue: DatabaseQueue
    /// For messages.
    package let path: String

    /// Seconds to wait for other processes' transactions.
    private static let patience = 30.0

    /// Opens `name`, and makes or brings up to date what is in it.
    ///
    /// - Parameters:
    ///   - applicationID: the number that marks databases of this kind (SQLite: PRAGMA application_id).
    ///   - migrations: SQL scripts; the one at index n leads from version n to n + 1 (SQLite: PRAGMA user_version).
    ///     Those not yet applied are, all in one transaction. One that was released never changes.
    package convenience init(
        _ name: String, in directory: StateDirectory, applicationID: Int32, migrations: [String]
    ) throws(StateDatabaseError) {
        let path: String
        do throws(StorageError) {
            let opened = try directory.prepare()
            path = opened.path(of: name)
            if try !Self.judge(name, in: opened) { try Self.create(name, in: opened) }
        } catch {
            throw .storage(error)
        }
        try self.init(path: path, applicationID: applicationID, migrations: migrations)
    }

    /// The same for a database that may never have been made.
    ///
    /// - Returns: nil when there is none; nothing is made then.
    package static func existing(
        _ name: String, in directory: StateDirectory, applicationID: Int32, migrations: [String]
    ) throws(StateDatabaseError) -> StateDatabase? {
        do throws(StorageError) {
            guard let opened = try directory.existing() else { return nil }
            let kind = try opened.kind(of: name)
            if kind == nil { return nil }
        } catch {
            throw .storage(error)
        }
        return try StateDatabase(name, in: directory, applicationID: applicationID, migrations: migrations)
    }

    /// The same for a glance: nothing is made, changed or brought up to date, and nobody is waited for; a database that
    /// another process is writing in is busy at once.
    ///
    /// - Parameter version: of the schema that the caller reads.
    /// - Returns: nil when there is none, or one of another version.
    package static func glance(
        _ name: String, in directory: StateDirectory, applicationID: Int32, version: Int
    ) throws(StateDatabaseError) -> StateDatabase? {
        let path: String
        do throws(StorageError) {
            guard let opened = try directory.existing(), try judge(name, in: opened) else { return nil }
            path = opened.path(of: name)
        } catch {
            throw .storage(error)
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .immediateError
        configuration.label = "clover-glance"
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isKnown = try queue.read { database in
                try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID
                    && Int.fetchOne(database, sql: "PRAGMA user_version") == version
            }
            return isKnown ? StateDatabase(queue, path: path) : nil
        } catch {
            throw translated(error, path: path)
        }
    }

    private init(_ queue: DatabaseQueue, path: String) {
        self.queue = queue
        self.path = path
    }

    private init(path: String, applicationID: Int32, migrations: [String]) throws(StateDatabaseError) {
        self.path = path
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.patience)
        configuration.label = "clover-database"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = EXTRA")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Self.translated(error, path: path)
        }
        do {
            try queue.write { database in
                try Self.migrate(database, path: path, applicationID: applicationID, migrations)
            }
        } catch let error as StateDatabaseError {
            throw error
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    /// Runs `body` in a transaction that changes nothing.
    ///
    /// - Throws: `StateDatabaseError`, or what `body` throws of its own.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.read(body)
        } catch let error as DatabaseError {
            throw Self.translated(error, path: path)
        }
    }

    /// Runs `body` in a transaction that no other process writes beside. When it returns, everything is on the device;
    /// when it throws, nothing was changed.
    ///
    /// - Throws: `StateDatabaseError`, or what `body` throws of its own.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.write(body)
        } catch let error as DatabaseError {
            throw Self.translated(error, path: path)
        }
    }

    /// Whether the file is there; throws when it is not what it must be.
    ///
    /// It is looked at by name: closing a descriptor of the file would drop the locks of every connection that this
    /// process has to it (SQLite: how to corrupt a database file, section 2.2).
    static func judge(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError) -> Bool {
        let path = directory.path(of: name)
        var found = stat()
        if fstatat(directory.descriptor.number, name, &found, AT_SYMLINK_NOFOLLOW) != 0 {
            if errno == ENOENT { return false }
            throw .system(.status, path: path, errno: errno)
        }
        switch found.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .refused(path: path, .symbolicLink)
        default: throw .refused(path: path, .notRegularFile)
        }
        let rule = AccessRule.secret
        if let refusal = rule.refusal(owner: found.st_uid, mode: found.st_mode & 0o7777, user: geteuid()) {
            throw .refused(path: path, refusal)
        }
        return true
    }

    /// Makes the empty file with the mode that SQLite would not give it; its journal takes the mode from it.
    private static func create(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError) {
        do {
            _ = try directory.open(name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            // Another process was quicker, which is as good.
            if error.code == EEXIST { return }
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
        try directory.synchronize()
    }

    static func isEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
    }

    private static func migrate(
        _ database: Database, path: String, applicationID: Int32, _ migrations: [String]
    ) throws {
        let found = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard try found == applicationID || found == 0 && version == 0 && isEmpty(database) else {
            throw StateDatabaseError.otherContent(path: path, applicationID: found)
        }
        guard version <= migrations.count else {
            throw StateDatabaseError.newerVersion(path: path, found: version, known: migrations.count)
        }
        guard version < migrations.count || found != applicationID else { return }
        for script in migrations[version...] { try database.execute(sql: script) }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(migrations.count)")
    }

    static func translated(_ error: any Error, path: String) -> StateDatabaseError {
        guard let error = error as? DatabaseError else { return .failed(path: path, code: 1) }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
        case .SQLITE_FULL: return .full(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(path: path)
        default: return .failed(path: path, code: error.extendedResultCode.rawValue)
        }
    }
}
