extension Duration {
    /// Whole milliseconds, cut towards zero.
    package var milliseconds: Int {
        let parts = components
        return Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}
