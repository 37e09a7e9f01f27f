internal import Synchronization

/// A write on the output's thread, for which any number of tasks may wait.
final class OngoingWrite: Sendable {
    private enum Stage {
        case underWay
        case awaited([CheckedContinuation<RecordWriteError?, Never>])
        case over(RecordWriteError?)
    }

    private let stage = Mutex(Stage.underWay)

    /// The write is over. Called once.
    func end(_ error: RecordWriteError?) {
        let waiters = stage.withLock { stage -> [CheckedContinuation<RecordWriteError?, Never>] in
            defer { stage = .over(error) }
            if case .awaited(let waiters) = stage { return waiters }
            return []
        }
        for waiter in waiters { waiter.resume(returning: error) }
    }

    /// Waits for the end: nil when all bytes were written.
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
