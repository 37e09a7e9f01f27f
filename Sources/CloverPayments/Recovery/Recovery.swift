/// Settles operations that a crash or a lost response left open: by asking the service, and never under a new key.
package struct Recovery: Sendable {
    let runner: OperationRunner

    /// Milliseconds during which a request may be repeated under its key. Clover does not document how long it keeps keys.
    private static let keyLifetime: Int64 = 60 * 60 * 1000
    /// Milliseconds during which `recover --all` rechecks an outcome that was entered by hand or rests on records that did not
    /// show a payment.
    package static let recheckPeriod: Int64 = 7 * 24 * 60 * 60 * 1000

    package init(runner: OperationRunner) {
        self.runner = runner
    }

    /// Settles one operation as far as that is possible now.
    ///
    /// - Parameters:
    ///   - seconds: the longest wait for another process that works on the operation, which is reported.
    ///   - looksElsewhere: whether Clover is asked what became of a hold since, or of a part that is to be given back.
    /// - Returns: the resulting operation; nil if another process still works on it then, or when the time of the run ends.
    package func recover(
        _ id: String, waiting seconds: Double, looksElsewhere: Bool = false
    ) async throws -> PaymentOperation? {
        var lock = try await runner.journal.lock(id)
        guard let operation = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        if lock == nil {
            await runner.onEvent(.skipped(operation))
            guard seconds > 0 else { return nil }
            lock = try await runner.lock(id, within: seconds)
            if lock == nil { return nil }
        }
        defer { withExtendedLifetime(lock) {} }
        // Read again under the lock.
        guard let present = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        if let kept = try await runner.journal.settleKept(present.id, now: runner.clock.now()) {
            await runner.onEvent(.settled(kept))
            return kept
        }
        if present.state.isFinal {
            var known = try await rechecked(present) ?? present
            if looksElsewhere { known = try await lookedElsewhere(known) }
            await runner.onEvent(.settled(known))
            return known
        }
        if present.isNeverSent { return try await recoverUnsent(present) }
        return try await runner.recorded(present) {
            try await runner.end(present, try await evidence(on: present), cause: nil)
        }
    }

    /// Ends an operation of which nothing was ever sent from here, unless it is shown. The caller holds its lock.
    private func recoverUnsent(_ present: PaymentOperation) async throws -> PaymentOperation {
        var words = "this request was not sent"
        if present.state == .created {
            words =
                present.outcome.reason.map { "\($0); the program ended before it was sent again" }
                ?? "it was never sent: the program ended first"
        }
        if present.request.isSavingCard == true, let card = present.request.cardOnFile {
            let place = present.request.customer.map { "is on file: customer \($0)" }
            words += "; its card "
            words += place ?? "may be on file, as a customer with the address \(card.email)"
        }
        if present.mayBeChargedElsewhere {
            let earlier = try await runner.earlierCharge(of: present)
            return try await runner.end(present, earlier.evidence(words), cause: nil)
        }
        // A journal that was restored from a backup may be older than the charge.
        let looked = try await runner.look(for: present)
        let shown = looked.filter { $0.shows(present) }
        var outcome = OperationOutcome(reason: words)
        if !looked.isEmpty, !looked.contains(where: \.isAbsence) { outcome.isProvisional = true }
        return try await runner.end(present, shown.isEmpty ? [.neverLeft(.failed, outcome)] : shown, cause: nil)
    }

    /// Rechecks an operation whose outcome was entered by hand or rests on records that did not show a payment. Reports only
    /// new findings.
    ///
    /// - Returns: the resulting operation; nil if another process works on it, or nothing new was found.
    package func recheck(_ id: String) async throws -> PaymentOperation? {
        guard let lock = try await runner.journal.lock(id) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        guard let present = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        guard let changed = try await rechecked(present), changed != present else { return nil }
        await runner.onEvent(.settled(changed))
        return changed
    }

    /// Checks an outcome that is not proved. The caller holds the operation's lock.
    ///
    /// - Returns: the resulting operation; nil if its outcome is proved, or nothing was found.
    private func rechecked(_ present: PaymentOperation) async throws -> PaymentOperation? {
        if present.isPendingRefund { return try await recheckedRefund(present) }
        let isByHand = present.outcome.isByHand == true
        guard present.state.isFinal, isByHand || present.outcome.isProvisional == true else { return nil }
        var evidence = try await runner.recollection(of: present)
        if isByHand, present.state == .approved, present.outcome.paymentID == nil,
            let candidate = present.outcome.candidates?.first
        {
            let named = try await runner.inquiry(present).named(candidate, for: present)
            // A candidate that took no money says nothing about the charge.
            if case .payment(let payment) = named, payment.ending == .approved { evidence.append(named) }
        }
        let verdict = Verdict(on: present, evidence)
        guard verdict.isKnown else {
            let hasChanged = evidence.contains(where: \.isChange)
            if !isByHand, case .unknown(let outcome, _) = verdict,
                hasChanged || outcome.candidates?.isEmpty == false
            {
                return try await runner.journal.reopen(present.id, outcome, now: runner.clock.now())
            }
            if let heard = try await recheckedEffect(of: present) { return heard }
            if isByHand {
                let followUps = try await runner.journal.followUps(of: present.id)
                let found =
                    Self.contradicted(present, by: evidence)
                    ?? Self.contradictedInAmount(present, after: followUps, by: evidence)
                if let found {
                    return try await runner.journal.contradict(present.id, found.outcome, now: runner.clock.now())
                }
                if present.outcome.contradiction != nil, present.state != .approved,
                    evidence.contains(where: \.isReading)
                {
                    // The payment is not shown any more, or is another one's.
                    var outcome = present.outcome
                    (outcome.contradiction, outcome.candidates) = (nil, nil)
                    return try await runner.journal.contradict(present.id, outcome, now: runner.clock.now())
                }
            }
            try await runner.journal.recordRecheck(present.id, now: runner.clock.now())
            return nil
        }
        let heard = try await runner.journal.hear(present.id, verdict, now: runner.clock.now())
        if heard == present { try await runner.journal.recordRecheck(present.id, now: runner.clock.now()) }
        return heard
    }

    /// A charge that a person recorded as not paid, with the payment that is still shown with its external ID or from its own
    /// source, and was not given back; nil if there is none, or a person has confirmed the entry. It stays: a person decides.
    private static func contradicted(_ charge: PaymentOperation, by evidence: [Evidence]) -> PaymentOperation? {
        guard charge.kind == .charge, charge.state != .approved else { return nil }
        for case .payment(let payment) in evidence where payment.ending == .approved {
            let relation = payment.relation(to: charge)
            let isNamed = relation == .own || payment.hasReference(of: charge) && !payment.isEarlier(than: charge)
            guard relation != .foreign, isNamed || payment.isFromOwnSource,
                let id = payment.outcome.paymentID, payment.refunded ?? 0 < payment.outcome.amount ?? .max
            else { continue }
            var outcome = charge.outcome
            let source = isNamed ? "with its external ID" : "from its own card or customer"
            let finding = "; Clover shows the payment \(id) \(source)"
            if outcome.hasAcknowledged(finding) { continue }
            outcome.candidates = [id]
            outcome.contradiction =
                "\(outcome.settledBy ?? "the account's owner") recorded that it was not carried out" + finding
            return charge.settled(charge.state, outcome)
        }
        return nil
    }

    /// A charge that a person recorded as paid, with its payment as the service shows it, if that is of another amount; nil if
    /// there is none, one of the recorded amount beside it, or a person has confirmed the entry. It stays: a person decides.
    private static func contradictedInAmount(
        _ charge: PaymentOperation, after followUps: [PaymentOperation], by evidence: [Evidence]
    ) -> PaymentOperation? {
        guard charge.kind == .charge, charge.rail.isCharge, charge.state == .approved else { return nil }
        var difference: (payment: String, words: PaymentDifference)?
        for case .payment(let payment) in evidence where payment.ending == .approved {
            guard payment.source != .list || payment.hasReference(of: charge),
                payment.relation(to: charge) != .foreign, let id = payment.outcome.paymentID, !id.isEmpty,
                charge.outcome.paymentID ?? id == id
            else { continue }
            // Staff may have captured a part of a hold since.
            if charge.request.type == .preauth, payment.captured ?? 0 > 0 { continue }
            guard let words = payment.differenceInAmount(from: charge, after: followUps) else { return nil }
            difference = difference ?? (id, words)
        }
        guard let difference else { return nil }
        var outcome = charge.outcome
        let finding = "; Clover shows the payment \(difference.payment) with \(difference.words.shown)"
        if outcome.hasAcknowledged(finding) { return nil }
        outcome.candidates = [difference.payment]
        outcome.shownAmount = difference.words.amount?.minorUnits
        outcome.contradiction =
            "\(outcome.settledBy ?? "the account's owner") recorded \(difference.words.recorded) as paid" + finding
        return charge.settled(charge.state, outcome)
    }

    /// Asks what became of a refund that was pending.
    ///
    /// - Returns: the resulting operation; nil if that is not known yet.
    private func recheckedRefund(_ refund: PaymentOperation) async throws -> PaymentOperation? {
        var hasFailed: Bool?
        if let id = refund.outcome.paymentID,
            case .payment(let shown) = try await runner.inquiry(refund).named(id, for: refund)
        {
            switch shown.ending {
            case .approved: hasFailed = false
            case .declined: hasFailed = true
            case .open(let word): hasFailed = word == "canceled" ? true : nil
            case .voided: break
            }
        }
        let now = runner.clock.now()
        guard let hasFailed else {
            try await runner.journal.recordRecheck(refund.id, now: now)
            return nil
        }
        return try await runner.journal.hearPendingRefund(refund.id, hasFailed: hasFailed, now: now)
    }

    private func evidence(on operation: PaymentOperation) async throws -> [Evidence] {
        var evidence: [Evidence] = []
        if operation.outcome.isRateLimited == true { evidence.append(.refused(operation.outcome)) }
        if operation.outcome.isDeclined == true { evidence.append(.declined(operation.outcome)) }
        evidence += try await runner.recollection(of: operation)
        // What moves money is repeated only if the charge still is as it was before.
        guard operation.kind != .charge, !Verdict(on: operation, evidence).isKnown,
            !operation.kind.movesMoney || evidence.contains(.unchanged)
        else { return evidence }
        // What was asked for of the payment that the charge had before is not sent any more.
        if let parent = operation.parent, let charge = try await runner.journal.operation(parent),
            operation.isOnOtherPayment(than: charge)
        {
            return evidence
        }
        // A follow-up contains no secrets, so it can be repeated unchanged while Clover certainly still has its key.
        var age = BootTime.age(of: operation.request.written, now: runner.clock.boot())
        if age == nil { age = try await runner.journal.age(of: operation.id) }
        guard let age, (0..<Self.keyLifetime).contains(age) else {
            let reason =
                "it is too old to be repeated under its key; look it up in the merchant's dashboard, "
                + "and record what it shows: clover charge settle \(operation.id)"
            return [.inconclusive(reason)]
        }
        evidence = try await runner.again(operation, source: nil, after: evidence)
        if !Verdict(on: operation, evidence).isKnown { evidence += try await runner.look(for: operation) }
        return evidence
    }
}

