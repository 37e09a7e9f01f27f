import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    /// `clover reader scan`.
    struct Scan: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "scan",
            abstract: "Find card readers nearby",
            discussion: """
                Examples:
                  clover reader scan --json --first | jq -r .id
                  clover reader scan --timeout 0 --updates --json
                  clover reader scan --name 'Clover_Go_63*' --min-rssi -70

                Prints one JSON object a line for each reader as soon as it is found; rssi (dBm), battery (percent), \
                firmware and serial are null until they are known. Exits with 66 if no reader was found. By default, \
                scans Bluetooth, and asks the driver if one is configured; --transport cloud asks the service for the \
                merchant's own devices, such as Flex and Mini, that are online.
                """
        )

        @Option(
            help: ArgumentHelp("How long to scan; 0 until stopped (default: 5s).", valueName: "duration"))
        var timeout: String?

        @Flag(help: "Exit when the first reader is found.")
        var first = false

        @Option(help: ArgumentHelp("Exit when this many readers are found.", valueName: "number"))
        var count: Int?

        @Option(
            name: .customLong("name"),
            help: ArgumentHelp("Show only readers whose name matches, such as 'Clover_Go_63*'.", valueName: "pattern"))
        var names: [String] = []

        @Option(name: .customLong("id"), help: ArgumentHelp("Show only the reader with this ID.", valueName: "id"))
        var ids: [String] = []

        @Option(
            name: .customLong("min-rssi"), parsing: .unconditional,
            help: ArgumentHelp("Show only readers with at least this signal strength, such as -70.", valueName: "dBm"))
        var weakestSignal: Int?

        @Option(
            name: .customLong("transport"),
            help: ArgumentHelp(
                "Transports to scan: ble, cloud, driver, separated by commas.", valueName: "names"),
            transform: Self.transports)
        var transports: [ReaderTransport]?

        @Flag(name: .customLong("all-devices"), help: "Show every Bluetooth device, not only Clover's readers.")
        var allDevices = false

        @Flag(help: "Print a reader again when something about it changes.")
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
            scan.reportsUpdates = updates
            scan.includesAllDevices = allDevices
            let isForPerson = environment.terminal.isOutputTerminal && !messages.json
            try await scan.run(in: environment) { found in
                try await StandardOutput.print(
                    isForPerson ? ReaderText.line(found, isColored: environment.screen.isColored) : found.json,
                    in: environment)
            }
            return 0
        }

        /// Whether the timeout is zero, in any unit, which means no limit.
        private static func isEndless(_ timeout: String) -> Bool {
            ["0", "0ms", "0s", "0m", "0h"].contains(timeout)
        }

        private static func transports(_ text: String) throws -> [ReaderTransport] {
            // Refuses an empty word too: nothing would be scanned.
            try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                guard let transport = ReaderTransport(rawValue: String(word)) else {
                    throw ValidationError("--transport takes ble, cloud, driver, separated by commas")
                }
                return transport
            }
        }
    }
}
