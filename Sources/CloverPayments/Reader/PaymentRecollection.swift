/// What a reader's driver knows of payments that it took, also in an earlier run.
package protocol PaymentRecollection: Sendable {
    /// Asks what became of the payment with this external id; charges nothing.
    func recall(externalID: String) async -> Recollection
}

/// What a driver recalls of a payment.
package enum Recollection: Sendable, Equatable {
    /// How it ended.
    case ended(ReaderEvent)
    /// It has not ended.
    case underWay
    /// No money moved, and none will.
    case none
    /// The driver cannot tell, and why.
    case unclear(String)
}
