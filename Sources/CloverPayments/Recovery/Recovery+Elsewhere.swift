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
        let followUps = try await runner.journal.followUps(of: charge.id)
        // The journal has what these did, or settles them first.
        let isFollowed = followUps.contains { followUp in
            let isEnd = followUp.kind == .capture || followUp.kind == .void
            let isDone = followUp.state == .approved && !followUp.isOnOtherPayment(than: charge)
            return isDone ? isEnd : followUp.kind.movesMoney && !followUp.state.isFinal
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
