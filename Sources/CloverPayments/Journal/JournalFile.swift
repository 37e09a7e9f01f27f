import CLinux
import CloverDatabase
import CloverSystem
import FoundationEssentials
import GRDB
import Glibc

/// The journal in an SQLite file of the state directory, and its locks in the file beside it.
struct JournalFile: JournalStore {
    let lockPause = 0.05
    private let database: StateDatabase
    private let directory: StateDirectory

    private static let name = "journal.sqlite"
    /// The version of a file whose rows were moved to a database. Programs that know nothing of moves refuse it.
    static let sealedVersion = 1000

    /// Opens the file, creating it if there is none.
    static func open(in directory: StateDirectory) throws -> JournalFile {
        try refuseMoved(directory)
        return try namingMove(of: directory) {
            let database = try StateDatabase(
                name, in: directory, applicationID: JournalSchema.applicationID, migrations: JournalSchema.migrations,
                witness: KernelLock.name)
            return JournalFile(database: database, directory: directory)
        }
    }

    /// Opens the file of a journal that is moved, which no other program can open from now on.
    static func sealed(in directory: StateDirectory) throws -> JournalFile {
        let unsealed = JournalSchema.migrations
        let database = try StateDatabase(
            name, in: directory, applicationID: JournalSchema.applicationID,
            migrations: unsealed + Array(repeating: "", count: sealedVersion - unsealed.count),
            witness: KernelLock.name)
        return JournalFile(database: database, directory: directory)
    }

    /// Lets other programs open the file again.
    static func unseal(_ database: any JournalTransaction) throws {
        try database.execute("PRAGMA user_version = \(JournalSchema.migrations.count)", [])
    }

    /// Nil if there never was one.
    static func existing(in directory: StateDirectory) throws -> JournalFile? {
        try refuseMoved(directory)
        return try namingMove(of: directory) {
            try StateDatabase.existing(
                name, in: directory, applicationID: JournalSchema.applicationID, migrations: JournalSchema.migrations,
                witness: KernelLock.name
            ).map { JournalFile(database: $0, directory: directory) }
        }
    }

    /// Nil if there is none, or one of another version. Does not wait, and changes nothing.
    ///
    /// - Parameter isSealed: whether only a file is looked at whose rows were moved, or are on their way.
    static func glance(in directory: StateDirectory, isSealed: Bool = false) throws -> JournalFile? {
        try StateDatabase.glance(
            name, in: directory, applicationID: JournalSchema.applicationID,
            version: isSealed ? sealedVersion : JournalSchema.migrations.count, witness: KernelLock.name
        ).map { JournalFile(database: $0, directory: directory) }
    }

    /// The version of a file that can be used; nil if there is none.
    static func inspect(in directory: StateDirectory) throws -> Int? {
        try refuseMoved(directory)
        return try namingMove(of: directory) {
            try StateDatabase.inspect(
                name, in: directory, applicationID: JournalSchema.applicationID,
                newestVersion: JournalSchema.migrations.count, witness: KernelLock.name)
        }
    }

    /// Opens a file. One that a move has sealed does not come from a newer program, also if the mark of the move is gone.
    private static func namingMove<Value>(of directory: StateDirectory, _ open: () throws -> Value) throws -> Value {
        do {
            return try open()
        } catch StateDatabaseError.newerVersion(_, sealedVersion, _) {
            throw StateDatabaseError.storage(.moved(path: directory.path, to: "a database", stage: nil))
        }
    }

    func read<Value: Sendable>(_ body: @Sendable (any JournalTransaction) throws -> Value) throws -> Value {
        try database.read { try body(Transaction(database: $0, directory: directory)) }
    }

    func write<Value: Sendable>(
        for patience: Double, _ body: @Sendable (any JournalTransaction) throws -> Value
    ) throws -> Value {
        try database.write { database in
            try Self.refuseMoved(directory)
            return try body(Transaction(database: database, directory: directory))
        }
    }

    /// Refuses a journal that is in a database, or on its way.
    private static func refuseMoved(_ directory: StateDirectory) throws(StateDatabaseError) {
        do throws(StorageError) { try directory.refuseMoved() } catch { throw .storage(error) }
    }

    func lock(_ place: Int64) throws -> OperationLock? {
        let lock = try KernelLock.tryAcquire(place, in: directory).map { OperationLock($0) }
        try Self.refuseMoved(directory)
        return lock
    }

    func claim(_ text: String) throws -> OperationLock? { try lock(KernelLock.place(of: text)) }

    /// The clock of a machine can be set; of this boot, the operation itself has the time.
    func age(ofPlace place: Int64) -> Int64? { nil }

    func machine(creates: Bool) -> String? { nil }

    /// Where the journal cannot be written, no other file can be.
    func keepOutcome(_ outcome: String?, of id: String) {}

    func keptOutcome(of id: String) -> String? { nil }

