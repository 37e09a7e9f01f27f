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
    private let isColored: Bool
    /// The columns that do not fit, in order; not those in which no row has a value.
    let hiddenColumns: [Int]

    private static let gap = TableWriter.gap
    /// Values are truncated to this width while other columns can shrink more.
    private static let comfortableWidth = 12
    private static let smallestWidth = 4
    /// Longer texts are mainly read for their beginnings.
    private static let readableWidth = 24

    init(
        columns: [TableWriter.Column], rows: [[TableWriter.Cell]], terminalWidth: Int?, hasHeader: Bool, isColored: Bool
    ) {
        self.isColored = isColored
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
                column: index, width: width,
                least: columns[index].canShrink ? max(numbers, min(width, columns[index].leastWidth)) : width,
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

    /// The titles, bold if colors are shown.
    func header(_ columns: [TableWriter.Column]) -> String {
        let text = line(columns.map { TableWriter.Cell(Self.title($0)) })
        return isColored ? TextStyle.strong.applied(to: text) : text
    }

    /// A line without a line break or trailing spaces.
    func line(_ row: [TableWriter.Cell]) -> String {
        var line = ""
        for (number, place) in places.enumerated() {
            let cell = row[place.column]
            var text = cell.text
            var width = DisplayWidth.of(text)
            // A later value that may not be truncated shifts its line to the right.
            if width > place.width, canCut[place.column], !cell.isNumber {
                text = DisplayWidth.cut(text, to: place.width)
                width = DisplayWidth.of(text)
            }
            let space = String(repeating: " ", count: max(0, place.width - width))
            if number > 0 { line += Self.gap }
            line += Self.styled(place.isTrailing ? space + text : text + space, isColored ? cell.style : nil)
        }
        return Self.trimmed(line)
    }

    /// The padded value in its style. Spaces stay outside the sequences, so that trailing ones can be removed.
    private static func styled(_ text: String, _ style: TextStyle?) -> String {
        guard let style else { return text }
        let leading = String(text.prefix { $0 == " " })
        let value = trimmed(String(text.dropFirst(leading.count)))
        let trailing = text.count - leading.count - value.count
        return leading + style.applied(to: value) + String(repeating: " ", count: trailing)
    }

    private static func trimmed(_ text: String) -> String {
        var line = text
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line
    }

    private static func title(_ column: TableWriter.Column) -> String {
        TerminalText.line(column.title).uppercased()
    }

    /// How far the total width exceeds the terminal's; negative if there is room.
    private static func excess(of widths: [Int], _ terminalWidth: Int) -> Int {
        widths.reduce(0, +) + gap.count * max(0, widths.count - 1) - terminalWidth
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
}
