/// Runs blocking work for tasks on one dedicated thread, in order.
///
/// The thread starts with the first piece of work and ends, after the last one, when the object is released.
package final class SerialThread: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State: Sendable {
        var work: [Work] = []
        var isStarted = false
        var isClosed = false
    }

    private let state = Monitor(State())
    private let name: String

    /// - Parameter name: at most 15 bytes.
    package init(name: String) {
        self.name = name
    }

    deinit {
        state.update { $0.isClosed = true }
    }

    /// Has `body` run on the thread after everything given before, and does not wait for it.
    /// - Returns: false when the thread could not be started.
    package func post(_ body: @escaping @Sendable () -> Void) -> Bool {
        state.update { state in
            guard startIfNeeded(&state) else { return false }
            state.work.append(body)
            return true
        }
    }

    /// Runs `body` on the thread after everything given before.
    /// - Returns: its result, or nil when the thread could not be started.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let isAccepted = post { continuation.resume(returning: body()) }
            if !isAccepted { continuation.resume(returning: nil) }
        }
    }

    /// False when there is no thread and none could be made.
    private func startIfNeeded(_ locked: inout State) -> Bool {
        if locked.isStarted { return true }
        do {
            // The thread gets the state and not self: it must not keep the object alive that tells it to end.
            let state = state
            try DedicatedThread.start(name: name) { Self.serve(state) }
            locked.isStarted = true
            return true
        } catch {
            return false
        }
    }

    private static func serve(_ state: Monitor<State>) {
        while true {
            let work: [Work] = state.wait { state in
                if state.work.isEmpty { return state.isClosed ? [] : nil }
                defer { state.work.removeAll() }
                return state.work
            }
            if work.isEmpty { return }
            for piece in work { piece() }
        }
    }
}
