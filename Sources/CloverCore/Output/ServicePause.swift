import Synchronization

/// What keeps a command from sending: for how long the service lets nobody, and whoever keeps the ledger locked.
final class ServicePause: Sendable {
    private struct State {
        var until: Double?
        var cause = ""
        var holder: String?
        /// Why this run waits by itself, and until when.
        var wait: (until: Double, words: String)?
    }

    private let state = Mutex(State())

    /// In seconds since the machine started; nil when there was none yet.
    var until: Double? { state.withLock(\.until) }

    /// - Parameters:
    ///   - cause: what was hit, such as the name of a response header.
    ///   - now: milliseconds since the machine started.
    func begin(_ seconds: Double, _ cause: String, at now: Int64) {
        state.withLock { state in
            let end = Double(now) / 1000 + seconds
            guard end > state.until ?? 0 else { return }
            state.until = end
            state.cause = cause
            state.holder = nil
        }
    }

    /// This run waits for so many seconds before it tries again.
    ///
    /// - Parameters:
    ///   - words: why.
    ///   - now: milliseconds since the machine started.
    func waits(_ seconds: Double, _ words: String, at now: Int64) {
        state.withLock { $0.wait = (Double(now) / 1000 + seconds, words) }
    }

    /// Another process keeps what this one needs, in words that say which and what; nil when none does any more.
    func isHeldUp(by holder: String?) {
        state.withLock { $0.holder = holder }
    }

    /// What is in the way at this moment, in words; nil when nothing is known to be.
    func obstacle(at now: Int64) -> String? {
        let state = state.withLock(\.self)
        if let holder = state.holder { return holder }
        let left = (state.until ?? 0) - Double(now) / 1000
        if left > 0 { return "the service limits us (\(state.cause)) for \(ServiceEventText.rounded(left)) s more" }
        guard let wait = state.wait, wait.until > Double(now) / 1000 else { return nil }
        let rest = ServiceEventText.span(wait.until - Double(now) / 1000)
        return "\(wait.words); it would be tried again in \(rest)"
    }
}
