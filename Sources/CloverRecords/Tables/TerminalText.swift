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
