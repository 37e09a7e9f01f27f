/// A payment of an order.
package struct PaymentRecord: Sendable {
    /// Place in the shop's list of tenders.
    package var tender = 0
    /// Cents, tax included, tip not included (Clover documentation, card present payments).
    package var amount = 0
    package var taxAmount = 0
    package var tipAmount = 0
    /// Cents handed over, for cash.
    package var cashTendered: Int?
    /// Milliseconds since 1970.
    package var createdTime = 0
    package var modifiedTime = 0
    package var card: CardRecord?

    package init() {}
}
