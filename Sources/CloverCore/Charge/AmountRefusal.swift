package import CloverPayments
package import CloverRecords

/// An amount that was typed and is none.
package struct AmountRefusal: Error, Equatable, Sendable {
    package let text: String
    /// The option that it was given to.
    package let option: String
    package let reason: AmountError
    /// The currency that it was meant in; nil when that is what is wrong.
    package let currency: Currency?

    package init(text: String, option: String, reason: AmountError, currency: Currency?) {
        self.currency = currency
        self.text = text
        self.option = option
        self.reason = reason
    }
}
