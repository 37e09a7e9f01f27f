/// The grammar of JSON numbers (RFC 8259, section 6).
enum JSONNumber {
    /// Whether the bytes are exactly one number.
    static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = bytes.first == UInt8(ascii: "-") ? 1 : 0
        let whole = digits(bytes, from: offset)
        guard whole > 0, whole == 1 || bytes[offset] != UInt8(ascii: "0") else { return false }
        offset += whole
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            let fraction = digits(bytes, from: offset + 1)
            guard fraction > 0 else { return false }
            offset += 1 + fraction
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            let exponent = digits(bytes, from: offset)
            guard exponent > 0 else { return false }
            offset += exponent
        }
        return offset == bytes.count
    }

    /// The number, if it is written as an integer and fits.
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
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

    private static func digits(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var count = 0
        while start + count < bytes.count, bytes[start + count] &- 0x30 < 10 { count += 1 }
        return count
    }
}
