import CloverAPI
import Synchronization

/// A write under way. A signal that stops the command lets it come to its end, because only its answer says what it did;
/// before it has left, and between two tries, it is stopped at once.
final class WriteFlight: Sendable {
    private enum Phase {
        /// Nothing has left, or what left was refused.
        case waiting
        case underWay
        /// The answer is here, and is being dealt with.
        case answered
    }

    private struct State {
        var phase = Phase.waiting
        var isStopping = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let work: CriticalWork
    private let onStop: @Sendable (_ isUnderWay: Bool) -> Void

    /// - Parameter onStop: the command was told to stop, and whether that leaves a doubt; called on any thread.
    init(work: CriticalWork, onStop: @escaping @Sendable (_ isUnderWay: Bool) -> Void) {
        self.work = work
        self.onStop = onStop
    }

    /// What the client tells of the request.
    var watch: RequestWatch {
        RequestWatch(departed: { self.depart() }, failed: { self.land() })
    }

    /// The whole answer is here: only what is made of it is left.
    func answer() { state.withLock { $0.phase = .answered } }

    /// Sends one write and deals with its answer, in a task that a signal does not cancel while the request is under way.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        // Waited for below; cancelled by `stop`, `land` or `abandon`.
        let task = Task { try await body() }
        state.withLock { $0.cancel = { task.cancel() } }
        defer {
            land()
            state.withLock { $0.cancel = nil }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            stop()
        }
    }

    /// Ends the request whether it is under way or not: there is no more time.
    ///
    /// - Returns: whether it was under way.
    func abandon() -> Bool {
        let (wasUnderWay, cancel) = state.withLock { state in
            defer { state.isStopping = true }
            return (state.phase == .underWay, state.cancel)
        }
        cancel?()
        return wasUnderWay
    }

    /// The request left in the very moment in which it was stopped, or an earlier try did.
    func sayDoubt() { onStop(true) }

    private func stop() {
        let (isFirst, isUnderWay, cancel) = state.withLock { state in
            defer { state.isStopping = true }
            return (!state.isStopping, state.phase == .underWay, state.phase == .waiting ? state.cancel : nil)
        }
        guard isFirst else { return }
        onStop(isUnderWay)
        cancel?()
    }

    private func depart() {
        let isNew = state.withLock { state in
            defer { state.phase = .underWay }
            return state.phase == .waiting
        }
        if isNew { work.begin() }
    }

    private func land() {
        let (wasWaiting, cancel) = state.withLock { state in
            defer { state.phase = .waiting }
            return (state.phase == .waiting, state.isStopping ? state.cancel : nil)
        }
        if !wasWaiting { work.end() }
        cancel?()
    }
}
