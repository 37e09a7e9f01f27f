/// A payment that a reader took. Amounts are whole minor units of the currency.
package struct CardPayment: Sendable, Equatable {
    /// Clover's id of the payment.
    package var id: String
    package var externalPaymentID: String
    /// What was approved, without tip: less than was asked for in a partial approval.
    package var amount: Int64
    package var currency: String
    package var tipAmount: Int64?
    package var taxAmount: Int64?
    package var isFinal: Bool
    package var isCaptured: Bool
    package var orderID: String?
    package var authCode: String?
    /// The processor's reference.
    package var referenceID: String?
    package var card: CardFacts?
    /// When the payment was made, in milliseconds since 1970.
    package var createdTime: Int64?

    package init(
        id: String, externalPaymentID: String, amount: Int64, currency: String, isFinal: Bool, isCaptured: Bool
    ) {
        self.id = id
        self.externalPaymentID = externalPaymentID
        self.amount = amount
        self.currency = currency
        self.isFinal = isFinal
        self.isCaptured = isCaptured
    }
}
