/// A follow-up that was checked against its charge. It holds the lock of the charge, so that two follow-ups cannot use up the same
/// remainder.
package struct PreparedFollowUp: Sendable {
    /// The operation of the journal with the same key, if anything of it may have been sent, or else one as it is to be sent now.
    package let operation: PaymentOperation
    /// The charge, with what Clover has shown as done elsewhere.
    package let charge: PaymentOperation
    /// The operation of the journal with the same key; nil for a new one.
    private let earlier: PaymentOperation?
    private let lock: OperationLock

    /// Waits for the process that works on the charge, and checks the plan. Nothing that moves money is recorded or sent. For a
    /// refund without an amount, Clover is asked what was refunded elsewhere: what is left has to be shown, not assumed. For
    /// one with an amount, it is asked only if that had been shown before.
    ///
    /// - Parameters:
    ///   - id: the ID of the charge in the journal.
    ///   - clock: its `sleep` ends the wait by throwing.
    ///   - client: asks Clover; nil sends nothing, so that only the journal says what is left.
    /// - Throws: `PaymentPlanError`, `keyInUse` and `restUnknown` among them, or an error of the journal.
    package init(
        _ plan: FollowUpPlan, on id: String, in journal: ChargeJournal, clock: OperationRunner.Clock,
        _ client: PaymentClient?
    ) async throws {
        guard let lock = try await journal.lock(id, within: .infinity, sleep: clock.sleep),
            var charge = try await journal.operation(id)
        else { throw JournalError.missing(id: id) }
        var earlier: PaymentOperation?
        if let key = plan.idempotencyKey { earlier = try await journal.operation(key: key) }
        let followUps = try await journal.followUps(of: id)
        if let earlier, !plan.asks(for: earlier, on: charge, after: Array(followUps.prefix { $0.id != earlier.id })) {
            if earlier.kind == plan.kind, earlier.parent == charge.id, !earlier.isNeverSent,
                let payment = earlier.formerPayment(of: charge)
            {
                throw PaymentPlanError.keyOfFormerPayment(
                    plan.kind, id: earlier.id, charge: charge.id, payment: payment)
            }
            throw PaymentPlanError.keyInUse(id: earlier.id)
        }
        let others = followUps.filter { [earlier] in $0.id != earlier?.id }
        // The remainder may have changed since, and is the one that is meant.
        let isNew = earlier?.isNeverSent ?? true
        // What was refunded elsewhere when Clover was last asked may have failed since.
        if isNew, plan.kind == .refund, let client,
            plan.amount == nil || charge.outcome.elsewhere?.refunded != nil
        {
            do {
                charge = try await Self.lookedElsewhere(charge, after: others, journal, client, now: clock.now())
            } catch PaymentPlanError.restUnknown where plan.amount != nil {
                // For an amount that is named, what was shown last counts.
            }
        }
        let known = isNew ? nil : earlier
        operation = try known ?? plan.operation(on: charge, after: others, now: clock.now())
        self.charge = charge
        self.earlier = earlier
        self.lock = lock
    }

    /// Asks what was done with the payment of a charge elsewhere, and records it. The caller holds the charge's lock.
    private static func lookedElsewhere(
        _ charge: PaymentOperation, after followUps: [PaymentOperation], _ journal: ChargeJournal,
        _ client: PaymentClient, now: Int64
    ) async throws -> PaymentOperation {
        guard FollowUpPlan.isPossible(.refund, on: charge.withoutRefundElsewhere, after: followUps), !Task.isCancelled,
            let payment = charge.outcome.paymentID
        else { return charge }
        let evidence = await PaymentLookup(client: client, now: now).named(payment, for: charge)
        // A refund that was stopped is not sent.
        if Task.isCancelled { return charge }
        switch evidence {
        case .payment(let shown):
            let done = ElsewhereVerdict(on: charge, after: followUps, shown).done
            var known = charge
            known.outcome.elsewhere = done
            if let reason = shown.obstacleToRefund(of: known, after: followUps) {
                throw PaymentPlanError.restUnknown(id: charge.id, reason: reason, .unshown)
            }
            return try await journal.record(elsewhere: done, of: charge.id, now: now)
        case .silence(let outcome, _):
            throw PaymentPlanError.restUnknown(
                id: charge.id, reason: outcome.reason ?? "the service could not be asked", .unavailable)
        case .absent:
            throw PaymentPlanError.restUnknown(
                id: charge.id, reason: "Clover does not have the payment \(payment)", .unshown)
        default:
            throw PaymentPlanError.restUnknown(
                id: charge.id, reason: "the sign-in was not accepted", .signInRefused)
        }
    }

    /// Carries the operation out, or settles the earlier one with its key as far as that is possible now. Only what was never
    /// sent is sent again.
    ///
    /// - Returns: the operation with its final state or `unknown`.
    /// - Throws: as `OperationRunner.perform`; `PaymentPlanError` if the key was used for something else in the meantime.
    package func carryOut(by runner: OperationRunner) async throws -> PaymentOperation {
        defer { withExtendedLifetime(lock) {} }
        guard let earlier else {
            guard let done = try await runner.perform(operation) else {
                throw PaymentPlanError.keyInUse(id: operation.id)
            }
            return done
        }
        if earlier.isNeverSent, let done = try await runner.restart(earlier.id, as: operation) { return done }
        return try await Recovery(runner: runner).recover(earlier.id, waiting: .infinity) ?? earlier
    }
}
