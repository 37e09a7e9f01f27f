import CLinux
import CloverDatabase
package import CloverSystem
import FoundationEssentials
import GRDB
import Glibc

/// The journal of operations about money. Each is recorded before the first byte is sent, and kept.
///
/// Each change is one transaction, which is synced to the device when the call returns. Task cancellation does not
/// interrupt a call.
package struct ChargeJournal: Sendable {
    private let database: StateDatabase
    let directory: StateDirectory

    private static let name = "journal.sqlite"

    /// Opens the journal, creating it if there is none.
    package static func open(in directory: StateDirectory) async throws -> ChargeJournal {
        let database = try await DedicatedThread.run {
            try StateDatabase(
                name, in: directory, applicationID: JournalSchema.applicationID,
                migrations: JournalSchema.migrations, witness: OperationLock.name)
        }
        return ChargeJournal(database: database, directory: directory)
    }

    /// Opens the journal; returns nil if nothing was ever charged.
    package static func existing(in directory: StateDirectory) async throws -> ChargeJournal? {
        let database = try await DedicatedThread.run {
            try StateDatabase.existing(
                name, in: directory, applicationID: JournalSchema.applicationID,
                migrations: JournalSchema.migrations, witness: OperationLock.name)
        }
        return database.map { ChargeJournal(database: $0, directory: directory) }
    }

    /// Opens the journal for a quick look, without waiting and without changing anything. Returns nil if nothing was ever
    /// charged, or if the journal has another version.
    package static func glance(in directory: StateDirectory) async throws -> ChargeJournal? {
        let database = try await DedicatedThread.run {
            try StateDatabase.glance(
                name, in: directory, applicationID: JournalSchema.applicationID,
                version: JournalSchema.migrations.count, witness: OperationLock.name)
        }
        return database.map { ChargeJournal(database: $0, directory: directory) }
    }

    /// Checks whether the journal can be used, without waiting and without changing anything.
    ///
    /// - Returns: the journal's version; nil if nothing was ever charged.
    package static func inspect(in directory: StateDirectory) async throws -> Int? {
        try await DedicatedThread.run {
            try StateDatabase.inspect(
                name, in: directory, applicationID: JournalSchema.applicationID,
                newestVersion: JournalSchema.migrations.count, witness: OperationLock.name)
        }
    }

    /// Records a new operation and takes its lock, so that no other process recovers it while it is in progress.
    ///
    /// - Returns: nil, with nothing recorded, if an operation already has this idempotency key.
    package func add(_ operation: PaymentOperation) async throws -> OperationLock? {
        try await DedicatedThread.run {
            try database.write { database in
                guard try Self.find(database, "idempotency_key", operation.idempotencyKey) == nil else { return nil }
                try OperationRow.insert(operation, into: database)
                // The lock is on the operation's own row, so the row number is read before the next insert.
                let place = database.lastInsertedRowID
                try Self.note(database, operation.id, .created, nil, at: operation.createdAt)
                // Locked before other processes can see the row. A process that was killed while it inserted this row may
                // still hold the lock: its database is released first.
                return try OperationLock.acquireUnused(place, in: directory)
            }
        }
    }

    /// The states that an operation may enter without proof.
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

    /// Moves an unsettled operation to another open state.
    ///
    /// - Parameters:
    ///   - outcome: nil keeps the recorded outcome.
    ///   - detail: the reason, for the list of transitions.
    ///   - now: milliseconds since 1970.
    /// - Returns: the resulting operation.
    /// - Throws: `JournalError.transition` if the current state does not permit the change.
    package func advance(
        _ id: String, to state: OpenState, outcome: OperationOutcome? = nil, detail: String? = nil, now: Int64
    ) async throws -> PaymentOperation {
        try await write { try Self.transition($0, id, to: state.state, outcome, detail, at: now) }
    }

    /// Records the verdict about an operation: a final state only with a proof.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the resulting operation.
    /// - Throws: `JournalError.transition` if the current state does not permit the change.
    package func settle(_ id: String, _ verdict: Verdict, now: Int64) async throws -> PaymentOperation {
        let (state, outcome) = verdict.record
        return try await write {
            try Self.transition($0, id, to: state, outcome, outcome.reason ?? outcome.code, at: now)
        }
    }

    /// Records the customer under whom the card of an operation was saved.
    ///
    /// - Returns: the resulting operation.
    package func recordCustomer(_ customer: String, of id: String, now: Int64) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            operation.request.customer = customer
            operation.updatedAt = now
            try OperationRow.update(operation, in: database)
            try Self.note(database, id, operation.state, "the card is on file: customer \(customer)", at: now)
            return operation
        }
    }

    /// Records whether the card of an operation is about to be saved, or that an earlier attempt saved it for this customer.
    func recordSaving(
        _ isSaving: Bool, customer: String?, of id: String, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            operation.request.isSavingCard = isSaving ? true : nil
            operation.request.customer = customer
            operation.updatedAt = now
            try OperationRow.update(operation, in: database)
            return operation
        }
    }

    private static func transition(
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

    /// Restarts an operation under its key, if nothing of it was ever sent. The caller holds its lock.
    ///
    /// - Parameters:
    ///   - operation: the new request, equal to the earlier one.
    ///   - now: milliseconds since 1970.
    /// - Returns: the resulting operation; nil, with nothing changed, if something may have been sent.
    package func restart(_ id: String, as operation: PaymentOperation, now: Int64) async throws -> PaymentOperation? {
        try await write { database in
            guard var present = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard present.isNeverSent else { return nil }
            let earlier = present.request
            present.request = operation.request
            if let card = earlier.cardOnFile,
                card.email.lowercased() == operation.request.cardOnFile?.email.lowercased()
            {
                present.request.customer = earlier.customer
                present.request.isSavingCard = earlier.isSavingCard
            }
            present.state = .created
            present.outcome = OperationOutcome()
            present.updatedAt = now
            try OperationRow.update(present, in: database)
            try Self.note(database, id, .created, "again: nothing had been sent", at: now)
            return present
        }
    }

    /// The operation with this ID.
    package func operation(_ id: String) async throws -> PaymentOperation? {
        try await read { try Self.find($0, "id", id) }
    }

    /// The operation with this id, or the only charge that has this payment at Clover.
    package func operation(named name: String) async throws -> PaymentOperation? {
        if let found = try await operation(name) { return found }
        let charges = try await read {
            try Self.fetch($0, "kind = 'charge' AND json_extract(outcome, '$.paymentID') = ?", [name])
        }
        return charges.count == 1 ? charges[0] : nil
    }

    /// The operation with this idempotency key.
    package func operation(key: String) async throws -> PaymentOperation? {
        try await read { try Self.find($0, "idempotency_key", key) }
    }

    /// Charges, newest first.
    ///
    /// - Parameter times: when they were made, in milliseconds since 1970; nil for any time.
    package func charges(
        limit: Int, state: OperationState? = nil, times: Range<Int64>? = nil
    ) async throws -> [PaymentOperation] {
        try await read { database in
            try Self.fetch(
                database,
                """
                kind = 'charge' AND rail NOT IN (\(Self.otherRails))
                    AND (:state IS NULL OR state = :state OR :state = 'unknown' AND state = 'sent')
                    AND ifnull(created_at >= :from AND created_at < :to, 1)
                ORDER BY place DESC LIMIT :limit
                """,
                ["state": state?.rawValue, "limit": limit, "from": times?.lowerBound, "to": times?.upperBound])
        }
    }

    /// The operations of a rail that makes no charges, newest first.
    package func operations(on rail: PaymentRail, limit: Int) async throws -> [PaymentOperation] {
        try await read { try Self.fetch($0, "rail = ? ORDER BY place DESC LIMIT ?", [rail.rawValue, limit]) }
    }

    /// The operations that are to make the same as this one, and may have made it.
    func operations(like operation: PaymentOperation) async throws -> [PaymentOperation] {
        let (rail, merchant, external) = (operation.rail.rawValue, operation.merchantID, operation.externalID)
        return try await read {
            try Self.fetch(
                $0,
                "rail = ? AND merchant = ? AND external_id = ? AND state IN ('created', 'sent', 'unknown', 'approved')",
                [rail, merchant, external])
        }
    }

    /// The newest charge that may have saved a card for the same address, and of which no customer is known.
    func openSave(like operation: PaymentOperation, of card: CardOnFile) async throws -> PaymentOperation? {
        let (rail, merchant, service) = (operation.rail.rawValue, operation.merchantID, operation.environment)
        return try await read {
            try Self.fetch(
                $0,
                """
                rail = ? AND merchant = ? AND environment = ? AND json_extract(request, '$.isSavingCard')
                    AND json_extract(request, '$.customer') IS NULL ORDER BY place DESC
                """, [rail, merchant, service]
            ).first { $0.request.cardOnFile?.email.lowercased() == card.email.lowercased() }
        }
    }

    /// Takes the lock of something that is to be made once, such as the customer of an address.
    ///
    /// - Returns: nil if another process holds it.
    func claim(_ text: String) async throws -> OperationLock? {
        let directory = directory
        return try await DedicatedThread.run {
            try OperationLock.tryAcquire(OperationLock.place(of: text), in: directory)
        }
    }

    /// The rails that make no charges, for SQL.
    private static let otherRails = PaymentRail.allCases.filter { !$0.isCharge }.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// The follow-ups of a charge, oldest first.
    package func followUps(of id: String) async throws -> [PaymentOperation] {
        try await read { try Self.fetch($0, "parent = ? ORDER BY place", [id]) }
    }

    /// Operations that are not settled, and charges with a partial approval that was not asked for and may not have been
    /// voided or refunded; oldest first. Hand-offs are left out: only their responses settle them.
    package func unsettled() async throws -> [PaymentOperation] {
        try await read { database in
            let open = try Self.fetch(
                database,
                """
                rail <> 'square' AND (state IN ('created', 'sent', 'unknown')
                    OR kind = 'charge' AND state = 'approved' AND rail <> 'reader'
                        AND json_extract(outcome, '$.amount') < amount
                        AND NOT json_extract(request, '$.acceptsPartial')
                        AND json_extract(outcome, '$.isByHand') IS NULL AND json_extract(outcome, '$.settledBy') IS NULL
                        AND NOT EXISTS (SELECT 1 FROM operations AS later WHERE later.parent = operations.id
                            AND later.kind IN ('void', 'refund') AND later.state = 'approved'))
                ORDER BY place
                """, [])
            return open
        }
    }

    /// The IDs of payments that other charges made: those of all charges with the same external ID, and of all that were
    /// recorded since some time before this one.
    func payments(besides operation: PaymentOperation) async throws -> Set<String> {
        let (id, external) = (operation.id, operation.externalID)
        return try await read { database in
            Set(
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT json_extract(outcome, '$.paymentID') FROM operations
                        WHERE kind = ?4 AND id <> ?1 AND json_extract(outcome, '$.paymentID') IS NOT NULL
                            AND (external_id = ?2
                                OR place > COALESCE((SELECT place FROM operations WHERE id = ?1), 1 << 60) - ?3)
                        """, arguments: [id, external, Self.recentOperationCount, operation.kind.rawValue]))
        }
    }

    /// How many of the preceding operations count as made at about the same time.
    private static let recentOperationCount = 5000

    /// The operation's transitions, oldest first.
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

    /// Takes the lock of an operation, to work on it.
    ///
    /// - Returns: nil if another process holds it.
    package func lock(_ id: String) async throws -> OperationLock? {
        let directory = directory
        return try await DedicatedThread.run {
            let place = try database.read {
                try Int64.fetchOne($0, sql: "SELECT place FROM operations WHERE id = ?", arguments: [id])
            }
            guard let place else { throw JournalError.missing(id: id) }
            return try OperationLock.tryAcquire(place, in: directory)
        }
    }

    /// The same, but waits for the process that holds it.
    ///
    /// - Parameters:
    ///   - seconds: the longest wait.
    ///   - sleep: waits this many seconds; throws when cancelled.
    ///   - isOver: whether the time of the run has ended.
    /// - Returns: nil if another process still holds it then.
    package func lock(
        _ id: String, within seconds: Double, sleep: (Double) async throws -> Void, until isOver: () -> Bool = { false }
    ) async throws -> OperationLock? {
        var waited = 0.0
        while true {
            if let lock = try await lock(id) { return lock }
            guard waited < seconds, !isOver() else { return nil }
            try await sleep(Self.lockPause)
            waited += Self.lockPause
        }
    }

    /// Seconds between two looks at a lock.
    private static let lockPause = 0.05

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

/// A kernel lock on an operation's row number in `journal.lock`, held while a process works on the operation. It prevents
/// another process from recovering a charge in progress, and lets only one of two recovering processes proceed. The kernel
/// releases the lock when the process dies.
///
/// An open file description lock (fcntl(2)), which also tells the threads of one process apart.
package final class OperationLock: Sendable {
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
    static func tryAcquire(_ place: Int64, in directory: StateDirectory) throws -> OperationLock? {
        let descriptor = try open(in: directory)
        guard try lock(descriptor, place, path: directory.path) else { return nil }
        return OperationLock(descriptor)
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
    static func acquireUnused(_ place: Int64, in directory: StateDirectory) throws -> OperationLock {
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
        _ descriptor: borrowing Descriptor, _ place: Int64, path: String
    ) throws(JournalError) -> Bool {
        var request = Glibc.flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(place), l_len: 1, l_pid: 0)
        while fcntl(descriptor.number, clover_ofd_setlk, &request) != 0 {
            if errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw .lock(path: path + "/" + name, errno: errno) }
        }
        return true
    }
}

/// Errors of the journal itself. Trouble with the database is a `StateDatabaseError`.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process has settled the operation in the meantime.
    case transition(id: String, from: OperationState, to: OperationState)
    /// No row has this ID.
    case missing(id: String)
    /// A row that no version of this program could have written.
    case malformed(id: String)
    /// The lock file cannot be used.
    case lock(path: String, errno: Int32)
}
