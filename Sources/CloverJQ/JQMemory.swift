internal import CJQ
internal import Glibc
import Synchronization

/// Handles memory exhaustion in libjq, which by default ends the process with SIGABRT (jv_nomem_handler in jv.h).
package enum JQMemory {
    private struct State {
        /// Released when memory runs out, so that there is enough left to report it.
        var reserve = malloc(JQMemory.reserveSize)
        var end: (@Sendable () -> Never)?
        var isEnding = false
    }

    private static let reserveSize = 1 << 20
    private static let state = Mutex(State())

    /// Sets the function that then ends the process; called once, on the thread that ran out of memory.
    package static func onExhaustion(_ end: @escaping @Sendable () -> Never) {
        state.withLock { $0.end = end }
    }

    /// Called by libjq, which aborts if it returns.
    static let handler: jv_nomem_handler_f = { _ in
        let (end, isFirst): ((@Sendable () -> Never)?, Bool) = state.withLock { state in
            defer { state.isEnding = true }
            free(state.reserve)
            state.reserve = nil
            return (state.end, !state.isEnding)
        }
        guard let end else { return }
        if isFirst { end() }
        // Another thread is ending the process.
        while true { pause() }
    }

    /// Sets the handler for this thread's work outside a program, such as parsing.
    static func watchThread() { jv_nomem_handler(handler, nil) }
}
