/// A value found in a record: its location and kind.
struct FieldValue: Sendable, Equatable {
    enum Kind: Sendable {
        /// Absent, or unreachable, such as a member of a string.
        case missing
        case null
        /// A string without escapes; the range excludes the quotes.
        case text
        /// A string with escapes; the range excludes the quotes.
        case escapedText
        case number
        /// `true` or `false`.
        case word
        /// An object or array, including its brackets.
        case nested
        /// Not in the record: `start` is the number of elements of an array.
        case count
    }

    var kind: Kind
    /// Offsets in the record.
    var start: Int
    var end: Int

    static let missing = FieldValue(kind: .missing, start: 0, end: 0)

    var range: Range<Int> { start..<end }

    /// Whether it is a nonempty string.
    var isText: Bool { (kind == .text || kind == .escapedText) && start < end }

    /// The value as JSON, including quotes; not valid for `missing` and `count`.
    var jsonRange: Range<Int> {
        switch kind {
        case .text, .escapedText: start - 1..<end + 1
        default: start..<end
        }
    }
}
