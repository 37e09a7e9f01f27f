import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    /// `clover reader disconnect`.
    struct Disconnect: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "disconnect",
            abstract: "End the session with the connected reader",
            discussion: """
                Examples:
                  clover reader disconnect
                  clover reader disconnect Clover_Go_630094
                  clover reader disconnect D4:22:CD:00:9A:11 --json

                Ends the 'reader connect' that holds the reader, in this or another terminal, as SIGTERM does. A \
                charge is not interrupted.
                """
        )

        @Argument(
            help: ArgumentHelp("ID or name of the reader (default: the connected one).", valueName: "id"),
            completion: .asked)
        var reader: String?

        @OptionGroup(title: "Drivers")
        var drivers: DriverOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try ReaderCommand.check(reader)
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var disconnection = ReaderDisconnection()
            disconnection.reader = reader
            disconnection.drivers = try drivers.choice()
            let id = try await disconnection.run(in: environment)
            environment.diagnostics.notice("reader \(id) is disconnected")
            return 0
        }
    }
}
