/// Takes what looks like the number of a payment card out of text: a service or a driver may repeat one that nobody here
/// has ever known.
package enum CardNumberText {
    /// The digits of a card's number (ISO/IEC 7812-1), and the first ones of those that pay.
    private static let lengths = 13...19
    private static let firstDigits: ClosedRange<UInt8> = UInt8(ascii: "2")...UInt8(ascii: "6")
    /// Digits before a space or dash inside of a number, as cards print it. Dates have fewer.
    private static let shortestGroup = 4

    /// The text with `(redacted)` in place of each number with the right length, first digit and check digit.
    package static func redacted(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let found = ranges(in: bytes)
            guard !found.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
            return String(
                decoding: SecretRanges.replaced(found, in: bytes) { _ in Array(TextRedaction.mark.utf8) }, as: UTF8.self
            )
        }
    }

    private static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            let start = index
            var digits: [UInt8] = []
            var group = 0
            while index < bytes.count {
                if isDigit(bytes[index]) {
                    digits.append(bytes[index])
                    group += 1
                } else if isSeparator(bytes[index]), group >= shortestGroup, index + 1 < bytes.count,
                    isDigit(bytes[index + 1])
                {
                    group = 0
                } else {
                    break
                }
                index += 1
            }
            // The digits of a fraction are none.
            let isFraction = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
            if !isFraction, isCardNumber(digits) { found.append(start..<index) }
        }
        return found
    }

    private static func isCardNumber(_ digits: [UInt8]) -> Bool {
        guard lengths.contains(digits.count), let first = digits.first, firstDigits.contains(first) else {
            return false
        }
        var sum = 0
        for (place, byte) in digits.reversed().enumerated() {
            let digit = Int(byte - UInt8(ascii: "0"))
            let doubled = digit * 2
            sum += place.isMultiple(of: 2) ? digit : doubled > 9 ? doubled - 9 : doubled
        }
        return sum.isMultiple(of: 10)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") }
}
