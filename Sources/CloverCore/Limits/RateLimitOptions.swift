import CloverAuth
import CloverConfiguration
package import CloverFleet
package import CloverRateLimit
import Synchronization

/// The rate limits of a run.
package struct RateLimitOptions: Sendable, Equatable {
    /// Maximum requests of the token per second; nil for the documented limit.
    package var requestsPerSecond: Int?
    /// Maximum requests of the token in flight; nil for the documented limit.
    package var inFlight: Int?
    /// The same for the app, with all its tokens.
    package var appRequestsPerSecond: Int?
    package var appInFlight: Int?
    /// Whether to limit and count nothing, for a service of one's own.
    package var isOff = false
    package var pacingClass = RequestPriority.interactive
    /// Description of this process for others, without options and values.
    package var command = ""
    /// Time limit of the run, in seconds; nil without a limit. It also limits the wait for a process that was stopped
    /// while it has the ledger locked.
    package var maximumTime: Double?
    /// Whether a request waits for the end of the service's pause. Otherwise it fails with the reason.
    package var waitsOutPauses = true
    /// Whether to show the service's own text of a refusal.
    package var showsRefusals = false
    /// Shortest pause that is announced without `--verbose`, in seconds. Our own pauses between the default number of
    /// retries are shorter.
    package var shortestAnnouncedPause = 5.0

    package init() {}

    /// Valid values of `requestsPerSecond` and `inFlight`.
    package static let requestsPerSecondRange = RateLimits.requestsPerSecondRange
    package static let inFlightRange = RateLimits.inFlightRange

    var tokenLimits: RateLimits {
        let documented = RateLimits()
        return RateLimits(
            requestsPerSecond: requestsPerSecond ?? documented.requestsPerSecond,
            inFlight: inFlight ?? documented.inFlight)
    }

    /// Limits of the app. A token limit above the app's default, without an app limit, raises the app's too: the service
    /// evidently allows more.
    var appLimits: RateLimits {
        RateLimits(
            requestsPerSecond: appRequestsPerSecond ?? max(RateLimits.app.requestsPerSecond, requestsPerSecond ?? 0),
            inFlight: appInFlight ?? max(RateLimits.app.inFlight, inFlight ?? 0))
    }

    /// Completes it from environment variables and the configuration file. A limit given by flag turns rate limiting on,
    /// whatever is configured.
    func completed(by settings: ConfigurationLayers) throws -> RateLimitOptions {
        var choice = self
        let asks = [requestsPerSecond, inFlight, appRequestsPerSecond, appInFlight].contains { $0 != nil }
        if !isOff, !asks { choice.isOff = try settings.isOn(.noPacing) }
        choice.requestsPerSecond = try requestsPerSecond ?? settings.wholeNumber(.requestsPerSecond)
        choice.inFlight = try inFlight ?? settings.wholeNumber(.inFlight)
        choice.appRequestsPerSecond = try appRequestsPerSecond ?? settings.wholeNumber(.appRequestsPerSecond)
        choice.appInFlight = try appInFlight ?? settings.wholeNumber(.appInFlight)
        return choice
    }
}

/// What keeps a command from sending, in words.
package struct Obstacle: Sendable, Equatable {
    package let words: String
    /// Command that shows what is wrong with a database that cannot be reached; nil for any other obstacle.
    package let check: String?

    package init(_ words: String, check: String? = nil) {
        self.words = words
        self.check = check
    }
}

extension DatabaseWaits {
    /// The waits for the database, if they took much of the time.
    package var obstacle: Obstacle? {
        measure.map { found in
            let waited = ServiceEventText.rounded(found.waited)
            let elapsed = ServiceEventText.rounded(found.elapsed)
            return Obstacle(
                "\(waited) s of the last \(elapsed) s went into waiting for \(found.address)",
                check: "clover state check")
        }
    }
}

/// What keeps a command from sending: a rate-limit pause of the service, another process, the database, or its own delay.
package final class RateLimitPause: Sendable {
    private struct State {
        var until: Double?
        var cause = ""
        var holder: Obstacle?
        /// Reason and end of a delay of this run's own.
        var wait: (until: Double, words: String)?
        var waits: DatabaseWaits?
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

    /// Records that another process, or a database that is away, holds what this one needs, in words that name both; nil
    /// when it no longer does.
    package func isHeldUp(by holder: Obstacle?) {
        state.withLock { $0.holder = holder }
    }

    /// Includes the time that the run waits for the database.
    func watch(_ waits: DatabaseWaits) { state.withLock { $0.waits = waits } }

    /// What keeps the command from sending at `now`; nil when nothing is known.
    package func obstacle(at now: Int64) -> Obstacle? {
        let state = state.withLock(\.self)
        if let holder = state.holder { return holder }
        let left = (state.until ?? 0) - Double(now) / 1000
        if left > 0 {
            return Obstacle("the service limits requests (\(state.cause)) for \(ServiceEventText.rounded(left)) s more")
        }
        guard let wait = state.wait, wait.until > Double(now) / 1000 else { return state.waits?.obstacle }
        let rest = ServiceEventText.span(wait.until - Double(now) / 1000)
        return Obstacle("\(wait.words); the next attempt would be in \(rest)")
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
