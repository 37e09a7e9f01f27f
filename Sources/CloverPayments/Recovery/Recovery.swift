/// Settles what was left open by a crash or a lost response: by asking, and never under a new key.
package struct Recovery: Sendable {
    let runner: OperationRunner

    /// Milliseconds for which a request may be repeated under its key; how long Clover keeps keys is not documented.
    private static let keyLifetime: Int64 = 60 * 60 * 1000
    /// Milliseconds for which `recover --all` asks again about an end that rests on a person's word or on silent records.
    package static let doubtLifetime: Int64 = 7 * 24 * 60 * 60 * 1000

    package init(runner: OperationRunner) {
        self.runner = runner
    }

    /// Settles one operation as far as that can be done now.
    ///
    /// - Parameter waiting: whether to wait for the process that works on it; otherwise it is skipped, and told.
    /// - Returns: the operation as it is then; nil when it was skipped.
    package func recover(_ id: String, waiting: Bool) async throws -> PaymentOperation? {
        var lock = try await runner.journal.lock(id, waiting: false)
        guard let operation = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        if lock == nil {
            await runner.onEvent(.skipped(operation))
            guard waiting else { return nil }
            lock = try await runner.journal.lock(id, waiting: true)
        }
        defer { withExtendedLifetime(lock) {} }
        // As it is under the lock.
        guard let present = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        if present.state.isFinal {
            let known = try await heard(present) ?? present
            await runner.onEvent(.settled(known))
            return known
        }
        if present.state == .created {
            let reason =
                present.outcome.reason.map { "\($0); the program ended before it was sent again" }
                ?? "it was never sent: the program ended before"
            return try await runner.end(
                present, [.neverLeft(.failed, OperationOutcome(reason: reason))], cause: nil)
        }
        return try await runner.recorded(present) {
            try await runner.end(present, try await evidence(on: present), cause: nil)
        }
    }

    /// Asks again about an operation whose end rests on a person's word or on silent records; told is only what was heard.
    ///
    /// - Returns: the operation as it is then; nil when another process works on it, or nothing new was heard.
    package func recheck(_ id: String) async throws -> PaymentOperation? {
        guard let lock = try await runner.journal.lock(id, waiting: false) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        guard let present = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        guard let heard = try await heard(present), heard != present else { return nil }
        await runner.onEvent(.settled(heard))
        return heard
    }

    /// The operation with what was heard now; nil when its end is proved, or nothing was heard. The caller has its lock.
    private func heard(_ present: PaymentOperation) async throws -> PaymentOperation? {
        let isByHand = present.outcome.isByHand == true
        guard present.state.isFinal, isByHand || present.outcome.isProvisional == true else { return nil }
        let verdict = Verdict(on: present, try await runner.recollection(of: present))
        guard verdict.isKnown else {
            try await runner.journal.noteAsked(present.id, now: runner.clock.now())
            return nil
        }
        let heard = try await runner.journal.hear(present.id, verdict, now: runner.clock.now())
        if heard == present { try await runner.journal.noteAsked(present.id, now: runner.clock.now()) }
        return heard
    }

    private func evidence(on operation: PaymentOperation) async throws -> [Evidence] {
        var evidence = try await runner.recollection(of: operation)
        guard operation.kind != .charge, !Verdict(on: operation, evidence).isKnown else { return evidence }
        // Nothing of a follow-up is secret, so that it can be repeated as it was, while Clover surely has its key.
        let age = BootTime.age(of: operation.request.written, now: runner.clock.boot())
        guard let age, age < Self.keyLifetime else {
            let reason =
                "it is too old to be repeated under its key; look it up in the merchant's dashboard, "
                + "and record what it shows: clover charge settle \(operation.id)"
            return [.silence(OperationOutcome(reason: reason), isRepeatable: false)]
        }
        evidence.append(try await runner.again(operation, source: nil))
        if !Verdict(on: operation, evidence).isKnown { evidence += try await runner.look(for: operation) }
        return evidence
    }
}

/// A part that was approved and not asked for is given back, also after a crash.
extension Recovery {
    /// Gives the part back unless that was done or tried before.
    ///
    /// - Parameter charge: approved in part, by proof.
    /// - Returns: the void, or at the Ecommerce API the refund, as it is then.
    package func takeBack(_ charge: PaymentOperation) async throws -> PaymentOperation {
        // Of one charge, one operation at a time: two processes must not both give it back.
        let turn = try await runner.journal.lock(charge.id, waiting: true)
        defer { withExtendedLifetime(turn) {} }
        let earlier = try await runner.journal.followUps(of: charge.id).filter {
            $0.kind == .void || $0.kind == .refund
        }
        if let done = earlier.last(where: { $0.state == .approved }) { return done }
        if let open = earlier.last(where: { !$0.state.isFinal }) {
            return try await recover(open.id, waiting: true) ?? open
        }
        if let failed = earlier.last(where: { !$0.isNeverSent }) { return failed }
        var plan = FollowUpPlan(charge.rail == .ecommerce ? .refund : .void)
        plan.reason = charge.rail == .ecommerce ? nil : "REJECT_PARTIAL_AUTH"
        let void = try plan.operation(on: charge, after: [], now: runner.clock.now())
        // Whatever keeps it from being done, the part was taken: that is what has to be told.
        do {
            return try await runner.perform(void) ?? void
        } catch let error as OperationRunner.NotCarriedOut {
            return error.operation
        } catch let error as OperationRunner.Unrecorded {
            return error.operation
        }
    }
}
