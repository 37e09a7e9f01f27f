/// What became of an approved charge elsewhere, such as in the merchant's dashboard.
extension Recovery {
    /// Asks what became of the payment of a hold, or of a part that is to be given back, and records what was captured, refunded
    /// or released elsewhere. More than was held contradicts the charge until a person confirms it. The caller holds the
    /// operation's lock.
    ///
    /// - Returns: the charge as it is now recorded. If Clover does not show the payment of a hold, the reason says so.
    func lookedElsewhere(_ charge: PaymentOperation) async throws -> PaymentOperation {
        let isHold = charge.request.type == .preauth
        guard charge.kind == .charge, charge.rail.isCharge, charge.state == .approved,
            isHold || charge.isUnwantedPartialApproval, charge.outcome.contradiction == nil,
            let payment = charge.outcome.paymentID, !payment.isEmpty
        else { return charge }
        let followUps = try await runner.journal.followUps(of: charge.id).onPresentPayment(of: charge)
        // The journal has what these did, or settles them first.
        let isFollowed = followUps.contains { followUp in
            let isEnd = followUp.kind == .capture || followUp.kind == .void
            return followUp.state == .approved ? isEnd : followUp.kind.movesMoney && !followUp.state.isFinal
        }
        if isFollowed {
            guard isHold, let open = followUps.last(where: { $0.kind.movesMoney && !$0.state.isFinal }) else {
                return charge
            }
            return Self.unseen(charge, "\(open.id) is not settled")
        }
        let unseen: String
        switch try await runner.inquiry(charge).named(payment, for: charge) {
        case .payment(let shown) where shown.relation(to: charge) == .own:
            let verdict = ElsewhereVerdict(on: charge, after: followUps, shown)
            // What is not shown takes nothing back that was.
            if let obstacle = verdict.obstacle {
                unseen = obstacle
                break
            }
            let now = runner.clock.now()
            guard let excess = verdict.excess else {
                return try await runner.journal.record(elsewhere: verdict.done, of: charge.id, now: now)
            }
            var outcome = charge.outcome
            (outcome.elsewhere, outcome.contradiction) = (verdict.done, excess.words)
            return try await runner.journal.contradict(charge.id, outcome, now: now)
        case .silence(let outcome, _): unseen = outcome.reason ?? "the service could not be asked"
        case .signInRefused: unseen = "the sign-in was not accepted"
        case .absent: unseen = "Clover does not have the payment \(payment)"
        default: unseen = "the service shows another payment"
        }
        return isHold ? Self.unseen(charge, unseen) : charge
    }

    /// A hold with the reason why it is not known what became of it.
    private static func unseen(_ charge: PaymentOperation, _ reason: String) -> PaymentOperation {
        let unseen = "what became of the hold since is not known: \(reason)"
        var outcome = charge.outcome
        outcome.reason = outcome.reason.map { "\($0); \(unseen)" } ?? unseen
        return charge.settled(charge.state, outcome)
    }
}

/// Follow-ups that a person recorded as carried out, and that the charge's payment shows as not carried out.
extension Recovery {
    /// Asks again about the follow-ups of a charge that a person recorded as carried out. The caller does not hold their locks.
    ///
    /// - Parameter id: of the charge.
    /// - Returns: the last one that Clover contradicts; nil if there is none.
    package func contradictedFollowUp(of id: String) async throws -> PaymentOperation? {
        var found: PaymentOperation?
        guard let charge = try await runner.journal.operation(id), charge.kind == .charge else { return nil }
        for followUp in try await runner.journal.followUps(of: id).onPresentPayment(of: charge)
        where followUp.isDoneByHand {
            let known = try await recheck(followUp.id) ?? followUp
            if known.isContradictedDone { found = known }
        }
        return found
    }

    /// Compares the charge's payment with a follow-up that a person recorded as carried out. The entry stays: a person decides.
    ///
    /// - Returns: the follow-up as it is now recorded; nil if nothing new was found.
    func recheckedEffect(of followUp: PaymentOperation) async throws -> PaymentOperation? {
        guard followUp.isDoneByHand, let parent = followUp.parent,
            let charge = try await runner.journal.operation(parent), charge.state == .approved, charge.rail.isCharge,
            let payment = charge.outcome.paymentID, !payment.isEmpty,
            case .payment(let shown) = try await runner.inquiry(charge).named(payment, for: charge)
        else { return nil }
        let followUps = try await runner.journal.followUps(of: parent)
        var outcome = followUp.outcome
        if let shortfall = shown.shortfall(of: followUp, on: charge, after: followUps) {
            let finding = "; \(shortfall.words)"
            if outcome.hasAcknowledged(finding) { return nil }
            let person = outcome.settledBy ?? "the account's owner"
            outcome.contradiction = "\(person) recorded that it was carried out" + finding
        } else {
            // Records may come late: what is shown then as it was recorded contradicts nothing any more.
            guard outcome.contradiction != nil, shown.ending == .approved, shown.relation(to: charge) == .own,
                shown.obstacleToCompare(with: charge) == nil, shown.shows(followUp.kind)
            else { return nil }
            outcome.contradiction = nil
        }
        guard outcome != followUp.outcome else { return nil }
        return try await runner.journal.contradict(followUp.id, outcome, now: runner.clock.now())
    }
}

extension PaymentOperation {
    /// Whether it is a follow-up of which only a person says that it was carried out.
    var isDoneByHand: Bool { kind != .charge && kind.movesMoney && state == .approved && outcome.isByHand == true }

    /// Whether it is a follow-up that a person recorded as carried out, and that Clover contradicts.
    package var isContradictedDone: Bool { isDoneByHand && outcome.contradiction != nil }
}
