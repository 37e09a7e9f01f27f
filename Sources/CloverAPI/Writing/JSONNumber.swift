/// Numbers in JSON notation.
enum JSONNumber {
    /// Whether a whole number fits into a signed integer of this many bits. A number with a point or an exponent is
    /// judged by its value.
    static func fits(_ text: String, bits: Int) -> Bool {
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
    static func cents(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let cents = Int64(parts[0] + parts[1]) else { return nil }
        return "\(cents)"
    }
}
