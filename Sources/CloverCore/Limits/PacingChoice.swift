import CloverConfiguration
package import CloverPacing

/// How a run takes its requests from the shared budget.
package struct PacingChoice: Sendable, Equatable {
    /// Requests of the token in any second; nil for what the service documents.
    package var requestsPerSecond: Int?
    /// Requests of the token under way at once; nil for what the service documents.
    package var inFlight: Int?
    /// The same for the app, with all its tokens.
    package var appRequestsPerSecond: Int?
    package var appInFlight: Int?
    /// Nothing is paced and nothing is counted: for a service of one's own.
    package var isOff = false
    package var pacingClass = PacingClass.interactive
    /// Words that tell other processes what this one does; no option, no value.
    package var command = ""
    /// Seconds that the run may take; nil without a limit. So long it waits for a process that was stopped in the middle of
    /// a turn at the ledger.
    package var maximumTime: Double?
    /// Whether a request waits until the service lets anybody send again. Otherwise it fails with the reason.
    package var waitsOutPauses = true
    /// Whether what the service says of a refusal is shown in its own words.
    package var showsRefusals = false
    /// Seconds from which on a pause is announced also without `--verbose`. The pauses of our own between the usual number of
    /// retries are shorter.
    package var shortestToldPause = 5.0

    package init() {}

    /// What `requestsPerSecond` and `inFlight` can be.
    package static let requestsPerSecondRange = RateLimits.requestsPerSecondRange
    package static let inFlightRange = RateLimits.inFlightRange

    var tokenLimits: RateLimits {
        let documented = RateLimits()
        return RateLimits(
            requestsPerSecond: requestsPerSecond ?? documented.requestsPerSecond,
            inFlight: inFlight ?? documented.inFlight)
    }

    /// Whoever asks for more than an app is allowed, and says nothing of the app, knows of a service that allows more.
    var appLimits: RateLimits {
        RateLimits(
            requestsPerSecond: appRequestsPerSecond ?? max(RateLimits.app.requestsPerSecond, requestsPerSecond ?? 0),
            inFlight: appInFlight ?? max(RateLimits.app.inFlight, inFlight ?? 0))
    }

    /// What is still open is taken from variables and the configuration file. Whoever asks for a limit by flag wants
    /// pacing, whatever is set.
    func completed(by settings: ConfigurationLayers) throws -> PacingChoice {
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
