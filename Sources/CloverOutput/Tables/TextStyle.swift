/// The style of text on a terminal with colors; the raw value is its code (ECMA-48, SGR). Uses the sixteen basic colors,
/// which terminals adapt to their background.
package enum TextStyle: String, Sendable {
    case faint = "2"
    case strong = "1"
    /// Success: done, paid, connected.
    case good = "32"
    /// Pending, or worth a look: open, pending, waiting.
    case warning = "33"
    /// Failed or declined.
    case bad = "31"

    /// The text between the sequences that start and end the style.
    package func applied(to text: String) -> String {
        text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

/// Text with the escape sequences of `TextStyle`.
package enum StyledText {
    /// Truncates a line to a number of columns. Style sequences are kept. A number that does not fit completely is
    /// omitted, because its beginning would be a different number.
    package static func cut(_ line: String, to width: Int) -> String {
        var result = ""
        var used = 0
        var isInSequence = false
        // The result before the number that is being read.
        var beforeNumber: String?
        for character in line {
            if character == "\u{1B}" { isInSequence = true }
            if isInSequence {
                beforeNumber = nil
                result.append(character)
                if character == "m" { isInSequence = false }
                continue
            }
            let wasFull = used > width
            used += DisplayWidth.of(character)
            if character.isASCII && character.isNumber || beforeNumber != nil && (character == "." || character == ",")
            {
                if used > width, !wasFull, let beforeNumber { result = beforeNumber }
                beforeNumber = beforeNumber ?? result
            } else {
                beforeNumber = nil
            }
            // Later sequences may still reset a style.
            if used <= width { result.append(character) }
        }
        return result
    }
}

/// What a column's values mean to a person, which decides how they are highlighted.
package enum ColumnMeaning: Sendable, Equatable {
    case plain
    /// Identifies a record for programs; people rarely read it.
    case identifier
    case state
    /// A number, aligned right.
    case amount
    /// Useless if truncated, such as a time, or a name that people type.
    case whole

    /// - Parameter name: the last name in a field's path, as the service writes it.
    init(field name: String?) {
        switch name {
        case "id": self = .identifier
        case "state", "status", "result", "paymentState", "syncState": self = .state
        default: self = .plain
        }
    }

    /// The style of a value; nil if it is not highlighted.
    package func style(of value: String) -> TextStyle? {
        switch self {
        case .plain, .amount, .whole: nil
        case .identifier: .faint
        case .state: Self.states[value.lowercased()]
        }
    }

    /// The values of the service's enums, and those of our own journal, readers and sign-ins.
    private static let states: [String: TextStyle] = {
        let words: [(TextStyle, String)] = [
            (.good, "success approved authorized paid locked ready connected yes ok done captured active issued"),
            (
                .warning,
                "open pending created sent unknown initializing updatingfw lowbattery partially_paid initiated waiting"
            ),
            (
                .bad,
                "fail failed declined error voided void voiding canceled cancelled disconnected no expired refused"
            ),
            (.warning, "refunded partially_refunded credited manually_refunded"),
        ]
        var table: [String: TextStyle] = [:]
        for (style, list) in words {
            for word in list.split(separator: " ") { table[String(word)] = style }
        }
        return table
    }()
}
