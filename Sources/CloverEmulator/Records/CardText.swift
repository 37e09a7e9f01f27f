/// Names for card payments (card type and entry type enumerations of the Clover SDKs).
package enum CardText {
    /// Card types and the first six digits of a public test card of that type.
    package static let types: [(name: StaticString, first6: StaticString)] = [
        ("VISA", "411111"), ("MC", "555555"), ("AMEX", "371449"), ("DISCOVER", "601111"),
    ]

    package static let entries: [StaticString] = ["EMV_CONTACTLESS", "EMV_CONTACT", "SWIPED", "KEYED"]

    /// The type for a draw out of 100, with the shares these cards have in the trade.
    @inline(__always)
    package static func type(forDraw draw: Int) -> Int {
        draw < 50 ? 0 : draw < 78 ? 1 : draw < 92 ? 2 : 3
    }
}
