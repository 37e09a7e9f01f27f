import CloverCore
import CloverRecords

/// A table of short texts with a heading row, aligned in columns for a terminal.
enum AlignedRows {
    /// Formats the table; each line ends with a line break and has no trailing spaces.
    ///
    /// - Parameters:
    ///   - key: index of the column that identifies a row and that people copy. This column and those before it are
    ///     never truncated; the others give way from the right, states and amounts last, and the page's notice names
    ///     the columns that were dropped.
    ///   - breaksKey: whether a key wider than the terminal continues on further rows, for paths and names that are
    ///     read. Keys that are copied are left to the terminal.
    ///   - meanings: the meaning of columns by title; columns without one are plain, and only those are truncated.
    ///   - environment: provides the terminal's width; nil truncates nothing.
    static func text(
        head: [String], _ rows: [[String]], key: Int = 0, breaksKey: Bool = false,
        meanings: [String: ColumnMeaning] = [:], in environment: CommandEnvironment? = nil
    ) -> TextPage {
        let width = environment?.terminal.width
        let columns = head.indices.map { index in
            let meaning = meanings[head[index]] ?? .plain
            return TableWriter.Column(
                head[index], alignment: meaning == .amount ? .trailing : .leading,
                canShrink: index > key && meaning == .plain,
                importance: index <= key ? .key : meaning == .state || meaning == .amount ? .essential : .usual)
        }
        var writer = TableWriter(columns: columns, terminalWidth: width)
        var lines: [TableLine] = []
        for row in breaksKey ? broken(rows, key: key, head: head, width: width) : rows {
            lines += writer.add(zip(head, row).map { TableWriter.Cell($1, style: meanings[$0]?.style(of: $1)) })
        }
        lines += writer.finish()
        let isColored = environment?.screen.isColored ?? false
        return TextPage(
            lines.map { (isColored ? $0.styledText : $0.text) + "\n" }.joined(),
            hidden: writer.hiddenTitles.map { $0.lowercased() })
    }

    /// Wraps keys that do not fit beside the preceding columns onto further rows, indented by two columns.
    private static func broken(_ rows: [[String]], key: Int, head: [String], width: Int?) -> [[String]] {
        guard let width else { return rows }
        let before = (0..<key).reduce(0) { sum, column in
            sum + rows.reduce(DisplayWidth.of(head[column])) { max($0, DisplayWidth.of($1[column])) }
                + TableLine.gap.count
        }
        let room = max(width - before, continuation.count + 1)
        return rows.flatMap { row -> [[String]] in
            guard DisplayWidth.of(row[key]) > room else { return [row] }
            let pieces = FoldedText.pieces(row[key], width: room - continuation.count)
            return pieces.enumerated().map { number, piece in
                var cells = number == 0 ? row : row.map { _ in "" }
                cells[key] = (number == 0 ? "" : continuation) + piece
                return cells
            }
        }
    }

    private static let continuation = "  "

    /// Pads the text with spaces to a display width in terminal columns.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}
