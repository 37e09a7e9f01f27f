import ArgumentParser
import CloverCore
import CloverJSON
import CloverReaders

extension ReaderCommand {
    struct Connect: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "connect",
            abstract: "Connect to a reader and get it ready for use",
            discussion: """
                Examples:
                  clover reader connect
                  clover reader connect Clover_Go_630094 --follow
                  clover reader connect D4:22:CD:00:9A:11 --json

                Without an ID, connects to the last connected reader. Prints a line for each change: initializing, \
                updatingFW with its progress, ready, lowBattery below 20 %, disconnected. Exits with status 0 when the \
                reader is ready, or with --follow when the session ends. Firmware is not updated while the battery is \
                below 30 %.
                """
        )

        @Argument(help: ArgumentHelp("ID or name of the reader.", valueName: "id"), completion: .asked)
        var reader: String?

        @Flag(help: "Keep the session open, and report its changes until it ends.")
        var follow = false

        @Option(
            name: .customLong("transport"),
            help: ArgumentHelp("Transport: ble, cloud or driver.", valueName: "name"))
        var transport: ReaderTransport?

        @Option(help: ArgumentHelp("Maximum time for the link (default: 30s).", valueName: "duration"))
        var timeout: String?

        @OptionGroup(title: "Drivers")
        var drivers: DriverOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try ReaderCommand.check(reader)
            if let timeout { _ = try DriverOptions.seconds(timeout, "--timeout") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var connecting = ReaderConnection(connection: connection.choice)
            connecting.reader = reader
            connecting.drivers = try drivers.choice(transports: transport.map { [$0] })
            connecting.drivers.connection = connection.choice
            if let timeout { connecting.timeout = try DriverOptions.seconds(timeout, "--timeout") }
            let target = try await connecting.target(in: environment)
            let isJSON = messages.json
            let (session, tracker) = try await ready(target, connecting, in: environment)
            do {
                if follow {
                    try await session.follow(tracker) { try await $0.print(isJSON: isJSON, in: environment) }
                }
            } catch {
                await session.end()
                throw error
            }
            // A session that was followed to its end leaves no link.
            await session.end(keepingLink: !follow)
            return 0
        }

        /// Starts a session and waits until the reader is ready. A terminal shows the wait.
        private func ready(
            _ target: Reader, _ connecting: ReaderConnection, in environment: CommandEnvironment
        ) async throws -> (LockedReaderSession, ReaderTracker) {
            let isJSON = messages.json
            return try await ProgressDisplay.during(in: environment, sharesTerminal: true) { board in
                board.line("reader connect") { $0.words = "waiting for the reader" }
                let session = try await connecting.begin(
                    target, command: ReaderConnection.command, in: environment)
                do {
                    let tracker = try await session.prepare { report in
                        try await board.aside { try await report.print(isJSON: isJSON, in: environment) }
                    }
                    return (session, tracker)
                } catch {
                    await session.end()
                    throw error
                }
            }
        }
    }
}

extension ReaderTransport: ExpressibleByArgument {}

extension SessionReport {
    /// Prints the report as a line of text for a terminal, otherwise as a line of JSON.
    func print(isJSON: Bool, in environment: CommandEnvironment) async throws {
        let isForPerson = environment.terminal.isOutputTerminal && !isJSON
        try await StandardOutput.print(
            isForPerson ? text(isColored: environment.screen.isColored) : json, in: environment)
    }

    /// The report as a line of JSON.
    private var json: String {
        var line = JSONLine()
        line.add("event", event.rawValue)
        line.add("state", state)
        line.add("reader", reader)
        line.add("name", name)
        line.add("transport", transport)
        line.add("progress", json: progress.map { "\($0)" } ?? "null")
        line.add("battery", battery.map(Int64.init))
        line.add("firmware", firmware)
        line.add("serial", serial)
        line.add("at", instant: at)
        return line.text + "\n"
    }
}
