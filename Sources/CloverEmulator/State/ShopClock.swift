/// What time it is in the shop when something is written.
package enum ShopClock: Sendable {
    /// A second after the last write, so that the same requests give the same bytes.
    case counted
    /// The system's time, but always after the last write.
    case live

    /// Milliseconds since 1970.
    func time(after last: Int) -> Int {
        switch self {
        case .counted: last + 1000
        case .live: max(last + 1, OAuthClock(skew: .zero).now())
        }
    }
}
