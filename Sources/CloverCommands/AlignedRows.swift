/// Rows of short texts under a head, in columns, for a terminal.
enum AlignedRows {
    /// Every line with its line end; nothing at the end of a line.
    static func text(head: [String], _ rows: [[String]]) -> String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let line = zip(row, widths).map { padded($0, $1) }.joined(separator: "  ")
            return trimmed(line) + "\n"
        }.joined()
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

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
