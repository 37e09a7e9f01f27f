import CloverAuth
import Synchronization

/// Announces each pause that a run waits for on standard error, once, with its end: otherwise the user has to guess whether a
/// card was charged meanwhile, or whether anything happens at all.
final class PauseTeller: Sendable {
    /// Seconds of the shortest pause that is announced.
    private let shortest: Double
    private let diagnostics: Diagnostics
    private let clock: TokenClock
    /// The latest end that was told, in seconds since the machine started.
    private let told = Mutex(0.0)

    init(_ diagnostics: Diagnostics, _ clock: TokenClock, from shortest: Double = PacingChoice().shortestToldPause) {
        self.shortest = shortest
        self.diagnostics = diagnostics
        self.clock = clock
    }

    /// A request was refused with a 429.
    func refused(_ url: String, limit: String, seconds: Double) {
        guard isNews(seconds) else { return }
        diagnostics.notice(
            "the service refused \(Self.path(url)) for now (\(limit)), and did nothing; it is sent again "
                + end(seconds))
    }

    /// A request failed, and is sent again after so many seconds. Our own pauses between retries are not announced, however
    /// short the pauses are that are.
    func failed(_ url: String, because reason: String, seconds: Double) {
        guard seconds >= PacingChoice().shortestToldPause, isNews(seconds) else { return }
        diagnostics.notice("\(reason): \(Self.path(url)); it is sent again " + end(seconds))
    }

    /// A request waits for the end of a pause.
    func waits(limit: String, seconds: Double) {
        guard isNews(seconds) else { return }
        diagnostics.notice("the service limits us (\(limit)); nothing is sent until it lets us, " + end(seconds))
    }

    private static func path(_ url: String) -> Substring {
        url.firstRange(of: "://").flatMap { url[$0.upperBound...].firstIndex(of: "/") }.map { url[$0...] } ?? url[...]
    }

    private func end(_ seconds: Double) -> String {
        let instant = InstantText.utc(milliseconds: clock.wall() + Int64((seconds * 1000).rounded(.up)))
        return "at \(instant), in \(ServiceEventText.pause(seconds)); a signal ends the wait"
    }

    private func isNews(_ seconds: Double) -> Bool {
        let end = Double(clock.boot()) / 1000 + seconds
        return seconds >= shortest
            && told.withLock { told in
                defer { told = max(told, end) }
                return end > told + 1
            }
    }
}
