import Synchronization

/// Lets only so much weight through at a time, first come first served, so that tests which run in parallel do not start
/// more processes at once than the machine can carry.
package final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var queue: [(weight: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    package init(capacity: Int) {
        state = Mutex(State(free: capacity))
    }

    /// Runs `body` as soon as `weight` is free; never more than the capacity may be asked for.
    package func withWeight<Value>(_ weight: Int, _ body: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { continuation in
            let admitted = state.withLock { state in
                guard state.queue.isEmpty, state.free >= weight else {
                    state.queue.append((weight, continuation))
                    return false
                }
                state.free -= weight
                return true
            }
            if admitted { continuation.resume() }
        }
        defer { leave(weight) }
        return try await body()
    }

    private func leave(_ weight: Int) {
        let admitted = state.withLock { state in
            state.free += weight
            var admitted: [CheckedContinuation<Void, Never>] = []
            while let next = state.queue.first, next.weight <= state.free {
                state.free -= next.weight
                admitted.append(next.continuation)
                state.queue.removeFirst()
            }
            return admitted
        }
        for continuation in admitted { continuation.resume() }
    }
}
