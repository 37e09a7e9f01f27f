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
