import Synchronization

/// Work that should come to its end although the process was told to stop: an answer that is the only copy of something.
package final class CriticalWork: Sendable {
    private let state = Mutex((underWay: 0, looks: 0, patience: 4))

    package init() {}

    /// - Parameter patience: how often a look may find it under way before it is given up; a look each second.
    package func begin(patience: Int = 4) {
        state.withLock { state in
            state.underWay += 1
            state.patience = max(state.patience, patience)
        }
    }

    package func end() {
        state.withLock { $0.underWay -= 1 }
    }

    package var isUnderWay: Bool { state.withLock { $0.underWay > 0 } }

    /// A number that changes from look to look while the work is under way, so many times at most.
    package func look() -> Int {
        state.withLock { state in
            if state.underWay > 0, state.looks < state.patience { state.looks += 1 }
            return state.looks
        }
    }
}
