extension TimeZoneRules {
    /// `2026-11-21 02:14`, with `hasSeconds` `2026-11-21 02:14:03`: what clocks in this zone show, for a person to read;
    /// `?` for a year that is not written with four digits.
    /// - Parameter milliseconds: since 1970.
    package func text(milliseconds: Int64, hasSeconds: Bool = false) -> String {
        var writer = InstantWriter(self)
        var bytes: [UInt8] = []
        guard writer.appendISO(milliseconds, unit: .milliseconds, to: &bytes) else { return "?" }
        return String(decoding: bytes.prefix(hasSeconds ? 19 : 16), as: UTF8.self).replacing("T", with: " ")
    }
}
