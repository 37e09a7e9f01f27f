/// Reads durations such as `50ms`, `1.5s`, `2m`, `1h` and `366d`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    /// A hundred years, which is more than anybody waits and far from what the numbers hold.
    private static let longest = 100 * 366 * 86_400_000.0

    /// Nil when the text is no number of at least 0 with one of the units `ms`, `s`, `m`, `h`, `d`, and above a hundred
    /// years.
    package static func duration(_ text: String) -> Duration? {
        for unit in units where text.hasSuffix(unit.name) {
            let digits = text.dropLast(unit.name.count)
            guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(digits),
                value * unit.milliseconds <= longest
            else { return nil }
            return .microseconds(Int64(value * unit.milliseconds * 1000))
        }
        return nil
    }

    /// The same with a sign allowed in front.
    package static func signedDuration(_ text: String) -> Duration? {
        if text.hasPrefix("-") { return duration(String(text.dropFirst())).map { .zero - $0 } }
        return duration(text.hasPrefix("+") ? String(text.dropFirst()) : text)
    }
}
