/// Text for a person, and the columns that were left out of it.
struct TextPage: Sendable {
    var text: String
    /// Titles of the columns that the terminal is too narrow for, each once, as the notice shows them.
    private(set) var hidden: [String]

    init(_ text: String, hidden: [String] = []) {
        self.text = text
        self.hidden = hidden
    }

    static func + (left: TextPage, right: TextPage) -> TextPage {
        TextPage(left.text + right.text, hidden: left.hidden + right.hidden.filter { !left.hidden.contains($0) })
    }

    static func + (left: TextPage, right: String) -> TextPage { left + TextPage(right) }

    /// The notice about hidden columns; nil if all columns are shown.
    var notice: String? {
        hidden.isEmpty ? nil : "no room for \(hidden.joined(separator: ", ")); to see everything, add --json"
    }
}
