/// A follow-up that was checked against its charge. It holds the lock of the charge, so that two follow-ups cannot use up the same
/// remainder.
package struct PreparedFollowUp: Sendable {
    /// The operation of the journal with the same key, or else a new one, which is not recorded yet.
    package let operation: PaymentOperation
    private let plan: FollowUpPlan
    private let charge: PaymentOperation
    /// The charge's other follow-ups, oldest first.
    private let others: [PaymentOperation]
    /// The operation of the journal with the same key; nil for a new one.
    private let earlier: PaymentOperation?
    private let lock: OperationLock

    /// Waits for the process that works on the charge, and checks the plan. Nothing is recorded or sent.
    ///
    /// - Parameters:
    ///   - id: the ID of the charge in the journal.
    ///   - clock: its `sleep` ends the wait by throwing.
    /// - Throws: `PaymentPlanError`, `keyInUse` among them, or an error of the journal.
    package init(
        _ plan: FollowUpPlan, on id: String, in journal: ChargeJournal, clock: OperationRunner.Clock
    ) async throws {
        guard let lock = try await journal.lock(id, within: .infinity, sleep: clock.sleep),
            let charge = try await journal.operation(id)
        else { throw JournalError.missing(id: id) }
        var earlier: PaymentOperation?
        if let key = plan.idempotencyKey { earlier = try await journal.operation(key: key) }
        let followUps = try await journal.followUps(of: id)
        if let earlier, !plan.asks(for: earlier, on: charge, after: Array(followUps.prefix { $0.id != earlier.id })) {
            throw PaymentPlanError.keyInUse(id: earlier.id)
        }
        operation = try earlier ?? plan.operation(on: charge, after: followUps, now: clock.now())
        others = followUps.filter { [earlier] in $0.id != earlier?.id }
        self.plan = plan
        self.charge = charge
        self.earlier = earlier
        self.lock = lock
    }

    /// Carries the operation out, or settles the earlier one with its key as far as that is possible now. Only what was never
    /// sent is sent again.
    ///
    /// - Returns: the operation with its final state or `unknown`.
    /// - Throws: as `OperationRunner.perform`; `PaymentPlanError` if the key was used for something else in the meantime, or if the
    ///   earlier operation was never sent and is not possible any more.
    package func carryOut(by runner: OperationRunner) async throws -> PaymentOperation {
        defer { withExtendedLifetime(lock) {} }
        guard let earlier else {
            guard let done = try await runner.perform(operation) else {
                throw PaymentPlanError.keyInUse(id: operation.id)
            }
            return done
        }
        if earlier.isNeverSent {
            let again = try plan.operation(on: charge, after: others, now: runner.clock.now())
            // The remainder may have changed since.
            guard again.amount == earlier.amount else { throw PaymentPlanError.keyInUse(id: earlier.id) }
            if let done = try await runner.restart(earlier.id, as: again) { return done }
        }
        return try await Recovery(runner: runner).recover(earlier.id, waiting: .infinity) ?? earlier
    }
}
