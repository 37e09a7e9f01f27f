package import CloverPayments
package import CloverRecords

/// An amount as it was typed: in the major unit, or in the smallest one.
package struct AmountArgument: Sendable, Equatable {
    package let text: String
    /// The option that it was given to.
    package let option: String
    package let isMinor: Bool

    package init(text: String, option: String, isMinor: Bool) {
        self.text = text
        self.option = option
        self.isMinor = isMinor
    }

    /// The amount in this currency; throws `AmountRefusal`.
    package func money(in currency: Currency) throws -> Money {
        do throws(AmountError) {
            return isMinor ? try AmountText.minor(text, in: currency) : try AmountText.major(text, in: currency)
        } catch {
            throw AmountRefusal(text: text, option: option, reason: error, currency: currency)
        }
    }

    /// The currency with this code; throws `AmountRefusal`.
    package static func currency(_ code: String) throws -> Currency {
        do throws(AmountError) {
            return try AmountText.currency(code)
        } catch {
            throw AmountRefusal(text: code, option: "--currency", reason: error, currency: nil)
        }
    }
}
