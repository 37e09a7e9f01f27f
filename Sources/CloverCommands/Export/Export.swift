import ArgumentParser

/// `clover export`.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export what changed since the last run to files, resumable and atomic",
        discussion: """
            Examples:
              clover export orders payments --to ~/exports
              clover export orders --to /srv/clover --day yesterday --day-start 04:00
              clover export status --fail-if-older-than 2h

            The first run exports everything, each later one what was made or \
            changed since. A file is there whole or not at all, and no other window's is \
            ever overwritten. A run that is killed is gone on with by the next one.

            The options of an export are shown by 'clover help export run'.
            """,
        subcommands: [Run.self, Status.self, Schedule.self],
        defaultSubcommand: Run.self
    )
}
