import CloverAPI

/// What went wrong with a Hosted Checkout.
package enum CheckoutError: Error, Equatable, Sendable {
    /// No checkout of the journal has this ID or session.
    case missing(String)
    /// The session of this key has ended, or shows a payment.
    case expired(id: String)
    /// The time of the run ended before the page's.
    case stillOpen(id: String, seconds: Double)
    /// What was found does not show that the page was paid, or shows more than that.
    case found(id: String, PageVerdict)
    /// A person settled the page, and no money that was paid for it is kept.
    case nothingKept(id: String, reason: String)

    /// What was found; nil for any other error, and where the records could not be read.
    package var verdict: PageVerdict? {
        guard case .found(_, let verdict) = self else { return nil }
        if case .unread = verdict.finding { return nil }
        return verdict
    }
}

extension PageObstacle {
    init(_ failure: RecordReader.Failure) {
        let reason = "the merchant's orders and payments cannot be read: \(failure.reason)"
        self =
            switch failure {
            case .malformed: PageObstacle(.malformed, reason)
            case .unsent(ServiceError.unauthorized): PageObstacle(.signInRefused, reason)
            case .answered, .unsent, .lost: PageObstacle(.unreadable, reason)
            }
    }
}
