/// What the records of a run look like: two runs of one form write the same of a record.
package struct ExportForm: Sendable, Equatable {
    /// In words that stay the same as long as the form does.
    package var choice: String
    /// The options that make it, for people.
    package var words: String

    package init(choice: String, words: String) {
        self.choice = choice
        self.words = words
    }
}
