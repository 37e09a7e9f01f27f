import CloverPayments
import CloverSquare

/// The amount of a request in the currency's smallest unit.
enum SquareAmount {
    /// nil when none was given.
    ///
    /// An amount in major units needs a currency whose decimals are known. Where the SDK refuses the currency itself,
    /// the amount does not matter, and its text is not looked at: the SDK's checks come first.
    ///
    /// - Throws: `AmountRefusal`.
    static func minorUnits(
        _ amount: SquareHandOffRequest.Amount?, currency: SquareText?, profile: SquareProfile
    ) throws -> Int? {
        switch amount {
        case nil: return nil
        case .minor(let units): return units
        case .major(let text):
            guard let currency, !currency.isEmpty, profile.currencies?.contains(currency) ?? true else { return 0 }
            let argument = AmountArgument(text: text, option: "--amount", isMinor: false)
            return Int(try argument.money(in: try AmountArgument.currency(currency.string)).minorUnits)
        }
    }
}
