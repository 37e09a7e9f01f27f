import CloverAPI

/// What went wrong with a Hosted Checkout.
package enum CheckoutError: Error, Equatable, Sendable {
    /// The records could not be read, for this reason.
    case unreadable(String)
    /// The same, because the sign-in was not accepted.
    case signInRefused(String)
    /// The same, because the response cannot be understood, or may not show all.
    case malformed(String)
    /// No checkout of the journal has this ID or session.
    case missing(String)
    /// The session of this key has ended.
    case expired(id: String)
    /// The session ended, and no payment was seen but those that are not known to have taken money. It may have been paid.
    case unseen(id: String, isDeclined: Bool, reason: String?, unpaid: [CheckoutPayments.Unpaid] = [])
    /// The time of the run ended before that.
    case stillOpen(id: String, seconds: Double)
    /// Several payments of one session; `reason` is a clause, such as `paid more than once: 3PJ9..., 7QK2...`.
    case paidTwice(id: String, payments: [String], reason: String)
    /// What an earlier look found, and the merchant's records do not show now; `reason` is a clause about it.
    case notShown(id: String, reason: String)
    /// A page that is recorded as paid because of a webhook alone, whose payment the merchant's records do not have.
    case unconfirmed(id: String, payment: String)
    /// A payment for a page that is not what the page asked for; `reason` is a sentence about it.
    case otherAmount(id: String, payment: String, reason: String)
    /// A payment for a page that was refunded as a whole since, as all others of the page were; `reason` is a sentence about it.
    case givenBack(id: String, payment: String, reason: String)

    init(_ failure: RecordReader.Failure) {
        let reason = "the merchant's orders and payments cannot be read: \(failure.reason)"
        self =
            switch failure {
            case .malformed: .malformed(reason)
            case .unsent(ServiceError.unauthorized): .signInRefused(reason)
            case .answered, .unsent, .lost: .unreadable(reason)
            }
    }

    /// That no payment was seen which took money, as a clause.
    package static func words(for unpaid: [CheckoutPayments.Unpaid]) -> String {
        unpaid.isEmpty
            ? "no payment was seen"
            : "no payment that took money was seen: its order has " + unpaid.map(\.text).joined(separator: ", ")
    }

    /// What was found that a person has to judge, as a clause, and whose payment it is; nil for any other error.
    package var finding: String? {
        switch self {
        case .unseen(_, let isDeclined, _, let unpaid):
            "the page has ended, and \(Self.words(for: unpaid))" + (isDeclined ? "; a card was declined" : "")
        case .otherAmount(_, let payment, let reason), .givenBack(_, let payment, let reason):
            "of the payment \(payment): \(reason)"
        case .unconfirmed(_, let payment): "the merchant's records have no payment \(payment)"
        case .paidTwice(_, _, let reason): reason
        case .unreadable, .signInRefused, .malformed, .missing, .expired, .stillOpen, .notShown: nil
        }
    }

    /// Whether a person has settled the page in the knowledge of this.
    package func isAcknowledged(by checkout: PaymentOperation) -> Bool {
        guard let finding else { return false }
        return checkout.outcome.acknowledged?.contains(finding) ?? false
    }

    /// Why records could not be read; nil for any other error.
    package var obstacle: String? {
        switch self {
        case .unreadable(let reason), .signInRefused(let reason), .malformed(let reason): reason
        default: nil
        }
    }
}
