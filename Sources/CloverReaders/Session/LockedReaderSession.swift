package import CloverSystem

/// A session with a reader, and the lock that keeps other processes from the reader.
package struct LockedReaderSession: Sendable {
    /// What a session needs from the process that holds it.
    package struct Host: Sendable {
        let state: StateDirectory
        /// Milliseconds since 1970.
        let now: @Sendable () -> Int64
        /// Called with true before work that a signal must not interrupt, and with false after it.
        let onCriticalWork: @Sendable (Bool) -> Void

        package init(
            state: StateDirectory, now: @escaping @Sendable () -> Int64,
            onCriticalWork: @escaping @Sendable (Bool) -> Void = { _ in }
        ) {
            self.state = state
            self.now = now
            self.onCriticalWork = onCriticalWork
        }
    }

    package let session: any ReaderSession
    private let lock: ReaderLock
    private let host: Host

    /// Maximum time in seconds without an event while a reader initializes or updates itself.
    private static let preparationTimeout = 120.0

    /// Starts a session, unless a process of this user uses a reader.
    ///
    /// - Parameters:
    ///   - command: what other processes see as the holder of the reader.
    ///   - timeout: seconds for the link.
    package static func begin(
        _ target: Reader, by driver: any ReaderDriver, command: String, timeout: Double, on host: Host
    ) async throws -> LockedReaderSession {
        let registry = ReaderLockRegistry(directory: host.state)
        let lock = try await DedicatedThread.run { () throws in
            try registry.take(target.id, target.transport, command: command)
        }
        // A link that an earlier command left up counts as a connection. The target's own link is reused.
        let linked = try await driver.linkedReaders()
        if let other = linked.first, !linked.contains(where: { $0.isCalled(target.id) }) {
            throw ReaderError.alreadyLinked(other.label)
        }
        return LockedReaderSession(
            session: try await driver.connect(to: target.id, timeout: timeout), lock: lock, host: host)
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
                let (store, reader, now) = (ReaderStore(directory: host.state), tracker.reader, host.now())
                try await DedicatedThread.run { () throws in try store.note(reader, connectedAt: now) }
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
        host.onCriticalWork(true)
        if keepingLink { await session.release() } else { await session.disconnect() }
        host.onCriticalWork(false)
        withExtendedLifetime(lock) {}
    }

    /// Lets other sessions of this user begin, which otherwise have to wait until this value is no longer referenced.
    package func unlock() { lock.release() }

    private func take(
        _ event: ReaderEvent, _ tracker: inout ReaderTracker,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        guard let report = tracker.take(event) else { return }
        let line = SessionReport(report, of: tracker, at: host.now())
        try await DedicatedThread.run { () throws in try lock.tell(line) }
        try await onReport(line)
    }

    private func nextEvent(isReady: Bool) async throws -> ReaderEvent? {
        let session = session
        if isReady { return try await session.nextEvent() }
        return try await OperationTimeout.run(
            .seconds(Self.preparationTimeout),
            otherwise: .timedOut(.initializing, reader: session.reader.label, seconds: Self.preparationTimeout)
        ) { try await session.nextEvent() }
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
