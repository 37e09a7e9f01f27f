/// A file that was given its name, as the state keeps it.
package struct PublishedFile: Sendable, Equatable {
    /// From the destination on.
    package var path: String
    package var resource: String
    package var window: PlannedWindow
    /// Of the file's bytes, in hexadecimal digits.
    package var sha256: String
    /// Its line in the manifest.
    package var line: String
    /// How it is written; nil when nothing is ever added to it.
    package var form: String?

    package init(
        path: String, resource: String, window: PlannedWindow, sha256: String, line: String, form: String? = nil
    ) {
        self.path = path
        self.resource = resource
        self.window = window
        self.sha256 = sha256
        self.line = line
        self.form = form
    }
}
