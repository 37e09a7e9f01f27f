/// A file that was given its name, as the state keeps it.
package struct PublishedFile: Sendable, Equatable, Codable {
    /// From the destination on.
    package var path: String
    /// The path without the number that tells it from others of the same name.
    package var base: String
    /// That number; 1 for the first one, which has none in its path.
    package var number: Int
    package var resource: String
    package var window: PlannedWindow
    /// Of the file's bytes, in hexadecimal digits.
    package var sha256: String
    /// Its line in the manifest.
    package var line: String
    /// How it is written; nil when nothing is ever added to it.
    package var form: String?
    /// What decides its bytes besides the records.
    package var choice: String
    /// Nothing is before it in the file.
    package var isFirst: Bool

    package init(
        path: String, base: String, number: Int, resource: String, window: PlannedWindow, sha256: String, line: String,
        form: String? = nil, choice: String, isFirst: Bool
    ) {
        self.path = path
        self.base = base
        self.number = number
        self.resource = resource
        self.window = window
        self.sha256 = sha256
        self.line = line
        self.form = form
        self.choice = choice
        self.isFirst = isFirst
    }
}
