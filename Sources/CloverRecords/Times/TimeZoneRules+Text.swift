extension TimeZoneRules {
    /// The local time for people: `2026-11-21 02:14`, or `2026-11-21 02:14:03` with `hasSeconds`; `?` for a year that
    /// does not have four digits.
    /// - Parameter milliseconds: since 1970.
    package func text(milliseconds: Int64, hasSeconds: Bool = false) -> String {
        var writer = InstantWriter(self)
        var bytes: [UInt8] = []
        guard writer.appendISO(milliseconds, unit: .milliseconds, to: &bytes) else { return "?" }
        return String(decoding: bytes.prefix(hasSeconds ? 19 : 16), as: UTF8.self).replacing("T", with: " ")
    }
}
