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
    static func foreign(_ code: String) -> Currency {
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

    /// The currency with this code, as it appears in a record; nil if there is none.
    static func named(_ bytes: UnsafeRawBufferPointer) -> Currency? {
        guard bytes.count == 3 else { return nil }
        return table[String(decoding: bytes, as: UTF8.self).uppercased()]
    }

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
