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
