import FoundationEssentials

/// The time of tokens and of the `Date` header: the system's clock, off by a fixed amount. The shop's history has a time
/// of its own, which does not matter here.
package struct OAuthClock: Sendable {
    private let skewInMilliseconds: Int

    package init(skew: Duration = .zero) {
        skewInMilliseconds = skew.milliseconds
    }

    /// Milliseconds since 1970.
    package func now() -> Int {
        Int((Date().timeIntervalSince1970 * 1000).rounded(.down)) + skewInMilliseconds
    }
}
