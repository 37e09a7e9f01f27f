/// What a reader's driver knows of payments that it took, also in an earlier run.
package protocol PaymentRecollection: Sendable {
    /// Asks what became of the payment with this external id; charges nothing.
    ///
    /// - Parameter driver: the driver program that the payment was made with; nil when that is not known.
    /// - Returns: nil when there is no driver to ask.
    func recall(externalID: String, driver: String?) async -> Recollection?
}

/// What a driver recalls of a payment.
package enum Recollection: Sendable, Equatable {
    /// How it ended.
    case ended(ReaderEvent)
    /// It has not ended.
    case underWay
    /// No money moved, and none will: by the record of the very driver that the payment was made with.
    case noPayment
    /// The driver cannot tell, and why.
    case unclear(String)
}
