import Synchronization

/// One result, from a thread or another task, for the one task that waits for it. The first result counts; the
/// caller is resumed exactly once.
package final class Promise<Value: Sendable, Failure: Error>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, Failure>, Never>

    private enum State {
        case pending
        case awaited(Waiter)
        /// The result came before the caller waited for it.
        case settled(Result<Value, Failure>)
        case delivered
    }

    private let state = Mutex(State.pending)

    package init() {}

    /// Whether there is a result, or none is needed any more.
    package var isSettled: Bool {
        state.withLock { state in
            switch state {
            case .pending, .awaited: false
            case .settled, .delivered: true
            }
        }
    }

    /// Delivers the result to the caller, now or when it waits for it.
    ///
    /// - Returns: false if the promise was already settled. The result was then not taken, and still belongs to the
    ///   caller of this method.
    @discardableResult
    package func settle(_ result: Result<Value, Failure>) -> Bool {
        let (isTaken, waiting) = state.withLock { state -> (Bool, Waiter?) in
            switch state {
            case .pending:
                state = .settled(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .delivered
                return (true, continuation)
            case .settled, .delivered:
                return (false, nil)
            }
        }
        waiting?.resume(returning: result)
        return isTaken
    }

    /// Suspends until there is a result, or the task is cancelled. Call once.
    ///
    /// - Parameters:
    ///   - cancellation: what the promise is settled with when the task is cancelled.
    ///   - onCancel: called after that.
    package func value(
        cancelledWith cancellation: Failure, onCancel: @escaping @Sendable () -> Void = {}
    ) async throws(Failure) -> Value {
        let outcome = await withTaskCancellationHandler {
            await self.result()
        } onCancel: {
            settle(.failure(cancellation))
            onCancel()
        }
        return try outcome.get()
    }

    /// The same, whether or not the task is cancelled.
    package func result() async -> Result<Value, Failure> {
        await withCheckedContinuation { continuation in
            let early: Result<Value, Failure>? = state.withLock { state in
                if case .settled(let result) = state {
                    state = .delivered
                    return result
                }
                state = .awaited(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
