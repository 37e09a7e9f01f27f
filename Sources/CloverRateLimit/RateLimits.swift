/// The limits of one token, or of one app with all its tokens.
package struct RateLimits: Equatable, Sendable {
    /// Valid values of `requestsPerSecond`.
    package static let requestsPerSecondRange = 1...SlidingWindowLimiter.historyLimit
    /// Valid values of `inFlight`.
    package static let inFlightRange = 1...1000

    /// The limits documented for an app (Clover: API usage and rate limits).
    package static let app = RateLimits(requestsPerSecond: 50, inFlight: 10)

    /// Maximum requests in any second.
    package let requestsPerSecond: Int
    package let inFlight: Int

    /// Limits; the defaults are those documented for a token. Values outside the ranges are clamped; checking user
    /// input is up to the command.
    package init(requestsPerSecond: Int = 16, inFlight: Int = 5) {
        self.requestsPerSecond = Self.requestsPerSecondRange.clamped(requestsPerSecond)
        self.inFlight = Self.inFlightRange.clamped(inFlight)
    }
}

extension ClosedRange where Bound == Int {
    /// `value`, or the nearest bound.
    fileprivate func clamped(_ value: Int) -> Int {
        Swift.min(Swift.max(value, lowerBound), upperBound)
    }
}

/// Whose limits a budget enforces. The service counts each token, and all tokens of an app together (Clover: API usage
/// and rate limits).
package enum BudgetScope: String, Sendable {
    case token
    case app
}

/// The limit that a 429 response names. The header has the limit's name and, most likely, the limit as its value
/// (Clover: API usage and rate limits).
package struct RateLimitResponse: Equatable, Sendable {
    package enum Kind: Sendable {
        case perSecond
        case inFlight
    }

    package let scope: BudgetScope
    package let kind: Kind
    /// The limit; nil if the value is not a number.
    package internal(set) var limit: Int?

    /// Parses a header; nil if it does not name a limit.
    package init?(header: String, value: String) {
        switch header.lowercased() {
        case "x-ratelimit-tokenlimit": (scope, kind) = (.token, .perSecond)
        case "x-ratelimit-tokenconcurrentlimit": (scope, kind) = (.token, .inFlight)
        case "x-ratelimit-crosstokenlimit": (scope, kind) = (.app, .perSecond)
        case "x-ratelimit-crosstokenconcurrentlimit": (scope, kind) = (.app, .inFlight)
        default: return nil
        }
        limit = Int(value).flatMap { $0 > 0 ? $0 : nil }
    }
}

/// A limit that the service enforces below the configured one. All processes of the user apply it; it then rises again
/// slowly, because it may no longer hold.
package struct AdaptiveLimit: Equatable, Sendable {
    /// Nanoseconds after which the limit rises by one.
    package static let recovery: Int64 = 30_000_000_000
    /// Nanoseconds after a change during which refusals without a number are ignored: they belong to requests sent
    /// before it.
    package static let pause: Int64 = 5_000_000_000

    /// The learned limit; 0 if there is none.
    package private(set) var ceiling = 0
    /// When it was learned.
    package private(set) var moment = BootInstant.boot

    package init() {}

    package init(ceiling: Int, moment: BootInstant) {
        self.ceiling = max(0, ceiling)
        self.moment = moment
    }

    /// The limit in effect: the configured one, or less.
    package func effective(configured: Int, now: BootInstant) -> Int {
        guard ceiling > 0 else { return configured }
        let risen = max(0, now.nanoseconds(since: moment)) / Self.recovery
        return Int(min(Int64(configured), Int64(min(ceiling, configured)) + risen))
    }

    /// Learns from a refusal of a request that kept the limit. The limit becomes the number that the refusal names, or
    /// is halved if it names none. A number that is not below the current limit means that another client uses the
    /// budget too, and is ignored.
    package mutating func learn(named: Int?, configured: Int, now: BootInstant) {
        let kept = effective(configured: configured, now: now)
        if let named {
            guard named < kept else { return }
            ceiling = max(1, named)
        } else {
            guard ceiling == 0 || now.nanoseconds(since: moment) >= Self.pause else { return }
            ceiling = max(1, kept / 2)
        }
        moment = now
    }
}