/// Voids or refunds a partial approval that was not asked for, also after a crash.
extension Recovery {
    /// The longest wait in seconds for another process that works on the charge.
    private static let lockTimeout = 60.0

    /// Voids or refunds the partial approval, unless that was done before, or a person has captured it or given back only a
    /// part of it: then the person decides about the rest. What was refused before is tried again, but not what a person
    /// recorded as not carried out.
    ///
    /// - Parameter charge: a charge that is proved to be approved.
    /// - Returns: the state of the void, or of the refund on the Ecommerce API: `unknown` while another process works on
    ///   the charge, `failed` if it is not possible; nil if nothing is to be given back.
    /// - Throws: `Unrecorded` if the journal fails: the part was taken, which has to be reported.
    package func reversePartialApproval(_ charge: PaymentOperation) async throws -> OperationState? {
        guard charge.isUnwantedPartialApproval, let reversal = charge.reversal else { return nil }
        do {
            return try await reverse(charge, reversal)
        } catch let error as OperationRunner.NotCarriedOut {
            return error.operation.state
        } catch let error as OperationRunner.Unrecorded {
            return error.operation.state
        } catch is PaymentPlanError {
            return .failed
        } catch {
            throw OperationRunner.Unrecorded(operation: charge, cause: error)
        }
    }

