/// One line of a table.
package struct TableLine: Sendable, Equatable {
    /// One a shown column, filled up with spaces to its width; the caller may put colour around them.
    package var cells: [String]
    package var isHeader: Bool

    /// Between two columns.
    package static let gap = "  "

    /// The line without a line break and without spaces at its end.
    package var text: String {
        var line = cells.joined(separator: Self.gap)
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line
    }
}
