import CloverConfiguration

/// A length of time as users write it: `30`, `500ms`, `30s`, `1.5m`, `2h`.
package enum DurationExpression {
    /// Seconds, greater than zero.
    package static func seconds(_ text: String) throws(CoreError) -> Double {
        guard let seconds = DurationText.seconds(text) else { throw .malformedDuration(text) }
        return seconds
    }
}
