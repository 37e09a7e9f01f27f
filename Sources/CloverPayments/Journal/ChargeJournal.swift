import CloverDatabase
package import CloverSystem
import FoundationEssentials

/// The journal of operations about money. Each is recorded before the first byte is sent, and kept.
///
/// Each change is one transaction, which is synced to the device when the call returns. Task cancellation does not
/// interrupt a call.
package struct ChargeJournal: Sendable {
    private let store: any JournalStore
    private let outcomePatience: Double

    /// Seconds to try again while a database is away.
    static let patience = 5.0

    /// - Parameter outcomePatience: the same for what a service has done, which nothing but the journal records.
    package init(_ store: any JournalStore, outcomePatience: Double = 60) {
        self.store = store
        self.outcomePatience = outcomePatience
    }

    /// Opens the journal in a file, creating it if there is none.
    package static func open(in directory: StateDirectory) async throws -> ChargeJournal {
        try await DedicatedThread.run { ChargeJournal(try JournalFile.open(in: directory)) }
    }

    /// Opens the journal in a file; returns nil if nothing was ever charged.
    package static func existing(in directory: StateDirectory) async throws -> ChargeJournal? {
        try await DedicatedThread.run { try JournalFile.existing(in: directory).map { ChargeJournal($0) } }
    }

    /// Opens the journal in a file for a quick look, without waiting and without changing anything. Returns nil if nothing was
    /// ever charged, or if the journal has another version.
    package static func glance(in directory: StateDirectory) async throws -> ChargeJournal? {
        try await DedicatedThread.run { try JournalFile.glance(in: directory).map { ChargeJournal($0) } }
    }

    /// The journal in a file that is not used, also if a move of it has begun, for a look. Nil if nothing was ever charged.
    ///
    /// - Parameter directory: for moving.
    package static func left(in directory: StateDirectory) async throws -> ChargeJournal? {
        try await DedicatedThread.run {
            do {
                return try JournalFile.existing(in: directory).map { ChargeJournal($0) }
            } catch StateDatabaseError.storage(.moved) {
                return try JournalFile.glance(in: directory, isSealed: true).map { ChargeJournal($0) }
            }
        }
    }

    /// Checks whether the journal in a file can be used, without waiting and without changing anything.
    ///
    /// - Returns: the journal's version; nil if nothing was ever charged.
    package static func inspect(in directory: StateDirectory) async throws -> Int? {
        try await DedicatedThread.run { try JournalFile.inspect(in: directory) }
    }

    /// Records a new operation and takes its lock, so that no other process recovers it while it is in progress.
    ///
    /// - Returns: nil, with nothing recorded, if an operation already has this idempotency key.
    package func add(_ operation: PaymentOperation) async throws -> OperationLock? {
        try await write { database in
            guard try Self.find(database, "idempotency_key", operation.idempotencyKey) == nil else { return nil }
            let place = try OperationRow.insert(operation, into: database)
            try Self.note(database, operation.id, .created, nil, at: operation.createdAt)
            return try database.lockNew(place)
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
    ///   - source: what is known of the card and its token, which the row does not have before they are sent; nil keeps it.
    ///   - now: milliseconds since 1970.
    /// - Returns: the resulting operation.
    /// - Throws: `JournalError.transition` if the current state does not permit the change.
    package func advance(
        _ id: String, to state: OpenState, outcome: OperationOutcome? = nil, detail: String? = nil,
        source: OperationRequest? = nil, now: Int64
    ) async throws -> PaymentOperation {
        try await write { try Self.transition($0, id, to: state.state, outcome, detail, source: source, at: now) }
    }

    /// Records the verdict about an operation: a final state only with a proof.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the resulting operation.
    /// - Throws: `JournalError.transition` if the current state does not permit the change.
    package func settle(_ id: String, _ verdict: Verdict, now: Int64) async throws -> PaymentOperation {
        let (state, outcome) = verdict.record
        let isLost = outcome.neverLeft != true
        do {
            return try await write(for: isLost ? outcomePatience : Self.patience) {
                try Self.transition($0, id, to: state, outcome, outcome.reason ?? outcome.code, at: now)
            }
        } catch let error as JournalError {
            if case .away = error, isLost, state.isFinal {
                let kept = try BodyText.encode(KeptOutcome(state: state, outcome: outcome))
                try await DedicatedThread.run { try store.keepOutcome(kept, of: id) }
            }
            throw error
        }
    }

    /// An outcome that this machine has seen, while the database could not record it.
    private struct KeptOutcome: Codable {
        let state: OperationState
        let outcome: OperationOutcome
    }

    /// Records the outcome that an earlier process of this machine saw, and could not record, and forgets it. If the journal has
    /// an outcome already, both are compared. The caller holds the operation's lock.
    ///
    /// - Returns: the resulting operation; nil if there is none.
    /// - Throws: `JournalError.transition` if the journal has another outcome that is proved: then it is kept.
    package func settleKept(_ id: String, now: Int64) async throws -> PaymentOperation? {
        guard let text = try await DedicatedThread.run({ try store.keptOutcome(of: id) }) else { return nil }
        let kept = try JSONDecoder().decode(KeptOutcome.self, from: Data(text.utf8))
        let settled: PaymentOperation = try await write { database in
            guard let present = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard present.state.isFinal else {
                return try Self.transition(
                    database, id, to: kept.state, kept.outcome, "seen while the journal could not be written", at: now)
            }
            let known = try Self.heard(present, kept.state, kept.outcome, at: now, in: database)
            guard known.outcome.contradiction != nil || (known.state == .approved) == (kept.state == .approved) else {
                throw JournalError.transition(id: id, from: known.state, to: kept.state)
            }
            return known
        }
        try await DedicatedThread.run { try store.keepOutcome(nil, of: id) }
        return settled
    }

    /// The IDs of the operations of which this machine keeps an outcome that the journal may not have.
    package func keptOutcomes() async throws -> [String] {
        try await DedicatedThread.run { try store.keptOutcomes() }
    }

    /// The name of this machine among those that share the journal; nil if the journal is a file.
    func machine(creates: Bool) async throws -> String? {
        try await DedicatedThread.run { try store.machine(creates: creates) }
    }

    /// Records the customer under whom the card of an operation was saved.
    ///
    /// - Returns: the resulting operation.
    package func recordCustomer(_ customer: String, of id: String, now: Int64) async throws -> PaymentOperation {
        try await write(for: outcomePatience) { database in
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
        _ database: any JournalTransaction, _ id: String, to state: OperationState, _ outcome: OperationOutcome?,
        _ detail: String?, source: OperationRequest? = nil, at now: Int64
    ) throws -> PaymentOperation {
        guard var operation = try find(database, "id", id) else { throw JournalError.missing(id: id) }
        guard operation.state.permits(state) else {
            throw JournalError.transition(id: id, from: operation.state, to: state)
        }
        if state == .sent { try database.confirmLock(of: id) }
        operation.state = state
        if let outcome { operation.outcome = outcome }
        if let source {
            operation.request.sourceMark = source.sourceMark
            operation.request.cardEnd = source.cardEnd
        }
        operation.updatedAt = now
        try OperationRow.update(operation, in: database)
        try note(database, id, state, detail, at: now)
        return operation
    }

    /// Restarts an operation under its key, if nothing of it was ever sent. The caller holds its lock.
    ///
    /// - Parameters:
    ///   - operation: the new request, equal to the earlier one, except that the remainder of a charge may have changed.
    ///   - now: milliseconds since 1970.
    /// - Returns: the resulting operation; nil, with nothing changed, if something may have been sent.
    package func restart(_ id: String, as operation: PaymentOperation, now: Int64) async throws -> PaymentOperation? {
        try await write { database in
            guard var present = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard present.isNeverSent else { return nil }
            let earlier = present.request
            present.request = operation.request
            present.amount = operation.amount
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
            try Self.fetch($0, "kind = 'charge' AND json_extract(outcome, '$.paymentID') = $1", [.text(name)])
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
                    AND (CAST($1 AS text) IS NULL OR state = $1 OR $1 = 'unknown' AND state = 'sent')
                    AND (CAST($2 AS bigint) IS NULL OR created_at >= $2 AND created_at < $3)
                ORDER BY place DESC LIMIT $4
                """,
                [
                    JournalValue(state?.rawValue), JournalValue(times?.lowerBound), JournalValue(times?.upperBound),
                    .integer(Int64(limit)),
                ])
        }
    }

    /// The charges that were made before these times, and refunded or voided in them, newest first.
    ///
    /// - Parameter times: milliseconds since 1970.
    package func chargesGivenBack(in times: Range<Int64>) async throws -> [PaymentOperation] {
        try await read { database in
            try Self.fetch(
                database,
                """
                kind = 'charge' AND rail NOT IN (\(Self.otherRails)) AND created_at < $1
                    AND id IN (SELECT parent FROM operations WHERE kind IN ('refund', 'void') AND state = 'approved'
                        AND created_at >= $1 AND created_at < $2)
                ORDER BY place DESC
                """,
                [.integer(times.lowerBound), .integer(times.upperBound)])
        }
    }

    /// The operations of a rail that makes no charges, newest first.
    package func operations(on rail: PaymentRail, limit: Int) async throws -> [PaymentOperation] {
        try await read {
            try Self.fetch(
                $0, "rail = $1 ORDER BY place DESC LIMIT $2", [.text(rail.rawValue), .integer(Int64(limit))])
        }
    }

    /// The operations that are to make the same as this one, and may have made it.
    func operations(like operation: PaymentOperation) async throws -> [PaymentOperation] {
        let (rail, merchant, external) = (operation.rail.rawValue, operation.merchantID, operation.externalID)
        return try await read {
            try Self.fetch(
                $0,
                "rail = $1 AND merchant = $2 AND external_id = $3 AND state IN ('created', 'sent', 'unknown', 'approved')",
                [.text(rail), .text(merchant), JournalValue(external)])
        }
    }

    /// The newest charge that may have saved a card for the same address, and of which no customer is known.
    func openSave(like operation: PaymentOperation, of card: CardOnFile) async throws -> PaymentOperation? {
        let (rail, merchant, service) = (operation.rail.rawValue, operation.merchantID, operation.environment)
        return try await read {
            try Self.fetch(
                $0,
                """
                rail = $1 AND merchant = $2 AND environment = $3
                    AND CAST(json_extract(request, '$.isSavingCard') AS bigint) = 1
                    AND json_extract(request, '$.customer') IS NULL ORDER BY place DESC
                """, [.text(rail), .text(merchant), .text(service)]
            ).first { $0.request.cardOnFile?.email.lowercased() == card.email.lowercased() }
        }
    }

    /// Takes the lock of something that is to be made once, such as the customer of an address.
    ///
    /// - Returns: nil if another process holds it.
    func claim(_ text: String) async throws -> OperationLock? {
        try await DedicatedThread.run { try store.claim(text) }
    }

    /// The rails that make no charges, for SQL.
    private static let otherRails = PaymentRail.allCases.filter { !$0.isCharge }.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// The follow-ups of a charge, oldest first.
    package func followUps(of id: String) async throws -> [PaymentOperation] {
        try await read { try Self.fetch($0, "parent = $1 ORDER BY place", [.text(id)]) }
    }

    /// Operations that are not settled, and charges with a partial approval that was not asked for and may not have been
    /// voided or refunded, nor captured by a person, here or elsewhere; oldest first. Hand-offs are left out: only their responses settle them.
    package func unsettled() async throws -> [PaymentOperation] {
        try await read { database in
            let open = try Self.fetch(
                database,
                """
                rail <> 'square' AND (state IN ('created', 'sent', 'unknown')
                    OR kind = 'charge' AND state = 'approved' AND rail <> 'reader'
                        AND CAST(json_extract(outcome, '$.amount') AS bigint) < amount
                        AND CAST(json_extract(request, '$.acceptsPartial') AS bigint) = 0
                        AND NOT (rail = 'ecommerce' AND COALESCE(json_extract(request, '$.type'), '') = 'preauth')
                        AND json_extract(outcome, '$.isByHand') IS NULL AND json_extract(outcome, '$.settledBy') IS NULL
                        AND NOT EXISTS (SELECT 1 FROM operations AS later WHERE later.parent = operations.id
                            AND later.kind IN ('void', 'refund', 'capture') AND later.state = 'approved')
                        AND (json_extract(outcome, '$.elsewhere') IS NULL
                            OR EXISTS (SELECT 1 FROM operations AS later WHERE later.parent = operations.id
                                AND later.kind IN ('void', 'refund')
                                AND json_extract(later.outcome, '$.isByHand') IS NOT NULL)))
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
            let rows = try database.rows(
                """
                SELECT json_extract(outcome, '$.paymentID') FROM operations
                WHERE kind = $4 AND id <> $1 AND json_extract(outcome, '$.paymentID') IS NOT NULL
                    AND (external_id = $2
                        OR place > COALESCE((SELECT place FROM operations WHERE id = $1), 1152921504606846976) - $3)
                """,
                [
                    .text(id), JournalValue(external), .integer(Self.recentOperationCount),
                    .text(operation.kind.rawValue),
                ])
            return Set(rows.compactMap { $0.first?.text })
        }
    }

    /// How many of the preceding operations count as made at about the same time.
    private static let recentOperationCount: Int64 = 5000

    /// The operation's transitions, oldest first.
    package func transitions(of id: String) async throws -> [OperationTransition] {
        try await read { database in
            try database.rows(
                "SELECT state, detail, at FROM transitions WHERE operation = $1 ORDER BY rowid", [.text(id)]
            ).map { row in
                guard let state = row[0].text.flatMap({ OperationState(rawValue: $0) }), let at = row[2].integer else {
                    throw JournalError.malformed(id: id)
                }
                return OperationTransition(state: state, detail: row[1].text, at: at)
            }
        }
    }

    /// Takes the lock of an operation, to work on it.
    ///
    /// - Returns: nil if another process holds it.
    package func lock(_ id: String) async throws -> OperationLock? {
        try await DedicatedThread.run { try store.lock(try place(of: id)) }
    }

    /// Milliseconds since an operation was recorded, by a clock that all machines share; nil if there is none.
    func age(of id: String) async throws -> Int64? {
        try await DedicatedThread.run { try store.age(ofPlace: try place(of: id)) }
    }

    private func place(of id: String) throws -> Int64 {
        let row = try store.read { try $0.rows("SELECT place FROM operations WHERE id = $1", [.text(id)]) }.first
        guard let place = row?.first?.integer else { throw JournalError.missing(id: id) }
        return place
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
            try await sleep(store.lockPause)
            waited += store.lockPause
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any JournalTransaction) throws -> Value
    ) async throws -> Value {
        try await DedicatedThread.run { try store.read(body) }
    }

    func write<Value: Sendable>(
        for patience: Double = patience, _ body: @escaping @Sendable (any JournalTransaction) throws -> Value
    ) async throws -> Value {
        try await DedicatedThread.run { try store.write(for: patience, body) }
    }

    static func find(
        _ database: any JournalTransaction, _ column: String, _ value: String
    ) throws -> PaymentOperation? {
        try fetch(database, "\(column) = $1", [.text(value)]).first
    }

    static func fetch(
        _ database: any JournalTransaction, _ condition: String, _ arguments: [JournalValue]
    ) throws -> [PaymentOperation] {
        try database.rows("SELECT \(OperationRow.columns) FROM operations WHERE \(condition)", arguments)
            .map(OperationRow.operation)
    }

    static func note(
        _ database: any JournalTransaction, _ id: String, _ state: OperationState, _ detail: String?, at now: Int64
    ) throws {
        try database.execute(
            "INSERT INTO transitions (operation, at, state, detail) VALUES ($1, $2, $3, $4)",
            [.text(id), .integer(now), .text(state.rawValue), JournalValue(detail)])
    }
}
