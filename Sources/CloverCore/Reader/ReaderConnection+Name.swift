import CloverReaders
import Synchronization

extension ReaderConnection {
    /// Seconds in which a reader of that name has to be seen.
    private static let looking = 5.0

    /// Looks for a reader by its name; nil when none is near.
    static func reader(
        named name: String, among driver: any ReaderDriver, in environment: CommandEnvironment
    ) async throws -> Reader? {
        let sighted = Sighted()
        // Discovery is stopped before this returns, also when a signal ends it.
        try await environment.criticalWork.cleaningUp {
            do {
                try await look(for: name, among: driver, sighted, sleep: environment.sleep)
            } catch let error as ReaderError {
                // Where the user gave up, it does not matter how far the driver came.
                try Task.checkCancellation()
                throw error
            }
        }
        return sighted.reader
    }

    private static func look(
        for name: String, among driver: any ReaderDriver, _ sighted: Sighted,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) async throws {
        let filter = DiscoveryFilter(includesAllDevices: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await driver.discover(filter) { sighted.take($0.reader, named: name) == nil }
            }
            group.addTask { try await sleep(looking) }
            try await group.next()
            group.cancelAll()
            do {
                try await group.waitForAll()
            } catch is CancellationError {
                try Task.checkCancellation()
            }
        }
    }

    private final class Sighted: Sendable {
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
