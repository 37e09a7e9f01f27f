/// A help topic: a page of `clover help` that is not about a command. Its manual page in section 7 has the same text.
struct HelpPage {
    enum Block {
        /// A paragraph; line breaks count as spaces.
        case text(String)
        /// Terms with their meanings.
        case list([(String, String)])
        /// Shell commands, each with a description.
        case examples([(String, String)])
    }

    struct Section {
        /// Nil for the first section.
        var title: String?
        let blocks: [Block]

        init(_ blocks: Block...) { self.blocks = blocks }

        init(_ title: String, _ blocks: Block...) {
            self.title = title
            self.blocks = blocks
        }
    }

    /// The name of the topic, such as `exit-codes`.
    let name: String
    /// The subject, without a full stop.
    let summary: String
    let sections: [Section]
    /// Related manual pages, such as `clover 1`.
    let seeAlso: [String]

    private static let width = 78

    /// The page for a terminal, without a final line break.
    var text: String {
        var lines = [Self.sentence(summary)]
        for section in sections {
            if let title = section.title { lines += ["", title + ":"] }
            for (number, block) in section.blocks.enumerated() {
                if section.title == nil || number > 0 { lines.append("") }
                lines += Self.lines(block, indent: section.title == nil ? "" : "  ")
            }
        }
        let pages = seeAlso.map { page in page.replacing(" ", with: "(") + ")" }
        return (lines + [""] + Self.wrapped("See also: " + pages.joined(separator: ", "), indent: ""))
            .joined(separator: "\n")
    }

    private static func lines(_ block: Block, indent: String) -> [String] {
        switch block {
        case .text(let text): wrapped(text, indent: indent)
        case .list(let entries):
            entries.flatMap { entry in
                let term = indent + entry.0
                let meaning = wrapped(entry.1, indent: indent + "      ")
                // The meaning of a short term is on the same line.
                guard entry.0.count <= 4, let first = meaning.first else { return [term] + meaning }
                let gap = String(repeating: " ", count: 6 - entry.0.count)
                return [term + gap + first.drop { $0 == " " }] + meaning.dropFirst()
            }
        case .examples(let examples):
            examples.flatMap { command, what in
                wrapped(what, indent: indent + "# ") + [indent + command]
            }
        }
    }

    private static func wrapped(_ text: String, indent: String) -> [String] {
        FoldedText.lines(
            text.split { $0 == " " || $0 == "\n" }.map(String.init), width: width - indent.count, breaksWords: false
        ).map { indent + $0 }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}

extension HelpPage {
    /// The manual page in mdoc(7), with `@DATE@` in place of the date.
    var manual: String {
        var lines = [
            ".Dd @DATE@", ".Dt CLOVER-\(name.uppercased()) 7", ".Os", ".Sh NAME", ".Nm clover-\(name)",
            ".Nd \(summary)", ".Sh DESCRIPTION",
        ]
        for section in sections {
            if let title = section.title { lines.append(".Sh \(title.uppercased())") }
            for (number, block) in section.blocks.enumerated() {
                if number > 0 { lines.append(".Pp") }
                lines += Self.macros(block)
            }
        }
        lines.append(".Sh SEE ALSO")
        // Sorted by section, as mdoc requires.
        let pages = seeAlso.sorted { ($0.last ?? " ", $0) < ($1.last ?? " ", $1) }
        for (number, page) in pages.enumerated() {
            lines.append(".Xr \(page)" + (number == pages.count - 1 ? "" : " ,"))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A list in mdoc(7).
    static func macros(_ entries: [(String, String)]) -> [String] {
        [".Bl -tag -width 4n"] + entries.flatMap { [".It \(KeyText.escaped($0.0))"] + sentences($0.1) } + [".El"]
    }

    private static func macros(_ block: Block) -> [String] {
        switch block {
        case .text(let text): sentences(text)
        case .list(let entries): macros(entries)
        case .examples(let examples):
            [".Bd -literal"]
                + examples.enumerated().flatMap { number, example in
                    (number == 0 ? [] : [""]) + ["# " + KeyText.escaped(example.1), KeyText.escaped(example.0)]
                } + [".Ed"]
        }
    }

    /// One line for each sentence, as mdoc requires.
    private static func sentences(_ text: String) -> [String] {
        let words = text.split { $0 == " " || $0 == "\n" }
        var lines: [String] = []
        var line: [Substring] = []
        for word in words {
            line.append(word)
            guard word.hasSuffix(".") else { continue }
            lines.append(line.joined(separator: " "))
            line = []
        }
        if !line.isEmpty { lines.append(line.joined(separator: " ")) }
        return lines.map { KeyText.escaped($0) }
    }
}
