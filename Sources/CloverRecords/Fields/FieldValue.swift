/// A value found in a record: where it is and what it looks like.
struct FieldValue: Sendable, Equatable {
    enum Kind: Sendable {
        /// Not there, or not reachable, such as a member of a string.
        case missing
        case null
        /// A string without escapes; the range is its inside.
        case text
        /// A string with escapes; the range is its inside.
        case escapedText
        case number
        /// `true` or `false`.
        case word
        /// An object or array, brackets included.
        case nested
        /// No bytes: `start` is the number of elements of an array.
        case count
    }

    var kind: Kind
    /// Offsets in the record.
    var start: Int
    var end: Int

    static let missing = FieldValue(kind: .missing, start: 0, end: 0)

    var range: Range<Int> { start..<end }

    /// A string with at least one character.
    var isText: Bool { (kind == .text || kind == .escapedText) && start < end }

    /// The value as JSON, quotes included; not for `missing` and `count`.
    var jsonRange: Range<Int> {
        switch kind {
        case .text, .escapedText: start - 1..<end + 1
        default: start..<end
        }
    }
}
