import CloverRecords

/// Rows of short texts under a head, in columns, for a terminal.
enum AlignedRows {
    /// Every line with its line end; nothing at the end of a line, and nothing is cut.
    static func text(head: [String], _ rows: [[String]]) -> String {
        var writer = TableWriter(columns: head.map { TableWriter.Column($0) }, terminalWidth: nil)
        var lines: [TableLine] = []
        for row in rows { lines += writer.add(row.map { TableWriter.Cell($0) }) }
        lines += writer.finish()
        return lines.map { $0.text + "\n" }.joined()
    }

    /// Words in lines of at most `width` characters, separated by `separator`; a longer word has a line of its own.
    static func wrapped(_ words: [String], separator: String = ", ", width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for (number, word) in words.enumerated() {
            let piece = word + (number == words.count - 1 ? "" : separator)
            if !line.isEmpty, line.count + trimmed(piece).count > width {
                lines.append(trimmed(line))
                line = ""
            }
            line += piece
        }
        return line.isEmpty ? lines : lines + [trimmed(line)]
    }

    /// The text with spaces up to a width in a terminal's columns.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
