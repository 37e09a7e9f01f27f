import CloverReaders
import CloverThreads
import Glibc

/// `reader disconnect`: ends the session, whichever process has it.
package struct ReaderDisconnection: Sendable {
    /// An id or a name; nil for whatever is connected.
    package var reader: String?
    package var drivers = ReaderDriverChoice()

    package init() {}

    /// Seconds that the process with the session may take to let it go.
    private static let patience = 10.0
    private static let look = 0.05

    /// Returns the id of the reader that was disconnected.
    /// - Throws: `ReaderFault.noneConnected`, `otherConnected`, `notReleased`; `ReaderError.held` when the process is in
    ///   the middle of something else than a connection.
    package func run(in environment: CommandEnvironment) async throws -> String {
        let desk = ReaderDesk(directory: try environment.stateDirectory())
        if let held = try await DedicatedThread.run({ () throws in try desk.held() }) {
            return try await end(held, desk, in: environment)
        }
        let driver = try await drivers.make(.ble, in: environment)
        let linked = try await driver.linkedReadersIfAny()
        guard let reader = linked.first(where: { candidate in reader.map { candidate.isCalled($0) } ?? true }),
            try await driver.endLink(to: reader.id)
        else { throw ReaderFault.noneConnected }
        return reader.id
    }

    private func end(
        _ held: ReaderDesk.Held, _ desk: ReaderDesk, in environment: CommandEnvironment
    ) async throws -> String {
        if let reader, !(try await isMeant(reader, held, in: environment)) {
            throw ReaderFault.otherConnected(held.readerID, by: held.holder)
        }
        guard held.holder.command == ReaderConnection.command else {
            throw ReaderError.held(held.readerID, by: held.holder)
        }
        // Nobody else can have the number: the lock was seen held, and is given back by the kernel with the process.
        if kill(held.holder.processID, SIGTERM) != 0, errno != ESRCH {
            throw ReaderFault.notReleased(held.readerID, by: held.holder)
        }
        var waited = 0.0
        while try await DedicatedThread.run({ () throws in try desk.held() }) == held {
            guard waited < Self.patience else { throw ReaderFault.notReleased(held.readerID, by: held.holder) }
            try await environment.sleep(Self.look)
            waited += Self.look
        }
        return held.readerID
    }

    private func isMeant(
        _ word: String, _ held: ReaderDesk.Held, in environment: CommandEnvironment
    ) async throws -> Bool {
        if held.readerID.lowercased() == word.lowercased() { return true }
        return try await KnownReaders(environment).reader(named: word)?.reader.id == held.readerID
    }
}
