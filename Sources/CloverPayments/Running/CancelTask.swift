import Synchronization

/// One piece of work that a signal may begin, and that is waited for.
final class CancelTask: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    func start(_ body: @escaping @Sendable () async -> Void) {
        task.withLock { task in
            // Waited for by `wait`; short, so that nobody cancels it.
            if task == nil { task = Task { await body() } }
        }
    }

    func wait() async {
        await task.withLock { $0 }?.value
    }
}
