/// Payments requested from another company's app. Their outcome is known only when the app responds; until then there is
/// no service to ask.
extension ChargeJournal {
    /// Records hand-offs as sent, all in one transaction: from now on, anyone with the URL may carry one out.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: for each hand-off its ID, and an older one with the same state that awaits a response: the newest of
    ///   those that ask for something else, or else the newest of all.
    package func add(_ handOffs: [HandOff], now: Int64) async throws -> [(id: String, rival: ConflictingHandOff?)] {
        try await write { database in
            if !handOffs.isEmpty { try database.markUsed() }
            return try handOffs.map { handOff in
                let rival = handOff.state == nil ? nil : try Self.rival(of: handOff, in: database)
                var operation = handOff.operation(id: OperationIdentifier.make(.charge, now: now), now: now)
                operation.state = .sent
                _ = try OperationRow.insert(operation, into: database)
                try Self.note(database, operation.id, .created, nil, at: now)
                try Self.note(database, operation.id, .sent, nil, at: now)
                return (operation.id, rival)
            }
        }
    }

    private static func rival(of handOff: HandOff, in database: any JournalTransaction) throws -> ConflictingHandOff? {
        let open = try handOffs(database, state: handOff.state).filter { !$0.state.isFinal }
        let other = open.first { $0.request.body != handOff.body }
        return (other ?? open.first).map { ConflictingHandOff(id: $0.id, isSameRequest: other == nil) }
    }

    /// Settles the hand-off that a response belongs to, if that is certain. Of two simultaneous responses, only one can
    /// settle a hand-off.
    ///
    /// - Parameters:
    ///   - chosen: the hand-off that the user named; nil searches for it.
    ///   - detail: text for the list of transitions.
    ///   - now: milliseconds since 1970.
    /// - Throws: `JournalError.missing` if the chosen hand-off does not exist.
    package func settle(
        by answer: HandOffResponse, chosen: String? = nil, detail: String?, now: Int64
    ) async throws -> HandOffMatch {
        try await write { try Self.settle($0, by: answer, chosen, detail, at: now) }
    }

    /// Settles several responses in order, all in one transaction: one sync to the device takes as long as many do.
    ///
    /// - Returns: the match of each response, in their order.
    package func settle(
        byEach answers: [(answer: HandOffResponse, detail: String?)], now: Int64
    ) async throws -> [HandOffMatch] {
        try await write { database in
            try answers.map { try Self.settle(database, by: $0.answer, nil, $0.detail, at: now) }
        }
    }

    private static func settle(
        _ database: any JournalTransaction, by answer: HandOffResponse, _ chosen: String?, _ detail: String?,
        at now: Int64
    ) throws -> HandOffMatch {
        let match = try match(answer, chosen, in: database)
        switch match {
        case .settles(var handOff), .overturns(var handOff):
            let code = handOff.outcome.code ?? handOff.outcome.overturnedCode
            handOff.outcome = answer.outcome
            if answer.isPaid { handOff.outcome.overturnedCode = code }
            try update(&handOff, to: answer.ending, detail, at: now, in: database)
        case .completes(var handOff):
            handOff.outcome.paymentID = answer.outcome.paymentID ?? handOff.outcome.paymentID
            handOff.outcome.clientPaymentID = answer.outcome.clientPaymentID ?? handOff.outcome.clientPaymentID
            handOff.outcome.reason = handOff.outcome.paymentID == nil ? answer.outcome.reason : nil
            handOff.outcome.isByHand = nil
            try update(&handOff, to: .approved, detail, at: now, in: database)
        case .none, .known, .contradicts, .otherPayment, .paymentOfAnother, .ambiguous, .stateless: break
        }
        return match
    }

    /// Whether any hand-off was ever recorded.
    package func hasHandOffs() async throws -> Bool {
        try await read { try !Self.fetch($0, "rail = 'square' LIMIT 1", []).isEmpty }
    }

    /// The hand-off that is known to have made the response's payment.
    package func handOff(paidBy answer: HandOffResponse) async throws -> PaymentOperation? {
        try await read { database in
            try Self.handOffs(database, sharingPaymentOf: answer).first(where: answer.names)
        }
    }

    private static func match(
        _ answer: HandOffResponse, _ chosen: String?, in database: any JournalTransaction
    ) throws -> HandOffMatch {
        let named = try handOffs(database, sharingPaymentOf: answer)
        guard let chosen else {
            let alike = try handOffs(database, state: answer.state).filter { row in !named.contains { $0.id == row.id }
            }
            return HandOffMatch(answer, among: named + alike)
        }
        guard let handOff = try find(database, "id", chosen) else { throw JournalError.missing(id: chosen) }
        return HandOffMatch(answer, chosen: handOff, among: named)
    }

    /// Maximum number of open hand-offs without a state to report.
    private static let statelessLimit: Int64 = 4

    /// The hand-offs with this state, newest first; for nil, up to `statelessLimit` open ones without a state.
    private static func handOffs(_ database: any JournalTransaction, state: String?) throws -> [PaymentOperation] {
        guard let state else {
            return try fetch(
                database,
                """
                rail = 'square' AND external_id IS NULL AND state IN ('created', 'sent', 'unknown')
                ORDER BY place DESC LIMIT $1
                """, [.integer(statelessLimit)])
        }
        return try fetch(
            database, "rail = 'square' AND external_id = $1 ORDER BY place DESC", [.text(state)])
    }

    private static func handOffs(
        _ database: any JournalTransaction, sharingPaymentOf answer: HandOffResponse
    ) throws -> [PaymentOperation] {
        guard answer.hasIdentifier else { return [] }
        return try fetch(
            database,
            """
            rail = 'square' AND state = 'approved' AND (json_extract(outcome, '$.paymentID') = $1
                OR json_extract(outcome, '$.clientPaymentID') = $2) ORDER BY place DESC
            """, [JournalValue(answer.outcome.paymentID), JournalValue(answer.outcome.clientPaymentID)])
    }

    private static func update(
        _ handOff: inout PaymentOperation, to state: OperationState, _ detail: String?, at now: Int64,
        in database: any JournalTransaction
    ) throws {
        handOff.state = state
        handOff.updatedAt = now
        try OperationRow.update(handOff, in: database)
        try note(database, handOff.id, state, detail, at: now)
    }
}
