package import CloverRecords

/// Amounts as people type them. What could be meant in two ways is refused: nothing is guessed about money.
package enum AmountText {
    /// The currency with this code, in any case.
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

    /// Reads an amount in the smallest unit, such as `1250`.
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

    /// Only ASCII digits and points; anything else is refused by what it is.
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
