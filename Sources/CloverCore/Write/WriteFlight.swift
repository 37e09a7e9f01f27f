import CloverAPI
import Synchronization

/// A write under way. A signal that stops the command lets it come to its end, because only its answer says what it did;
/// before it has left, and between two tries, it is stopped at once.
final class WriteFlight: Sendable {
    private enum Phase {
        /// Nothing has left, or what left came to an end.
        case waiting
        case underWay
        /// The answer is here, and is being dealt with.
        case answered
    }

    private struct State {
        var phase = Phase.waiting
        /// A try that came to an end may have been carried out.
        var isDoubtful = false
        var isStopping = false
        var isAbandoned = false
        /// Who has to know has been told of a doubt.
        var hasToldDoubt = false
        var cancel: (@Sendable () -> Void)?

        var standing: WriteStanding { phase == .underWay ? .underWay : isDoubtful ? .doubtful : .notDone }
    }

    private let state = Mutex(State())
    private let work: CriticalWork
    private let onStop: @Sendable (WriteStanding) -> Void

    /// - Parameter onStop: the command was told to stop, and what doubt that leaves; called on any thread, and not when there
    ///   is none.
    init(work: CriticalWork, onStop: @escaping @Sendable (WriteStanding) -> Void) {
        self.work = work
        self.onStop = onStop
    }

    /// What the client tells of the request.
    var watch: RequestWatch {
        RequestWatch(departed: { self.depart() }, failed: { self.land(mayHaveActed: $0) })
    }

    /// Whether it has been said that the request may have been carried out.
    var hasToldDoubt: Bool { state.withLock(\.hasToldDoubt) }

    /// The whole answer is here: only what is made of it is left.
    func answer() { state.withLock { $0.phase = .answered } }

    /// Sends one write and deals with its answer, in a task that a signal does not cancel while the request is under way.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        // Waited for below; cancelled by `stop`, `land` or `abandon`.
        let task = Task { try await body() }
        state.withLock { state in
            state.cancel = { task.cancel() }
            state.isDoubtful = false
        }
        defer {
            land(mayHaveActed: false)
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
    /// - Returns: how it stood.
    func abandon() -> WriteStanding {
        let (standing, cancel) = state.withLock { state in
            defer {
                state.isStopping = true
                state.isAbandoned = true
            }
            return (state.standing, state.cancel)
        }
        cancel?()
        return standing
    }

    /// The request left in the very moment in which it was stopped, or an earlier try did. Who abandoned it says so.
    func sayDoubt() {
        let isNews = state.withLock { state in
            defer { state.hasToldDoubt = true }
            return !state.isAbandoned
        }
        if isNews { onStop(.doubtful) }
    }

    private func stop() {
        let (isFirst, isUnderWay, cancel) = state.withLock { state in
            let isFirst = !state.isStopping
            let isUnderWay = state.phase == .underWay
            state.isStopping = true
            return (isFirst, isUnderWay, state.phase == .waiting ? state.cancel : nil)
        }
        guard isFirst else { return }
        if isUnderWay { onStop(.underWay) }
        cancel?()
    }

    /// The last word before the first byte. Once the command was stopped, nothing leaves any more: what `stop` and
    /// `abandon` found not sent stays so.
    private func depart() -> Bool {
        let (mayLeave, isNew) = state.withLock { state in
            guard !state.isStopping else { return (false, false) }
            defer { state.phase = .underWay }
            return (true, state.phase == .waiting)
        }
        if isNew { work.begin() }
        return mayLeave
    }

    private func land(mayHaveActed: Bool) {
        let (wasWaiting, cancel) = state.withLock { state in
            defer { state.phase = .waiting }
            if mayHaveActed { state.isDoubtful = true }
            return (state.phase == .waiting, state.isStopping ? state.cancel : nil)
        }
        if !wasWaiting { work.end() }
        cancel?()
    }
}
