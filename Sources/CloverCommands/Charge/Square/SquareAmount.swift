import CloverOutput
import CloverPayments
import CloverSquare

/// Parses the amount of a request.
///
/// The SDK reports the errors of a request in a fixed order. Therefore an invalid amount becomes an error of the draft,
/// which is reported in that order; only an ambiguous amount is refused at once.
enum SquareAmount {
    /// Sets the draft's amount, in the currency's smallest unit.
    ///
    /// An amount in major units needs a currency with a known number of decimals. If the SDK refuses the currency itself,
    /// the amount's text is ignored, because that error comes first.
    ///
    /// - Throws: `AmountRefusal` for an ambiguous amount; `SquareError.decimalsUnknown`.
    static func put(
        _ amount: AmountArgument?, into draft: inout SquareRequestDraft, profile: SquareProfile
    ) throws {
        guard let amount else { return }
        do throws(AmountError) {
            if amount.isMinor {
                draft.amount = try minor(amount.text)
                return
            }
            guard let code = draft.currency, !code.isEmpty, profile.currencies?.contains(code) ?? true else {
                draft.amount = 0
                return
            }
            draft.amount = try major(amount.text, code.string)
        } catch {
            switch error {
            case .ambiguous where !amount.isMinor:
                throw AmountRefusal(
                    text: amount.text, option: amount.option, reason: error,
                    currency: currency(draft.currency?.string))
            case .unknownCurrency(let code): throw SquareError.decimalsUnknown(currency: code)
            default: draft.refuse(.amount, reason(error))
            }
        }
    }

    /// The currency with this code; nil if the code, and therefore its number of decimals, is unknown.
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
        // Any currency will do: the smallest unit has no decimals.
        return sign * Int(try AmountText.minor(digits, in: .usDollar).minorUnits)
    }

    private static func major(_ text: String, _ code: String) throws(AmountError) -> Int {
        let currency = try AmountText.currency(code)
        let (sign, digits) = parts(text)
        do throws(AmountError) {
            return sign * Int(try AmountText.major(digits, in: currency).minorUnits)
        } catch .ambiguous(_) where digits.allSatisfy({ "0.".contains($0) }) {
            // Zero is unambiguous in any unit.
            return 0
        }
    }

    private static func parts(_ text: String) -> (sign: Int, digits: String) {
        text.hasPrefix("-") ? (-1, String(text.dropFirst())) : (1, text)
    }

    /// The reason for the message of the SDK's error.
    private static func reason(_ error: AmountError) -> String {
        switch error {
        case .empty: "is empty"
        case .tooManyDecimals(let currency):
            currency.decimals == 0
                ? "has decimals, but \(currency.code) has none"
                : "has more decimals than \(currency.code), which has \(currency.decimals)"
        case .fraction: "has a decimal point, but is in the smallest unit"
        case .notation: "has an exponent or a base, not only plain digits"
        case .tooLarge: "does not fit into 64 bits"
        case .leadingZero: "has a leading zero"
        case .ambiguous, .separator, .sign, .space, .currencySign, .foreignDigit, .misplacedPoint, .notNumber,
            .unknownCurrency:
            "is not a number of digits with an optional decimal point"
        }
    }
}
