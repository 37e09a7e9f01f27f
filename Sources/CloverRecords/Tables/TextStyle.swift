/// The style of text on a terminal with colors.
package enum TextStyle: Sendable, Equatable {
    case faint
    case strong
    /// Success: done, paid, connected.
    case good
    /// Pending, or worth a look: open, pending, waiting.
    case warning
    /// Failed or declined.
    case bad

    /// The text between the sequences that start and end the style (ECMA-48, SGR). Uses the sixteen basic colors, which
    /// terminals adapt to their background.
    package func applied(to text: String) -> String {
        text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private var code: String {
        switch self {
        case .faint: "2"
        case .strong: "1"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }
}
