import CloverAuth
import Synchronization

/// What keeps a command from sending: a rate-limit pause of the service, another process, or its own delay.
package final class RateLimitPause: Sendable {
    private struct State {
        var until: Double?
        var cause = ""
        var holder: String?
        /// Reason and end of a delay of this run's own.
        var wait: (until: Double, words: String)?
    }

    private let state = Mutex(State())

    package init() {}

    /// End of the service's pause, in seconds since the machine started; nil when there was none yet.
    package var until: Double? { state.withLock(\.until) }

    /// Records a pause of the service.
    ///
    /// - Parameters:
    ///   - cause: the limit, such as the name of a response header.
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

    /// Records that this run waits before it tries again.
    ///
    /// - Parameters:
    ///   - words: the reason.
    ///   - now: milliseconds since the machine started.
    package func waits(_ seconds: Double, _ words: String, at now: Int64) {
        state.withLock { $0.wait = (Double(now) / 1000 + seconds, words) }
    }

    /// Records that another process holds what this one needs, in words that name both; nil when it no longer does.
    func isHeldUp(by holder: String?) {
        state.withLock { $0.holder = holder }
    }

    /// What keeps the command from sending at `now`, in words; nil when nothing is known.
    package func obstacle(at now: Int64) -> String? {
        let state = state.withLock(\.self)
        if let holder = state.holder { return holder }
        let left = (state.until ?? 0) - Double(now) / 1000
        if left > 0 {
            return "the service limits requests (\(state.cause)) for \(ServiceEventText.rounded(left)) s more"
        }
        guard let wait = state.wait, wait.until > Double(now) / 1000 else { return nil }
        let rest = ServiceEventText.span(wait.until - Double(now) / 1000)
        return "\(wait.words); the next attempt would be in \(rest)"
    }
}

/// Announces each pause of a run on standard error, once, with its end. Otherwise the user would have to guess whether a
/// card was charged meanwhile, or whether anything happens at all.
final class RateLimitNotifier: Sendable {
    /// Shortest pause that is announced, in seconds.
    private let shortest: Double
    private let diagnostics: Diagnostics
    private let clock: TokenClock
    /// Latest announced end, in seconds since the machine started.
    private let announced = Mutex(0.0)

    init(
        _ diagnostics: Diagnostics, _ clock: TokenClock,
        from shortest: Double = RateLimitOptions().shortestAnnouncedPause
    ) {
        self.shortest = shortest
        self.diagnostics = diagnostics
        self.clock = clock
    }

    /// Announces the pause after a 429 response.
    func refused(_ url: String, limit: String, seconds: Double) {
        guard isNews(seconds) else { return }
        diagnostics.notice(
            "the service refused \(Self.path(url)) for now (\(limit)); sending it again "
                + end(seconds))
    }

    /// Announces the pause before a failed request is sent again. Our own short pauses between retries are not announced,
    /// whatever the shortest announced pause is.
    func failed(_ url: String, because reason: String, seconds: Double) {
        guard seconds >= RateLimitOptions().shortestAnnouncedPause, isNews(seconds) else { return }
        diagnostics.notice("\(reason): \(Self.path(url)); sending it again " + end(seconds))
    }

    /// Announces that a request waits for the end of a pause.
    func waits(limit: String, seconds: Double) {
        guard isNews(seconds) else { return }
        diagnostics.notice("the service limits requests (\(limit)); sending again when the limit ends, " + end(seconds))
    }

    private static func path(_ url: String) -> Substring {
        url.firstRange(of: "://").flatMap { url[$0.upperBound...].firstIndex(of: "/") }.map { url[$0...] } ?? url[...]
    }

    private func end(_ seconds: Double) -> String {
        let instant = InstantText.utc(milliseconds: clock.wall() + Int64((seconds * 1000).rounded(.up)))
        return "at \(instant), in \(ServiceEventText.rounded(seconds)) s; a signal ends the wait"
    }

    private func isNews(_ seconds: Double) -> Bool {
        let end = Double(clock.boot()) / 1000 + seconds
        return seconds >= shortest
            && announced.withLock { announced in
                defer { announced = max(announced, end) }
                return end > announced + 1
            }
    }
}
