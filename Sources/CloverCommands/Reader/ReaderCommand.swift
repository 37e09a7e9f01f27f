import ArgumentParser
import CloverCore
import CloverReaders

/// `clover reader`.
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

extension ReaderCommand {
    /// `clover reader forget`.
    struct Forget: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forget readers that were connected before",
            discussion: """
                Examples:
                  clover reader forget Clover_Go_630094
                  clover reader forget D4:22:CD:00:9A:11
                  clover reader forget --all

                Forgets only what clover stores about them; their Bluetooth pairing stays.
                """
        )

        @Argument(help: ArgumentHelp("IDs or names of readers.", valueName: "id"), completion: .asked)
        var readers: [String] = []

        @Flag(help: "Forget all readers.")
        var all = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            for reader in readers { try ReaderCommand.check(reader) }
            if readers.isEmpty != all { throw ValidationError("give the ID of a reader, or --all") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let known = KnownReaders(environment)
            let forgotten = all ? try await known.forgetAll() : try await known.forget(readers)
            environment.diagnostics.notice(
                forgotten.isEmpty
                    ? "no reader was stored" : "forgotten: " + Self.labels(forgotten).joined(separator: ", "))
            return 0
        }

        /// The labels without duplicates, in order: a reader may be stored once for each transport.
        private static func labels(_ readers: [KnownReader]) -> [String] {
            readers.map(\.reader.label).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}
