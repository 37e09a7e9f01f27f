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
        let target = try await target(in: environment)
        var (held, tracker) = try await ready(target, in: environment, onReport: onReport)
        do {
            if follows { try await follow(held, &tracker, in: environment, onReport: onReport) }
        } catch {
            await held.end(in: environment)
            throw error
        }
        // One that was followed to its end has nothing left to release.
        await held.end(keepingLink: !follows, in: environment)
    }

    /// A session with a reader that can be used; a terminal shows that it is waited for.
    private func ready(
        _ target: Reader, in environment: CommandEnvironment,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws -> (HeldSession, ReaderTracker) {
        try await ProgressBoard.during(in: environment, sharesTerminal: true) { board in
            board.line("reader connect") { $0.words = "waiting for the reader" }
            let held = try await begin(target, command: Self.command, in: environment)
            do {
                let tracker = try await prepare(held, in: environment) { report in
                    try await board.aside { try await onReport(report) }
                }
                return (held, tracker)
            } catch {
                await held.end(in: environment)
                throw error
            }
        }
    }

    /// Begins a session, unless another process has a reader. What no driver knows by its id may be a name.
    /// - Parameter command: how others see what this process does.
    func begin(
        _ target: Reader, command: String, in environment: CommandEnvironment
    ) async throws -> HeldSession {
        let driver = try await drivers.make(target.transport, in: environment)
        do {
            return try await begin(target, by: driver, command: command, in: environment)
        } catch ReaderError.unknownReader(let id) where target.name == nil {
            guard let named = try await Self.reader(named: id, among: driver, in: environment) else {
                throw ReaderError.unknownReader(id)
            }
            return try await begin(named, by: driver, command: command, in: environment)
        }
    }

    private func begin(
        _ target: Reader, by driver: any ReaderDriver, command: String, in environment: CommandEnvironment
    ) async throws -> HeldSession {
        let desk = ReaderDesk(directory: try environment.stateDirectory())
        let hold = try await DedicatedThread.run { () throws in
            try desk.take(target.id, target.transport, command: command)
        }
        // A link that an earlier command left up is a connection too; that of the reader itself is taken up again.
        let linked = try await driver.linkedReaders()
        if let other = linked.first, !linked.contains(where: { $0.isCalled(target.id) }) {
            throw ReaderError.alreadyLinked(other.label)
        }
        return HeldSession(session: try await driver.connect(to: target.id, timeout: timeout), hold: hold)
    }

    /// The reader that is meant; that somebody is signed in is looked at first.
    func target(in environment: CommandEnvironment) async throws -> Reader {
        let status = try await SignInStatus.current(connection, in: environment)
        guard status.isLoggedIn else { throw CoreError.notSignedIn(connection) }
        let known = KnownReaders(environment)
        let named = drivers.named
        guard let reader else {
            let all = try await known.all()
            if let last = all.first(where: { named == nil || $0.reader.transport == named }) { return last.reader }
            guard let named, let last = all.first else { throw ReaderError.noPreviousReader }
            return Reader(id: last.reader.id, transport: named)
        }
        if let known = try await known.reader(named: reader, by: named) { return known.reader }
        return Reader(id: reader, transport: try await drivers.usual(in: environment))
    }

    /// Tells of the session until the reader can be used.
    func prepare(
        _ held: HeldSession, in environment: CommandEnvironment,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws -> ReaderTracker {
        var tracker = ReaderTracker(held.session.reader)
        while true {
            guard let event = try await nextEvent(of: held.session, isReady: false, in: environment) else {
                // It ended without a word about it.
                throw ReaderError.connectionLost(tracker.reader.label, during: .initializing)
            }
            if case .updateNeeded(let update) = event { try await decide(update, tracker.reader, held.session) }
            try await take(event, &tracker, held, in: environment, onReport: onReport)
            if tracker.state == .ready || tracker.state == .lowBattery {
                try await KnownReaders(environment).note(tracker.reader)
                return tracker
            }
        }
    }

    private func follow(
        _ held: HeldSession, _ tracker: inout ReaderTracker, in environment: CommandEnvironment,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        do {
            while let event = try await nextEvent(of: held.session, isReady: true, in: environment) {
                try await take(event, &tracker, held, in: environment, onReport: onReport)
            }
        } catch let error as CancellationError {
            // Ended by a signal, such as that of `reader disconnect`: whoever reads the stream hears of it.
            await held.end(in: environment)
            try await take(.state(.disconnected), &tracker, held, in: environment, onReport: onReport)
            throw error
        }
    }

    private func take(
        _ event: ReaderEvent, _ tracker: inout ReaderTracker, _ held: HeldSession,
        in environment: CommandEnvironment, onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        guard let report = tracker.take(event) else { return }
        let line = SessionReport(report, of: tracker, at: environment.clock.wall())
        try await DedicatedThread.run { () throws in try held.hold.tell(line) }
        try await onReport(line)
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
