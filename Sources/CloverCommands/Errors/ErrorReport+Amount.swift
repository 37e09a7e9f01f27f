import CloverCore
import CloverPayments
import CloverRecords

extension ErrorReport {
    /// An amount that is not valid, or ambiguous.
    init(_ refusal: AmountRefusal) {
        let text = refusal.text
        let option = refusal.option
        self.init(code: "bad_amount", status: .usage, message: "")
        switch refusal.reason {
        case .ambiguous(let currency):
            code = "ambiguous_amount"
            let zeros = String(repeating: "0", count: currency.decimals)
            if let point = text.firstIndex(of: ".") {
                let missing = currency.decimals - text[text.index(after: point)...].count
                message = "ambiguous amount '\(text)' in \(currency.code), which has \(currency.decimals) decimals"
                let isNothing = text.allSatisfy { $0 == "0" || $0 == "." }
                hints = isNothing ? [] : ["write \(option) \(text)\(zeros.suffix(missing))"]
            } else {
                guard option != "--amount" || text.contains(where: { $0 != "0" }) else {
                    // Zero is never charged, however it is written.
                    code = "bad_amount"
                    message = "'\(text)' is not an amount of money: \(option) must be more than zero"
                    break
                }
                let names = Self.units(currency)
                message =
                    "ambiguous amount '\(text)' in \(currency.code): \(text).\(zeros) \(names.major) or \(text) \(names.minor)?"
                hints = [
                    option == "--amount"
                        ? "write --amount \(text).\(zeros), or --minor \(text)" : "write \(option) \(text).\(zeros)"
                ]
            }
        case .tooManyDecimals(let currency):
            message =
                currency.decimals == 0
                ? "'\(text)' has decimals, and \(currency.code) has none"
                : "'\(text)' has more decimals than \(currency.code), which has \(currency.decimals)"
        case .unknownCurrency(let code):
            self.code = "bad_currency"
            message = "'\(code)' is not a currency code of ISO 4217"
            hints = ["use its three letters, such as USD"]
        case .empty: message = "\(option) is empty"
        case .separator(let character):
            message = "'\(text)' has a separator '\(character)': write only digits, and a point before the decimals"
        case .sign: message = "'\(text)' has a sign: an amount has none"
        case .space: message = "'\(text)' has a space inside, or around it"
        case .currencySign: message = "'\(text)' names a currency: give only the number, and --currency"
        case .notation: message = "'\(text)' is written with an exponent or a base: an amount is plain digits"
        case .foreignDigit: message = "'\(text)' has digits other than 0 to 9"
        case .misplacedPoint: message = "'\(text)' has no digit before or after its point, or more than one point"
        case .leadingZero: message = "'\(text)' begins with a redundant zero"
        case .fraction: message = "'\(text)' has a point: \(option) takes a whole number of the smallest unit"
        case .notNumber: message = "'\(text)' is not a number"
        case .tooLarge: message = "'\(text)' is larger than any amount"
        }
        if hints.isEmpty {
            let example = Money(minorUnits: 1250, currency: refusal.currency ?? .usDollar).majorText
            hints = ["write it as --amount \(example), or in the smallest unit as --minor 1250"]
        }
    }

    private static func units(_ currency: Currency) -> (major: String, minor: String) {
        switch currency.code {
        case "USD", "CAD", "AUD", "NZD", "SGD", "HKD": ("dollars", "cents")
        case "EUR": ("euros", "cents")
        case "GBP": ("pounds", "pence")
        default: (currency.code, "of its smallest unit")
        }
    }
}
