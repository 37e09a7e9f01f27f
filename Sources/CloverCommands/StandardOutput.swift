import CloverCore
import CloverRecords

/// Writes a command's own text to standard output; records are written by the core.
enum StandardOutput {
    static func print(_ text: String, in environment: CommandEnvironment) async throws {
        try await environment.standardOutput.write(Array(text.utf8))
    }

    /// Writes the complete output of a command that lists something.
    ///
    /// - Parameter isTable: whether the text is for a person; it is then paged if longer than the screen.
    static func show(_ text: String, isTable: Bool, in environment: CommandEnvironment) async throws {
        if isTable { await environment.startPaging() }
        try await environment.standardOutput.write(Array(text.utf8))
        try await environment.standardOutput.endPaging()
    }

    /// Writes a page for a person, paged if longer than the screen, followed by its notice.
    static func show(_ page: TextPage, in environment: CommandEnvironment) async throws {
        try await show(page.text, isTable: true, in: environment)
        if let notice = page.notice { environment.diagnostics.notice(notice) }
    }
}