    func keptOutcomes() -> [String] { [] }

    private struct Transaction: JournalTransaction {
        let database: Database
        let directory: StateDirectory

        func rows(_ sql: String, _ arguments: [JournalValue]) throws -> [[JournalValue]] {
            try Row.fetchAll(database, sql: sql, arguments: Self.arguments(arguments)).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: .null
                    case .int64(let number): .integer(number)
                    case .double(let number): .text("\(number)")
                    case .string(let text): .text(text)
                    case .blob(let bytes): .text(String(decoding: bytes, as: UTF8.self))
                    }
                }
            }
        }

        func execute(_ sql: String, _ arguments: [JournalValue]) throws {
            try database.execute(sql: sql, arguments: Self.arguments(arguments))
        }

        /// A process that was killed while it inserted this row may still hold the lock: its database is released first.
        func lockNew(_ place: Int64) throws -> OperationLock {
            OperationLock(try KernelLock.acquireUnused(place, in: directory))
        }

        /// A kernel lock is held until it is given back.
        func confirmLock(of id: String) {}

        func markUsed() throws { try KernelLock.prepare(in: directory) }

        private static func arguments(_ values: [JournalValue]) -> StatementArguments {
            var arguments: [String: DatabaseValue] = [:]
            for (place, value) in values.enumerated() { arguments["\(place + 1)"] = databaseValue(value) }
            return StatementArguments(arguments)
        }

        /// GRDB cuts text at a NUL character, which a hand-off's state may contain, but returns bytes as the whole text.
        private static func databaseValue(_ value: JournalValue) -> DatabaseValue {
            switch value {
            case .null: .null
            case .integer(let number): number.databaseValue
            case .text(let text), .json(let text):
                text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
            }
        }
    }
}

/// A kernel lock on an operation's row number in `journal.lock`. The kernel releases it when the process dies.
///
/// An open file description lock (fcntl(2)), which also tells the threads of one process apart.
final class KernelLock: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing is not enough: a child forked by another thread shares the open file between fork(2) and execve(2), and
        // would keep the lock until then. The descriptor holds no other lock, and unlocking cannot fail.
        var request = Glibc.flock(
            l_type: Int16(F_UNLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        _ = fcntl(descriptor.number, clover_ofd_setlk, &request)
    }

    /// Tries to take the lock without waiting.
    ///
    /// - Parameter place: the operation's row number.
    /// - Returns: nil if another process holds it.
    static func tryAcquire(_ place: Int64, in directory: StateDirectory) throws -> KernelLock? {
        let descriptor = try open(in: directory)
        guard try lock(descriptor, place, path: directory.path) else { return nil }
        return KernelLock(descriptor)
    }

    /// Tries to take the locks of all operations, also of those that are not recorded yet.
    ///
    /// - Returns: nil if another process holds one.
    static func tryAcquireAll(in directory: StateDirectory) throws -> KernelLock? {
        let descriptor = try open(in: directory)
        // No bytes are all bytes (fcntl(2)).
        guard try lock(descriptor, 0, length: 0, path: directory.path) else { return nil }
        return KernelLock(descriptor)
    }

    /// A place that no row has, for anything that is named by a text. Two texts may share one, which only makes them wait.
    static func place(of text: String) -> Int64 {
        var place: Int64 = 1
        for byte in SHA256.hash(Array(text.utf8)).prefix(7) { place = place << 8 | Int64(byte) }
        return place
    }

    /// Takes the lock of a row that no other process can see. Waits up to two seconds for a process that is ending.
    ///
    /// - Throws: `JournalError.lock` with EBUSY if it is still held then.
    static func acquireUnused(_ place: Int64, in directory: StateDirectory) throws -> KernelLock {
        for _ in 0..<200 {
            if let lock = try tryAcquire(place, in: directory) { return lock }
            usleep(10_000)
        }
        throw JournalError.lock(path: directory.path + "/" + name, errno: EBUSY)
    }

    /// Also shows that the journal had a row: it is created with the first one.
    static let name = "journal.lock"

    /// Creates the file if it is missing.
    static func prepare(in directory: StateDirectory) throws {
        _ = try open(in: directory)
    }

    private static func open(in directory: StateDirectory) throws -> Descriptor {
        let opened = try directory.prepare()
        do throws(ErrorNumber) {
            return try opened.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw JournalError.lock(path: opened.path(of: name), errno: error.code)
        }
    }

    private static func lock(
        _ descriptor: borrowing Descriptor, _ place: Int64, length: off_t = 1, path: String
    ) throws(JournalError) -> Bool {
        var request = Glibc.flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(place), l_len: length, l_pid: 0)
        while fcntl(descriptor.number, clover_ofd_setlk, &request) != 0 {
            if errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw .lock(path: path + "/" + name, errno: errno) }
        }
        return true
    }
}
