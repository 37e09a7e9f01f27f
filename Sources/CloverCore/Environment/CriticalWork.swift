import Synchronization

/// Work that must finish even if the process is asked to stop, such as reading a response that is the only copy of new
/// tokens.
package final class CriticalWork: Sendable {
    private let state = Mutex((underWay: 0, held: 0, looks: 0, patience: 4))

    package init() {}

    package func begin() {
        state.withLock { $0.underWay += 1 }
    }

    /// Begins work that must finish even if the output is closed.
    ///
    /// - Parameter patience: maximum number of calls of `look`, one per second, that find the work in progress before it is
    ///   abandoned.
    package func beginHeld(patience: Int) {
        state.withLock { state in
            state.underWay += 1
            state.held += 1
            state.patience = max(state.patience, patience)
        }
    }

    /// Ends it. That counts as progress, so that there is time to note the result.
    package func endHeld() {
        state.withLock { state in
            state.underWay -= 1
            state.held -= 1
            state.looks += 1
        }
    }

    package func end() {
        state.withLock { $0.underWay -= 1 }
    }

    /// Whether some work must finish before a closed output ends the process.
    package var isHeld: Bool { state.withLock { $0.held > 0 } }

    /// Returns a number that grows with each call while work is in progress, until the maximum is reached.
    package func look() -> Int {
        state.withLock { state in
            if state.underWay > 0, state.looks < state.patience { state.looks += 1 }
            return state.looks
        }
    }
}

extension CriticalWork {
    /// Runs `body`. If the task is cancelled, the rest of `body`, which cleans up, is critical work.
    package func cleaningUp<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let hasBegun = Atomic(false)
        defer { if hasBegun.load(ordering: .sequentiallyConsistent) { end() } }
        return try await withTaskCancellationHandler {
            try await body()
        } onCancel: {
            begin()
            hasBegun.store(true, ordering: .sequentiallyConsistent)
        }
    }
}
