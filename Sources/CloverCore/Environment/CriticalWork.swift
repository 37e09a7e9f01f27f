import Synchronization

/// Work that should come to its end although the process was told to stop: an answer that is the only copy of something.
package final class CriticalWork: Sendable {
    private let state = Mutex((underWay: 0, looks: 0))

    /// How often a look may find it under way before it is given up; a look each second.
    private static let patience = 4

    package init() {}

    package func begin() {
        state.withLock { $0.underWay += 1 }
    }

    package func end() {
        state.withLock { $0.underWay -= 1 }
    }

    /// A number that changes from look to look while the work is under way, a few times at most.
    package func look() -> Int {
        state.withLock { state in
            if state.underWay > 0, state.looks < Self.patience { state.looks += 1 }
            return state.looks
        }
    }
}
