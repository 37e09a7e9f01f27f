import CloverJSON
package import CloverOutput

/// An exact amount of money: an integer of the currency's smallest unit, never a fraction.
package struct Money: Sendable, Hashable {
    /// In the smallest unit, such as cents or yen.
    package var minorUnits: Int64
    package var currency: Currency

    package init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// The amount in the major unit with all decimals of the currency, such as `12.50`.
    package var majorText: String {
        let digits = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, currency.decimals + 1 - digits.count)) + digits
        let sign = minorUnits < 0 ? "-" : ""
        guard currency.decimals > 0 else { return sign + padded }
        return sign + padded.dropLast(currency.decimals) + "." + padded.suffix(currency.decimals)
    }
}

extension Money {
    /// For display: `$12.50`, or `12.50 SEK` where several countries share the currency sign.
    package var signedText: String {
        guard let sign = currency.sign else { return description }
        return minorUnits < 0 ? "-" + sign + majorText.dropFirst() : sign + majorText
    }
}

extension Money: CustomStringConvertible {
    /// Such as `12.50 USD`.
    package var description: String { "\(majorText) \(currency.code)" }
}

/// An amount in a currency whose number of decimals is unknown: a hand-off may name any currency.
package struct RawAmount: Sendable, Hashable {
    /// In the smallest unit.
    package let minorUnits: Int64
    /// As given.
    package let currencyCode: String

    package init(minorUnits: Int64, currencyCode: String) {
        self.minorUnits = minorUnits
        self.currencyCode = currencyCode
    }
}

extension RawAmount: CustomStringConvertible {
    /// Such as `1250 smallest units of XBT`.
    package var description: String { "\(minorUnits) smallest units of \(currencyCode)" }
}

/// Parses amounts as people type them. An amount that could be read in two ways is refused, because guessing could charge
/// the wrong amount.
package enum AmountText {
    /// The currency with this code, in upper or lower case.
    package static func currency(_ code: String) throws(AmountError) -> Currency {
        do throws(RecordFormatError) {
            return try Currency(code: code)
        } catch {
            throw .unknownCurrency(code)
        }
    }

    /// Reads an amount in the major unit with all of the currency's decimals, such as `12.50`.
    package static func major(_ text: String, in currency: Currency) throws(AmountError) -> Money {
        try checkCharacters(text)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { throw .misplacedPoint }
        let decimals = parts.count == 2 ? parts[1] : ""
        if decimals.count > currency.decimals { throw .tooManyDecimals(currency) }
        if decimals.count < currency.decimals { throw .ambiguous(currency) }
        if parts[0].count > 1, parts[0].first == "0" { throw .leadingZero }
        return Money(minorUnits: try integer(parts[0] + decimals), currency: currency)
    }

    /// Reads a whole number in the smallest unit, such as `1250`.
    package static func minor(_ text: String, in currency: Currency) throws(AmountError) -> Money {
        try checkCharacters(text)
        if text.contains(".") { throw .fraction }
        if text.count > 1, text.first == "0" { throw .leadingZero }
        return Money(minorUnits: try integer(text), currency: currency)
    }

    private static func integer(_ digits: some StringProtocol) throws(AmountError) -> Int64 {
        guard let number = Int64(digits) else { throw .tooLarge }
        return number
    }

    /// Accepts only ASCII digits and points, and throws the error that describes any other character.
    private static func checkCharacters(_ text: String) throws(AmountError) {
        if text.isEmpty { throw .empty }
        let isNotation = text.contains { "eExX".contains($0) } && text.contains(where: \.isNumber)
        for character in text where !(character.isASCII && (character.isNumber || character == ".")) {
            if character.isWhitespace { throw .space }
            if character == "+" || "-\u{2212}\u{2013}".contains(character) { throw isNotation ? .notation : .sign }
            if ",'_\u{2019}\u{066B}\u{066C}".contains(character) { throw .separator(character) }
            if character.isNumber { throw .foreignDigit }
            if character.isCurrencySymbol { throw .currencySign }
            if character.isLetter { throw isNotation ? .notation : .currencySign }
            throw .notNumber
        }
    }
}

/// Why a text is not an amount of money.
package enum AmountError: Error, Equatable, Sendable {
    /// The text is empty.
    case empty
    /// Fewer decimals than the currency has: it could be in the major or in the smallest unit.
    case ambiguous(Currency)
    /// More decimals than the currency has.
    case tooManyDecimals(Currency)
    /// A thousands separator, or a comma used as the decimal point.
    case separator(Character)
    /// A plus or minus sign.
    case sign
    case space
    /// A currency sign or name.
    case currencySign
    /// Scientific or hexadecimal notation, such as `1e3` or `0x10`.
    case notation
    /// A digit other than 0 to 9.
    case foreignDigit
    /// No digit before or after the decimal point, or more than one point.
    case misplacedPoint
    /// A leading zero.
    case leadingZero
    /// A decimal point in an amount in the smallest unit.
    case fraction
    /// Any other character that is not a digit.
    case notNumber
    /// More than a 64-bit integer can hold.
    case tooLarge
    /// Not an ISO 4217 currency code.
    case unknownCurrency(String)
}

extension JSONTree {
    /// An amount in the smallest unit; nil for a number too large to be an amount of money, so that sums cannot overflow.
    var amount: Int64? { int.flatMap(Self.amount) }

    /// The number, if it is in the range of amounts.
    static func amount(_ number: Int64) -> Int64? {
        (-largestAmount...largestAmount).contains(number) ? number : nil
    }

    private static let largestAmount: Int64 = 1_000_000_000_000_000
}
