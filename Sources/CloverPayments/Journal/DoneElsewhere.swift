import CloverOutput

/// What Clover shows as done with the payment of an approved charge, and the journal's follow-ups do not explain, such as a
/// refund in the merchant's dashboard. Amounts are in the smallest unit.
package struct DoneElsewhere: Codable, Sendable, Equatable {
    /// What was captured of a hold.
    package var captured: Int64?
    /// What was refunded, beside the refunds of the journal.
    package var refunded: Int64?
    /// Whether the hold was released, or the payment voided: nothing of it is held or taken any more.
    package var isReleased: Bool?

    package init() {}

    /// A clause, such as `5.00 USD of it was refunded elsewhere`.
    func words(in currency: Currency?, isHold: Bool) -> String {
        func text(_ amount: Int64) -> String {
            currency.map { "\(Money(minorUnits: amount, currency: $0))" } ?? "\(amount)"
        }
        var clauses: [String] = []
        if isReleased == true { clauses.append(isHold ? "the hold was released" : "the payment was voided") }
        if let captured { clauses.append("\(text(captured)) of the hold was captured") }
        if let refunded { clauses.append("\(text(refunded)) of it was refunded") }
        return clauses.joined(separator: " and ") + " elsewhere"
    }
}

extension PaymentOperation {
    /// What was done with the payment elsewhere, as far as Clover has shown it, as a clause; nil for nothing.
    package var wordsElsewhere: String? {
        outcome.elsewhere?.words(in: amount?.currency, isHold: request.type == .preauth)
    }

    /// Whether it ended without a proof that holds for good: it may have been carried out after all.
    var isDoubtfulEnd: Bool { state.isFinal && state != .approved && outcome.isProvisional == true }

    /// The same charge, as if nothing of it had been refunded elsewhere.
    var withoutRefundElsewhere: PaymentOperation {
        var charge = self
        charge.outcome.elsewhere?.refunded = nil
        return charge
    }

    /// Whether it was approved and released elsewhere since: nothing of it is held or taken any more.
    package var isReleasedElsewhere: Bool { state == .approved && outcome.elsewhere?.isReleased == true }
}

extension ObservedPayment {
    /// What the payment of an approved charge shows, and that charge cannot have, with both amounts: more captured than was
    /// held, or more refunded than was taken or held; nil for nothing of the kind.
    ///
    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    func excess(over charge: PaymentOperation, after followUps: [PaymentOperation]) -> PaymentDifference? {
        guard ending == .approved, let unit = charge.amount?.currency else { return nil }
        func text(_ amount: Int64, _ word: String) -> String { "\(Money(minorUnits: amount, currency: unit)) \(word)" }
        let totals = ChargeTotals(charge, followUps)
        // Whether a service counts the tip among what was captured or refunded is not documented.
        let most = totals.held + max(0, outcome.tip ?? 0, totals.tip ?? 0)
        if totals.type == .preauth, let captured, captured > most {
            return PaymentDifference(shown: text(captured, "captured"), recorded: text(totals.held, "held"))
        }
        if let refunded, !lacksRefundedAmount, refunded > most {
            let word = totals.type == .preauth ? "held" : "captured"
            return PaymentDifference(shown: text(refunded, "refunded"), recorded: text(totals.held, word))
        }
        return nil
    }

    /// What was done elsewhere with this payment of an approved charge; nil if nothing is shown that the follow-ups do not
    /// explain. A refund that is shown without its amount is left out.
    ///
    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    func doneElsewhere(with charge: PaymentOperation, after followUps: [PaymentOperation]) -> DoneElsewhere? {
        var own = charge
        own.outcome.elsewhere = nil
        let followUps = followUps.filter { !$0.isOnOtherPayment(than: charge) }
        let totals = ChargeTotals(own, followUps)
        guard !totals.isVoided else { return nil }
        var done = DoneElsewhere()
        switch ending {
        case .voided: done.isReleased = true
        case .approved:
            let isOpenHold = totals.type == .preauth && !totals.isCaptured
            let taken = captured ?? (isCaptured == true ? outcome.amount : nil) ?? 0
            if isOpenHold, taken > 0 { done.captured = taken }
            guard let refunded, !lacksRefundedAmount else { break }
            let excess = refunded - totals.refunded
            if isOpenHold, taken == 0 {
                // What is refunded of a hold was never taken.
                if refunded > 0, refunded >= outcome.amount ?? totals.held { done.isReleased = true }
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
}
