/// One thing that was seen or heard about an operation. `Verdict` says what it proves.
package enum Evidence: Equatable, Sendable {
    /// Nothing of the request left this machine, and nothing will. The state says how it ended.
    case neverLeft(NeverSentEnding, OperationOutcome)
    /// The response to the operation's own request, or to its repetition under the same key, is a decline in Clover's own
    /// form.
    case declined(OperationOutcome)
    /// The request was refused in Clover's own form, other than by a decline, and no earlier request was lost.
    case refused(OperationOutcome)
    /// The device or reader says that it was cancelled.
    case cancelled(OperationOutcome)
    /// The reader's driver says that it failed, or was declined, before or without a charge.
    case driverRefused(NeverSentEnding, OperationOutcome)
    /// The driver of the charge, whose record outlives it, has no such payment.
    case driverHasNone
    /// A payment is shown.
    case payment(SeenPayment)
    /// The effect of a follow-up is shown: on its charge, or in the response to its own request.
    case effect(OperationOutcome)
    /// The charge of a follow-up was read after its request, and is as it was before.
    case unchanged
    /// The service or device, asked by the operation's external id after its request, has no such payment.
    case absent
    /// Whatever does not tell: no response, one that is not in Clover's form, an outage, a contradiction.
    case silence(OperationOutcome, isRepeatable: Bool)

    /// How an operation ended of which nothing was carried out.
    package enum NeverSentEnding: String, CaseIterable, Sendable {
        case declined, cancelled, failed

        package var state: OperationState {
            switch self {
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            }
        }
    }

    /// Whether the service's records have to be read before anything is concluded: it is neither an approval nor a
    /// decline in Clover's form.
    package var asksForLook: Bool {
        switch self {
        case .neverLeft, .declined, .effect, .unchanged, .absent, .driverHasNone: false
        case .payment(let payment): payment.ending != .approved && payment.ending != .declined
        case .refused, .cancelled, .driverRefused, .silence: true
        }
    }

    /// A payment that only looks like the operation's: it proves nothing against a response about the operation itself.
    package var isOnlyAlike: Bool {
        if case .payment(let payment) = self { payment.source == .list } else { false }
    }

    /// The payment that a response to `operation` named as its own, by which it can be asked for.
    package func paymentID(of operation: PaymentOperation) -> String? {
        switch self {
        case .payment(let payment) where payment.relation(to: operation) == .own: payment.outcome.paymentID
        case .silence(let outcome, _): outcome.paymentID
        default: nil
        }
    }
}
