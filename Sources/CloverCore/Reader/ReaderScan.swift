import CloverAuth
import CloverJSON
package import CloverReaders
import CloverSystem
import Glibc

/// `reader scan`: reports readers as soon as they are found.
package struct ReaderScan: Sendable {
    package var drivers = ReaderDriverChoice()
    package var wish = ReaderFilter()
    /// Time limit in seconds; nil to scan until stopped.
    package var seconds: Double? = 5
    package var count: Int?
    package var reportsUpdates = false
    package var includesAllDevices = false

    package init() {}

    /// Calls `onReader` for each reader, one at a time. Discovery is stopped when this returns.
    ///
    /// - Throws: `ReaderFault.noneFound`; the `ReaderError` of the only driver, of one chosen by flag, or of one that did not
    ///   respond.
    package func run(
        in environment: CommandEnvironment, onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) async throws {
        try await ProgressDisplay.during(in: environment) { board in
            board.line("reader scan") { $0.words = "looking for readers" }
            try await scan(in: environment, onReader)
        }
    }

    private func scan(
        in environment: CommandEnvironment, _ onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) async throws {
        let transports = try await drivers.scanned(in: environment)
        var made: [any ReaderDriver] = []
        for transport in transports { made.append(try await drivers.make(transport, in: environment)) }
        let aggregator = ScanAggregator(
            ScanDecision(wish: wish, count: count, reportsUpdates: reportsUpdates),
            known: try await KnownReaders(environment).keys(), clock: environment.clock, onReader: onReader)
        let filter = DiscoveryFilter(includesAllDevices: includesAllDevices)
        // Discovery that has begun is always stopped; a signal waits for that.
        let drivers = made
        let failures = try await environment.criticalWork.cleaningUp {
            try await discover(drivers, filter, aggregator, in: environment)
        }
        if failures.count == made.count, let first = failures.first { throw first.error }
        // If too few readers were found, the driver that did not respond may know more.
        let found = await aggregator.count
        if count.map({ found < $0 }) ?? true, let silent = failures.first(where: \.error.isUnresponsive) {
            throw silent.error
        }
        if found == 0 {
            throw ReaderFault.noneFound(seconds: seconds, transports: transports, others: await aggregator.others)
        }
    }

    private struct Failure: Sendable {
        let transport: ReaderTransport
        let error: ReaderError
    }

    private enum End: Sendable {
        case timeOver
        case driver(Failure?)
    }

    /// Runs all drivers concurrently until the time limit, until enough readers are found, or until all have ended.
    private func discover(
        _ made: [any ReaderDriver], _ filter: DiscoveryFilter, _ aggregator: ScanAggregator,
        in environment: CommandEnvironment
    ) async throws -> [Failure] {
        let isChosen = drivers.transports != nil
        let sleep = environment.sleep
        return try await withThrowingTaskGroup(of: End.self) { group in
            for driver in made {
                group.addTask {
                    do {
                        try await driver.discover(filter) { try await aggregator.take($0) }
                        return .driver(nil)
                    } catch let error as ReaderError {
                        // If the user cancelled, the driver's error does not matter.
                        if Task.isCancelled, await !aggregator.isEnough { throw CancellationError() }
                        return .driver(Failure(transport: driver.transport, error: error))
                    } catch is CancellationError {
                        // Cancellation by the scan itself, at the time limit or with enough readers, is a normal end.
                        guard await aggregator.isEnough else { throw CancellationError() }
                        return .driver(nil)
                    }
                }
            }
            if let seconds {
                group.addTask {
                    try await sleep(seconds)
                    return .timeOver
                }
            }
            var failures: [Failure] = []
            var running = made.count
            while running > 0, let end = try await group.next() {
                switch end {
                case .timeOver:
                    await aggregator.close()
                    group.cancelAll()
                    for failure in try await Self.finish(group: &group) {
                        failures.append(failure)
                        if isChosen { throw failure.error }
                        if made.count > 1 { note(failure, in: environment) }
                    }
                    return failures
                case .driver(let failure):
                    running -= 1
                    if let failure {
                        failures.append(failure)
                        if isChosen {
                            group.cancelAll()
                            throw failure.error
                        }
                        if made.count > 1 { note(failure, in: environment) }
                    } else if await aggregator.isEnough {
                        running = 0
                    }
                }
            }
            await aggregator.close()
            group.cancelAll()
            // Enough readers were found, so errors of drivers that did not respond are ignored.
            _ = try await Self.finish(group: &group)
            return failures
        }
    }

    /// Waits until all discovery is stopped, and returns the failures of drivers that never responded. The scan itself has
    /// cancelled the drivers, so other errors at this point are ignored.
    private static func finish(group: inout ThrowingTaskGroup<End, any Error>) async throws -> [Failure] {
        var failures: [Failure] = []
        while true {
            do {
                guard let end = try await group.next() else { return failures }
                if case .driver(let failure?) = end, failure.error.isUnresponsive {
                    failures.append(failure)
                }
            } catch is CancellationError {
                try Task.checkCancellation()
            }
        }
    }

    /// Reports a failed transport, unless the failure is a missing response, which the scan throws at its end.
    private func note(_ failure: Failure, in environment: CommandEnvironment) {
        if failure.error.isUnresponsive { return }
        environment.diagnostics.notice(
            "\(failure.transport.rawValue) readers are skipped: \(ReaderErrorText.message(failure.error))")
    }
}

