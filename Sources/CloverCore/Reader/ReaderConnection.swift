import CloverAuth
import CloverJSON
import CloverOutput
package import CloverReaders
import CloverSystem
import Synchronization

/// Starts a session with the reader that the user chose.
package struct ReaderConnection: Sendable {
    /// An id or a name; nil for the most recently connected reader.
    package var reader: String?
    package var drivers = ReaderDriverChoice()
    package var connection: ConnectionChoice
    /// Timeout for the link, in seconds.
    package var timeout = defaultTimeout

    package static let defaultTimeout = 30.0

    package init(connection: ConnectionChoice = ConnectionChoice()) {
        self.connection = connection
    }

    package static let command = "reader connect"

    /// Starts a session, unless another process uses a reader. An id that the driver does not know is tried as a name.
    ///
    /// - Parameter command: the command that other processes see as the holder of the reader.
    package func begin(
        _ target: Reader, command: String, in environment: CommandEnvironment
    ) async throws -> LockedReaderSession {
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
    ) async throws -> LockedReaderSession {
        let registry = ReaderLockRegistry(directory: try environment.stateDirectory())
        let lock = try await DedicatedThread.run { () throws in
            try registry.take(target.id, target.transport, command: command)
        }
        // A link that an earlier command left up counts as a connection. The target's own link is reused.
        let linked = try await driver.linkedReaders()
        if let other = linked.first, !linked.contains(where: { $0.isCalled(target.id) }) {
            throw ReaderError.alreadyLinked(other.label)
        }
        return LockedReaderSession(
            session: try await driver.connect(to: target.id, timeout: timeout), lock: lock, environment: environment)
    }

    /// Finds the chosen reader. Throws if there is no sign-in.
    package func target(in environment: CommandEnvironment) async throws -> Reader {
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

}

extension ReaderConnection {
    /// Timeout in seconds for finding a reader by its name.
    private static let searchTimeout = 5.0

    /// Finds a reader by its name; nil if none is in range.
    static func reader(
        named name: String, among driver: any ReaderDriver, in environment: CommandEnvironment
    ) async throws -> Reader? {
        let match = NameMatch()
        // Discovery is stopped before this returns, even if a signal ends it.
        try await environment.criticalWork.cleaningUp {
            do {
                try await search(for: name, among: driver, match, sleep: environment.sleep)
            } catch let error as ReaderError {
                // If the user cancelled, the driver's error does not matter.
                try Task.checkCancellation()
                throw error
            }
        }
        return match.reader
    }

    private static func search(
        for name: String, among driver: any ReaderDriver, _ match: NameMatch,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await driver.discover(allDevices: true) { match.take($0.reader, named: name) == nil }
            }
            group.addTask { try await sleep(searchTimeout) }
            try await group.next()
            group.cancelAll()
            do {
                try await group.waitForAll()
            } catch is CancellationError {
                try Task.checkCancellation()
            }
        }
    }

    /// The first discovered reader with the name.
    private final class NameMatch: Sendable {
        private let seen = Mutex<Reader?>(nil)

        var reader: Reader? { seen.withLock { $0 } }

        func take(_ reader: Reader, named name: String) -> Reader? {
            seen.withLock { seen in
                if seen == nil, reader.name?.lowercased() == name.lowercased() { seen = reader }
                return seen
            }
        }
    }
}

/// A session with a reader, and the lock that keeps other processes from the reader.
package struct LockedReaderSession: Sendable {
    let session: any ReaderSession
    private let lock: ReaderLock
    private let environment: CommandEnvironment

    /// Maximum time in seconds without an event while a reader initializes or updates itself.
    private static let preparationTimeout = 120.0

    fileprivate init(session: any ReaderSession, lock: ReaderLock, environment: CommandEnvironment) {
        self.session = session
        self.lock = lock
        self.environment = environment
    }

    /// Reports on the session until the reader is ready.
    package func prepare(
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws -> ReaderTracker {
        var tracker = ReaderTracker(session.reader)
        while true {
            guard let event = try await nextEvent(isReady: false) else {
                // The session ended without an event that says so.
                throw ReaderError.connectionLost(tracker.reader.label, during: .initializing)
            }
            if case .updateNeeded(let update) = event { try await decide(update, tracker.reader) }
            try await take(event, &tracker, onReport: onReport)
            if tracker.state == .ready || tracker.state == .lowBattery {
                try await KnownReaders(environment).note(tracker.reader)
                return tracker
            }
        }
    }

    /// Reports on the session of a reader that is ready, until it ends. Cancelling the task ends the session.
    package func follow(
        _ tracker: ReaderTracker, onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        var tracker = tracker
        do {
            while let event = try await nextEvent(isReady: true) {
                try await take(event, &tracker, onReport: onReport)
            }
        } catch let error as CancellationError {
            // Ended by a signal, such as that of `reader disconnect`: report it to readers of the stream.
            await end()
            try await take(.state(.disconnected), &tracker, onReport: onReport)
            throw error
        }
    }

    /// Ends the session. A signal waits until this is done.
    ///
    /// - Parameter keepingLink: whether to leave the link up, if the transport can maintain it without this process.
    package func end(keepingLink: Bool = false) async {
        environment.criticalWork.begin()
        if keepingLink { await session.release() } else { await session.disconnect() }
        environment.criticalWork.end()
        withExtendedLifetime(lock) {}
    }

    private func take(
        _ event: ReaderEvent, _ tracker: inout ReaderTracker,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        guard let report = tracker.take(event) else { return }
        let line = SessionReport(report, of: tracker, at: environment.clock.wall())
        try await DedicatedThread.run { () throws in try lock.tell(line) }
        try await onReport(line)
    }

    private func nextEvent(isReady: Bool) async throws -> ReaderEvent? {
        let session = session
        return try await TimeLimit.run(
            seconds: isReady ? nil : Self.preparationTimeout, sleep: environment.sleep,
            timeRanOut: {
                ReaderError.timedOut(.initializing, reader: session.reader.label, seconds: Self.preparationTimeout)
            }, { try await session.nextEvent() })
    }

    /// Declines a firmware update if the battery may not last: a reader that loses power during an update may not start
    /// again.
    private func decide(_ update: ReaderUpdate, _ reader: Reader) async throws {
        if case .firmware = update, let battery = reader.battery, battery < ReaderRules.updateBattery {
            try await session.respondToUpdate(false)
            throw ReaderError.batteryTooLow(reader.label, battery: battery, needed: ReaderRules.updateBattery)
        }
        try await session.respondToUpdate(true)
    }
}

extension SessionReport {
    /// The report as a line of text, with the state in its colour.
    package func text(isColored: Bool) -> String {
        let style = isColored ? ColumnMeaning.state.style(of: state) : nil
        return Diagnostics.printable(name ?? reader) + "  " + (style?.applied(to: shownState) ?? shownState)
            + Diagnostics.printable(details) + "\n"
    }

    /// The state may come from another program, so control characters are removed.
    private var shownState: String { Diagnostics.printable(state) }

    private var details: String {
        var text = ""
        if let progress { text += "  \(Int((progress * 100).rounded())) %" }
        if let battery { text += "  battery \(battery) %" }
        if let firmware, event == .state, state == ReaderState.ready.rawValue { text += "  firmware \(firmware)" }
        return text
    }
}
