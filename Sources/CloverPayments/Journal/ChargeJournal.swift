import CLinux
package import CloverStorage
import CloverThreads
import FoundationEssentials
import GRDB
import Glibc

/// Everything that was asked of Clover about money: written before the first byte leaves, and kept.
///
/// Each change is one transaction, on the device when the call returns. Calls are not cut short by cancellation.
package struct ChargeJournal: Sendable {
    private let database: StateDatabase
    private let directory: StateDirectory

    private static let name = "journal.sqlite"

    /// Opens the journal, and makes it where there is none.
    package static func open(in directory: StateDirectory) async throws -> ChargeJournal {
        let database = try await DedicatedThread.run {
            try StateDatabase(
                name, in: directory, applicationID: JournalSchema.applicationID,
                migrations: JournalSchema.migrations)
        }
        return ChargeJournal(database: database, directory: directory)
    }

    /// Opens the journal; nil when nothing was ever charged.
    package static func existing(in directory: StateDirectory) async throws -> ChargeJournal? {
        let database = try await DedicatedThread.run {
            try StateDatabase.existing(
                name, in: directory, applicationID: JournalSchema.applicationID,
                migrations: JournalSchema.migrations)
        }
        return database.map { ChargeJournal(database: $0, directory: directory) }
    }

    /// The same for reading at a glance: nobody is waited for, and nothing is changed. Nil too when the journal is of another
    /// version.
    package static func glance(in directory: StateDirectory) async throws -> ChargeJournal? {
        let database = try await DedicatedThread.run {
            try StateDatabase.glance(
                name, in: directory, applicationID: JournalSchema.applicationID,
                version: JournalSchema.migrations.count)
        }
        return database.map { ChargeJournal(database: $0, directory: directory) }
    }

    /// Whether the journal can be used; nothing is changed, and nobody is waited for.
    ///
    /// - Returns: its version; nil when nothing was ever charged.
    package static func inspect(in directory: StateDirectory) async throws -> Int? {
        try await DedicatedThread.run {
            try StateDatabase.inspect(
                name, in: directory, applicationID: JournalSchema.applicationID,
                newestVersion: JournalSchema.migrations.count)
        }
    }

    /// Writes a new operation down and takes its lock, so that nobody recovers it while it is being done.
    ///
    /// - Returns: nil, with nothing written, when an operation has this idempotency key already.
    package func add(_ operation: PaymentOperation) async throws -> OperationLock? {
        try await DedicatedThread.run {
            try database.write { database in
                guard try Self.find(database, "idempotency_key", operation.idempotencyKey) == nil else { return nil }
                try OperationRow.insert(operation, into: database)
                // The lock is on the operation's own row: read before anything else is inserted.
                let place = database.lastInsertedRowID
                try Self.note(database, operation.id, .created, nil, at: operation.createdAt)
                // Before the row can be seen by others.
                guard let lock = try OperationLock.tryAcquire(place, in: directory) else {
                    throw JournalError.malformed(id: operation.id)
                }
                return lock
            }
        }
    }

    /// What an operation may become without proof.
    package enum OpenState {
        case created, sent, unknown

        var state: OperationState {
            switch self {
            case .created: .created
            case .sent: .sent
            case .unknown: .unknown
            }
        }
    }

    /// Moves an operation on that is not settled, and returns it as it is then.
    ///
    /// - Parameters:
    ///   - outcome: nil leaves what is known.
    ///   - detail: why, for the list of transitions.
    ///   - now: milliseconds since 1970.
    /// - Throws: `JournalError.transition` when what is there does not permit it.
    package func advance(
        _ id: String, to state: OpenState, outcome: OperationOutcome? = nil, detail: String? = nil, now: Int64
    ) async throws -> PaymentOperation {
        try await write { try Self.move($0, id, to: state.state, outcome, detail, at: now) }
    }

    /// Writes down what is known of an operation: an end only by a proof.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the operation as it is then.
    /// - Throws: `JournalError.transition` when what is there does not permit it.
    package func settle(_ id: String, _ verdict: Verdict, now: Int64) async throws -> PaymentOperation {
        let (state, outcome) = verdict.record
        return try await write {
            try Self.move($0, id, to: state, outcome, outcome.reason ?? outcome.code, at: now)
        }
    }

    private static func move(
        _ database: Database, _ id: String, to state: OperationState, _ outcome: OperationOutcome?, _ detail: String?,
        at now: Int64
    ) throws -> PaymentOperation {
        guard var operation = try find(database, "id", id) else { throw JournalError.missing(id: id) }
        guard operation.state.permits(state) else {
            throw JournalError.transition(id: id, from: operation.state, to: state)
        }
        operation.state = state
        if let outcome { operation.outcome = outcome }
        operation.updatedAt = now
        try OperationRow.update(operation, in: database)
        try note(database, id, state, detail, at: now)
        return operation
    }

    /// Begins an operation anew of which nothing ever left, under its key. The caller has its lock.
    ///
    /// - Parameters:
    ///   - operation: what is asked for now, as it was before.
    ///   - now: milliseconds since 1970.
    /// - Returns: the operation as it is then; nil, with nothing changed, when something may have left.
    package func restart(_ id: String, as operation: PaymentOperation, now: Int64) async throws -> PaymentOperation? {
        try await write { database in
            guard var present = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard present.isNeverSent else { return nil }
            present.request = operation.request
            present.state = .created
            present.outcome = OperationOutcome()
            present.updatedAt = now
            try OperationRow.update(present, in: database)
            try Self.note(database, id, .created, "again: nothing had left", at: now)
            return present
        }
    }

    /// The operation with this id.
    package func operation(_ id: String) async throws -> PaymentOperation? {
        try await read { try Self.find($0, "id", id) }
    }

    /// The operation with this idempotency key.
    package func operation(key: String) async throws -> PaymentOperation? {
        try await read { try Self.find($0, "idempotency_key", key) }
    }

    /// Charges, the newest first.
    package func charges(limit: Int, state: OperationState? = nil) async throws -> [PaymentOperation] {
        try await read { database in
            try Self.fetch(
                database, "kind = 'charge' AND (? IS NULL OR state = ?) ORDER BY place DESC LIMIT ?",
                [state?.rawValue, state?.rawValue, limit])
        }
    }

    /// What came after a charge, the oldest first.
    package func followUps(of id: String) async throws -> [PaymentOperation] {
        try await read { try Self.fetch($0, "parent = ? ORDER BY place", [id]) }
    }

    /// Operations that are not settled, and charges of which a part was approved that was not asked for and may not have been
    /// taken back; the oldest first. Hand-offs are settled by their answers alone.
    package func unsettled() async throws -> [PaymentOperation] {
        try await read { database in
            let open = try Self.fetch(
                database,
                """
                rail <> 'square' AND (state IN ('created', 'sent', 'unknown')
                    OR kind = 'charge' AND state = 'approved' AND rail <> 'reader'
                        AND json_extract(outcome, '$.amount') < amount
                        AND NOT json_extract(request, '$.acceptsPartial')
                        AND json_extract(outcome, '$.isByHand') IS NULL
                        AND NOT EXISTS (SELECT 1 FROM operations AS later WHERE later.parent = operations.id
                            AND later.kind IN ('void', 'refund')
                            AND json_extract(later.outcome, '$.neverLeft') IS NULL))
                ORDER BY place
                """, [])
            return open
        }
    }

    /// The service's ids of payments that other charges made: all those of the same external id, and those written down
    /// since some time before.
    func payments(besides operation: PaymentOperation) async throws -> Set<String> {
        let (id, external) = (operation.id, operation.externalID)
        return try await read { database in
            Set(
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT json_extract(outcome, '$.paymentID') FROM operations
                        WHERE kind = 'charge' AND id <> ?1 AND json_extract(outcome, '$.paymentID') IS NOT NULL
                            AND (external_id = ?2
                                OR place > COALESCE((SELECT place FROM operations WHERE id = ?1), 1 << 60) - ?3)
                        """, arguments: [id, external, Self.neighbours]))
        }
    }

    /// How many operations before one may have been made at about the same time.
    private static let neighbours = 5000

    /// The operation's states, the oldest first.
    package func transitions(of id: String) async throws -> [OperationTransition] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT state, detail, at FROM transitions WHERE operation = ? ORDER BY rowid",
                arguments: [id]
            ).map { row in
                guard let state = OperationState(rawValue: row["state"]) else { throw JournalError.malformed(id: id) }
                return OperationTransition(state: state, detail: row["detail"], at: row["at"])
            }
        }
    }

    /// Takes the lock of an operation to work on it.
    ///
    /// - Parameter waiting: whether to wait for whoever works on it.
    /// - Returns: nil when somebody does, and `waiting` is false.
    package func lock(_ id: String, waiting: Bool) async throws -> OperationLock? {
        let directory = directory
        return try await DedicatedThread.run {
            let place = try database.read {
                try Int64.fetchOne($0, sql: "SELECT place FROM operations WHERE id = ?", arguments: [id])
            }
            guard let place else { throw JournalError.missing(id: id) }
            return waiting
                ? try OperationLock.acquire(place, in: directory)
                : try OperationLock.tryAcquire(place, in: directory)
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { try database.read(body) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { try database.write(body) }
    }

    static func find(_ database: Database, _ column: String, _ value: String) throws -> PaymentOperation? {
        try fetch(database, "\(column) = ?", [value]).first
    }

    static func fetch(
        _ database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [PaymentOperation] {
        try Row.fetchAll(database, sql: "SELECT * FROM operations WHERE \(condition)", arguments: arguments)
            .map(OperationRow.operation)
    }

    static func note(
        _ database: Database, _ id: String, _ state: OperationState, _ detail: String?, at now: Int64
    ) throws {
        try database.execute(
            sql: "INSERT INTO transitions (operation, at, state, detail) VALUES (?, ?, ?, ?)",
            arguments: [id, now, state.rawValue, detail])
    }
}

/// Whoever works on an operation holds the kernel's lock on its place in `journal.lock`: a charge under way is not
/// recovered by somebody else, and of two who recover one does it. The kernel drops the lock of a dead process.
///
/// A lock of an open file description (fcntl(2)), which also tells threads of one process apart.
package final class OperationLock: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Takes the lock at once, or not at all.
    ///
    /// - Parameter place: the operation's row number.
    /// - Returns: nil when somebody else has it.
    static func tryAcquire(_ place: Int64, in directory: StateDirectory) throws -> OperationLock? {
        let descriptor = try open(in: directory)
        guard try lock(descriptor, place, waiting: false, path: directory.path) else { return nil }
        return OperationLock(descriptor)
    }

    /// Waits for the lock. Blocks: only for a thread that may.
    static func acquire(_ place: Int64, in directory: StateDirectory) throws -> OperationLock {
        let descriptor = try open(in: directory)
        _ = try lock(descriptor, place, waiting: true, path: directory.path)
        return OperationLock(descriptor)
    }

    private static let name = "journal.lock"

    private static func open(in directory: StateDirectory) throws -> Descriptor {
        let opened = try directory.prepare()
        do throws(ErrorNumber) {
            return try opened.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw JournalError.lock(path: opened.path(of: name), errno: error.code)
        }
    }

    private static func lock(
        _ descriptor: borrowing Descriptor, _ place: Int64, waiting: Bool, path: String
    ) throws(JournalError) -> Bool {
        var request = Glibc.flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(place), l_len: 1, l_pid: 0)
        while fcntl(descriptor.number, waiting ? clover_ofd_setlkw : clover_ofd_setlk, &request) != 0 {
            if !waiting, errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw .lock(path: path + "/" + name, errno: errno) }
        }
        return true
    }
}

/// What the journal refuses. Trouble with the database itself is a `StateDatabaseError`.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process has settled the operation meanwhile.
    case transition(id: String, from: OperationState, to: OperationState)
    /// No row of this id.
    case missing(id: String)
    /// A row that no version of this program has written.
    case malformed(id: String)
    /// The lock file cannot be used.
    case lock(path: String, errno: Int32)
}
