import CloverSystem

/// The widths of a table's columns.
struct TableLayout: Sendable {
    private struct Place {
        /// The index of the column.
        var column: Int
        var width: Int
        /// The minimum width: a truncated number would be a different number.
        var least: Int
        var isTrailing: Bool
    }

    private let places: [Place]
    /// For each column, whether its values may be truncated, except numbers.
    private let canCut: [Bool]
    /// The columns that do not fit, in order; not those in which no row has a value.
    let hiddenColumns: [Int]

    /// Values are truncated to this width while other columns can shrink more.
    private static let comfortableWidth = 12
    private static let smallestWidth = 4
    /// Longer texts are mainly read for their beginnings.
    private static let readableWidth = 24

    init(columns: [TableWriter.Column], rows: [[TableWriter.Cell]], terminalWidth: Int?, hasHeader: Bool) {
        let all = columns.indices.compactMap { index -> Place? in
            let widest = rows.reduce(0) { max($0, DisplayWidth.of($1[index].text)) }
            if widest == 0, !rows.isEmpty, columns[index].importance == .optional { return nil }
            let title = hasHeader ? DisplayWidth.of(Self.title(columns[index])) : 0
            let isTrailing =
                switch columns[index].alignment {
                case .leading: false
                case .trailing: true
                case .byContent:
                    rows.allSatisfy { $0[index].isNumber || $0[index].text.isEmpty }
                        && rows.contains { $0[index].isNumber }
                }
            let width = max(widest, title)
            let numbers = rows.reduce(0) { $1[index].isNumber ? max($0, DisplayWidth.of($1[index].text)) : $0 }
            return Place(
                column: index, width: width, least: columns[index].canShrink ? numbers : width,
                isTrailing: isTrailing)
        }
        canCut = columns.map { $0.canShrink && terminalWidth != nil }
        guard let terminalWidth else {
            places = all
            hiddenColumns = []
            return
        }
        var shown = all
        // Optional columns are shown only if the others need no truncation for them.
        while Self.excess(of: shown.map { min($0.width, Self.readableWidth) }, terminalWidth) > 0,
            let least = Self.least(of: shown, columns), columns[shown[least].column].importance == .optional
        { shown.remove(at: least) }
        // The least important columns are hidden before others are truncated to a few letters.
        while Self.excess(
            of: Self.fitted(shown, to: terminalWidth, floors: [Self.comfortableWidth]), terminalWidth)
            > 0, let least = Self.least(of: shown, columns), columns[shown[least].column].importance < .essential
        { shown.remove(at: least) }
        var widths = Self.fitted(shown, to: terminalWidth)
        while shown.count > 1, Self.excess(of: widths, terminalWidth) > 0, let least = Self.least(of: shown, columns),
            columns[shown[least].column].importance < .key
        {
            shown.remove(at: least)
            widths = Self.fitted(shown, to: terminalWidth)
        }
        // What may not be truncated then takes a second line of the terminal, where it can still be copied.
        if widths.count == 1 { widths[0] = max(shown[0].least, min(widths[0], max(1, terminalWidth))) }
        for (index, width) in widths.enumerated() { shown[index].width = width }
        places = shown
        let kept = Set(shown.map(\.column))
        hiddenColumns = all.map(\.column).filter { !kept.contains($0) }
    }

    func header(_ columns: [TableWriter.Column]) -> TableLine {
        line(columns.map { TableWriter.Cell(Self.title($0)) }, isHeader: true)
    }

    func line(_ row: [TableWriter.Cell], isHeader: Bool = false) -> TableLine {
        let cells = places.map { place in
            var text = row[place.column].text
            var width = DisplayWidth.of(text)
            // A later value that may not be truncated shifts its line to the right.
            if width > place.width, canCut[place.column], !row[place.column].isNumber {
                text = Self.cut(text, to: place.width)
                width = DisplayWidth.of(text)
            }
            let space = String(repeating: " ", count: max(0, place.width - width))
            return TableLine.Cell(text: place.isTrailing ? space + text : text + space, style: row[place.column].style)
        }
        return TableLine(cells: cells, isHeader: isHeader)
    }

    private static func title(_ column: TableWriter.Column) -> String {
        TerminalText.line(column.title).uppercased()
    }

    /// How far the total width exceeds the terminal's; negative if there is room.
    private static func excess(of widths: [Int], _ terminalWidth: Int) -> Int {
        widths.reduce(0, +) + TableLine.gap.count * max(0, widths.count - 1) - terminalWidth
    }

    /// The column to hide first: the rightmost of the least important ones.
    private static func least(of places: [Place], _ columns: [TableWriter.Column]) -> Int? {
        places.indices.reversed().min {
            columns[places[$0].column].importance < columns[places[$1].column].importance
        }
    }

    /// Shrinks columns until they fit the terminal, as far as they may be truncated: the widest first, and none becomes
    /// very narrow while another is comfortable.
    private static func fitted(
        _ places: [Place], to terminalWidth: Int, floors: [Int] = [comfortableWidth, smallestWidth]
    ) -> [Int] {
        var widths = places.map(\.width)
        for floor in floors {
            var excess = excess(of: widths, terminalWidth)
            while excess > 0 {
                let able = widths.indices.filter { widths[$0] > max(floor, places[$0].least) }
                guard let widest = able.map({ widths[$0] }).max() else { break }
                let group = able.filter { widths[$0] == widest }
                // All of the widest shrink together, at most to the next width or to the largest minimum.
                let least = group.reduce(floor) { max($0, places[$1].least) }
                let next = max(least, able.map { widths[$0] }.filter { $0 < widest }.max() ?? floor)
                let step = max(1, min(widest - next, excess / group.count))
                for index in group where excess > 0 {
                    widths[index] -= step
                    excess -= step
                }
            }
        }
        return widths
    }

    /// The longest prefix that leaves room for an ellipsis, without splitting a character.
    static func cut(_ text: String, to width: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            let next = DisplayWidth.of(character)
            if used + next > width - 1 { break }
            result.append(character)
            used += next
        }
        return width > 0 ? result + "…" : ""
    }
}

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
