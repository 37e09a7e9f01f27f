import Synchronization

/// A value that tasks follow: each sequence begins with the value at that time, and ends when this object is released. A slow
/// task misses the oldest of many changes, never the latest.
final class CurrentValue<Value: Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextNumber = 0
    }

    private let state: Mutex<State>
    /// The number of changes that wait for a slow task.
    private static var bufferSize: Int { 64 }

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    deinit {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.finish() }
    }

    var value: Value { state.withLock(\.value) }

    /// Changes the value, and reports it if it is another one.
    ///
    /// Not inlined into asynchronous functions, where the address of the thread's number would be kept.
    @inline(never)
    func set(_ value: Value) {
        state.withLock { state in
            guard value != state.value else { return }
            state.value = value
            for follower in state.followers.values { follower.yield(value) }
        }
    }

    var values: AsyncStream<Value> {
        let (stream, follower) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
        let number = state.withLock { state in
            follower.yield(state.value)
            state.nextNumber += 1
            state.followers[state.nextNumber] = follower
            return state.nextNumber
        }
        follower.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    private func forget(_ number: Int) {
        state.withLock { $0.followers[number] = nil }
    }
}
