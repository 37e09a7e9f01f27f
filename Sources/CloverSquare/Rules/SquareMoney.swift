/// An amount with its currency. Money never refuses an amount, be it zero or negative; requests do.
package struct SquareMoney: Sendable, Hashable {
    /// In the currency's smallest unit: cents of a dollar, whole yen.
    package let amount: Int
    /// Passed on unchanged, and compared exactly.
    package let currencyCode: SquareText

    /// - Throws: `.missingCurrencyCode` for an empty code, then `.unsupportedCurrencyCode` for one outside a profile's
    ///   list, in which only capitals count.
    package init(amount: Int, currencyCode: SquareText, profile: SquareProfile) throws(SquareFailure) {
        guard !currencyCode.isEmpty else { throw SquareFailure(.missingCurrencyCode, profile: profile) }
        if let currencies = profile.currencies, !currencies.contains(currencyCode) {
            throw SquareFailure(.unsupportedCurrencyCode, profile: profile)
        }
        self.amount = amount
        self.currencyCode = currencyCode
    }
}
