import Synchronization

/// One result that the bus thread owes to a task. It is given once; later ones are ignored.
final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case owed
        case awaited(CheckedContinuation<Result<Value, DBusError>, Never>)
        case given(Result<Value, DBusError>)
    }

    private let state = Mutex(State.owed)

    /// Nobody waits any more.
    var isGiven: Bool {
        state.withLock { state in
            if case .given = state { true } else { false }
        }
    }

    func give(_ result: Result<Value, DBusError>) {
        let waiting: CheckedContinuation<Result<Value, DBusError>, Never>? = state.withLock { state in
            switch state {
            case .given: return nil
            case .owed:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .given(result)
                return continuation
            }
        }
        waiting?.resume(returning: result)
    }

    /// Waits for the result; only one task may. When the task is cancelled the result is ``DBusError/cancelled``, and
    /// `forget` is called so that the thread stops working for it.
    func value(forget: @escaping @Sendable () -> Void) async throws(DBusError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Result<Value, DBusError>? = state.withLock { state in
                    if case .given(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            give(.failure(.cancelled))
            forget()
        }
        return try result.get()
    }
}
