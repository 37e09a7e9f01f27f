package import CloverPacing

/// How a run takes its requests from the shared budget.
package struct PacingChoice: Sendable, Equatable {
    /// Requests of the token in any second; nil for what the service documents.
    package var requestsPerSecond: Int?
    /// Requests of the token under way at once; nil for what the service documents.
    package var inFlight: Int?
    /// Nothing is paced and nothing is counted: for a service of one's own.
    package var isOff = false
    package var pacingClass = PacingClass.interactive
    /// Words that tell other processes what this one does; no option, no value.
    package var command = ""

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

    /// Whoever asks for more than an app is allowed knows of a service that allows more.
    var appLimits: RateLimits {
        RateLimits(
            requestsPerSecond: max(RateLimits.app.requestsPerSecond, requestsPerSecond ?? 0),
            inFlight: max(RateLimits.app.inFlight, inFlight ?? 0))
    }
}