    private func reverse(
        _ charge: PaymentOperation, _ reversal: PartialApprovalReversal
    ) async throws -> OperationState? {
        // One operation per charge at a time: two processes must not both give the money back.
        guard let lock = try await runner.lock(charge.id, within: Self.lockTimeout) else {
            await runner.onEvent(.skipped(charge))
            return .unknown
        }
        defer { withExtendedLifetime(lock) {} }
        var earlier = try await runner.journal.followUps(of: charge.id).onPresentPayment(of: charge)
        var reported: String?
        if let open = earlier.last(where: { $0.kind.movesMoney && !$0.state.isFinal }) {
            reported = open.id
            guard let settled = try await recover(open.id, waiting: Self.lockTimeout) else { return .unknown }
            guard settled.state.isFinal else { return .unknown }
            // What the service has just refused is not sent again at once.
            let isReversal = settled.kind == .void || settled.kind == .refund
            if isReversal, settled.state != .approved, !settled.isNeverSent { return settled.state }
            earlier = try await runner.journal.followUps(of: charge.id).onPresentPayment(of: charge)
        }
        let totals = ChargeTotals(charge, earlier)
        if totals.isGivenBack {
            // What an earlier run gave back is the outcome of this one, too.
            let returned = earlier.last { ($0.kind == .void || $0.kind == .refund) && $0.state == .approved }
            if let returned, returned.id != reported { await runner.onEvent(.settled(returned)) }
            return .approved
        }
        let elsewhere = charge.outcome.elsewhere?.refunded ?? 0
        if totals.refunded > elsewhere || totals.type == .preauth && totals.isCaptured { return nil }
        // The person who settled the last one may have given it back elsewhere, so the next one is theirs, too.
        let isSettledByHand = earlier.contains {
            ($0.kind == .void || $0.kind == .refund) && $0.state != .approved && $0.outcome.isByHand == true
        }
        if isSettledByHand { return .failed }
        if elsewhere > 0 { return nil }
        // How much of it is left to be refunded has to be known.
        if reversal.kind == .refund, let payment = charge.outcome.paymentID,
            case .payment(let shown) = try await runner.inquiry(charge).named(payment, for: charge),
            shown.lacksRefundedAmount
        {
            return .failed
        }
        var plan = FollowUpPlan(reversal.kind)
        plan.reason = reversal.reason
        let void = try plan.operation(on: charge, after: earlier, now: runner.clock.now())
        return try await runner.perform(void)?.state ?? void.state
    }
}
