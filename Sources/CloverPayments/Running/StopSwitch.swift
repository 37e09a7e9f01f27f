import Synchronization

/// The wish to stop a charge. What it does depends on how far the charge is, so that it does not cancel the task.
package final class StopSwitch: Sendable {
    private struct State {
        var isOn = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var isOn: Bool { state.withLock(\.isOn) }

    /// Somebody wants to stop.
    package func turnOn() {
        let action = state.withLock { state in
            defer { state.isOn = true }
            return state.isOn ? nil : state.action
        }
        action?()
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
