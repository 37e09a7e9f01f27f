internal import CJQ
internal import Glibc
import Synchronization

/// What happens when libjq gets no memory. By itself it ends the process with SIGABRT (jv_nomem_handler in jv.h).
package enum JQMemory {
    private struct State {
        /// Given back when there is no more memory, so that there is some to say so.
        var reserve = malloc(JQMemory.reserveSize)
        var end: (@Sendable () -> Never)?
        var isEnding = false
    }

    private static let reserveSize = 1 << 20
    private static let state = Mutex(State())

    /// Sets what ends the process then; called on the thread that got none, and once.
    package static func onExhaustion(_ end: @escaping @Sendable () -> Never) {
        state.withLock { $0.end = end }
    }

    /// What libjq calls. It aborts when this returns.
    static let handler: jv_nomem_handler_f = { _ in
        let (end, isFirst): ((@Sendable () -> Never)?, Bool) = state.withLock { state in
            defer { state.isEnding = true }
            free(state.reserve)
            state.reserve = nil
            return (state.end, !state.isEnding)
        }
        guard let end else { return }
        if isFirst { end() }
        // Another thread ends the process.
        while true { pause() }
    }

    /// Sets the handler for what this thread does without a program, such as parsing.
    static func watchThread() { jv_nomem_handler(handler, nil) }
}
