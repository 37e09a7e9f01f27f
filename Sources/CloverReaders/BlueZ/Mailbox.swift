import Synchronization

/// What one task leaves for another, which waits for it. Until it is taken it can be changed, so that what is out of
/// date need not be kept.
final class Mailbox<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Counts the changes, so that none is missed between looking and waiting.
        var changes = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ contents: Contents) {
        state = Mutex(State(contents: contents))
    }

    /// Changes the contents, and wakes whoever waits.
    func update(_ change: (inout Contents) -> Void) {
        let waiter = state.withLock { state in
            change(&state.contents)
            state.changes += 1
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Looks, without waiting.
    func look<Value: Sendable>(_ look: (Contents) -> Value) -> Value {
        state.withLock { look($0.contents) }
    }

    /// Waits until `pick` gives a value, or throws; it is asked at once and after every change. One task may wait at a
    /// time. Throws `CancellationError` when the task is cancelled, and takes nothing then.
    func next<Value: Sendable>(_ pick: (inout Contents) throws -> Value?) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (value, seen) = try state.withLock { state in (try pick(&state.contents), state.changes) }
            if let value { return value }
            await change(after: seen)
        }
    }

    /// Returns when there was a change since so many, or the task is cancelled.
    private func change(after seen: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let waits = state.withLock { state in
                    guard state.changes == seen, !Task.isCancelled else { return false }
                    state.waiter = waiter
                    return true
                }
                if !waits { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
