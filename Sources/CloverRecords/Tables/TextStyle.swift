/// How a piece of text stands out on a terminal that shows colours.
package enum TextStyle: Sendable, Equatable {
    case faint
    case strong
    /// All is well: done, paid, connected.
    case good
    /// Not yet, or look at it: open, pending, waiting.
    case warning
    /// It failed, or was declined.
    case bad

    /// The text between the sequences that switch the style on and off (ECMA-48, SGR); the sixteen colours of which
    /// every terminal has its own idea, so that they go with its background.
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
