/// One line of an order. The service keeps one line for each unit sold; only goods sold by weight have a quantity.
package struct LineRecord: Sendable {
    /// Place of the item on the menu; nil for a line keyed in by hand.
    package var item: Int?
    /// Place in the list of custom line names, when there is no item.
    package var customName = 0
    /// Cents a unit, without modifications.
    package var price = 0
    /// Thousandths of a unit for goods sold by weight; nil otherwise (Clover iOS SDK, line items).
    package var unitQuantity: Int?
    /// Run in the order's `modifications`.
    package var modifications = 0..<0
    package var discount: DiscountRecord?
    /// Place of the tax rate.
    package var taxRate = 0
    package var isRefunded = false
    package var isPrinted = true
    /// Milliseconds after the order's creation.
    package var delay = 0
    /// Cents with quantity, modifications and the line's own discount.
    package var net = 0
    /// `net` less this line's share of the order discounts: what is taxed.
    package var taxable = 0

    package init() {}
}
