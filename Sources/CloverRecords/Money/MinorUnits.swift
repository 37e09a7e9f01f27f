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
