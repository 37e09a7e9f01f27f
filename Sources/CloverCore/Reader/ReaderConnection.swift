import CloverAuth
package import CloverReaders
import CloverThreads

/// `reader connect`: begins a session, and tells of it until the reader can be used, or until its end.
package struct ReaderConnection: Sendable {
    /// An id or a name; nil for the reader that was connected last.
    package var reader: String?
    package var drivers = ReaderDriverChoice()
    package var connection: ConnectionChoice
    /// Whether it goes on until the session ends.
    package var follows = false
    /// Seconds for the link.
    package var timeout = 30.0

    package init(connection: ConnectionChoice = ConnectionChoice()) {
        self.connection = connection
    }

    /// How others see what this process does.
    static let command = "reader connect"
    /// Seconds without news that a reader which works on itself may take.
    private static let preparing = 120.0

    package func run(
        in environment: CommandEnvironment, onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        let status = try await SignInStatus.current(connection, in: environment)
        guard status.isLoggedIn else { throw CoreError.notSignedIn(connection) }
        let target = try await target(in: environment)
        let driver = try await drivers.make(target.transport, in: environment)
        let hold = try await take(target, in: environment)
        let session = try await driver.connect(to: target.id, timeout: timeout)
        do {
            let outlives = try await tell(session, hold, in: environment, onReport: onReport)
            environment.criticalWork.begin()
            if outlives { await session.release() } else { await session.disconnect() }
            environment.criticalWork.end()
        } catch {
            environment.criticalWork.begin()
            await session.disconnect()
            environment.criticalWork.end()
            throw error
        }
        withExtendedLifetime(hold) {}
    }

    private func target(in environment: CommandEnvironment) async throws -> Reader {
        let known = KnownReaders(environment)
        guard let reader else {
            guard let last = try await known.all().first else { throw ReaderError.noPreviousReader }
            return last.reader
        }
        if let known = try await known.reader(named: reader) { return known.reader }
        return Reader(id: reader, transport: try await drivers.usual(in: environment))
    }

    private func take(_ reader: Reader, in environment: CommandEnvironment) async throws -> ReaderHold {
        let desk = ReaderDesk(directory: try environment.stateDirectory())
        return try await DedicatedThread.run { () throws in
            try desk.take(reader.id, reader.transport, command: Self.command)
        }
    }

    /// Tells of the session. Returns whether the link should outlive this command.
    private func tell(
        _ session: any ReaderSession, _ hold: ReaderHold, in environment: CommandEnvironment,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws -> Bool {
        var tracker = ReaderTracker(session.reader)
        var isReady = false
        while true {
            let event = try await nextEvent(of: session, isReady: isReady, in: environment)
            guard let event else {
                // It ended without a word about it.
                if isReady { return false }
                throw ReaderError.connectionLost(tracker.reader.label, during: .initializing)
            }
            if case .updateNeeded(let update) = event { try await decide(update, tracker.reader, session) }
            guard let report = tracker.take(event) else { continue }
            let line = SessionReport(report, of: tracker, at: environment.clock.wall())
            try await DedicatedThread.run { () throws in try hold.tell(line) }
            if !isReady, tracker.state == .ready || tracker.state == .lowBattery {
                isReady = true
                try await KnownReaders(environment).note(tracker.reader)
            }
            try await onReport(line)
            if isReady, !follows { return true }
        }
    }

    private func nextEvent(
        of session: any ReaderSession, isReady: Bool, in environment: CommandEnvironment
    ) async throws -> ReaderEvent? {
        let reader = session.reader.label
        return try await TimeLimit.run(
            seconds: isReady ? nil : Self.preparing, sleep: environment.sleep,
            timeRanOut: {
                ReaderError.timedOut(.initializing, reader: reader, seconds: Self.preparing)
            }, { try await session.nextEvent() })
    }

    /// Firmware is not touched when the charge may not last for it: a reader that dies in the middle may not start again.
    private func decide(_ update: ReaderUpdate, _ reader: Reader, _ session: any ReaderSession) async throws {
        if case .firmware = update, let battery = reader.battery, battery < ReaderRules.updateBattery {
            try await session.answerUpdate(false)
            throw ReaderError.batteryTooLow(reader.label, battery: battery, needed: ReaderRules.updateBattery)
        }
        try await session.answerUpdate(true)
    }
}
