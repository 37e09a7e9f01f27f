import CloverCore
import CloverRecords

/// Rows of short texts under a head, in columns, for a terminal.
enum AlignedRows {
    /// Every line with its line end, and nothing at the end of a line.
    ///
    /// - Parameters:
    ///   - key: the column that tells the rows apart, which people copy. It and those before it are never cut: the
    ///     others give way, from the right, states and amounts last, which is said.
    ///   - breaksKey: whether a key that is wider than the terminal goes on in further rows: a path or a name that is
    ///     read. One that is copied is left to the terminal.
    ///   - meanings: what columns are to a person, by their titles; others are plain, and only those are cut.
    ///   - environment: of which the terminal's width is taken; nil cuts nothing.
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

    /// The rows with keys that have no room beside the columns before them going on below, two columns further in.
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

    /// The text with spaces up to a width in a terminal's columns.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}
