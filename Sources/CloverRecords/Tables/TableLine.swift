/// One line of a table.
package struct TableLine: Sendable, Equatable {
    /// A value in its column.
    package struct Cell: Sendable, Equatable {
        /// Filled up with spaces to the width of the column.
        package var text: String
        package var style: TextStyle?
    }

    /// One a shown column.
    package var cells: [Cell]
    package var isHeader: Bool

    /// Between two columns.
    package static let gap = "  "

    /// The line without a line break and without spaces at its end.
    package var text: String { Self.trimmed(cells.map(\.text).joined(separator: Self.gap)) }

    /// The same with the styles of the cells, and a strong header.
    package var styledText: String {
        if isHeader { return TextStyle.strong.applied(to: text) }
        var line = ""
        for (place, cell) in cells.enumerated() {
            guard let style = cell.style else {
                line += (place == 0 ? "" : Self.gap) + cell.text
                continue
            }
            // Spaces stay outside of the sequences, so that those at the end of the line can go.
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
