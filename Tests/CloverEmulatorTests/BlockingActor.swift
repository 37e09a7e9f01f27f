import Dispatch

/// An actor with a dedicated queue for tests that wait for sockets and processes, so that they do not block the
/// cooperative pool.
@globalActor
actor BlockingActor {
    static let shared = BlockingActor()

    private let executor = BlockingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
}
