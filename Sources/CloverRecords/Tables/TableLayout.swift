/// The widths of a table's columns, decided.
struct TableLayout: Sendable {
    private struct Place {
        var width: Int
        var isTrailing: Bool
    }

    private var places: [Place]
    private let isCutting: Bool
    /// How many columns there is room for, from the left.
    let shownColumns: Int

    /// Values are cut to this while there are others that can give more.
    private static let comfortableWidth = 12
    private static let smallestWidth = 4

    init(columns: [TableWriter.Column], rows: [[TableWriter.Cell]], terminalWidth: Int?, hasHeader: Bool) {
        places = columns.indices.map { index in
            let widest = rows.reduce(0) { max($0, DisplayWidth.of($1[index].text)) }
            let title = hasHeader ? DisplayWidth.of(Self.title(columns[index])) : 0
            let isTrailing =
                switch columns[index].alignment {
                case .leading: false
                case .trailing: true
                case .byContent:
                    rows.allSatisfy { $0[index].isNumber || $0[index].text.isEmpty }
                        && rows.contains { $0[index].isNumber }
                }
            return Place(width: max(widest, title), isTrailing: isTrailing)
        }
        isCutting = terminalWidth != nil
        guard let terminalWidth else {
            shownColumns = places.count
            return
        }
        var shown = places.count
        var widths = Self.fitted(places.map(\.width), columns, to: terminalWidth)
        // Columns on the right give way when cutting alone does not help.
        while shown > 1, Self.total(widths) > terminalWidth {
            shown -= 1
            widths = Self.fitted(
                Array(places.prefix(shown).map(\.width)), Array(columns.prefix(shown)), to: terminalWidth)
        }
        if widths.count == 1 { widths[0] = min(widths[0], max(1, terminalWidth)) }
        for (index, width) in widths.enumerated() { places[index].width = width }
        shownColumns = shown
    }

    func header(_ columns: [TableWriter.Column]) -> TableLine {
        line(columns.map { TableWriter.Cell(Self.title($0)) }, isHeader: true)
    }

    func line(_ row: [TableWriter.Cell], isHeader: Bool = false) -> TableLine {
        let cells = (0..<shownColumns).map { index in
            let place = places[index]
            var text = row[index].text
            var width = DisplayWidth.of(text)
            if isCutting, width > place.width {
                text = Self.cut(text, to: place.width)
                width = DisplayWidth.of(text)
            }
            let space = String(repeating: " ", count: max(0, place.width - width))
            return place.isTrailing ? space + text : text + space
        }
        return TableLine(cells: cells, isHeader: isHeader)
    }

    private static func title(_ column: TableWriter.Column) -> String {
        TerminalText.line(column.title).uppercased()
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + TableLine.gap.count * max(0, widths.count - 1)
    }

    /// The widths that add up to the terminal's, as far as columns may be cut: the widest give first, and no column gets
    /// very narrow while another is comfortable.
    private static func fitted(_ wanted: [Int], _ columns: [TableWriter.Column], to terminalWidth: Int) -> [Int] {
        var widths = wanted
        for floor in [comfortableWidth, smallestWidth] {
            var excess = total(widths) - terminalWidth
            while excess > 0 {
                let able = widths.indices.filter { columns[$0].canShrink && widths[$0] > floor }
                guard let widest = able.map({ widths[$0] }).max() else { break }
                let group = able.filter { widths[$0] == widest }
                // All of the widest go down together, to the next lower one at most.
                let next = max(floor, able.map { widths[$0] }.filter { $0 < widest }.max() ?? floor)
                let step = max(1, min(widest - next, excess / group.count))
                for index in group where excess > 0 {
                    widths[index] -= step
                    excess -= step
                }
            }
        }
        return widths
    }

    /// The longest beginning that leaves room for an ellipsis, never in the middle of a character.
    private static func cut(_ text: String, to width: Int) -> String {
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
