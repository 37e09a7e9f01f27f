import CloverSystem

/// A currency of ISO 4217 and the number of decimals between its minor and major unit.
package struct Currency: Sendable, Equatable, Hashable {
    /// Three capital letters.
    package let code: String
    /// The number of decimals of the major unit, 0 to 4.
    package let decimals: Int

    /// Accepts any case: Clover's ecommerce API writes `usd`, the V3 API `USD`.
    /// - Throws: `.unknownCurrency`.
    package init(code: String) throws(RecordFormatError) {
        guard let known = Self.table[code.uppercased()] else { throw .unknownCurrency(code) }
        self = known
    }

    private init(code: String, decimals: Int) {
        self.code = code
        self.decimals = decimals
    }

    /// A currency that ISO 4217 does not list, or that is unknown: amounts stay in the smallest unit, with the code.
    static func unlisted(_ code: String?) -> Currency {
        let code = code ?? ""
        let isWord = code.utf8.count <= 8 && code.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return Currency(code: isWord ? code : "", decimals: 0)
    }

    /// An unknown currency named by a record: the printable part of its code is shown with the amount.
    package static func foreign(_ code: String) -> Currency {
        if let known = table[code.uppercased()] { return known }
        let printable = String(
            TerminalText.line(code).unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7F }.map(Character.init))
        // The record names a currency, and it is not the merchant's.
        guard !printable.isEmpty else { return Currency(code: "?", decimals: 0) }
        let isCut = printable.count > longestCode || printable.unicodeScalars.count < code.unicodeScalars.count
        return Currency(code: printable.prefix(longestCode) + (isCut ? "…" : ""), decimals: 0)
    }

    private static let longestCode = 8

    package static let usDollar = Currency(code: "USD", decimals: 2)

    /// The sign before an amount; nil if several countries use the same sign.
    package var sign: String? {
        switch code {
        case "USD": "$"
        case "EUR": "€"
        case "GBP": "£"
        case "CAD": "CA$"
        default: nil
        }
    }

    /// An amount in minor units for people: `-$0.05`, `12.50 SEK`.
    package func text(_ amount: Int64) -> String {
        var bytes: [UInt8] = []
        var digits = String(amount)
        digits.withUTF8 { _ = MinorUnits.appendSigned(UnsafeRawBufferPointer($0), in: self, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The currency with this code, as it appears in a record; nil if there is none.
    static func named(_ bytes: UnsafeRawBufferPointer) -> Currency? {
        guard bytes.count == 3 else { return nil }
        return table[String(decoding: bytes, as: UTF8.self).uppercased()]
    }

    /// The number of decimals of each currency, by its code.
    static var allDecimals: [String: Int] { table.mapValues(\.decimals) }

    private static let table: [String: Currency] = {
        var table: [String: Currency] = [:]
        for (codes, decimals) in [(withoutDecimals, 0), (withTwo, 2), (withThree, 3), (withFour, 4)] {
            for code in codes.split(whereSeparator: \.isWhitespace).map(String.init) {
                table[code] = Currency(code: code, decimals: decimals)
            }
        }
        return table
    }()

    // The active codes of ISO 4217, list one, by minor unit; includes funds codes with a minor unit.
    private static let withoutDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    private static let withThree = "BHD IQD JOD KWD LYD OMR TND"
    private static let withFour = "CLF UYW"
    private static let withTwo = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
        CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR
        ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV
        MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD
        SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG
        """
}

/// Inserts the decimal point into an integer amount. Works on the digits, so nothing is ever rounded.
enum MinorUnits {
    /// Appends the amount in major units, such as `-0.05` for `-5` with two decimals.
    /// - Returns: false, with nothing appended, if the bytes are not an integer.
    static func appendMajor(_ amount: UnsafeRawBufferPointer, decimals: Int, to result: inout [UInt8]) -> Bool {
        let isNegative = amount.first == UInt8(ascii: "-")
        let digits = UnsafeRawBufferPointer(rebasing: amount.dropFirst(isNegative ? 1 : 0))
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
        if isNegative { result.append(UInt8(ascii: "-")) }
        let whole = max(0, digits.count - decimals)
        if whole == 0 { result.append(UInt8(ascii: "0")) }
        result.append(contentsOf: digits[..<whole])
        if decimals > 0 {
            result.append(UInt8(ascii: "."))
            for _ in digits.count..<max(digits.count, decimals) { result.append(UInt8(ascii: "0")) }
            result.append(contentsOf: digits[whole...])
        }
        return true
    }

    /// Appends the amount for people: `-$0.05`, `12.50 SEK`.
    static func appendSigned(_ amount: UnsafeRawBufferPointer, in currency: Currency, to result: inout [UInt8]) -> Bool
    {
        let start = result.count
        guard appendMajor(amount, decimals: currency.decimals, to: &result) else { return false }
        if let sign = currency.sign {
            let isNegative = result[start] == UInt8(ascii: "-")
            result.insert(contentsOf: sign.utf8, at: start + (isNegative ? 1 : 0))
        } else if !currency.code.isEmpty {
            result.append(UInt8(ascii: " "))
            result.append(contentsOf: currency.code.utf8)
        }
        return true
    }
}

/// How amounts in money columns are written. An amount that is not an integer stays as it was sent.
package enum MoneyStyle: Sendable, Equatable {
    /// The service's integers, in the smallest unit.
    case minor
    /// The major unit with all decimals of the currency, such as `74.21`. The given currency applies to records that do
    /// not name their own.
    case major(Currency)
    /// For people: the major unit with the currency's sign or code, such as `$74.21` or `74.21 SEK`.
    case signed(Currency)
}
