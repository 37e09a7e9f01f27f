/// A text split into lines, each with its line break; line numbers start at 1.
struct ConfigurationLines {
    private var lines: [String.UnicodeScalarView.SubSequence]
    /// The line ending that this file uses.
    let lineBreak: String

    init(_ text: String) {
        lines = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: "\n").map { rest.index(after: $0) } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        lineBreak = lines.first.map { $0.suffix(2).elementsEqual("\r\n".unicodeScalars) } ?? false ? "\r\n" : "\n"
    }

    var count: Int { lines.count }

    /// The text without the byte order mark that some editors add.
    static func withoutMark(_ text: String) -> String {
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// The numbers of the lines on which this key of a section starts.
    ///
    /// - Parameters:
    ///   - first: the section's first line.
    ///   - column: where its keys start, from 1.
    func lines(ofKey name: String, from first: Int, column: Int) -> [Int] {
        var found: [Int] = []
        for number in first...max(first, lines.count) where lines.indices.contains(number - 1) {
            let line = lines[number - 1]
            let start = line.firstIndex { $0 != " " } ?? line.endIndex
            let indentation = line.distance(from: line.startIndex, to: start) + 1
            let rest = String(String.UnicodeScalarView(line[start...]))
            if rest.isEmpty || rest.first == "#" || rest.first?.isNewline == true { continue }
            // A smaller indentation ends the section.
            if indentation < column { break }
            guard indentation == column else { continue }
            let isKey = [name, "'\(name)'", "\"\(name)\""].contains { written in
                rest.hasPrefix(written) && rest.dropFirst(written.count).first { $0 != " " } == ":"
            }
            if isKey { found.append(number) }
        }
        return found
    }

    var text: String {
        var result = String.UnicodeScalarView()
        for line in lines { result.append(contentsOf: line) }
        return String(result)
    }

    /// A line without its line break and surrounding white space.
    func trimmed(_ number: Int) -> String {
        guard lines.indices.contains(number - 1) else { return "" }
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let front = lines[number - 1].drop(while: isSpace)
        return String(String.UnicodeScalarView(front.reversed().drop(while: isSpace).reversed()))
    }

    mutating func remove(_ number: Int) {
        if lines.indices.contains(number - 1) { lines[number - 1] = "".unicodeScalars[...] }
    }

    /// Inserts lines, given without line breaks, before the line of this number; numbers beyond the last append.
    mutating func insert(_ added: [String], before number: Int) {
        if number > lines.count, let last = lines.last, last.last != "\n" {
            lines[lines.count - 1] = (String(String.UnicodeScalarView(last)) + lineBreak).unicodeScalars[...]
        }
        lines.insert(contentsOf: added.map { ($0 + lineBreak).unicodeScalars[...] }, at: min(number - 1, lines.count))
    }

    /// Replaces a value that is on one line.
    ///
    /// - Parameter isEmpty: whether there is no value yet.
    /// - Returns: false if the value is written in an unsupported way, such as after an anchor.
    mutating func replaceScalar(_ old: ConfigurationOutline.Scalar, isEmpty: Bool, by new: String) -> Bool {
        guard lines.indices.contains(old.line - 1) else { return false }
        let line = lines[old.line - 1]
        guard let start = line.index(line.startIndex, offsetBy: old.column - 1, limitedBy: line.endIndex) else {
            return false
        }
        let end: String.UnicodeScalarView.Index?
        if isEmpty {
            guard start > line.startIndex, line[line.index(before: start)] == ":" else { return false }
            end = start
        } else {
            end =
                old.isPlain ? Self.endOfPlain(old.text, in: line, from: start) : Self.endOfQuoted(in: line, from: start)
        }
        guard let end else { return false }
        var result = String.UnicodeScalarView(line[..<start])
        result.append(contentsOf: ((isEmpty ? " " : "") + new).unicodeScalars)
        result.append(contentsOf: line[end...])
        lines[old.line - 1] = result[...]
        return true
    }

    private typealias Line = String.UnicodeScalarView.SubSequence

    private static func endOfPlain(_ text: String, in line: Line, from start: Line.Index) -> Line.Index? {
        let rest = line[start...]
        guard rest.starts(with: text.unicodeScalars) else { return nil }
        return rest.index(start, offsetBy: text.unicodeScalars.count)
    }

    /// The position after the closing quote; nil if it is not on this line.
    private static func endOfQuoted(in line: Line, from start: Line.Index) -> Line.Index? {
        guard start < line.endIndex, line[start] == "'" || line[start] == "\"" else { return nil }
        let quote = line[start]
        var index = line.index(after: start)
        while index < line.endIndex {
            let next = line.index(after: index)
            if quote == "\"", line[index] == "\\", next < line.endIndex {
                index = line.index(after: next)
            } else if line[index] == quote {
                // Two single quotes stand for one in the text.
                guard quote == "'", next < line.endIndex, line[next] == quote else { return next }
                index = line.index(after: next)
            } else {
                index = next
            }
        }
        return nil
    }
}
