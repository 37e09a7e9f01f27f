import CloverCore
import CloverSquare

/// Square's error tables as text for a person: the sentences are too long for a table's columns.
enum SquareErrorText {
    private static let indentation = 6
    /// For a terminal that does not report its width.
    private static let usualWidth = 80

    static func page(_ rows: [SquareErrorTable.Row], in environment: CommandEnvironment) -> String {
        let width = max(40, environment.terminal.width ?? usualWidth) - indentation
        var lines: [String] = []
        var domain = ""
        for row in rows {
            if row.domain != domain {
                domain = row.domain
                if !lines.isEmpty { lines.append("") }
                lines += FoldedText.lines(heading(domain), indent: 2, width: width + indentation)
            }
            let names = [row.name] + (row.wire.map { [$0.string] } ?? [])
            var text = FoldedText.lines(names, separator: "  ", width: width, breaksWords: false)
            for sentence in [row.meaning, "do: \(row.remedy)"] {
                let words = sentence.split(separator: " ").map(String.init)
                text += FoldedText.lines(words, width: width)
            }
            let margin = String(repeating: " ", count: indentation)
            let number = String((margin + String(row.number)).suffix(indentation - 2)) + "  "
            lines += zip([number] + repeatElement(margin, count: text.count - 1), text).map { $0 + $1 }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func heading(_ domain: String) -> String {
        domain == SquareErrorCode.domain
            ? "\(domain): errors that the SDK itself finds" : "\(domain): errors that the Square app reports"
    }
}
