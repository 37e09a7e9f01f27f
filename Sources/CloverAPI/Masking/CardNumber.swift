/// Recognizes payment card numbers (ISO/IEC 7812-1).
enum CardNumber {
    /// Whether the text is 12 to 19 digits, optionally separated by spaces, hyphens or quotation marks, with a valid
    /// check digit (Luhn).
    static func isLikely(_ text: some Collection<UInt8>) -> Bool {
        var digits: [Int] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte) - 0x30)
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\""): continue
            default: return false
            }
        }
        guard (12...19).contains(digits.count) else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let doubled = digit.offset.isMultiple(of: 2) ? digit.element : 2 * digit.element
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum.isMultiple(of: 10)
    }
}
