package import CloverAPI
import Synchronization

/// Cancels a charge. The effect depends on the charge's progress, so the task itself is not cancelled.
package final class ChargeCanceller: Sendable {
    /// The charge was stopped before anything was sent.
    package struct Stopped: Error {}

    /// The event that announces the operation could not be shown, so nothing was sent: the caller would not know of it.
    package struct Unannounced: Error, Sendable {
        package let cause: any Error
    }

    private struct State {
        var isOn = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Ends waits for the service's rate limits, because the charge was cancelled or its time ran out.
    package let waits = WaitCanceller()

    /// Ends requests that are under way, because the time of the run is over. What was sent stays unknown.
    package let requests = WaitCanceller()

    package init() {}

    package var isOn: Bool { state.withLock(\.isOn) }

    /// Requests cancellation.
    package func turnOn() {
        let action = state.withLock { state in
            defer { state.isOn = true }
            return state.isOn ? nil : state.action
        }
        waits.end(Stopped())
        action?()
    }

    /// Ends all waits and requests cancellation, but lets requests in progress continue.
    ///
    /// - Parameter cause: what took the time, in words; nil if nothing did.
    package func timeRanOut(after seconds: Double, because cause: String? = nil) {
        waits.end(MaxTimeExceeded(seconds: seconds, cause: cause))
        turnOn()
    }

    /// Ends requests in progress.
    package func endRequests(after seconds: Double) {
        requests.end((waits.reason as? MaxTimeExceeded) ?? MaxTimeExceeded(seconds: seconds))
    }

    /// Prevents that an operation is sent whose first event, `created`, could not be shown.
    package func couldNotAnnounce(_ cause: any Error) {
        waits.end(Unannounced(cause: cause))
    }

    /// Sets the action of a cancellation; runs it at once if cancellation was already requested. Nil removes it.
    func set(_ action: (@Sendable () -> Void)?) {
        let isOn = state.withLock { state in
            state.action = action
            return state.isOn
        }
        if isOn { action?() }
    }
}

/// A task that a signal may start at most once, and that can be awaited.
final class OneShotTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            // Awaited by `wait` or `end`.
            if state.task == nil, !state.isOver { state.task = Task { await body() } }
        }
    }

    /// Prevents a later start, and waits for a task that was started.
    func wait() async {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        await task?.value
    }

    /// Prevents a later start, cancels a task that was started, and waits for it.
    func end() async {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}

/// The maximum time of a run is over.
package struct MaxTimeExceeded: Error, Sendable, Equatable {
    package let seconds: Double
    /// What took the time, in words: a database that is slow or away; nil for anything else.
    package let cause: String?

    package init(seconds: Double, cause: String? = nil) {
        self.seconds = seconds
        self.cause = cause
    }
}
