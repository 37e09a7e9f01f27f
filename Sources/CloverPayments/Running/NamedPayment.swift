/// What the service shows about the payment that a person names for an operation. Nothing is written.
package enum NamedPayment: Equatable, Sendable {
    /// Its amount and currency are those of the operation.
    case matches
    case differs(PaymentDifference)
    /// The service has no such payment.
    case missing
    /// The service could not be asked, or does not show it; the reason is a clause.
    case unchecked(reason: String)

    /// Asks the service. For a refund, the payment is the refund.
    ///
    /// - Parameters:
    ///   - payment: the ID at Clover.
    ///   - followUps: the follow-ups of a charge, oldest first.
    ///   - now: milliseconds since 1970.
    package static func look(
        _ payment: String, for operation: PaymentOperation, after followUps: [PaymentOperation],
        _ client: PaymentClient, now: Int64
    ) async -> NamedPayment {
        if operation.rail.isRecurring {
            return await RecurringList(client: client, merchantID: operation.merchantID).named(payment, for: operation)
        }
        let shown: ObservedPayment
        switch await PaymentLookup(client: client, now: now).named(payment, for: operation) {
        case .payment(let payment): shown = payment
        case .absent: return .missing
        case .silence(let outcome, _): return .unchecked(reason: outcome.reason ?? "the service could not be asked")
        case .signInRefused: return .unchecked(reason: "the sign-in was not accepted")
        case .neverLeft, .outOfReach, .declined, .refused, .doubtfulRefusal, .signInDoubted, .cancelled,
            .refusedByDriver,
            .absentFromDriver, .effect, .unchanged, .changed:
            return .unchecked(reason: "the service does not show it")
        }
        guard shown.outcome.amount != nil else { return .unchecked(reason: "the service does not show its amount") }
        let paid = operation.settled(.approved, OperationOutcome())
        guard let difference = shown.differenceInAmount(from: paid, after: followUps) else { return .matches }
        return .differs(difference)
    }
}
