internal import Synchronization

/// A write on the output's thread that any number of tasks can await.
final class OngoingWrite: Sendable {
    private enum Stage {
        case underWay
        case awaited([CheckedContinuation<RecordWriteError?, Never>])
        case over(RecordWriteError?)
    }

    private let stage = Mutex(Stage.underWay)

    /// Completes the write. Must be called once.
    func end(_ error: RecordWriteError?) {
        let waiters = stage.withLock { stage -> [CheckedContinuation<RecordWriteError?, Never>] in
            defer { stage = .over(error) }
            if case .awaited(let waiters) = stage { return waiters }
            return []
        }
        for waiter in waiters { waiter.resume(returning: error) }
    }

    /// Waits for completion; nil if all bytes were written.
    func outcome() async -> RecordWriteError? {
        await withCheckedContinuation { continuation in
            let outcome = stage.withLock { stage -> RecordWriteError?? in
                switch stage {
                case .over(let error): return .some(error)
                case .underWay: stage = .awaited([continuation])
                case .awaited(let waiters): stage = .awaited(waiters + [continuation])
                }
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
