/// A length of time as users write it: `30`, `30s`, `1.5m`, `2h`.
package enum DurationExpression {
    /// Seconds, greater than zero.
    package static func seconds(_ text: String) throws(CoreError) -> Double {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        let unit = text.last.flatMap { units[$0] }
        let number = unit == nil ? text[...] : text.dropLast()
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let amount = Double(number),
            amount > 0, amount < 1_000_000
        else { throw .malformedDuration(text) }
        return amount * (unit ?? 1)
    }
}
