import Synchronization

/// Ends waits, and nothing else: a request that is under way goes on. What was waited for once is waited for no more after
/// the first `end`.
package final class WaitSwitch: Sendable {
    private struct State {
        var reason: (any Error)?
        var number = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Why waits end; nil as long as they do not.
    package var reason: (any Error)? { state.withLock(\.reason) }

    /// Whether something is waited for at this moment.
    package var isWaiting: Bool { state.withLock { !$0.cancels.isEmpty } }

    /// Ends the waits of now and later; the first reason stays.
    package func end(_ reason: any Error) {
        let cancels = state.withLock { state in
            if state.reason == nil { state.reason = reason }
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Does `body`, which is cancelled when waits end.
    func during<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Waited for below; cancelled by the switch, and with whoever waits.
        let task = Task { try await body() }
        let place = begin { task.cancel() }
        defer { state.withLock { $0.cancels[place] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (place, isOver) = state.withLock { state in
            state.number += 1
            state.cancels[state.number] = cancel
            return (state.number, state.reason != nil)
        }
        if isOver { cancel() }
        return place
    }
}
