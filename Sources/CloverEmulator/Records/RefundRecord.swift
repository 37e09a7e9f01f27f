/// A refund of an order's first payment, whole or of one line.
package struct RefundRecord: Sendable {
    /// Cents, tax included, positive; never more than the payment.
    package var amount: Int
    package var taxAmount: Int
    /// Place of the refunded line; nil when the whole payment went back.
    package var line: Int?
    /// Milliseconds since 1970.
    package var createdTime: Int
    package var employee: Int
}
