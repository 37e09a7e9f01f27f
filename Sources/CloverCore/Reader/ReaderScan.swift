import CloverReaders
import CloverThreads

/// `reader scan`: tells of readers the moment they are found.
package struct ReaderScan: Sendable {
    package var drivers = ReaderDriverChoice()
    package var wish = ReaderWish()
    /// Seconds; nil until stopped.
    package var seconds: Double? = 5
    package var count: Int?
    package var tellsUpdates = false
    package var includesAllDevices = false

    package init() {}

    /// Calls `onReader` for each reader, one after the other. Discovery has been stopped when this returns.
    /// - Throws: `ReaderFault.noneFound`; `ReaderError` of the only driver, of one that was asked for by name, or of one that
    ///   did not answer.
    package func run(
        in environment: CommandEnvironment, onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) async throws {
        try await ProgressBoard.during(in: environment) { board in
            board.line("reader scan") { $0.words = "looking for readers" }
            try await look(in: environment, onReader)
        }
    }

    private func look(
        in environment: CommandEnvironment, _ onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) async throws {
        let transports = try await drivers.scanned(in: environment)
        var made: [any ReaderDriver] = []
        for transport in transports { made.append(try await drivers.make(transport, in: environment)) }
        let desk = ScanDesk(
            ScanDecision(wish: wish, count: count, tellsUpdates: tellsUpdates),
            known: try await KnownReaders(environment).keys(), clock: environment.clock, onReader: onReader)
        let filter = DiscoveryFilter(includesAllDevices: includesAllDevices)
        // What has begun is stopped in any case; a signal waits for that.
        let drivers = made
        let failures = try await environment.criticalWork.cleaningUp {
            try await discover(drivers, filter, desk, in: environment)
        }
        if failures.count == made.count, let first = failures.first { throw first.error }
        // Where not as many were found as were wanted, a reader may be behind what did not answer.
        let found = await desk.count
        if count.map({ found < $0 }) ?? true, let silent = failures.first(where: \.error.isSilence) {
            throw silent.error
        }
        if found == 0 {
            throw ReaderFault.noneFound(seconds: seconds, transports: transports, others: await desk.others)
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

    /// Runs all drivers side by side until the time is over, enough is found, or none goes on.
    private func discover(
        _ made: [any ReaderDriver], _ filter: DiscoveryFilter, _ desk: ScanDesk, in environment: CommandEnvironment
    ) async throws -> [Failure] {
        let isChosen = drivers.transports != nil
        let sleep = environment.sleep
        return try await withThrowingTaskGroup(of: End.self) { group in
            for driver in made {
                group.addTask {
                    do {
                        try await driver.discover(filter) { try await desk.take($0) }
                        return .driver(nil)
                    } catch let error as ReaderError {
                        // Where the user gave up, it does not matter how far a driver came.
                        if Task.isCancelled, await !desk.isEnough { throw CancellationError() }
                        return .driver(Failure(transport: driver.transport, error: error))
                    } catch is CancellationError {
                        // Cancelled by us, when enough is found or the time is over, is a usual end.
                        guard await desk.isEnough else { throw CancellationError() }
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
                    await desk.close()
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
                    } else if await desk.isEnough {
                        running = 0
                    }
                }
            }
            await desk.close()
            group.cancelAll()
            // Enough was found: who had not answered by then is missed by nobody.
            _ = try await Self.finish(group: &group)
            return failures
        }
    }

    /// Waits until every discovery has been stopped, and tells of those that had not begun. The drivers were cancelled by
    /// us, which is no error, and trouble at the very end takes nothing from what was found.
    private static func finish(group: inout ThrowingTaskGroup<End, any Error>) async throws -> [Failure] {
        var failures: [Failure] = []
        while true {
            do {
                guard let end = try await group.next() else { return failures }
                if case .driver(let failure?) = end, failure.error.isSilence {
                    failures.append(failure)
                }
            } catch is CancellationError {
                try Task.checkCancellation()
            }
        }
    }

    /// Silence is the error at the end.
    private func note(_ failure: Failure, in environment: CommandEnvironment) {
        if failure.error.isSilence { return }
        environment.diagnostics.notice(
            "\(failure.transport.rawValue) readers are left out: \(ReaderErrorText.message(failure.error))")
    }
}
