internal import Glibc

/// The approximate set of identifiers in a program. Includes those in strings and comments, because a string may
/// contain code. An extra word costs speed, a missing word would cost results.
struct ProgramWords {
    private let words: Set<Substring>

    init(of text: String) {
        var words: Set<Substring> = []
        let units = text.utf8
        var start = units.startIndex
        var before: UInt8 = 0
        while start < units.endIndex {
            let byte = units[start]
            guard Self.startsWord(byte) else {
                before = byte
                start = units.index(after: start)
                continue
            }
            let end = units[start...].firstIndex { !Self.startsWord($0) && !Self.isDigit($0) } ?? units.endIndex
            // `.input` is a field and `$input` a variable.
            if before != UInt8(ascii: "."), before != UInt8(ascii: "$") { words.insert(text[start..<end]) }
            before = 0
            start = end
        }
        self.words = words
    }

    /// The words of the user's own library, which libjq prepends to every program if `~/.jq` is a file.
    static func ofHomeLibrary() -> ProgramWords {
        guard let home = getenv("HOME") else { return ProgramWords(of: "") }
        let path = String(cString: home) + "/.jq"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re") else {
            return ProgramWords(of: "")
        }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = fread(&text, 1, text.count, file)
        return ProgramWords(of: String(decoding: text.prefix(count), as: UTF8.self))
    }

    func contains(_ word: Substring) -> Bool {
        words.contains(word)
    }

    /// Whether a run may read the stream. A module may do so, so `import` and `include` count.
    var readsStream: Bool {
        ["input", "inputs", "_input", "input_line_number", "import", "include"].contains { contains($0) }
    }

    private static func startsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
