/// An id of Clover's kind: 13 upper-case letters and digits (Clover REST documentation, data types).
///
/// It is held as a 64-bit number; 36^13 is larger than 2^64, so every number has its own text.
package struct Identifier: Sendable, Hashable, CustomStringConvertible {
    /// Characters in the text of an id.
    package static let length = 13
    private static let twelveDigits: UInt64 = 4_738_381_338_321_616_896  // 36^12

    /// The number behind the text.
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    /// Reads the text of an id; nil when it is not 13 upper-case letters and digits or stands for no number.
    package init?(_ text: some StringProtocol) {
        let characters = text.utf8
        guard characters.count == Self.length else { return nil }
        var leading: UInt64 = 0
        var rest: UInt64 = 0
        for (position, character) in characters.enumerated() {
            let digit: UInt64
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(character - UInt8(ascii: "0"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt64(character - UInt8(ascii: "A")) + 10
            default: return nil
            }
            if position == 0 { leading = digit } else { rest = rest * 36 + digit }
        }
        let quotient = (leading + 36 - Self.rotation(of: rest)) % 36
        let (high, overflow) = quotient.multipliedReportingOverflow(by: Self.twelveDigits)
        let (number, carry) = high.addingReportingOverflow(rest)
        guard !overflow, !carry else { return nil }
        self.number = number
    }

    /// Writes the 13 characters.
    @inline(__always)
    package func write(to target: UnsafeMutablePointer<UInt8>) {
        let (leading, rest) = number.quotientAndRemainder(dividingBy: Self.twelveDigits)
        target[0] = Self.character((leading + Self.rotation(of: rest)) % 36)
        var left = rest
        var position = 11
        while position > 0 {
            let (quotient, pair) = left.quotientAndRemainder(dividingBy: 1296)
            left = quotient
            target[position] = Self.character(pair / 36)
            target[position + 1] = Self.character(pair % 36)
            position -= 2
        }
    }

    package var description: String {
        String(unsafeUninitializedCapacity: Self.length) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            write(to: base)
            return Self.length
        }
    }

    /// Without it the first character would only ever be one of four, because 2^64 is barely four times 36^12.
    @inline(__always)
    private static func rotation(of rest: UInt64) -> UInt64 {
        ((rest &* 0x9E37_79B9_7F4A_7C15) >> 40) % 36
    }

    @inline(__always)
    private static func character(_ digit: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: digit) &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
