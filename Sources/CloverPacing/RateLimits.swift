/// What one token, or one app with all its tokens, is allowed at once.
package struct RateLimits: Equatable, Sendable {
    /// What `requestsPerSecond` can be.
    package static let requestsPerSecondRange = 1...GrantWindow.historyLimit
    /// What `inFlight` can be.
    package static let inFlightRange = 1...1000

    /// What the service documents for an app (Clover: API usage and rate limits).
    package static let app = RateLimits(requestsPerSecond: 50, inFlight: 10)

    /// Requests that may leave in any second.
    package let requestsPerSecond: Int
    /// Requests that may be under way at the same time.
    package let inFlight: Int

    /// Limits; the defaults are those that the service documents for a token. Values outside the ranges become the
    /// nearest allowed ones: checking what a user typed is up to the command.
    package init(requestsPerSecond: Int = 16, inFlight: Int = 5) {
        self.requestsPerSecond = Self.requestsPerSecondRange.clamped(requestsPerSecond)
        self.inFlight = Self.inFlightRange.clamped(inFlight)
    }
}

extension ClosedRange where Bound == Int {
    /// The bound that is nearest to `value`, or `value` itself.
    fileprivate func clamped(_ value: Int) -> Int {
        Swift.min(Swift.max(value, lowerBound), upperBound)
    }
}
