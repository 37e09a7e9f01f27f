import CloverAuth
import CloverCore
import CloverReaders
import CloverSystem

/// `reader watch`: reports on the connected reader, whichever process is connected to it.
struct ReaderWatch: Sendable {
    var drivers = ReaderDriverChoice()

    init() {}

    /// Calls `onReport` with the current state, and then for each change, until the session ends.
    ///
    /// - Throws: `ReaderFault.noneConnected`.
    func run(
        in environment: CommandEnvironment, onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        let registry = ReaderLockRegistry(directory: try environment.stateDirectory())
        if let held = try await DedicatedThread.run({ () throws in try registry.held() }) {
            return try await follow(registry, held, in: environment, onReport: onReport)
        }
        let driver = try await drivers.make(.ble, in: environment)
        guard let reader = try await driver.linkedReadersIfAny().first else { throw ReaderFault.noneConnected }
        try await attach(driver, reader, in: environment, onReport: onReport)
    }

    private func follow(
        _ registry: ReaderLockRegistry, _ held: ReaderLockRegistry.Held, in environment: CommandEnvironment,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        let follower = try await DedicatedThread.run { () throws in try registry.follow(held) }
        var last = try await follower.past().last
        if let last {
            try await onReport(last)
            if last.isEnd { return }
        }
        while let report = try await follower.next() {
            last = report
            try await onReport(report)
            if report.isEnd { return }
        }
        try Task.checkCancellation()
        // The holder ended, and with it the session, without reporting it.
        if let last { try await onReport(last.disconnected(at: environment.clock.wall())) }
    }

    /// Reports on a link that no process holds: BlueZ maintains it and reports its state.
    private func attach(
        _ driver: any ReaderDriver, _ reader: Reader, in environment: CommandEnvironment,
        onReport: @Sendable (SessionReport) async throws -> Void
    ) async throws {
        let session = try await driver.connect(
            to: reader.id, timeout: ReaderConnection(connection: ConnectionChoice()).timeout)
        var tracker = ReaderTracker(session.reader)
        do {
            while let event = try await session.nextEvent() {
                guard let report = tracker.take(event) else { continue }
                try await onReport(SessionReport(report, of: tracker, at: environment.clock.wall()))
            }
        } catch {
            await session.release()
            throw error
        }
        await session.release()
    }
}
