package import CloverOutput
package import CloverPayments

/// An amount as typed, in the currency's major unit or in its smallest unit.
package struct AmountArgument: Sendable, Equatable {
    package let text: String
    /// The option that it was passed to.
    package let option: String
    package let isMinor: Bool

    package init(text: String, option: String, isMinor: Bool) {
        self.text = text
        self.option = option
        self.isMinor = isMinor
    }

    /// Parses the amount in `currency`; throws `AmountRefusal`.
    package func money(in currency: Currency) throws -> Money {
        do throws(AmountError) {
            return isMinor ? try AmountText.minor(text, in: currency) : try AmountText.major(text, in: currency)
        } catch {
            throw AmountRefusal(text: text, option: option, reason: error, currency: currency)
        }
    }

    /// Looks up a currency by its code; throws `AmountRefusal`.
    package static func currency(_ code: String) throws -> Currency {
        do throws(AmountError) {
            return try AmountText.currency(code)
        } catch {
            throw AmountRefusal(text: code, option: "--currency", reason: error, currency: nil)
        }
    }
}

/// A typed amount or currency code that is not valid.
package struct AmountRefusal: Error, Equatable, Sendable {
    package let text: String
    /// The option that it was passed to.
    package let option: String
    package let reason: AmountError
    /// The amount's currency; nil if the currency code itself is wrong.
    package let currency: Currency?

    package init(text: String, option: String, reason: AmountError, currency: Currency?) {
        self.currency = currency
        self.text = text
        self.option = option
        self.reason = reason
    }
}
