package import CloverPayments

/// An amount that was typed and is none.
package struct AmountRefusal: Error, Equatable, Sendable {
    package let text: String
    /// The option that it was given to.
    package let option: String
    package let reason: AmountError

    package init(text: String, option: String, reason: AmountError) {
        self.text = text
        self.option = option
        self.reason = reason
    }
}
