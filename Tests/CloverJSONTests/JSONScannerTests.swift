import CloverJSON
import Testing

@Suite("JSON token by token")
struct JSONScannerTests {
    @Test(
        "an integer of at most 18 digits is read, and nothing is consumed of anything else",
        arguments: [
            ("0", 0), ("-7,", -7), (" 1700000000000}", 1_700_000_000_000), ("-0", 0), ("10 ", 10),
            ("999999999999999999", 999_999_999_999_999_999), ("-999999999999999999]", -999_999_999_999_999_999),
            ("1000000000000000000", nil), ("1.0", nil), ("1e3", nil), ("1E3", nil), ("01", nil), ("-01", nil),
            ("-", nil), ("", nil), ("+1", nil), ("\"1\"", nil), ("true", nil), ("{}", nil),
        ] as [(String, Int64?)])
    func plainInteger(_ text: String, _ expected: Int64?) {
        Array(text.utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes: bytes)
            #expect(scanner.plainInteger() == expected)
            let space = text.prefix { $0 == " " }.utf8.count
            let digits = text.dropFirst(space).prefix { $0 == "-" || $0.isNumber }.utf8.count
            #expect(scanner.position == space + (expected == nil ? 0 : digits))
        }
    }
}
