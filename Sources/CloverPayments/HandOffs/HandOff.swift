/// An older hand-off with the same state that waits for its answer.
package struct HandOffRival: Sendable, Equatable {
    package let id: String
    /// It asks for the very same: whichever of the two is meant, it is as good as the other.
    package let isSameRequest: Bool
}

/// A payment that another company's app is asked for, as it is written down.
package struct HandOff: Sendable, Equatable {
    /// The text that the app sends back; nil when the request has none, which is not the same as an empty one.
    package var state: String?
    /// Where the request goes, without what it says.
    package var place: String
    /// What the request says.
    package var body: String
    /// nil for a currency that is none of ISO 4217.
    package var amount: Money?
    /// The amount in such a currency.
    package var plainAmount: PlainAmount?
    /// The location at the other company; empty when the request names none.
    package var location: String

    package init(state: String?, place: String, body: String, location: String) {
        self.state = state
        self.place = place
        self.body = body
        self.location = location
    }

    /// Its row, not yet written down.
    func operation(id: String, now: Int64) -> PaymentOperation {
        PaymentOperation(
            id: id, kind: .charge, rail: .square, environment: Rail.square.rawValue, merchantID: location,
            // Nothing is sent under it, but every row has one.
            idempotencyKey: id, externalID: state, amount: amount, plainAmount: plainAmount,
            request: OperationRequest(path: place, body: body), now: now)
    }
}

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

/// Which hand-off an answer belongs to, and what it changes.
///
/// An answer names the state of its request and, when it was paid, the payment; not the request itself. Requests may
/// share a state, and a callback may come twice, or late. So a hand-off is settled only when no other one can be meant:
/// an open one that is taken for cancelled may be paid meanwhile, and would be asked for again. Of open ones that ask for
/// the very same, one is as good as the other.
package enum HandOffMatch: Sendable, Equatable {
    /// The journal has nothing that could be meant.
    case none
    /// The answer came before, and settled this one.
    case known(PaymentOperation)
    /// It waited for an answer.
    case settles(PaymentOperation)
    /// It was settled as not paid, and was paid after all.
    case overturns(PaymentOperation)
    /// It is known to be paid, and the answer tells an id of the payment that was not known.
    case completes(PaymentOperation)
    /// It was settled otherwise before, and stays so: a payment is never undone by an answer.
    case contradicts(PaymentOperation)
    /// All with this state were paid by other payments, such as this one.
    case otherPayment(PaymentOperation)
    /// Any of these can be meant.
    case ambiguous([PaymentOperation])
    /// The answer has no state, and these without one are open, besides others perhaps.
    case stateless([PaymentOperation])

    /// - Parameter handOffs: those that share the answer's state or its payment, the newest first.
    package init(_ answer: HandOffAnswer, among handOffs: [PaymentOperation]) {
        if let named = handOffs.first(where: answer.names) {
            self = answer.completes(named) ? .completes(named) : .known(named)
            return
        }
        let handOffs = handOffs.filter { $0.externalID == answer.state }
        var open = handOffs.filter { !$0.state.isFinal && !answer.looksLike($0) }
        guard answer.state != nil else {
            self = open.isEmpty ? .none : .stateless(open)
            return
        }
        if Set(open.map(\.request.body)).count == 1 { open = Array(open.prefix(1)) }
        let alike = handOffs.filter(answer.looksLike)
        let unnamed = answer.isPaid && answer.hasIdentifier ? handOffs.filter(\.isPaidByHandAlone) : []
        switch (open.count, alike.isEmpty && unnamed.isEmpty) {
        case (0, _): self = Self.settled(answer, handOffs, alike: alike, unnamed: unnamed)
        case (1, true): self = .settles(open[0])
        default: self = .ambiguous(open + alike + unnamed)
        }
    }

    /// For the one that a person names.
    ///
    /// - Parameter handOffs: those that share the answer's payment.
    package init(_ answer: HandOffAnswer, chosen: PaymentOperation, among handOffs: [PaymentOperation]) {
        if let named = handOffs.first(where: answer.names) {
            self = answer.completes(named) ? .completes(named) : .known(named)
        } else if !chosen.state.isFinal {
            self = .settles(chosen)
        } else if answer.looksLike(chosen) || answer.isPaid && !answer.hasIdentifier && chosen.state == .approved {
            self = .known(chosen)
        } else if !answer.isPaid {
            self = .contradicts(chosen)
        } else if chosen.state != .approved {
            self = .overturns(chosen)
        } else {
            self = chosen.isPaidByHandAlone ? .completes(chosen) : .otherPayment(chosen)
        }
    }

    /// None is open.
    private static func settled(
        _ answer: HandOffAnswer, _ handOffs: [PaymentOperation], alike: [PaymentOperation],
        unnamed: [PaymentOperation]
    ) -> HandOffMatch {
        guard let newest = handOffs.first else { return .none }
        if let known = alike.first { return .known(known) }
        guard answer.isPaid else { return .contradicts(newest) }
        let unpaid = handOffs.filter { $0.state != .approved }
        switch (unpaid.count, unnamed.count) {
        case (0, 0): return .otherPayment(newest)
        case (1, 0): return .overturns(unpaid[0])
        case (0, 1): return .completes(unnamed[0])
        default: return .ambiguous(unpaid + unnamed)
        }
    }
}
