import ArgumentParser

/// `clover reader`.
struct ReaderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reader",
        abstract: "Find card readers, connect to them, watch them",
        discussion: """
            Examples:
              clover reader scan
              clover reader connect --follow
              clover reader scan --driver 'clover-emulator reader-driver'

            Clover Go readers are found over Bluetooth, or by a driver: a program \
            that speaks the protocol of clover-reader-driver(5). A session lasts as \
            long as the command that has it; 'connect --follow' keeps one.
            """,
        subcommands: [
            Scan.self, List.self, Connect.self, Watch.self, Disconnect.self, Forget.self, DriverCheckCommand.self,
        ]
    )

    /// Refuses what a script gives when its variable is not set.
    static func check(_ reader: String?) throws {
        guard reader?.allSatisfy(\.isWhitespace) != true else {
            throw ValidationError("the reader's id is empty; 'clover reader list' and 'clover reader scan' show ids")
        }
    }
}
