import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    /// `clover reader scan`.
    struct Scan: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "scan",
            abstract: "Find the card readers that are near",
            discussion: """
                Examples:
                  clover reader scan --json --first | jq -r .id
                  clover reader scan --timeout 0 --updates --json
                  clover reader scan --name 'Clover_Go_63*' --min-rssi -70

                One JSON object a line for each reader, the moment it is found; \
                rssi (dBm), battery (percent), firmware and serial are null while \
                they are not known. Status 66 when none was found. Bluetooth is \
                listened to, and the driver is asked where one is named; with \
                --transport cloud it is the merchant's own devices, such as Flex \
                and Mini, that answer at the service.
                """
        )

        @Option(
            help: ArgumentHelp("How long to look; 5s by default, 0 until stopped.", valueName: "duration"))
        var timeout: String?

        @Flag(help: "End with the first reader.")
        var first = false

        @Option(help: ArgumentHelp("End when so many readers were found.", valueName: "number"))
        var count: Int?

        @Option(
            name: .customLong("name"),
            help: ArgumentHelp("Only readers whose name matches, such as 'Clover_Go_63*'.", valueName: "pattern"))
        var names: [String] = []

        @Option(name: .customLong("id"), help: ArgumentHelp("Only the reader with this id.", valueName: "id"))
        var ids: [String] = []

        @Option(
            name: .customLong("min-rssi"), parsing: .unconditional,
            help: ArgumentHelp("Only readers whose signal is at least as strong, such as -70.", valueName: "dBm"))
        var weakestSignal: Int?

        @Option(
            name: .customLong("transport"),
            help: ArgumentHelp(
                "By what readers are reached: ble, cloud, driver, separated by commas.", valueName: "names"),
            transform: Self.transports)
        var transports: [ReaderTransport]?

        @Flag(name: .customLong("all-devices"), help: "Every Bluetooth device, not only Clover's readers.")
        var allDevices = false

        @Flag(help: "Print a reader again when something about it changed.")
        var updates = false

        @OptionGroup(title: "Drivers")
        var drivers: DriverOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1") }
            if first, count != nil { throw ValidationError("--first and --count exclude each other") }
            if let weakestSignal, !(-127...(-1)).contains(weakestSignal) {
                throw ValidationError("--min-rssi takes dBm from -127 to -1, such as -70, not \(weakestSignal)")
            }
            if ids.contains("") { throw ValidationError("--id is empty") }
            if names.contains("") { throw ValidationError("--name is empty") }
            if let timeout, !Self.isEndless(timeout) { _ = try DriverOptions.seconds(timeout, "--timeout") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var scan = ReaderScan()
            scan.drivers = try drivers.choice(transports: transports)
            scan.drivers.connection = connection.choice
            scan.wish.names = names
            scan.wish.ids = ids
            scan.wish.weakestSignal = weakestSignal
            if let timeout {
                scan.seconds = Self.isEndless(timeout) ? nil : try DriverOptions.seconds(timeout, "--timeout")
            }
            scan.count = first ? 1 : count
            scan.tellsUpdates = updates
            scan.includesAllDevices = allDevices
            let isForPerson = environment.terminal.isOutputTerminal && !messages.json
            try await scan.run(in: environment) { found in
                try await StandardOutput.print(
                    isForPerson ? ReaderText.line(found, isColored: environment.screen.isColored) : found.json,
                    in: environment)
            }
            return 0
        }

        /// No time at all is until stopped, in any unit.
        private static func isEndless(_ timeout: String) -> Bool {
            ["0", "0ms", "0s", "0m", "0h"].contains(timeout)
        }

        private static func transports(_ text: String) throws -> [ReaderTransport] {
            // An empty word too is refused: nothing would be listened to where nothing is named.
            try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                guard let transport = ReaderTransport(rawValue: String(word)) else {
                    throw ValidationError("--transport takes ble, cloud, driver, separated by commas")
                }
                return transport
            }
        }
    }
}
