import CloverPayments
import CloverRecords
import CloverSquare

/// The amount of a request as it was typed.
///
/// Money refuses no amount; requests do, in the SDK's order. So what is no amount becomes a fault of the draft, and only
/// what may be meant in two ways is refused at once.
enum SquareAmount {
    /// Puts the amount into the draft, in the currency's smallest unit.
    ///
    /// An amount in major units needs a currency whose decimals are known. Where the SDK refuses the currency itself,
    /// the amount does not matter, and its text is not looked at: the SDK's checks come first.
    ///
    /// - Throws: `AmountRefusal` for an ambiguous amount; `SquareError.decimalsUnknown`.
    static func put(
        _ amount: SquareHandOffRequest.Amount?, into draft: inout SquareRequestDraft, profile: SquareProfile
    ) throws {
        guard let amount else { return }
        do throws(AmountError) {
            switch amount {
            case .minor(let text): draft.amount = try minor(text)
            case .major(let text):
                guard let code = draft.currency, !code.isEmpty, profile.currencies?.contains(code) ?? true else {
                    draft.amount = 0
                    return
                }
                draft.amount = try major(text, code.string)
            }
        } catch {
            switch (error, amount) {
            case (.ambiguous, .major(let text)):
                throw AmountRefusal(
                    text: text, option: "--amount", reason: error, currency: currency(draft.currency?.string))
            case (.unknownCurrency(let code), _): throw SquareError.decimalsUnknown(currency: code)
            default: draft.refuse(.amount, reason(error))
            }
        }
    }

    /// Nil for a code of no list, of whose decimals nothing is known.
    private static func currency(_ code: String?) -> Currency? {
        guard let code else { return nil }
        do throws(RecordFormatError) {
            return try Currency(code: code)
        } catch {
            return nil
        }
    }

    private static func minor(_ text: String) throws(AmountError) -> Int {
        let (sign, digits) = parts(text)
        // The currency says nothing here: whole units are whole units.
        return sign * Int(try AmountText.minor(digits, in: .usDollar).minorUnits)
    }

    private static func major(_ text: String, _ code: String) throws(AmountError) -> Int {
        let currency = try AmountText.currency(code)
        let (sign, digits) = parts(text)
        do throws(AmountError) {
            return sign * Int(try AmountText.major(digits, in: currency).minorUnits)
        } catch .ambiguous(_) where digits.allSatisfy({ "0.".contains($0) }) {
            // Nothing is nothing in any unit.
            return 0
        }
    }

    private static func parts(_ text: String) -> (sign: Int, digits: String) {
        text.hasPrefix("-") ? (-1, String(text.dropFirst())) : (1, text)
    }

    /// For the message of the SDK's error.
    private static func reason(_ error: AmountError) -> String {
        switch error {
        case .empty: "is empty"
        case .tooManyDecimals(let currency):
            currency.decimals == 0
                ? "has decimals, and \(currency.code) has none"
                : "has more decimals than \(currency.code), which has \(currency.decimals)"
        case .fraction: "has a point, and is in the smallest unit"
        case .notation: "is written with an exponent or a base, not in plain digits"
        case .tooLarge: "is more than 64 bits hold"
        case .leadingZero: "begins with a zero that means nothing"
        case .ambiguous, .separator, .sign, .space, .currencySign, .foreignDigit, .misplacedPoint, .notNumber,
            .unknownCurrency:
            "is not a number of digits, with a point before decimals"
        }
    }
}
