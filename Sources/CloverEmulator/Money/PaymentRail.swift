/// The interfaces that move money.
package enum PaymentRail: String, Sendable {
    /// Cards that are not present.
    case ecommerce
    /// Cards shown to a device of the shop.
    case payDisplay
}
