import Dispatch

/// Where tests wait for sockets and processes: a queue of its own, so that no thread of the cooperative pool is held.
@globalActor
actor BlockingActor {
    static let shared = BlockingActor()

    private let executor = BlockingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
}
