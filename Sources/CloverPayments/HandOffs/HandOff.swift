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
