/// A charge as it is handed to a reader. Amounts are whole minor units of the currency.
package struct CardCharge: Sendable, Equatable {
    /// Made before the first byte is sent, and sent again with the same charge only: a second one with the same key
    /// answers with the outcome of the first.
    package var idempotencyKey: String
    /// By which the payment is found again; at most 32 characters.
    package var externalPaymentID: String
    /// The invoice's number; at most 12 characters.
    package var externalReferenceID: String?
    /// Tax included, tip not; 1...999999999.
    package var amount: Int64
    /// ISO 4217, such as `USD`.
    package var currency: String
    /// Closed at once: no tip and no capture later. Needs `capture`.
    package var isFinal: Bool
    /// False for an authorisation that is captured later.
    package var capture: Bool
    /// Only where it is final.
    package var tipAmount: Int64?
    /// The part of the amount that is tax.
    package var taxAmount: Int64?
    /// Whether a card that covers a part of the amount only may be charged with that part.
    package var acceptsPartial: Bool

    package init(
        idempotencyKey: String, externalPaymentID: String, externalReferenceID: String? = nil, amount: Int64,
        currency: String, isFinal: Bool, capture: Bool, tipAmount: Int64? = nil, taxAmount: Int64? = nil,
        acceptsPartial: Bool = false
    ) {
        self.idempotencyKey = idempotencyKey
        self.externalPaymentID = externalPaymentID
        self.externalReferenceID = externalReferenceID
        self.amount = amount
        self.currency = currency
        self.isFinal = isFinal
        self.capture = capture
        self.tipAmount = tipAmount
        self.taxAmount = taxAmount
        self.acceptsPartial = acceptsPartial
    }
}
