/// A length of time as users write it: `30`, `500ms`, `30s`, `1.5m`, `2h`.
package enum DurationText {
    private static let units: [(name: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]

    /// Seconds, greater than zero and below a million; nil for what is no such length.
    package static func seconds(_ text: String) -> Double? {
        let unit = units.first { text.hasSuffix($0.name) }
        let number = text.dropLast(unit?.name.count ?? 0)
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let amount = Double(number),
            amount > 0, amount < 1_000_000
        else { return nil }
        return amount * (unit?.seconds ?? 1)
    }
}
