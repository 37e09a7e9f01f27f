import CloverCore
import CloverReaders
import CloverSystem
import Glibc

/// `reader disconnect`: ends the session, whichever process holds it.
struct ReaderDisconnection: Sendable {
    /// An id or a name; nil for the connected reader.
    var reader: String?
    var drivers = ReaderDriverChoice()

    init() {}

    /// Maximum time in seconds for the other process to release the reader.
    private static let releaseTimeout = 10.0
    /// Interval between polls, in seconds.
    private static let pollInterval = 0.05

    /// Returns the id of the disconnected reader.
    ///
    /// - Throws: `ReaderFault.noneConnected`, `otherConnected`, `notReleased`; `ReaderError.held` if the process holds the
    ///   reader for anything other than `reader connect`.
    func run(in environment: CommandEnvironment) async throws -> String {
        let registry = ReaderLockRegistry(directory: try environment.stateDirectory())
        if let held = try await DedicatedThread.run({ () throws in try registry.held() }) {
            return try await end(held, registry, in: environment)
        }
        let driver = try await drivers.make(.ble, in: environment)
        let linked = try await driver.linkedReadersIfAny()
        guard let reader = linked.first(where: { candidate in reader.map { candidate.isCalled($0) } ?? true }),
            try await driver.disconnectLinked(to: reader.id)
        else { throw ReaderFault.noneConnected }
        return reader.id
    }

    private func end(
        _ held: ReaderLockRegistry.Held, _ registry: ReaderLockRegistry, in environment: CommandEnvironment
    ) async throws -> String {
        if let reader, !(try await isMeant(reader, held, in: environment)) {
            throw ReaderFault.otherConnected(held.readerID, by: held.holder)
        }
        guard held.holder.command == ReaderConnection.command else {
            throw ReaderError.held(held.readerID, by: held.holder)
        }
        // The process id is still that of the holder: the lock was just held, and the kernel releases it with the process.
        if kill(held.holder.processID, SIGTERM) != 0, errno != ESRCH {
            throw ReaderFault.notReleased(held.readerID, by: held.holder)
        }
        var waited = 0.0
        while try await DedicatedThread.run({ () throws in try registry.held() }) == held {
            guard waited < Self.releaseTimeout else { throw ReaderFault.notReleased(held.readerID, by: held.holder) }
            try await environment.sleep(Self.pollInterval)
            waited += Self.pollInterval
        }
        return held.readerID
    }

    private func isMeant(
        _ word: String, _ held: ReaderLockRegistry.Held, in environment: CommandEnvironment
    ) async throws -> Bool {
        if held.readerID.lowercased() == word.lowercased() { return true }
        return try await KnownReaders(environment).reader(named: word)?.reader.id == held.readerID
    }
}
