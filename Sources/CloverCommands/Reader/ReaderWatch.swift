import ArgumentParser
import CloverAuth
import CloverCore
import CloverReaders
import CloverSystem

extension ReaderCommand {
    struct Watch: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Watch the state and battery of the connected reader",
            discussion: """
                Examples:
                  clover reader connect --follow >/dev/null &
                  clover reader watch --json
                  clover reader watch --json | jq -r .state

                Prints the current state, then a line for each change, until the session ends, whichever process opened \
                it. Exits with 66 if no reader is connected.
                """
        )

        @OptionGroup(title: "Drivers")
        var drivers: DriverOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        /// Prints the current state, and then each change, until the session ends.
        ///
        /// - Throws: `ReaderFault.noneConnected`.
        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let registry = ReaderLockRegistry(directory: try environment.stateDirectory())
            if let held = try await DedicatedThread.run({ () throws in try registry.held() }) {
                try await follow(registry, held, in: environment)
                return 0
            }
            let driver = try await drivers.choice().make(.ble, in: environment)
            guard let reader = try await driver.linkedReadersIfAny().first else { throw ReaderFault.noneConnected }
            try await attach(driver, reader, in: environment)
            return 0
        }

        private func follow(
            _ registry: ReaderLockRegistry, _ held: ReaderLockRegistry.Held, in environment: CommandEnvironment
        ) async throws {
            let follower = try await DedicatedThread.run { () throws in try registry.follow(held) }
            var last = try await follower.past().last
            if let last {
                try await print(last, in: environment)
                if last.isEnd { return }
            }
            while let report = try await follower.next() {
                last = report
                try await print(report, in: environment)
                if report.isEnd { return }
            }
            try Task.checkCancellation()
            // The holder ended, and with it the session, without reporting it.
            if let last { try await print(last.disconnected(at: environment.clock.wall()), in: environment) }
        }

        /// Reports on a link that no process holds: BlueZ maintains it and reports its state.
        private func attach(
            _ driver: any ReaderDriver, _ reader: Reader, in environment: CommandEnvironment
        ) async throws {
            let session = try await driver.connect(
                to: reader.id, timeout: ReaderConnection.defaultTimeout)
            var tracker = ReaderTracker(session.reader)
            do {
                while let event = try await session.nextEvent() {
                    guard let report = tracker.take(event) else { continue }
                    try await print(SessionReport(report, of: tracker, at: environment.clock.wall()), in: environment)
                }
            } catch {
                await session.release()
                throw error
            }
            await session.release()
        }

        private func print(_ report: SessionReport, in environment: CommandEnvironment) async throws {
            try await report.print(isJSON: messages.json, in: environment)
        }
    }
}
