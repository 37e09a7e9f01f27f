import GRDB

/// What a person says of an operation whose outcome nobody else can tell. The journal keeps who said it, and when; and what
/// was heard later has the last word only where it tells that money moved.
extension ChargeJournal {
    /// Writes down what a person says. The operation's lock is held by the caller.
    ///
    /// - Parameters:
    ///   - isDone: it was carried out; otherwise nothing moved.
    ///   - person: who says so.
    ///   - payment: the payment at Clover, where it is known.
    ///   - now: milliseconds since 1970.
    /// - Returns: the operation as it is then; unchanged where it was known to have this end.
    /// - Throws: `PlanRefusal.settledBefore` for another end that is known from an answer; `.neverSent` of what never left.
    package func settleByHand(
        _ id: String, isDone: Bool, by person: String, payment: String?, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            let wasDone = operation.state == .approved
            let isByHand = operation.outcome.isByHand == true
            if operation.state.isFinal {
                let isNews = wasDone && isDone && operation.outcome.paymentID == nil && payment != nil
                if wasDone == isDone, operation.outcome.contradiction != nil, !isByHand {
                    // The person takes back what was said before, and agrees with the answer.
                    var outcome = operation.outcome
                    outcome.contradiction = nil
                    outcome.settledBy = person
                    return try Self.rewrite(
                        &operation, operation.state, outcome, "by hand, \(person): it was as the answer tells", at: now,
                        in: database)
                }
                if wasDone == isDone, !(isNews && isByHand) { return operation }
                guard isByHand else { throw PlanRefusal.settledBefore(id: id, state: operation.state) }
            }
            if operation.state == .created, isDone { throw PlanRefusal.neverSent(id: id) }
            let word = isDone ? "it was carried out" : "it was not carried out"
            var outcome = OperationOutcome(reason: "said by \(person): \(word)")
            outcome.isByHand = true
            outcome.settledBy = person
            outcome.paymentID = isDone ? payment : nil
            outcome.amount = isDone ? operation.amount?.minorUnits : nil
            return try Self.rewrite(
                &operation, isDone ? .approved : .failed, outcome, "by hand, \(person): \(word)", at: now, in: database)
        }
    }

    /// Operations that a person settled since `time` and nothing was heard about, and all of which an answer told something
    /// else since, until a person takes the word back; the oldest first.
    ///
    /// - Parameter time: milliseconds since 1970.
    package func settledByHand(since time: Int64) async throws -> [PaymentOperation] {
        try await read {
            try Self.fetch(
                $0,
                """
                state IN ('approved', 'failed') AND rail <> 'square'
                    AND (updated_at >= ? AND json_extract(outcome, '$.isByHand')
                        OR json_extract(outcome, '$.contradiction') IS NOT NULL)
                    ORDER BY place
                """, [time])
        }
    }

    /// Compares what was said by hand with what was heard now, and writes it down.
    ///
    /// - Parameters:
    ///   - state: the end that was heard.
    ///   - heard: what is known with it.
    /// - Returns: the operation as it is then.
    func hear(
        _ id: String, _ state: OperationState, _ heard: OperationOutcome, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard operation.state.isFinal, operation.outcome.isByHand == true else { return operation }
            let wasDone = operation.state == .approved
            let isDone = state == .approved
            let person = operation.outcome.settledBy ?? "somebody"
            if wasDone == isDone {
                var outcome = heard
                outcome.settledBy = operation.outcome.settledBy
                return try Self.rewrite(
                    &operation, state, outcome, "asked again: as it was said by hand", at: now, in: database)
            }
            let why = heard.reason ?? heard.code
            let contradiction =
                "\(person) said that it was \(wasDone ? "" : "not ")carried out; asked later, the answer is that it was"
                + (isDone ? "" : " not" + (why.map { " (\($0))" } ?? ""))
            // A payment is never undone by an answer: a person has seen it.
            var outcome = isDone ? heard : operation.outcome
            if operation.outcome.contradiction == contradiction { return operation }
            outcome.settledBy = operation.outcome.settledBy
            outcome.contradiction = contradiction
            return try Self.rewrite(
                &operation, isDone ? state : operation.state, outcome, contradiction, at: now, in: database)
        }
    }

    private static func rewrite(
        _ operation: inout PaymentOperation, _ state: OperationState, _ outcome: OperationOutcome, _ detail: String,
        at now: Int64, in database: Database
    ) throws -> PaymentOperation {
        operation.state = state
        operation.outcome = outcome
        operation.updatedAt = now
        try OperationRow.update(operation, in: database)
        try note(database, operation.id, state, detail, at: now)
        return operation
    }
}
