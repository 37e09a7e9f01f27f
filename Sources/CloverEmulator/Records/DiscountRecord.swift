/// A discount on a line or an order.
package struct DiscountRecord: Sendable {
    /// Place in the shop's catalogue of discounts.
    package var catalogue: Int
    /// Whole percent, or nil when `amount` says what is taken off.
    package var percentage: Int?
    /// Negative cents; the service refuses positive ones (live sandbox notes).
    package var amount: Int?
    /// Cents taken off, positive.
    package var value: Int
}
