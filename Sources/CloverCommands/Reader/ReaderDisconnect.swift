import ArgumentParser
import CloverCore
import CloverReaders
import CloverSystem
import Glibc

extension ReaderCommand {
    struct Disconnect: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "disconnect",
            abstract: "End the session with the connected reader",
            discussion: """
                Examples:
                  clover reader disconnect
                  clover reader disconnect Clover_Go_630094
                  clover reader disconnect D4:22:CD:00:9A:11 --json

                Ends the 'reader connect' that holds the reader, in this or another terminal, as SIGTERM does. A \
                charge is not interrupted.
                """
        )

        @Argument(
            help: ArgumentHelp("ID or name of the reader (default: the connected one).", valueName: "id"),
            completion: .asked)
        var reader: String?

        @OptionGroup(title: "Drivers")
        var drivers: DriverOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try ReaderCommand.check(reader)
        }

        /// Maximum time in seconds for the other process to release the reader.
        private static let releaseTimeout = 10.0
        /// Interval between polls, in seconds.
        private static let pollInterval = 0.05

        /// Ends the session, whichever process holds it.
        ///
        /// - Throws: `ReaderFault.noneConnected`, `otherConnected`, `notReleased`; `ReaderError.held` if the process holds the
        ///   reader for anything other than `reader connect`.
        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let id = try await disconnect(in: environment)
            environment.diagnostics.notice("reader \(id) is disconnected")
            return 0
        }

        /// Returns the id of the disconnected reader.
        private func disconnect(in environment: CommandEnvironment) async throws -> String {
            let choice = try drivers.choice()
            let registry = ReaderLockRegistry(directory: try environment.stateDirectory())
            if let held = try await DedicatedThread.run({ () throws in try registry.held() }) {
                return try await end(held, registry, in: environment)
            }
            let driver = try await choice.make(.ble, in: environment)
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
            // The process id is still that of the holder: the lock was just held, and the kernel releases it with the
            // process.
            if kill(held.holder.processID, SIGTERM) != 0, errno != ESRCH {
                throw ReaderFault.notReleased(held.readerID, by: held.holder)
            }
            var waited = 0.0
            while try await DedicatedThread.run({ () throws in try registry.held() }) == held {
                guard waited < Self.releaseTimeout else {
                    throw ReaderFault.notReleased(held.readerID, by: held.holder)
                }
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
}
