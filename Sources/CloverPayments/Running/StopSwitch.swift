package import CloverAPI
import Synchronization

/// The wish to stop a charge. What it does depends on how far the charge is, so that it does not cancel the task.
package final class StopSwitch: Sendable {
    /// Somebody wanted to stop before anything was sent.
    struct Stopped: Error {}

    private struct State {
        var isOn = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Ends waits for the service's limits, by the same wish or because time ran out.
    package let waits = WaitSwitch()

    package init() {}

    package var isOn: Bool { state.withLock(\.isOn) }

    /// Somebody wants to stop.
    package func turnOn() {
        let action = state.withLock { state in
            defer { state.isOn = true }
            return state.isOn ? nil : state.action
        }
        waits.end(Stopped())
        action?()
    }

    /// Nothing is waited for any longer; what is under way goes on.
    package func timeRanOut(after seconds: Double) {
        waits.end(MaximumTimeRanOut(seconds: seconds))
    }

    /// What is done when it is turned on from now on; at once when it is on already. Nil does nothing.
    func set(_ action: (@Sendable () -> Void)?) {
        let isOn = state.withLock { state in
            state.action = action
            return state.isOn
        }
        if isOn { action?() }
    }
}

/// One piece of work that a signal may begin, and that is waited for.
final class CancelTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            // Waited for by `wait` or `end`.
            if state.task == nil, !state.isOver { state.task = Task { await body() } }
        }
    }

    /// Nothing begins any more; what has begun is waited for.
    func wait() async {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        await task?.value
    }

    /// Nothing is left to be cancelled, or to begin.
    func end() async {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}

/// The time that somebody wanted to wait at most was over before anything was sent.
package struct MaximumTimeRanOut: Error, Sendable, Equatable {
    package let seconds: Double

    package init(seconds: Double) {
        self.seconds = seconds
    }
}
