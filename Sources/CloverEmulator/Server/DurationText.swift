/// Reads durations such as `50ms`, `1.5s` and `2m`.
package enum DurationText {
    /// Nil when the text is no number of at least 0 with one of the units `ms`, `s`, `m`.
    package static func duration(_ text: String) -> Duration? {
        let units: [(name: String, milliseconds: Double)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
        for unit in units where text.hasSuffix(unit.name) {
            let digits = text.dropLast(unit.name.count)
            guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(digits) else {
                return nil
            }
            return .microseconds(Int64(value * unit.milliseconds * 1000))
        }
        return nil
    }
}
