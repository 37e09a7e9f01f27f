import CloverCore

/// A duration that may be in days: `89d`, or what `DurationExpression` accepts.
enum LongDuration {
    private static let secondsPerDay = 86_400.0

    private static let units = ["ms", "s", "m", "h", "d", ""]

    /// Whether the text is zero in any unit: `0`, `0s`.
    static func isZero(_ text: String) -> Bool { units.contains { text == "0\($0)" } }

    /// The duration in seconds, greater than zero.
    static func seconds(_ text: String) throws(CoreError) -> Double {
        guard text.hasSuffix("d") else { return try DurationExpression.seconds(text) }
        let number = text.dropLast()
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let days = Double(number), days > 0,
            days < 100_000
        else { throw .malformedDuration(text) }
        return days * secondsPerDay
    }
}
