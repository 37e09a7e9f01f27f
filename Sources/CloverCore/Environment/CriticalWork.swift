import Synchronization

/// Work that should come to its end although the process was told to stop: an answer that is the only copy of something.
package final class CriticalWork: Sendable {
    private let state = Mutex((underWay: 0, held: 0, looks: 0, patience: 4))

    package init() {}

    package func begin() {
        state.withLock { $0.underWay += 1 }
    }

    /// The same for work that is no less wanted because nobody reads the output any more.
    ///
    /// - Parameter patience: how often a look may find it under way before it is given up; a look each second.
    package func beginHeld(patience: Int) {
        state.withLock { state in
            state.underWay += 1
            state.held += 1
            state.patience = max(state.patience, patience)
        }
    }

    package func endHeld() {
        state.withLock { state in
            state.underWay -= 1
            state.held -= 1
        }
    }

    package func end() {
        state.withLock { $0.underWay -= 1 }
    }

    /// Whether something must come to its end before the loss of the output counts.
    package var isHeld: Bool { state.withLock { $0.held > 0 } }

    /// A number that changes from look to look while the work is under way, so many times at most.
    package func look() -> Int {
        state.withLock { state in
            if state.underWay > 0, state.looks < state.patience { state.looks += 1 }
            return state.looks
        }
    }
}