/// Collects the sightings of all drivers.
actor ScanAggregator {
    private var decision: ScanDecision
    private let known: Set<String>
    private let clock: TokenClock
    private let onReader: @Sendable (FoundReader) async throws -> Void
    private(set) var isEnough = false

    init(
        _ decision: ScanDecision, known: Set<String>, clock: TokenClock,
        onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) {
        self.decision = decision
        self.known = known
        self.clock = clock
        self.onReader = onReader
    }

    var count: Int { decision.readers }
    var others: Int { decision.others }

    /// Reports a sighting if it is to be reported. Returns whether the driver should continue.
    func take(_ sighting: DiscoveredReader) async throws -> Bool {
        guard !isEnough else { return false }
        let verdict = decision.take(sighting)
        if verdict == .pass { return true }
        // Set before the line is written, so that no other driver writes a further one in the meantime.
        if verdict == .reportLast { isEnough = true }
        let reader = sighting.reader
        try await onReader(
            FoundReader(
                reader: reader, wasConnected: known.contains(KnownReaders.key(reader)), seenAt: clock.wall()))
        return !isEnough
    }

    /// Ends the scan; nothing more is reported.
    func close() {
        isEnough = true
    }
}

/// Decides which discovered readers to report. Pure: takes sightings, returns decisions.
struct ScanDecision: Sendable {
    enum Answer: Sendable, Equatable {
        case pass
        case tell
        /// Report it, and end the scan.
        case reportLast
    }

    let wish: ReaderFilter
    /// Maximum number of different readers; nil for all.
    let count: Int?
    /// Whether changes of a reported reader are reported as well.
    let reportsUpdates: Bool
    private var reported: [String: Reader] = [:]
    private var othersSeen: Set<String> = []

    init(wish: ReaderFilter, count: Int?, reportsUpdates: Bool) {
        self.wish = wish
        self.count = count
        self.reportsUpdates = reportsUpdates
    }

    /// Number of readers reported.
    var readers: Int { reported.count }
    /// Number of readers that were seen but did not match.
    var others: Int { othersSeen.count }

    mutating func take(_ sighting: DiscoveredReader) -> Answer {
        let reader = sighting.reader
        let key = "\(reader.transport) \(reader.id)"
        // Connected readers do not advertise; treat them as present.
        guard sighting.isLive || reader.connected else { return .pass }
        guard wish.accepts(reader) || reported[key] != nil && reportsUpdates else {
            if reported[key] == nil { othersSeen.insert(key) }
            return .pass
        }
        othersSeen.remove(key)
        if reported[key] != nil, !reportsUpdates || reported[key] == reader { return .pass }
        reported[key] = reader
        return count.map { reported.count >= $0 } == true ? .reportLast : .tell
    }
}

/// The readers that a scan reports.
package struct ReaderFilter: Sendable, Equatable {
    /// Shell patterns (fnmatch(3)), one of which must match the name, ignoring case; empty for all.
    package var names: [String] = []
    /// Ids, one of which must be the reader's; empty for all.
    package var ids: [String] = []
    /// Minimum signal strength in dBm. A reader of unknown strength does not match.
    package var weakestSignal: Int?

    package init() {}

    package func accepts(_ reader: Reader) -> Bool {
        guard ids.isEmpty || ids.contains(where: { $0.lowercased() == reader.id.lowercased() }) else { return false }
        if let weakestSignal, reader.rssi.map({ $0 < weakestSignal }) ?? true { return false }
        guard !names.isEmpty else { return true }
        guard let name = reader.name?.lowercased() else { return false }
        return names.contains { fnmatch($0.lowercased(), name, 0) == 0 }
    }
}

/// A reader that a scan reports.
package struct FoundReader: Sendable, Equatable {
    package let reader: Reader
    package let wasConnected: Bool
    /// Milliseconds since 1970.
    package let seenAt: Int64

    package var json: String {
        var line = JSONLine()
        line.add("id", reader.id)
        line.add("name", reader.name)
        line.add("transport", reader.transport.rawValue)
        line.add("rssi", reader.rssi.map(Int64.init))
        line.add("battery", reader.battery.map(Int64.init))
        line.add("firmware", reader.firmware)
        line.add("serial", reader.serial)
        line.addOptional("paired", reader.paired)
        line.add("connected", reader.connected)
        line.add("previouslyConnected", wasConnected)
        line.add("seenAt", InstantText.utc(milliseconds: seenAt))
        return line.text + "\n"
    }
}

extension JSONLine {
    /// Adds a Boolean, or null.
    mutating func addOptional(_ name: String, _ value: Bool?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    /// Adds a number, or null.
    mutating func addOptional(_ name: String, _ value: Double?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }
}
