import CloverOutput

/// What the payment of an approved charge shows of what was done with it elsewhere, such as in the merchant's dashboard: one
/// function for all rails, for holds, parts and refunds.
package struct ElsewhereVerdict: Equatable, Sendable {
    /// What the follow-ups of the charge do not explain; nil for nothing. A refund that is shown without its amount is left out.
    package let done: DoneElsewhere?
    /// More captured than was held, or more refunded than was taken or held, which the charge cannot have, with both amounts; nil
    /// for nothing of the kind, or if a person has confirmed it.
    package let excess: PaymentDifference?
    /// Of a hold: why the payment does not show what was done with it, as a clause; nil if it does. What was known stays.
    package let obstacle: String?

    /// - Parameters:
    ///   - charge: approved, with what was known so far.
    ///   - followUps: the follow-ups of the charge, oldest first.
    ///   - payment: the charge's payment, as the service shows it now.
    package init(on charge: PaymentOperation, after followUps: [PaymentOperation], _ payment: ObservedPayment) {
        var own = charge
        own.outcome.elsewhere = nil
        let followUps = followUps.onPresentPayment(of: charge)
        let totals = ChargeTotals(own, followUps)
        obstacle = charge.request.type == .preauth ? payment.obstacleToHold(charge) : nil
        done = Self.done(charge, followUps, totals, payment)
        excess = Self.excesses(charge, totals, payment).first { !charge.outcome.hasAcknowledged($0.words) }
    }

    private static func done(
        _ charge: PaymentOperation, _ followUps: [PaymentOperation], _ totals: ChargeTotals, _ payment: ObservedPayment
    ) -> DoneElsewhere? {
        guard !totals.isVoided else { return nil }
        var done = DoneElsewhere()
        switch payment.ending {
        case .voided: done.isReleased = true
        case .approved:
            let isOpenHold = totals.type == .preauth && !totals.isCaptured
            let taken = payment.captured ?? (payment.isCaptured == true ? payment.outcome.amount : nil) ?? 0
            if isOpenHold, taken > 0 { done.captured = taken }
            guard let refunded = payment.refunded, !payment.lacksRefundedAmount else { break }
            let excess = refunded - totals.refunded
            if isOpenHold, taken == 0 {
                // What is refunded of a hold was never taken.
                if refunded > 0, refunded >= payment.outcome.amount ?? totals.held { done.isReleased = true }
            } else if excess > 0, followUps.contains(where: { $0.kind == .refund && $0.isDoubtfulEnd }) {
                // It may be what a refund from here did that was refused.
                done.refunded = charge.outcome.elsewhere?.refunded.map { min($0, excess) }
            } else if excess > (totals.refunded > 0 ? totals.tip ?? 0 : 0) {
                // Whether a service counts the tip among what was refunded from here is not documented.
                done.refunded = excess
            }
        case .declined, .open: break
        }
        return done == DoneElsewhere() ? nil : done
    }

    /// Each excess, whether a person has confirmed it or not: of both, the one of what was captured is first.
    private static func excesses(
        _ charge: PaymentOperation, _ totals: ChargeTotals, _ payment: ObservedPayment
    ) -> [PaymentDifference] {
        // Of a page, the taxes are not in what the journal holds.
        guard payment.ending == .approved, charge.rail.isCharge, let unit = charge.amount?.currency else { return [] }
        func text(_ amount: Int64, _ word: String) -> String { "\(Money(minorUnits: amount, currency: unit)) \(word)" }
        let isHold = totals.type == .preauth
        // Whether a service counts the tip among what was captured or refunded is not documented.
        let tip = max(0, payment.outcome.tip ?? 0, totals.tip ?? 0)
        let most = totals.held + tip
        var excesses: [PaymentDifference] = []
        var taken = most
        var known = text(totals.held, isHold ? "held" : "captured")
        if isHold, let captured = payment.captured, captured > most {
            let difference = PaymentDifference(shown: text(captured, "captured"), recorded: known)
            excesses.append(difference)
            // Once that is confirmed, as much can have been given back.
            if charge.outcome.hasAcknowledged(difference.words) {
                (taken, known) = (max(captured, captured &+ tip), text(captured, "captured"))
            }
        }
        if let refunded = payment.refunded, !payment.lacksRefundedAmount, refunded > taken {
            excesses.append(PaymentDifference(shown: text(refunded, "refunded"), recorded: known))
        }
        return excesses
    }
}
