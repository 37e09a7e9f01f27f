import CloverCore
import CloverRecords

/// Text of a command's own on standard output; records have their own way there.
enum StandardOutput {
    static func print(_ text: String, in environment: CommandEnvironment) async throws {
        try await environment.standardOutput.write(Array(text.utf8))
    }

    /// The same for the whole output of a command that lists something.
    ///
    /// - Parameter isTable: it is for a person, and goes through a pager when it is more than a screen.
    static func show(_ text: String, isTable: Bool, in environment: CommandEnvironment) async throws {
        if isTable { await environment.startPaging() }
        try await environment.standardOutput.write(Array(text.utf8))
        try await environment.standardOutput.endPaging()
    }

    /// A page for a person, through a pager when it is more than a screen, and below it what had no room.
    static func show(_ page: TextPage, in environment: CommandEnvironment) async throws {
        try await show(page.text, isTable: true, in: environment)
        if let notice = page.notice { environment.diagnostics.notice(notice) }
    }
}
