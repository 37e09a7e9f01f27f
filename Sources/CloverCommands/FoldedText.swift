import CloverOutput

/// Word wrapping for a terminal. A word wider than a line is broken too, preferably after a separator such as `/`,
/// because a terminal would break it anywhere.
enum FoldedText {
    /// Below this width, labels get a line of their own because there is no room for text beside them.
    static let narrowWidth = 60

    /// Fills lines of at most `width` columns with words joined by `separator`.
    ///
    /// - Parameter breaksWords: whether to break words wider than a line; if false, such a word gets a separate line.
    static func lines(
        _ words: [String], separator: String = " ", width: Int, breaksWords: Bool = true
    ) -> [String] {
        var lines: [String] = []
        var line = ""
        func finish() {
            if !line.isEmpty { lines.append(trimmed(line)) }
            line = ""
        }
        for (number, word) in words.enumerated() {
            let piece = word + (number == words.count - 1 ? "" : separator)
            if !line.isEmpty, DisplayWidth.of(line) + DisplayWidth.of(trimmed(piece)) > width { finish() }
            let parts = breaksWords ? pieces(piece, width: width) : [piece]
            for part in parts.dropLast() {
                line += part
                finish()
            }
            line += parts.last ?? ""
        }
        finish()
        return lines
    }

    /// Wraps one line of text to `width` columns; lines after the first are indented by `indent` spaces. A nil width
    /// wraps nothing.
    static func lines(_ text: String, indent: Int, width: Int?) -> [String] {
        guard let width, DisplayWidth.of(text) > width else { return [text] }
        let start = text.prefix { $0 == " " }
        let words = text.dropFirst(start.count).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // The first line has another margin than the others.
        var first: [String] = []
        var used = start.count
        for word in words {
            let next = (first.isEmpty ? 0 : 1) + DisplayWidth.of(word)
            if used + next > width { break }
            used += next
            first.append(word)
        }
        let margin = String(repeating: " ", count: indent)
        let rest = lines(Array(words.dropFirst(first.count)), width: max(1, width - indent)).map { margin + $0 }
        return (first.isEmpty ? [] : [start + first.joined(separator: " ")]) + rest
    }

    /// Wraps a shell command; every line but the last ends with a backslash, so that the command can be copied.
    static func command(_ text: String, width: Int?) -> [String] {
        guard let width, DisplayWidth.of(text) > width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").map(String.init) {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width - 2 {
                lines.append(line)
                line = "  "
            }
            line += (line.allSatisfy { $0 == " " } ? "" : " ") + word
        }
        return lines.map { $0 + " \\" } + [line]
    }

    /// Breaks a word into pieces of at most `width` columns: after `/` or a space, else after another separator, else
    /// anywhere.
    static func pieces(_ word: String, width: Int) -> [String] {
        var pieces: [String] = []
        var rest = Substring(word)
        while DisplayWidth.of(trimmed(String(rest))) > width {
            var used = 0
            var end = rest.startIndex
            var parting: Substring.Index?
            var weakParting: Substring.Index?
            while end < rest.endIndex {
                let next = DisplayWidth.of(rest[end])
                if used + next > width { break }
                used += next
                let character = rest[end]
                end = rest.index(after: end)
                if character == "/" || character == " " { parting = end }
                if weakPartings.contains(character) { weakParting = end }
            }
            // A piece has at least one character, even on a one-column terminal.
            let place = parting ?? weakParting ?? max(end, rest.index(after: rest.startIndex))
            pieces.append(String(rest[..<place]))
            rest = rest[place...]
        }
        return pieces + [String(rest)]
    }

    private static let weakPartings: Set<Character> = [".", ",", "-", "_", "="]

    /// The line without trailing spaces.
    static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
