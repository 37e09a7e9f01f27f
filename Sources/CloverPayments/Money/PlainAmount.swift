/// An amount in a currency whose decimals nobody knows here: a hand-off may name any.
package struct PlainAmount: Sendable, Hashable {
    /// In the smallest unit.
    package let minorUnits: Int64
    /// As it was given.
    package let currencyCode: String

    package init(minorUnits: Int64, currencyCode: String) {
        self.minorUnits = minorUnits
        self.currencyCode = currencyCode
    }
}

extension PlainAmount: CustomStringConvertible {
    /// Such as `1250 smallest units of XBT`.
    package var description: String { "\(minorUnits) smallest units of \(currencyCode)" }
}
