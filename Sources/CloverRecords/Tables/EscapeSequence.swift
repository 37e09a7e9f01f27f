/// Escape sequences that control a terminal (ECMA-48, sections 5.3 to 5.6): colors, titles, the cursor.
enum EscapeSequence {
    /// Removes complete sequences from the text, so that no `[31m` remains of one.
    static func removed(from text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard text.contains(where: { $0 == escape || (0x80...0x9F).contains($0.value) }) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text[...]
        while let scalar = rest.first {
            if let end = end(of: rest) {
                rest = rest[end...]
            } else {
                result.append(scalar)
                rest.removeFirst()
            }
        }
        return result
    }

    private static let escape: Unicode.Scalar = "\u{1B}"

    /// The end of the sequence at the start of the text; nil if there is none.
    private static func end(of text: Substring.UnicodeScalarView) -> String.Index? {
        guard let first = text.first else { return nil }
        var rest = text.dropFirst()
        var introducer = first.value
        if first == escape {
            // A 7-bit character after an escape stands for an 8-bit control character (section 5.3).
            guard let second = rest.first?.value, (0x20...0x7E).contains(second) else { return rest.startIndex }
            if second <= 0x2F {
                rest = rest.drop { (0x20...0x2F).contains($0.value) }
                return rest.dropFirst().startIndex
            }
            rest.removeFirst()
            introducer = second + 0x40
        }
        switch introducer {
        case 0x9B:
            rest = rest.drop { (0x30...0x3F).contains($0.value) }.drop { (0x20...0x2F).contains($0.value) }
            return rest.first.map { (0x40...0x7E).contains($0.value) } ?? false
                ? rest.dropFirst().startIndex : rest.startIndex
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F: return endOfString(rest)
        default: return first == escape ? rest.startIndex : nil
        }
    }

    /// The end of a command string, such as a title. An unterminated string must not swallow the rest of a message.
    private static func endOfString(_ text: Substring.UnicodeScalarView) -> String.Index {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            switch text[index].value {
            case 0x07, 0x9C: return next
            case 0x1B where next < text.endIndex && text[next] == "\\": return text.index(after: next)
            default: index = next
            }
        }
        return text.startIndex
    }
}
