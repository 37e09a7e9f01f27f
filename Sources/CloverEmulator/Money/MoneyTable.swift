/// The kinds of documents that calls about money keep.
package enum MoneyTable: String, Sendable, CaseIterable {
    /// Card tokens of the ecommerce interface, by token.
    case cardToken
    /// Charges and refunds as the ecommerce interface shows them.
    case charge, chargeRefund
    /// What is known of a payment taken by a device besides its V3 record.
    case devicePayment
    /// First answers by idempotency key.
    case answer
    /// What every call did to money, for `GET /emulator/charges`.
    case movement
    /// Records that V3 shows.
    case order, payment, refund, credit
}
