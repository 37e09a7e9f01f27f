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
