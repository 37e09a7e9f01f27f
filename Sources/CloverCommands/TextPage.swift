/// Text for a person, and what is said below it: which columns had no room.
struct TextPage: Sendable {
    var text: String
    /// The titles of columns that the terminal is too narrow for, as they are said, each once.
    private(set) var hidden: [String]

    init(_ text: String, hidden: [String] = []) {
        self.text = text
        self.hidden = hidden
    }

    static func + (left: TextPage, right: TextPage) -> TextPage {
        TextPage(left.text + right.text, hidden: left.hidden + right.hidden.filter { !left.hidden.contains($0) })
    }

    static func + (left: TextPage, right: String) -> TextPage { left + TextPage(right) }

    /// What to say of the columns; nil when there was room for all.
    var notice: String? {
        hidden.isEmpty ? nil : "no room for \(hidden.joined(separator: ", ")); --json has all of it"
    }
}
