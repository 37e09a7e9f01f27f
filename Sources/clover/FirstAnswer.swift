import Synchronization

/// A result that several sources may give and one caller awaits; the first one counts.
final class FirstAnswer<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, any Error>

    private let waiting = Mutex<CheckedContinuation<Answer, Never>?>(nil)

    /// Registers the caller; call it once, before a result is given.
    func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        waiting.withLock { $0 = continuation }
        // A task that was cancelled earlier has no other source that would resume it.
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
