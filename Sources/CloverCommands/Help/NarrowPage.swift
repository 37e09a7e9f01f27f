import CloverOutput

/// Fits a help page into a window narrower than it is written for. Text is wrapped between words; examples are left to
/// the terminal, so that copying them gives the whole command.
enum NarrowPage {
    /// The width that help is written for.
    static let usualWidth = 80
    /// The width at which ArgumentParser wraps nothing.
    static let unwrapped = 10_000

    /// A text beside a term moves to a separate line if it would have fewer columns than this.
    private static let readableWidth = 24
    private static let indent = 6
    private static let usageHead = "USAGE: "

    /// - Parameter page: a page with each paragraph, option and status on a single line.
    static func text(_ page: String, width: Int) -> String {
        var isExample = false
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            if line.hasPrefix("Example") { isExample = true }
            if line.isEmpty { isExample = false }
            return isExample || DisplayWidth.of(String(line)) <= width ? [String(line)] : wrapped(line, width)
        }
        return lines.joined(separator: "\n")
    }

    /// Wraps the usage line between options; ArgumentParser does not wrap it.
    static func withFittingUsage(_ page: String, width: Int) -> String {
        page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix(usageHead), line.count > width else { return String(line) }
            let words = usageWords(line.dropFirst(usageHead.count))
            let lines = FoldedText.lines(words, width: width - usageHead.count, breaksWords: false)
            let margin = String(repeating: " ", count: usageHead.count)
            return lines.enumerated().map { ($0 == 0 ? usageHead : margin) + $1 }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The words of a usage line; a bracketed group is one word.
    private static func usageWords(_ text: Substring) -> [String] {
        var words: [String] = []
        var depth = 0
        for word in text.split(separator: " ") {
            if depth > 0, let last = words.indices.last {
                words[last] += " " + word
            } else {
                words.append(String(word))
            }
            depth += word.count { "[(".contains($0) } - word.count { "])".contains($0) }
        }
        return words
    }

    private static func wrapped(_ line: Substring, _ width: Int) -> [String] {
        let margin = line.prefix { $0 == " " }.count
        let words = line.dropFirst(margin)
        // An option or a status, followed by its meaning.
        guard margin > 0, let gap = words.firstRange(of: "  ") else {
            if words.hasPrefix("clover ") { return [String(line)] }
            let hanging = line.hasPrefix(usageHead) ? 2 : min(margin, width - margin < readableWidth ? indent : margin)
            return filled(words, first: min(margin, hanging), hanging: hanging, width)
        }
        let meaning = words[gap.lowerBound...].drop { $0 == " " }
        let column = margin + words.distance(from: words.startIndex, to: meaning.startIndex)
        let label = String(line.prefix(margin)) + words[..<gap.lowerBound]
        guard width - column >= readableWidth else {
            return [label] + filled(meaning, first: indent, hanging: indent, width)
        }
        var lines = filled(meaning, first: column, hanging: column, width)
        lines[0] = AlignedRows.padded(label, column) + lines[0].dropFirst(column)
        return lines
    }

    private static func filled(_ text: Substring, first: Int, hanging: Int, _ width: Int) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let lines = FoldedText.lines(words, width: max(1, width - max(first, hanging)), breaksWords: false)
        return lines.enumerated().map { number, line in
            String(repeating: " ", count: number == 0 ? first : hanging) + line
        }
    }
}
