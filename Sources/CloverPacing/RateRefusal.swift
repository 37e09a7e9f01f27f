/// What a 429 says about the limit that was hit. Its header has the limit's name, and most likely the limit as its value
/// (Clover: API usage and rate limits).
package struct RateRefusal: Equatable, Sendable {
    package enum Kind: Sendable {
        case perSecond
        case inFlight
    }

    package let scope: BudgetScope
    package let kind: Kind
    /// The number that it names; nil when the value is none.
    package private(set) var limit: Int?

    /// The same without the number.
    var withoutLimit: RateRefusal {
        var refusal = self
        refusal.limit = nil
        return refusal
    }

    /// Reads a header; nil when it names no limit.
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
