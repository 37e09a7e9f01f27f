/// What the other company's app, or a person, says about a hand-off.
package struct HandOffAnswer: Sendable, Equatable {
    /// The state of the request, unchanged; nil when the answer has none.
    package let state: String?
    /// `approved` when it was paid; else why it was not, as the journal calls it.
    package let ending: OperationState
    /// What to keep of it, with the ids of the payment.
    package let outcome: OperationOutcome

    package init(state: String?, ending: OperationState, outcome: OperationOutcome) {
        self.state = state
        self.ending = ending
        self.outcome = outcome
    }

    var isPaid: Bool { ending == .approved }

    var hasIdentifier: Bool { outcome.paymentID != nil || outcome.clientPaymentID != nil }

    /// Whether a hand-off is known to have made this very payment.
    func names(_ handOff: PaymentOperation) -> Bool {
        func isSame(_ left: String?, _ right: String?) -> Bool { left != nil && left == right }
        return isSame(outcome.paymentID, handOff.outcome.paymentID)
            || isSame(outcome.clientPaymentID, handOff.outcome.clientPaymentID)
    }

    /// Whether a hand-off was settled by an answer that looks just like this one, which names no payment.
    func looksLike(_ handOff: PaymentOperation) -> Bool {
        !hasIdentifier && handOff.state == ending && handOff.hasNoIdentifier
            && handOff.outcome.code == outcome.code
    }

    /// Whether it tells the id of a payment that was known without one.
    func completes(_ handOff: PaymentOperation) -> Bool {
        names(handOff)
            && (outcome.paymentID != nil && handOff.outcome.paymentID == nil
                || outcome.clientPaymentID != nil && handOff.outcome.clientPaymentID == nil)
    }
}

extension PaymentOperation {
    var hasNoIdentifier: Bool { outcome.paymentID == nil && outcome.clientPaymentID == nil }

    /// Whether a person alone says that it was paid, and no answer did yet.
    var isPaidByHandAlone: Bool { state == .approved && outcome.isByHand == true && hasNoIdentifier }
}
