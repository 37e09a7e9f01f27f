import CLinux
package import CloverSystem
package import GRDB
import Glibc

/// An SQLite database in the state directory, shared by all processes of the user.
///
/// When `write` returns, its changes are on the device and survive a power failure: the rollback journal with
/// `synchronous=EXTRA` also syncs the directory after the journal is deleted (SQLite: PRAGMA synchronous). A
/// write-ahead log would be faster, but cannot be read on a full device, because reading it creates a file.
///
/// All methods block, for the device and for other processes: call them only on a thread that may.
package final class StateDatabase: Sendable {
    private let queue: DatabaseQueue
    package let path: String

    /// The version of the SQLite library in use, such as `3.40.1` (SQLite: sqlite3_libversion_number()).
    package static var libraryVersion: String {
        let number = Database.sqliteLibVersionNumber
        return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }

    /// Timeout in seconds for other processes' transactions.
    private static let patience = 30.0

    /// Opens `name`, creating it or migrating its schema as needed.
    ///
    /// - Parameters:
    ///   - applicationID: the number that marks databases of this kind (SQLite: PRAGMA application_id).
    ///   - migrations: SQL scripts; the one at index n leads from version n to n + 1 (SQLite: PRAGMA user_version).
    ///     Those not yet applied are run in one transaction. A released script never changes.
    ///   - witness: a file in the directory that the caller creates with the first row, see `loss`; nil for none.
    package convenience init(
        _ name: String, in directory: StateDirectory, applicationID: Int32, migrations: [String],
        witness: String? = nil
    ) throws(StateDatabaseError) {
        let path: String
        let loss: StateDatabaseError?
        do throws(StorageError) {
            let opened = try directory.prepare()
            path = opened.path(of: name)
            loss = try Self.loss(name, witness, in: opened)
            if try !Self.validate(name, in: opened) { try Self.create(name, in: opened) }
        } catch {
            throw .storage(error)
        }
        // One that was removed is begun again.
        if case .emptied = loss { throw .emptied(path: path) }
        try self.init(path: path, applicationID: applicationID, migrations: migrations)
    }

    /// Opens a database that may not exist.
    ///
    /// - Returns: nil if there never was one; nothing is created.
    package static func existing(
        _ name: String, in directory: StateDirectory, applicationID: Int32, migrations: [String],
        witness: String? = nil
    ) throws(StateDatabaseError) -> StateDatabase? {
        guard try path(of: name, in: directory, witness: witness) != nil else { return nil }
        return try StateDatabase(
            name, in: directory, applicationID: applicationID, migrations: migrations, witness: witness)
    }

    /// Opens a database for a quick look: creates, changes and migrates nothing, and does not wait. A database that
    /// another process is writing to is reported as busy.
    ///
    /// - Parameter version: the schema version that the caller reads.
    /// - Returns: nil if there is none, or one of another version.
    package static func glance(
        _ name: String, in directory: StateDirectory, applicationID: Int32, version: Int, witness: String? = nil
    ) throws(StateDatabaseError) -> StateDatabase? {
        guard let path = try path(of: name, in: directory, witness: witness) else { return nil }
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

    /// Runs `body` in a read-only transaction.
    ///
    /// - Throws: `StateDatabaseError`, or an error of `body`.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.read(body)
        } catch let error as DatabaseError {
            throw Self.translated(error, path: path)
        }
    }

    /// Runs `body` in a transaction that excludes other writers. When it returns, everything is on the device; when it
    /// throws, nothing has changed.
    ///
    /// - Throws: `StateDatabaseError`, or an error of `body`.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.write(body)
        } catch let error as DatabaseError {
            throw Self.translated(error, path: path)
        }
    }

    /// Whether the file exists; throws if it must not be used.
    ///
    /// It is checked by name: closing a descriptor of the file would drop the locks of every connection that this
    /// process has to it (SQLite: how to corrupt a database file, section 2.2).
    static func validate(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError) -> Bool {
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

    /// The path of a database that is there and may be used; nil if there never was one.
    private static func path(
        of name: String, in directory: StateDirectory, witness: String?
    ) throws(StateDatabaseError) -> String? {
        let found: (path: String?, loss: StateDatabaseError?)
        do throws(StorageError) {
            guard let opened = try directory.existing() else { return nil }
            found.loss = try loss(name, witness, in: opened)
            found.path = try validate(name, in: opened) ? opened.path(of: name) : nil
        } catch {
            throw .storage(error)
        }
        if let loss = found.loss { throw loss }
        return found.path
    }

    /// How the file has lost its rows: it was removed, or has 0 bytes, as some file systems leave it after a power failure,
    /// beside the witness of its first row; nil if it has not.
    ///
    /// Without the witness, an empty file is what a process left that ended, or found the device full, while it created
    /// the database; the next one completes it. The tables are committed before the witness is created, so that it never
    /// exists beside a new file. The one exception is harmless: a database that was moved away without its witness, and
    /// whose successor was not completed, is refused, although it lost nothing.
    private static func loss(
        _ name: String, _ witness: String?, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> StateDatabaseError? {
        // The witness first: another process may be creating both.
        guard let witness, try directory.kind(of: witness) != nil else { return nil }
        let path = directory.path(of: name)
        var found = stat()
        if fstatat(directory.descriptor.number, name, &found, AT_SYMLINK_NOFOLLOW) != 0 {
            if errno == ENOENT { return .removed(path: path, witness: directory.path(of: witness)) }
            throw .system(.status, path: path, errno: errno)
        }
        return found.st_mode & S_IFMT == S_IFREG && found.st_size == 0 ? .emptied(path: path) : nil
    }

    /// Creates the empty file with a mode that SQLite would not give it; its journal inherits the mode.
    private static func create(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError) {
        do {
            _ = try directory.open(name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            // Another process was faster, which is fine.
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

extension StateDatabase {
    /// Checks whether the database is usable, without migrating it. Waits at most a second for others.
    ///
    /// - Returns: its version, or nil if there is none.
    /// - Throws: any error that opening it would throw, and `.damaged` if SQLite finds a fault (SQLite: PRAGMA
    ///   quick_check).
    package static func inspect(
        _ name: String, in directory: StateDirectory, applicationID: Int32, newestVersion: Int,
        witness: String? = nil
    ) throws(StateDatabaseError) -> Int? {
        guard let path = try path(of: name, in: directory, witness: witness) else { return nil }
        var configuration = Configuration()
        configuration.busyMode = .timeout(1)
        configuration.label = "clover-inspection"
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read { database -> Int? in
                let found = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                // For example created while the disk was full; the next writer completes it.
                if found == 0, version == 0, try isEmpty(database) { return nil }
                guard found == applicationID else {
                    throw StateDatabaseError.otherContent(path: path, applicationID: found)
                }
                guard version <= newestVersion else {
                    throw StateDatabaseError.newerVersion(path: path, found: version, known: newestVersion)
                }
                guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
                    throw StateDatabaseError.damaged(path: path)
                }
                return version
            }
        } catch let error as StateDatabaseError {
            throw error
        } catch {
            throw translated(error, path: path)
        }
    }
}

/// Why a state database cannot be used. Facts only: never a value of a row.
package enum StateDatabaseError: Error, Equatable, Sendable {
    /// The directory or the file cannot be used.
    case storage(StorageError)
    /// A newer program wrote the file: its version, and the newest known one. It was left unchanged.
    case newerVersion(path: String, found: Int, known: Int)
    /// An SQLite database of another kind: the application ID found. It was left unchanged.
    case otherContent(path: String, applicationID: Int32)
    /// Not an SQLite database, or a corrupt one. It was left unchanged.
    case damaged(path: String)
    /// A file of 0 bytes that had rows. It was left unchanged.
    case emptied(path: String)
    /// The file is gone, and had rows, as the witness shows.
    case removed(path: String, witness: String)
    /// Other processes held it for too long.
    case busy(path: String)
    /// The device has no room for another row.
    case full(path: String)
    /// SQLite's extended result code (SQLite: result and error codes).
    case failed(path: String, code: Int32)
}

extension StateDatabaseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error):
            "\(error)"
        case .newerVersion(let path, let found, let known):
            "\(path) has version \(found), and this program knows versions up to \(known)"
        case .otherContent(let path, let applicationID):
            "\(path) is a database of another program (application ID \(applicationID))"
        case .damaged(let path):
            "\(path) is damaged: it is not a complete SQLite database"
        case .emptied(let path):
            "\(path) is damaged: it is empty, and was in use before"
        case .removed(let path, let witness):
            "\(path) is missing, and was in use before, as \(witness) shows"
        case .busy(let path):
            "\(path) is locked by another process"
        case .full(let path):
            "cannot write \(path): no space left on device"
        case .failed(let path, let code):
            "cannot use \(path): SQLite error \(code)"
        }
    }
}
