import CloverCore
import CloverRecords

/// Rows of short texts under a head, in columns, for a terminal.
enum AlignedRows {
    /// Every line with its line end, and nothing at the end of a line.
    ///
    /// - Parameters:
    ///   - key: the column that tells the rows apart, which people copy. It and those before it are never cut: the
    ///     others give way, from the right, states and amounts last, which is said.
    ///   - meanings: what columns are to a person, by their titles; others are plain, and only those are cut.
    ///   - environment: of which the terminal's width is taken; nil cuts nothing.
    static func text(
        head: [String], _ rows: [[String]], key: Int = 0, meanings: [String: ColumnMeaning] = [:],
        in environment: CommandEnvironment? = nil
    ) -> String {
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
        for row in rows {
            lines += writer.add(zip(head, row).map { TableWriter.Cell($1, style: meanings[$0]?.style(of: $1)) })
        }
        lines += writer.finish()
        if !writer.hiddenTitles.isEmpty {
            let titles = writer.hiddenTitles.map { $0.lowercased() }.joined(separator: ", ")
            environment?.diagnostics.notice("no room for \(titles); --json has all of it")
        }
        let isColored = environment?.screen.isColored ?? false
        return lines.map { (isColored ? $0.styledText : $0.text) + "\n" }.joined()
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
