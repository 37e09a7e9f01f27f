/// A program that is run again and again, and what it needs.
package struct ScheduledProgram: Sendable {
    /// The program's absolute path and its arguments.
    package var words: [String]
    /// Environment variables that it needs, in order.
    package var variables: [(name: String, value: String)]
    /// What it does, for a person.
    package var title: String
    /// Directories that it writes in.
    package var writesIn: [String]
    /// Who runs it.
    package var user: String

    /// - Throws: `ScheduleError.unwritable` for a word that fits no line.
    package init(
        words: [String], variables: [(name: String, value: String)], title: String, writesIn: [String], user: String
    ) throws(ScheduleError) {
        for word in words + variables.map(\.value) + writesIn
        where word.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
            throw .unwritable(word)
        }
        self.words = words
        self.variables = variables
        self.title = title
        self.writesIn = writesIn
        self.user = user
    }
}
