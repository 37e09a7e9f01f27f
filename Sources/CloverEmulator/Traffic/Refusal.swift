/// Which limit a request ran into. The header of the 429 answer tells; its value is the limit (Clover REST documentation,
/// API usage and rate limits).
package enum Refusal: String, Sendable, CaseIterable {
    case tokenRate, appRate, tokenConcurrency, appConcurrency

    /// Name of the header that names the limit.
    package var header: String {
        switch self {
        case .tokenRate: "X-RateLimit-tokenLimit"
        case .appRate: "X-RateLimit-crossTokenLimit"
        case .tokenConcurrency: "X-RateLimit-tokenConcurrentLimit"
        case .appConcurrency: "X-RateLimit-crossTokenConcurrentLimit"
        }
    }

    /// The limit itself.
    package func limit(in limits: TrafficLimits) -> Int {
        switch self {
        case .tokenRate: limits.tokenPerSecond
        case .appRate: limits.appPerSecond
        case .tokenConcurrency: limits.tokenInFlight
        case .appConcurrency: limits.appInFlight
        }
    }
}
