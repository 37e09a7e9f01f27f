import Synchronization

/// Tells once whether a server listens.
final class StartSignal: Sendable {
    private struct State {
        var outcome: Result<Int, CallbackError>?
        var waiter: CheckedContinuation<Int, any Error>?
    }

    private let state = Mutex(State())

    func succeed(port: Int) { settle(.success(port)) }

    func fail(_ error: CallbackError) { settle(.failure(error)) }

    /// The first outcome counts; one waiter.
    func port() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<Int, CallbackError>? in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome.mapError { $0 as any Error }) }
        }
    }

    private func settle(_ outcome: Result<Int, CallbackError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume(with: outcome.mapError { $0 as any Error })
    }
}
