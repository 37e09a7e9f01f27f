import CloverConfiguration
package import CloverRateLimit

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
