/// Numbers in JSON (RFC 8259, section 6).
package enum JSONNumber {
    static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
        end(in: bytes, from: 0) == bytes.count
    }

    /// The end of the number at `start`; nil if there is none.
    static func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
            offset += 1
        } else {
            guard let next = digitsEnd(in: bytes, from: offset) else { return nil }
            offset = next
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            guard let next = digitsEnd(in: bytes, from: offset + 1) else { return nil }
            offset = next
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            guard let next = digitsEnd(in: bytes, from: offset) else { return nil }
            offset = next
        }
        return offset
    }

    private static func digitsEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        while offset < bytes.count, bytes[offset] &- 0x30 < 10 { offset += 1 }
        return offset > start ? offset : nil
    }

    /// The number, if it is written as an integer and fits.
    package static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.count <= 19 else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard byte &- 0x30 < 10 else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int64(byte &- 0x30))
            guard !isTooLarge, !overflows else { return nil }
            value = sum
        }
        return isNegative ? -value : value
    }

    /// The number, if its value is whole and fits, however it is written: `1.5e1` is 15.
    ///
    /// - Parameter text: a JSON number.
    package static func whole(_ text: String) -> Int64? {
        let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard var shift = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0 else { return nil }
        var digits = mantissa.joined().filter { $0 != UInt8(ascii: "-") }
        if digits.allSatisfy({ $0 == UInt8(ascii: "0") }) { return 0 }
        // Digits behind the point count only if they are not zeros. A shift near the limits of `Int` is none that fits.
        guard (-1_000_000...1_000_000).contains(shift) else { return nil }
        shift -= mantissa.count > 1 ? mantissa[1].count : 0
        while shift < 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            shift += 1
        }
        guard (0..<19).contains(shift) else { return nil }
        let sign = text.hasPrefix("-") ? "-" : ""
        return Int64(sign + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: shift))
    }

    /// Whether a whole number fits into a signed integer of this many bits. A number with a point or an exponent is
    /// judged by its value.
    package static func fits(_ text: String, bits: Int) -> Bool {
        let limit = bits < 64 ? Int64(1) << (bits - 1) : 0
        guard let number = Int64(text) else {
            guard text.contains(where: { ".eE".contains($0) }), let value = Double(text) else { return false }
            // 2^63 itself is too large.
            let bound = bits < 64 ? Double(limit) : 0x1p63
            return value >= -bound && value < bound
        }
        return limit == 0 || (-limit..<limit).contains(number)
    }

    /// `1250` for `12.50`; nil unless there are exactly two decimals.
    package static func cents(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let cents = Int64(parts[0] + parts[1]) else { return nil }
        return "\(cents)"
    }
}
