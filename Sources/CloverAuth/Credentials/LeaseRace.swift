import Synchronization

/// Waiting for a lease on a thread that cannot be interrupted, against patience and cancellation. The first end counts;
/// a lease that comes after it is dropped, and the next in line gets it.
final class LeaseRace: Sendable {
    typealias End = Result<FileCredentialLease, CredentialError>

    private enum State {
        case fresh
        case awaited(CheckedContinuation<End, Never>)
        case ended(End)
        case over
    }

    private let state = Mutex(State.fresh)
    private let timer = Mutex<Task<Void, Never>?>(nil)

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// Suspends until the race has an end. Called once.
    func end() async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end: End? = state.withLock { state in
                    if case .ended(let end) = state {
                        state = .over
                        return end
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            settle(.failure(.cancelled))
        }
    }

    /// Ends the race, unless it has ended.
    func settle(_ end: End) {
        let waiting: CheckedContinuation<End, Never>? = state.withLock { state in
            switch state {
            case .fresh:
                state = .ended(end)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .ended, .over: return nil
            }
        }
        waiting?.resume(returning: end)
        timer.withLock { $0?.cancel() }
    }

    /// Seconds after which somebody who waits wants to know.
    private static let silence: Double = 5

    /// Ends the race with `error` after so many seconds.
    ///
    /// - Parameter onLongWait: called on the way there, when it takes long.
    func giveUp(
        after seconds: Double, with error: CredentialError, onLongWait: @escaping @Sendable () -> Void
    ) {
        // A bare task: this race waits for it, and cancels it when it ends another way. It does not keep the race alive.
        let task = Task { [weak self] in
            do {
                if seconds > Self.silence {
                    try await Task.sleep(for: .seconds(Self.silence))
                    onLongWait()
                }
                try await Task.sleep(for: .seconds(max(seconds > Self.silence ? seconds - Self.silence : seconds, 0)))
                self?.settle(.failure(error))
            } catch {
                // The race has ended.
            }
        }
        timer.withLock { $0 = task }
    }
}
