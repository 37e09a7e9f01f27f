import Synchronization

/// Cancels waits but not requests that are in flight. After the first `end`, every later wait ends at once.
package final class WaitSwitch: Sendable {
    private struct State {
        var reason: (any Error)?
        var number = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Why waits were ended; nil if they were not.
    package var reason: (any Error)? { state.withLock(\.reason) }

    /// Whether anything is waiting now.
    package var isWaiting: Bool { state.withLock { !$0.cancels.isEmpty } }

    /// Ends current and future waits; the first reason is kept.
    package func end(_ reason: any Error) {
        let cancels = state.withLock { state in
            if state.reason == nil { state.reason = reason }
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Runs `body`, and cancels it when waits end.
    func during<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Awaited below; cancelled by `end`, and when the waiting task is cancelled.
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
