import Synchronization

/// One caller waiting for one answer from the ledger's thread. The caller is resumed exactly once: by the answer, or
/// by the cancellation of its task, whichever comes first.
final class Ticket<Answer: Sendable>: Sendable {
    private enum Stage {
        case new
        /// The answer came before the caller waits for it.
        case answered(Result<Answer, any Error>)
        case waiting(CheckedContinuation<Answer, any Error>)
        case settled
    }

    private let stage = Mutex(Stage.new)

    /// Whether there is no more need for an answer.
    var isSettled: Bool {
        stage.withLock { stage in
            switch stage {
            case .new, .waiting: false
            case .answered, .settled: true
            }
        }
    }

    /// Suspends until the answer is there. Called once.
    ///
    /// - Parameter onCancel: called after the ticket was settled because its task was cancelled.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func answer(onCancel: @escaping @Sendable () -> Void) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<Answer, any Error>? = stage.withLock { stage in
                    if case .answered(let answer) = stage {
                        stage = .settled
                        return answer
                    }
                    stage = .waiting(continuation)
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            settle(.failure(CancellationError()))
            onCancel()
        }
    }

    /// Gives the caller its answer, now or when it comes for it.
    ///
    /// - Returns: false when it has one already: this one was not taken, and what it holds is still the giver's.
    @discardableResult
    func settle(_ result: Result<Answer, any Error>) -> Bool {
        let (isTaken, waiting) = stage.withLock { stage -> (Bool, CheckedContinuation<Answer, any Error>?) in
            switch stage {
            case .new:
                stage = .answered(result)
                return (true, nil)
            case .waiting(let continuation):
                stage = .settled
                return (true, continuation)
            case .answered, .settled:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isTaken
    }
}
