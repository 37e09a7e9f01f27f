extension SquareJSON {
    /// The value of a number that is whole and has 64 bits, however it is spelled: `1250`, `1250.0`, `1.25e3`, `-0`. nil
    /// for anything else; nothing is rounded or cut.
    ///
    /// JSON has one kind of number (RFC 8259 section 6), and for the SDK's `NSNumber` too 1 and 1.0 are equal.
    package var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let spelling): Self.wholeNumber(spelling)
        default: nil
        }
    }

    /// More than any text's length away from the point.
    private static let farthestExponent = 1 << 40

    private static func wholeNumber(_ spelling: String) -> Int? {
        let sign = spelling.hasPrefix("-") ? "-" : ""
        let parts = spelling.dropFirst(sign.count).split { $0 == "e" || $0 == "E" }
        let halves = parts[0].split(separator: ".")
        let fraction = halves.count > 1 ? halves[1] : ""
        var digits = Array((halves[0] + fraction).utf8.drop { $0 == UInt8(ascii: "0") })
        if digits.isEmpty { return 0 }
        guard let exponent = parts.count > 1 ? Int(parts[1]) : 0, abs(exponent) <= farthestExponent else { return nil }
        var zeros = exponent - fraction.utf8.count
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            zeros += 1
        }
        // No integer of 64 bits has more than 19 digits.
        guard zeros >= 0, digits.count + zeros <= 19 else { return nil }
        return Int(sign + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros))
    }
}
