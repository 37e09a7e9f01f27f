/// The four limits of the service (Clover REST documentation, API usage and rate limits).
package struct TrafficLimits: Sendable, Equatable {
    package var tokenPerSecond = 16
    package var tokenInFlight = 5
    package var appPerSecond = 50
    package var appInFlight = 10

    package init() {}
}
