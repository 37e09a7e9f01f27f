import ArgumentParser
import CloverAuth
import CloverCore
import CloverJSON
import CloverReaders
import Glibc

extension ReaderCommand {
    struct Scan: RecordCommand {
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

        @OptionGroup(title: "What to print")
        var outputFile: OutputFileOptions

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
            if let timeout, Self.isEndless(timeout), !first, count == nil, let path = outputFile.path, path != "-" {
                throw ValidationError(
                    "--output writes the file when the scan ends, and --timeout \(timeout) is no end; use >\(path)")
            }
            if let timeout, !Self.isEndless(timeout) { _ = try DriverOptions.seconds(timeout, "--timeout") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            try await ProgressDisplay.during(in: environment) { board in
                board.line("reader scan") { $0.words = "looking for readers" }
                try await scan(in: environment)
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

extension ReaderCommand.Scan {
    /// Prints readers as soon as they are found. All discovery has been stopped when this returns.
    ///
    /// - Throws: `ReaderFault.noneFound`; the `ReaderError` of the only driver, of one chosen by flag, or of one that did not
    ///   respond.
    private func scan(in environment: CommandEnvironment) async throws {
        var choice = try self.drivers.choice(transports: transports)
        choice.connection = connection.choice
        let seconds = Self.isEndless(timeout ?? "") ? nil : try DriverOptions.seconds(timeout ?? "5s", "--timeout")
        let limit = first ? 1 : count
        let scanned = try await choice.scanned(in: environment)
        var drivers: [any ReaderDriver] = []
        for transport in scanned { drivers.append(try await choice.make(transport, in: environment)) }
        let isForPerson = environment.terminal.isOutputTerminal && !messages.json
        let aggregator = ScanAggregator(
            ReaderFilter(names: names, ids: ids, weakestSignal: weakestSignal), limit: limit, reportsUpdates: updates,
            known: try await KnownReaders(environment).keys(), clock: environment.clock
        ) { found in
            try await StandardOutput.print(
                isForPerson ? ReaderText.line(found, isColored: environment.screen.isColored) : found.json,
                in: environment)
        }
        // Discovery that has begun is always stopped; a signal waits for that.
        let failures = try await environment.criticalWork.cleaningUp {
            try await discover(drivers, aggregator, seconds: seconds, in: environment)
        }
        if failures.count == drivers.count, let first = failures.first { throw first.error }
        // If too few readers were found, the driver that did not respond may know more.
        let found = await aggregator.count
        if limit.map({ found < $0 }) ?? true, let silent = failures.first(where: \.error.isUnresponsive) {
            throw silent.error
        }
        if found == 0 {
            throw ReaderFault.noneFound(seconds: seconds, transports: scanned, others: await aggregator.others)
        }
    }

    private typealias Failure = (transport: ReaderTransport, error: ReaderError)

    private enum End: Sendable {
        case timeOver
        case driver(Failure?)
    }

    /// Runs all drivers concurrently until the time limit, until enough readers are found, or until all have ended.
    private func discover(
        _ drivers: [any ReaderDriver], _ aggregator: ScanAggregator, seconds: Double?,
        in environment: CommandEnvironment
    ) async throws -> [Failure] {
        let allDevices = allDevices
        let isChosen = transports != nil
        let sleep = environment.sleep
        return try await withThrowingTaskGroup(of: End.self) { group in
            for driver in drivers { group.addTask { try await Self.discover(driver, allDevices, aggregator) } }
            if let seconds {
                group.addTask {
                    try await sleep(seconds)
                    return .timeOver
                }
            }
            var failures: [Failure] = []
            func add(_ failure: Failure) throws {
                failures.append(failure)
                // Cancels the other drivers.
                if isChosen { throw failure.error }
                if drivers.count > 1 { Self.note(failure, in: environment) }
            }
            var running = drivers.count
            while running > 0, let end = try await group.next() {
                switch end {
                case .timeOver:
                    await aggregator.close()
                    group.cancelAll()
                    for failure in try await Self.finish(&group) { try add(failure) }
                    return failures
                case .driver(let failure):
                    running -= 1
                    if let failure {
                        try add(failure)
                    } else if await aggregator.isEnough {
                        running = 0
                    }
                }
            }
            await aggregator.close()
            group.cancelAll()
            // Enough readers were found, so errors of drivers that did not respond are ignored.
            _ = try await Self.finish(&group)
            return failures
        }
    }

    private static func discover(
        _ driver: any ReaderDriver, _ allDevices: Bool, _ aggregator: ScanAggregator
    ) async throws -> End {
        do {
            try await driver.discover(allDevices: allDevices) { try await aggregator.take($0) }
            return .driver(nil)
        } catch let error as ReaderError {
            // If the user cancelled, the driver's error does not matter.
            if Task.isCancelled, await !aggregator.isEnough { throw CancellationError() }
            return .driver((driver.transport, error))
        } catch is CancellationError {
            // Cancellation by the scan itself, at the time limit or with enough readers, is a normal end.
            guard await aggregator.isEnough else { throw CancellationError() }
            return .driver(nil)
        }
    }

    /// Waits until all discovery is stopped, and returns the failures of drivers that never responded. The scan itself has
    /// cancelled the drivers, so other errors at this point are ignored.
    private static func finish(_ group: inout ThrowingTaskGroup<End, any Error>) async throws -> [Failure] {
        var failures: [Failure] = []
        while true {
            do {
                guard let end = try await group.next() else { return failures }
                if case .driver(let failure?) = end, failure.error.isUnresponsive { failures.append(failure) }
            } catch is CancellationError {
                try Task.checkCancellation()
            }
        }
    }

    /// Reports a failed transport, unless the failure is a missing response, which the scan throws at its end.
    private static func note(_ failure: Failure, in environment: CommandEnvironment) {
        if failure.error.isUnresponsive { return }
        environment.diagnostics.notice("\(failure.transport.rawValue) readers are skipped: \(failure.error.message)")
    }
}

/// Collects the sightings of all drivers, and reports those that are to be reported.
actor ScanAggregator {
    private let filter: ReaderFilter
    /// Maximum number of different readers; nil for all.
    private let limit: Int?
    /// Whether changes of a reported reader are reported as well.
    private let reportsUpdates: Bool
    private let known: Set<String>
    private let clock: TokenClock
    private let onReader: @Sendable (FoundReader) async throws -> Void
    private var reported: [String: Reader] = [:]
    private var othersSeen: Set<String> = []
    private(set) var isEnough = false

    init(
        _ filter: ReaderFilter, limit: Int?, reportsUpdates: Bool, known: Set<String>, clock: TokenClock,
        onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) {
        self.filter = filter
        self.limit = limit
        self.reportsUpdates = reportsUpdates
        self.known = known
        self.clock = clock
        self.onReader = onReader
    }

    /// Number of readers reported.
    var count: Int { reported.count }
    /// Number of readers that were seen but did not match.
    var others: Int { othersSeen.count }

    /// Reports a sighting if it is to be reported. Returns whether the driver should continue.
    func take(_ sighting: DiscoveredReader) async throws -> Bool {
        guard !isEnough else { return false }
        guard isReportable(sighting) else { return true }
        let reader = sighting.reader
        reported[Self.key(reader)] = reader
        // Set before the line is written, so that no other driver writes a further one in the meantime.
        if let limit, reported.count >= limit { isEnough = true }
        try await onReader(
            FoundReader(
                reader: reader, wasConnected: known.contains(KnownReaders.key(reader)), seenAt: clock.wall()))
        return !isEnough
    }

    private static func key(_ reader: Reader) -> String { "\(reader.transport) \(reader.id)" }

    private func isReportable(_ sighting: DiscoveredReader) -> Bool {
        let reader = sighting.reader
        let key = Self.key(reader)
        // Connected readers do not advertise; treat them as present.
        guard sighting.isLive || reader.connected else { return false }
        guard filter.accepts(reader) || reported[key] != nil && reportsUpdates else {
            if reported[key] == nil { othersSeen.insert(key) }
            return false
        }
        othersSeen.remove(key)
        return reported[key] == nil || reportsUpdates && reported[key] != reader
    }

    /// Ends the scan; nothing more is reported.
    func close() {
        isEnough = true
    }
}

/// The readers that a scan reports.
struct ReaderFilter: Sendable {
    /// Shell patterns (fnmatch(3)), one of which must match the name, ignoring case; empty for all.
    let names: [String]
    /// Ids, one of which must be the reader's; empty for all.
    let ids: [String]
    /// Minimum signal strength in dBm. A reader of unknown strength does not match.
    let weakestSignal: Int?

    func accepts(_ reader: Reader) -> Bool {
        guard ids.isEmpty || ids.contains(where: { $0.lowercased() == reader.id.lowercased() }) else { return false }
        if let weakestSignal, reader.rssi.map({ $0 < weakestSignal }) ?? true { return false }
        guard !names.isEmpty else { return true }
        guard let name = reader.name?.lowercased() else { return false }
        return names.contains { fnmatch($0.lowercased(), name, 0) == 0 }
    }
}

/// A reader that a scan reports.
struct FoundReader: Sendable {
    let reader: Reader
    let wasConnected: Bool
    /// Milliseconds since 1970.
    let seenAt: Int64

    var json: String {
        var line = JSONLine()
        line.add("id", reader.id)
        line.add("name", reader.name)
        line.add("transport", reader.transport.rawValue)
        line.add("rssi", reader.rssi.map(Int64.init))
        line.add("battery", reader.battery.map(Int64.init))
        line.add("firmware", reader.firmware)
        line.add("serial", reader.serial)
        line.add("paired", reader.paired)
        line.add("connected", reader.connected)
        line.add("previouslyConnected", wasConnected)
        line.add("seenAt", instant: seenAt)
        return line.text + "\n"
    }
}
