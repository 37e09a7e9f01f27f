internal import Synchronization

/// A write on the output's thread, for which one task may wait.
final class OngoingWrite: Sendable {
    private enum Stage {
        case underWay
        case awaited(CheckedContinuation<RecordWriteError?, Never>)
        case over(RecordWriteError?)
    }

    private let stage = Mutex(Stage.underWay)

    /// The write is over. Called once.
    func end(_ error: RecordWriteError?) {
        let waiter = stage.withLock { stage -> CheckedContinuation<RecordWriteError?, Never>? in
            defer { stage = .over(error) }
            if case .awaited(let waiter) = stage { return waiter }
            return nil
        }
        waiter?.resume(returning: error)
    }

    /// Waits for the end: nil when all bytes were written.
    func outcome() async -> RecordWriteError? {
        await withCheckedContinuation { continuation in
            let outcome = stage.withLock { stage -> RecordWriteError?? in
                if case .over(let error) = stage { return .some(error) }
                stage = .awaited(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
