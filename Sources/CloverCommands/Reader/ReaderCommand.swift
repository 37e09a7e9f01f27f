import ArgumentParser

struct ReaderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reader",
        abstract: "Find card readers, connect to them, and watch them",
        discussion: """
            Examples:
              clover reader scan
              clover reader connect --follow
              clover reader scan --driver 'clover-emulator reader-driver'

            Clover Go readers are found over Bluetooth, or by a driver: a program that implements the protocol in \
            clover-reader-driver(5). A session lasts as long as the command that opened it; to keep one, run \
            'clover reader connect --follow'.
            """,
        subcommands: [
            Scan.self, List.self, Connect.self, Watch.self, Disconnect.self, Forget.self, DriverCheckCommand.self,
        ]
    )

    /// Refuses an empty ID, such as from a script whose variable is not set.
    static func check(_ reader: String?) throws {
        guard reader?.allSatisfy(\.isWhitespace) != true else {
            throw ValidationError("the reader's ID is empty; 'clover reader list' and 'clover reader scan' show IDs")
        }
    }
}
