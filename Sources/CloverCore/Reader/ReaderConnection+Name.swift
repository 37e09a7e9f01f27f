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
        let filter = DiscoveryFilter(includesAllDevices: true)
        let sleep = environment.sleep
        // Discovery is stopped before this returns, also when a signal ends it.
        try await environment.criticalWork.cleaningUp {
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
        return sighted.reader
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
