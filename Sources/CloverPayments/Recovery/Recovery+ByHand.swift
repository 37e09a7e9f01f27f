/// What a person said is asked for as long as somebody may come to know better.
extension Recovery {
    /// Milliseconds for which `recover --all` asks again about what was settled by hand.
    package static let handLifetime: Int64 = 7 * 24 * 60 * 60 * 1000

    /// Asks again about an operation that was settled by hand; told is only what was heard.
    ///
    /// - Returns: the operation as it is then; nil when somebody works on it, or nothing new was heard.
    package func recheck(_ id: String) async throws -> PaymentOperation? {
        guard let lock = try await runner.journal.lock(id, waiting: false) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        guard let present = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        guard let heard = try await heard(present), heard != present else { return nil }
        await runner.onEvent(.settled(heard))
        return heard
    }

    /// The operation with what was heard now; nil when it was not settled by hand, or nothing was heard. The caller has its
    /// lock.
    func heard(_ present: PaymentOperation) async throws -> PaymentOperation? {
        guard present.state.isFinal, present.outcome.isByHand == true else { return nil }
        guard case .settled(let state, let outcome)? = try await evidence(on: present) else { return nil }
        return try await runner.journal.hear(present.id, state, outcome, now: runner.clock.now())
    }

    /// What proves how it ended: silence does not.
    private func evidence(on operation: PaymentOperation) async throws -> Verdict? {
        guard operation.kind == .charge else {
            return try await FollowUpInquiry(journal: runner.journal, client: runner.client).verdict(on: operation)
        }
        let inquiry = try await runner.inquiry(operation)
        if let verdict = await recalled(operation, inquiry) { return verdict }
        guard case .found(let verdict) = await inquiry.look(for: operation) else { return nil }
        return verdict
    }
}
