import Synchronization

/// One piece of work that a signal may begin, and that is waited for.
final class CancelTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            // Waited for by `wait` or `end`.
            if state.task == nil, !state.isOver { state.task = Task { await body() } }
        }
    }

    /// Nothing begins any more; what has begun is waited for.
    func wait() async {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        await task?.value
    }

    /// Nothing is left to be cancelled, or to begin.
    func end() async {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}
