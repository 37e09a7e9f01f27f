/// Makes text from other sources safe for a terminal.
package enum TerminalText {
    /// One line without escape sequences, control characters and bidirectional marks. Line breaks and tabs become one
    /// space, so that words stay apart.
    package static func line(_ text: String) -> String {
        var text = text
        let isPlain = text.withUTF8 { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
        if isPlain { return text }
        var result = String.UnicodeScalarView()
        var isBreak = false
        for scalar in EscapeSequence.removed(from: text.unicodeScalars) {
            if isSpacing(scalar) {
                if !isBreak { result.append(" ") }
                isBreak = true
            } else if !steers(scalar) {
                result.append(scalar)
                isBreak = false
            }
        }
        return String(result)
    }

    /// The same for a message: control characters outside escape sequences become `?`.
    package static func message(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in EscapeSequence.removed(from: text.unicodeScalars) {
            if scalar.properties.generalCategory == .control {
                result.append("?")
            } else if !steers(scalar) {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether it is a control character, a line or paragraph separator, a bidirectional mark, or invisible.
    package static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func isSpacing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

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

/// Removes terminal control characters and bidirectional marks from a stream of bytes. Everything else passes
/// unchanged, including line breaks and tabs.
package struct TerminalFilter: Sendable {
    package enum Form: Sendable, Equatable {
        /// Control characters are written as escapes, so that the JSON keeps its meaning.
        case json
        /// Control characters become `?`; characters that hide or reorder text are removed.
        case text
    }

    private let form: Form
    /// An incomplete character, or a carriage return, that the next bytes may complete.
    private var rest: [UInt8] = []

    package init(_ form: Form) {
        self.form = form
    }

    /// The bytes to write now.
    package mutating func pass(_ bytes: [UInt8]) -> [UInt8] {
        if rest.isEmpty, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return bytes }
        var all = rest + bytes
        let kept = Self.unfinished(all)
        rest = Array(all.suffix(kept))
        all.removeLast(kept)
        var result = String.UnicodeScalarView()
        let scalars = String(decoding: all, as: UTF8.self).unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            switch scalar {
            case "\n", "\t": result.append(scalar)
            // As in the line ends of csv.
            case "\r" where index < scalars.endIndex && scalars[index] == "\n": result.append(scalar)
            case _ where TerminalText.steers(scalar): append(scalar, to: &result)
            default: result.append(scalar)
            }
        }
        return Array(String(result).utf8)
    }

    private func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
        switch form {
        // Between values it can only be a carriage return, which is meaningless.
        case .json where scalar == "\r": break
        case .json:
            for unit in String(Character(scalar)).utf16 {
                let digits = String(unit, radix: 16)
                result.append(contentsOf: "\\u".unicodeScalars)
                result.append(contentsOf: String(repeating: "0", count: 4 - digits.count).unicodeScalars)
                result.append(contentsOf: digits.unicodeScalars)
            }
        case .text: if scalar.properties.generalCategory == .control { result.append("?") }
        }
    }

    /// The number of bytes at the end that belong to an incomplete sequence.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == 0x0D { return 1 }
        for (distance, byte) in bytes.suffix(3).reversed().enumerated() where byte >= 0xC0 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            return distance + 1 < length ? distance + 1 : 0
        }
        return 0
    }
}
