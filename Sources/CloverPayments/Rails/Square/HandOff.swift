/// An older hand-off with the same state that awaits its response.
package struct ConflictingHandOff: Sendable, Equatable {
    package let id: String
    /// Whether it asks for exactly the same: then either of the two may be settled.
    package let isSameRequest: Bool
}

/// A payment requested from another company's app, as the journal records it.
package struct HandOff: Sendable, Equatable {
    /// The text that the app sends back; nil when the request has none, which is not the same as an empty one.
    package var state: String?
    /// The destination of the request, without its parameters.
    package var place: String
    /// The parameters of the request.
    package var body: String
    /// The amount; nil for a currency that is not in ISO 4217.
    package var amount: Money?
    /// The amount in such a currency.
    package var plainAmount: RawAmount?
    /// The location at the other company; empty when the request names none.
    package var location: String

    package init(state: String?, place: String, body: String, location: String) {
        self.state = state
        self.place = place
        self.body = body
        self.location = location
    }

    /// The hand-off's row, not yet recorded.
    func operation(id: String, now: Int64) -> PaymentOperation {
        PaymentOperation(
            id: id, kind: .charge, rail: .square, environment: PaymentRail.square.rawValue, merchantID: location,
            // Unused, but every row must have a key.
            idempotencyKey: id, externalID: state, amount: amount, plainAmount: plainAmount,
            request: OperationRequest(path: place, body: body), now: now)
    }
}

/// What the other company's app, or the user, reports about a hand-off.
package struct HandOffResponse: Sendable, Equatable {
    /// The state of the request, unchanged; nil if the response has none.
    package let state: String?
    /// `approved` if it was paid; otherwise the journal's state for the reason.
    package let ending: OperationState
    /// What to record, including the IDs of the payment.
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

    /// Whether a hand-off was settled by a response just like this one, which names no payment.
    func looksLike(_ handOff: PaymentOperation) -> Bool {
        !hasIdentifier && handOff.state == ending && handOff.hasNoIdentifier
            && handOff.outcome.code == outcome.code
    }

    /// Whether a hand-off that was paid later got a response just like this one before.
    func repeatsError(of handOff: PaymentOperation) -> Bool {
        !hasIdentifier && outcome.code != nil && handOff.outcome.overturnedCode == outcome.code
    }

    /// Whether the response adds a payment ID that the hand-off lacks.
    func completes(_ handOff: PaymentOperation) -> Bool {
        names(handOff)
            && (outcome.paymentID != nil && handOff.outcome.paymentID == nil
                || outcome.clientPaymentID != nil && handOff.outcome.clientPaymentID == nil)
    }
}

extension PaymentOperation {
    var hasNoIdentifier: Bool { outcome.paymentID == nil && outcome.clientPaymentID == nil }

    /// Whether it was paid only according to the user, without any response yet.
    var isPaidOnlyByHand: Bool { state == .approved && outcome.isByHand == true && hasNoIdentifier }
}

/// Which hand-off a response belongs to, and what it changes.
///
/// A response names the state of its request and, if it was paid, the payment; it does not name the request itself.
/// Requests may share a state, and a callback may arrive twice, or late. So a hand-off is settled only if no other one can
/// be meant: an open one that was wrongly recorded as cancelled may still be paid, and would then be requested again. Of
/// several open ones that ask for exactly the same, any one may be settled.
package enum HandOffMatch: Sendable, Equatable {
    /// The journal has no hand-off that could be meant.
    case none
    /// The same response arrived before and settled this hand-off.
    case known(PaymentOperation)
    /// This hand-off awaited a response.
    case settles(PaymentOperation)
    /// This hand-off was recorded as not paid, and was paid after all.
    case overturns(PaymentOperation)
    /// This hand-off is known to be paid, and the response adds an ID of the payment.
    case completes(PaymentOperation)
    /// This hand-off was settled differently before, which stands: a response never undoes a payment.
    case contradicts(PaymentOperation)
    /// All hand-offs with this state were paid by other payments, such as this one.
    case otherPayment(PaymentOperation)
    /// The response has the payment of this hand-off, but is meant for another one: a request is not paid by the payment of
    /// another.
    case paymentOfAnother(PaymentOperation)
    /// Any of these could be meant.
    case ambiguous([PaymentOperation])
    /// The response has no state; these hand-offs without one are open, and possibly more.
    case stateless([PaymentOperation])

    /// - Parameter handOffs: the hand-offs that share the response's state or its payment, newest first.
    package init(_ answer: HandOffResponse, among handOffs: [PaymentOperation]) {
        let named = handOffs.filter(answer.names)
        let handOffs = handOffs.filter { $0.externalID == answer.state }
        if let own = handOffs.first(where: answer.names) {
            self = answer.completes(own) ? .completes(own) : .known(own)
            return
        }
        if let other = named.first {
            self = .paymentOfAnother(other)
            return
        }
        var open = handOffs.filter { !$0.state.isFinal && !answer.looksLike($0) }
        guard answer.state != nil else {
            self = open.isEmpty ? .none : .stateless(open)
            return
        }
        if Set(open.map(\.request.body)).count == 1 { open = Array(open.prefix(1)) }
        let alike = handOffs.filter(answer.looksLike)
        let unnamed = answer.isPaid && answer.hasIdentifier ? handOffs.filter(\.isPaidOnlyByHand) : []
        let repeated = handOffs.filter(answer.repeatsError)
        switch (open.count, alike.isEmpty && unnamed.isEmpty && repeated.isEmpty) {
        case (0, _): self = Self.settled(answer, handOffs, alike: alike, unnamed: unnamed)
        case (1, true): self = .settles(open[0])
        default: self = .ambiguous(open + alike + unnamed + repeated)
        }
    }

    /// Matches the hand-off that the user named.
    ///
    /// - Parameter handOffs: the hand-offs that share the response's payment.
    package init(_ answer: HandOffResponse, chosen: PaymentOperation, among handOffs: [PaymentOperation]) {
        let named = handOffs.filter(answer.names)
        if let own = named.first(where: { $0.id == chosen.id }) {
            self = answer.completes(own) ? .completes(own) : .known(own)
        } else if let other = named.first {
            self = .paymentOfAnother(other)
        } else if !chosen.state.isFinal {
            self = .settles(chosen)
        } else if answer.looksLike(chosen) || answer.isPaid && !answer.hasIdentifier && chosen.state == .approved {
            self = .known(chosen)
        } else if !answer.isPaid {
            self = .contradicts(chosen)
        } else if chosen.state != .approved {
            self = .overturns(chosen)
        } else {
            self = chosen.isPaidOnlyByHand ? .completes(chosen) : .otherPayment(chosen)
        }
    }

    /// The match if no hand-off is open.
    private static func settled(
        _ answer: HandOffResponse, _ handOffs: [PaymentOperation], alike: [PaymentOperation],
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
