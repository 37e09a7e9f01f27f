import Synchronization

/// One caller waiting for one answer from the ledger's thread. The caller is resumed exactly once: by the answer, or
/// by the cancellation of its task, whichever comes first.
final class Ticket<Answer: Sendable>: Sendable {
    private enum Stage {
        case new
        case waiting(CheckedContinuation<Answer, any Error>)
        case settled
    }

    private let stage = Mutex(Stage.new)

    /// Whether the caller has gone on, so that there is no more need for an answer.
    var isSettled: Bool {
        stage.withLock { stage in
            if case .settled = stage { true } else { false }
        }
    }

    /// Suspends until the answer is there.
    ///
    /// - Parameters:
    ///   - handOver: gives this ticket to the thread; called when it can take an answer. What it throws is thrown on.
    ///   - onCancel: called after the caller was resumed because its task was cancelled.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func answer(
        after handOver: () throws -> Void, onCancel: @escaping @Sendable () -> Void
    ) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = stage.withLock { stage in
                    if case .settled = stage { return true }
                    stage = .waiting(continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                do {
                    try handOver()
                } catch {
                    settle(.failure(error))
                }
            }
        } onCancel: {
            settle(.failure(CancellationError()))
            onCancel()
        }
    }

    /// Resumes the caller.
    ///
    /// - Returns: false when it has gone on already: the answer was not taken, and what it holds is still the
    ///   giver's.
    @discardableResult
    func settle(_ result: Result<Answer, any Error>) -> Bool {
        let waiting = stage.withLock { stage -> CheckedContinuation<Answer, any Error>? in
            defer { stage = .settled }
            if case .waiting(let continuation) = stage { return continuation }
            return nil
        }
        waiting?.resume(with: result)
        return waiting != nil
    }
}
