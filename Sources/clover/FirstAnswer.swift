import Synchronization

/// Where one waits for an answer that several may give: the first one counts.
final class FirstAnswer<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, any Error>

    private let waiting = Mutex<CheckedContinuation<Answer, Never>?>(nil)

    /// Called once, before anybody answers.
    func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        waiting.withLock { $0 = continuation }
        // A task that was cancelled before it came here has nobody else to wake it.
        if Task.isCancelled { give(.failure(CancellationError())) }
    }

    func give(_ answer: Answer) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}
