package import CloverRecords

/// Why a text is no amount of money.
package enum AmountError: Error, Equatable, Sendable {
    /// Nobody typed anything.
    case empty
    /// It could be meant in the major or in the smallest unit: it has fewer decimals than the currency.
    case ambiguous(Currency)
    /// More decimals than the currency has.
    case tooManyDecimals(Currency)
    /// A separator of thousands, or a comma for the point.
    case separator(Character)
    /// A plus or minus.
    case sign
    case space
    /// A currency's sign or name inside.
    case currencySign
    /// `1e3`, `0x10`.
    case notation
    /// A digit that is not one of 0 to 9.
    case foreignDigit
    /// No digit before or after the point, or more than one point.
    case misplacedPoint
    /// A zero before other digits.
    case leadingZero
    /// A decimal point where only whole units are taken.
    case fraction
    /// Something else that is no digit.
    case notNumber
    /// More than any integer of 64 bits.
    case tooLarge
    /// Not a currency of ISO 4217.
    case unknownCurrency(String)
}
