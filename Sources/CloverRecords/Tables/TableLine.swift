/// One line of a table.
package struct TableLine: Sendable, Equatable {
    /// A value in its column.
    package struct Cell: Sendable, Equatable {
        /// Padded with spaces to the width of the column.
        package var text: String
        package var style: TextStyle?
    }

    /// One cell per shown column.
    package var cells: [Cell]
    package var isHeader: Bool

    /// The separator between two columns.
    package static let gap = "  "

    /// The line without a line break or trailing spaces.
    package var text: String { Self.trimmed(cells.map(\.text).joined(separator: Self.gap)) }

    /// The line with the styles of its cells, or a bold header.
    package var styledText: String {
        if isHeader { return TextStyle.strong.applied(to: text) }
        var line = ""
        for (place, cell) in cells.enumerated() {
            guard let style = cell.style else {
                line += (place == 0 ? "" : Self.gap) + cell.text
                continue
            }
            // Spaces stay outside the sequences, so that trailing ones can be removed.
            let leading = cell.text.prefix { $0 == " " }
            let value = Self.trimmed(String(cell.text.dropFirst(leading.count)))
            let trailing = cell.text.count - leading.count - value.count
            line += (place == 0 ? "" : Self.gap) + leading + style.applied(to: value)
            line += String(repeating: " ", count: trailing)
        }
        return Self.trimmed(line)
    }

    private static func trimmed(_ text: String) -> String {
        var line = text
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line
    }
}
