/// The card side of a payment. The numbers are made up; the first six digits are those of public test cards.
package struct CardRecord: Sendable {
    /// Place in `CardText.types`.
    package var type: Int
    /// Place in `CardText.entries`.
    package var entry: Int
    /// 0 to 9999.
    package var last4: Int
    /// Six digits the processor gave.
    package var authCode: Int
    package var isClosed: Bool
}
