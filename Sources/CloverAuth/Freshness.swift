/// How long an access token is still good. Pure: a credential and a moment in, a judgment out.
///
/// The life of a token is the difference of two times of the service's clock, and what has passed of it is counted on
/// this machine's boot clock, so that a wall clock that is wrong, or set meanwhile, does not matter. After a restart
/// only the wall clock is left.
package struct Freshness: Equatable, Sendable {
    /// Until the token ends, negative afterwards; nil when it has no end, or when the clock cannot tell.
    package let secondsLeft: Double?
    /// Whether it should be renewed before it is used.
    package let isDue: Bool
    /// Whether it has ended for certain.
    package let isExpired: Bool

    /// A token is renewed when less than this is left of it, in seconds, ...
    package static let margin: Double = 60
    /// ... or less than this part of its life, whichever is shorter.
    package static let marginOfLife = 0.1

    /// Judges the access token of `credential`.
    package static func judge(_ credential: Credential, now: TokenClock.Reading) -> Freshness {
        guard let expires = credential.accessTokenExpires else {
            return Freshness(secondsLeft: nil, isDue: false, isExpired: false)
        }
        let issuedAt = credential.refreshedAt ?? credential.createdAt
        // The field comes from a file, so that even absurd values must not overflow.
        let life = Double(expires) - Double(credential.serverTime ?? issuedAt)
        guard let elapsed = elapsed(since: issuedAt, of: credential, now: now) else {
            return Freshness(secondsLeft: nil, isDue: true, isExpired: false)
        }
        let left = life - elapsed
        return Freshness(
            secondsLeft: left, isDue: left <= 0 || left < min(margin, life * marginOfLife), isExpired: left <= 0)
    }

    /// A token that had ended when it was issued is not renewed again for this long, in seconds: the service's clock or its
    /// expirations are wrong, and the next token would be no better.
    static let pauseAfterEnded: Double = 60

    /// Whether the token was issued less than `pauseAfterEnded` ago.
    static func isInPause(_ credential: Credential, now: TokenClock.Reading) -> Bool {
        let issuedAt = credential.refreshedAt ?? credential.createdAt
        return elapsed(since: issuedAt, of: credential, now: now).map { $0 < pauseAfterEnded } ?? false
    }

    /// Whether the refresh token has ended, by the same clocks; false when it does not say.
    package static func isRefreshTokenExpired(_ credential: Credential, now: TokenClock.Reading) -> Bool {
        let issuedAt = credential.refreshedAt ?? credential.createdAt
        guard let expires = credential.refreshTokenExpires,
            let elapsed = elapsed(since: issuedAt, of: credential, now: now)
        else { return false }
        return Double(expires) - Double(credential.serverTime ?? issuedAt) - elapsed <= 0
    }

    /// Seconds since the token was issued; nil when the clock has stepped back past that moment.
    private static func elapsed(since issuedAt: Int64, of credential: Credential, now: TokenClock.Reading) -> Double? {
        let elapsed: Double
        if let boot = credential.bootTime, let name = credential.bootID, !name.isEmpty, name == now.bootID {
            elapsed = (Double(now.boot) - Double(boot)) / 1000
        } else {
            elapsed = Double(now.wall) / 1000 - Double(issuedAt)
        }
        return elapsed < 0 ? nil : elapsed
    }
}
