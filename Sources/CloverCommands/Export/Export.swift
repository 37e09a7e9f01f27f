import ArgumentParser

/// `clover export`.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export what changed since the last run to files or a database, resumable and atomic",
        discussion: """
            Examples:
              clover export orders payments --to ~/exports
              clover export orders --with line_items --to sqlite:shop.db
              clover export status --fail-if-older-than 2h

            The first run exports everything; each later run exports what was created or changed since. Files are \
            written atomically: each is either complete or absent, and a file of another window is never overwritten. \
            If a run is killed, the next run resumes it.

            For the options of an export, run 'clover help export run'.
            """,
        subcommands: [Run.self, Status.self, Verify.self, Compact.self, SQL.self, Schedule.self, Forget.self],
        defaultSubcommand: Run.self
    )
}
