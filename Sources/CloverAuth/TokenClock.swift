import CloverSystem
import Glibc

/// The clocks that measure the life of tokens. Injected, so that tests need not wait.
package struct TokenClock: Sendable {
    /// Milliseconds since 1970 UTC by the wall clock, which may be set forwards and backwards.
    package let wall: @Sendable () -> Int64
    /// Milliseconds since this machine started, including time suspended (`CLOCK_BOOTTIME`, clock_gettime(2)).
    package let boot: @Sendable () -> Int64
    /// Identifies the boot that `boot` counts from; empty if unknown.
    package let bootID: @Sendable () -> String

    package init(
        wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
        bootID: @escaping @Sendable () -> String
    ) {
        self.wall = wall
        self.boot = boot
        self.bootID = bootID
    }

    /// Simultaneous readings of the clocks.
    package struct Reading: Equatable, Sendable {
        /// Milliseconds since 1970 UTC.
        package let wall: Int64
        /// Milliseconds since the machine started.
        package let boot: Int64
        /// Identifies the boot; empty if unknown.
        package let bootID: String

        package init(wall: Int64, boot: Int64, bootID: String) {
            self.wall = wall
            self.boot = boot
            self.bootID = bootID
        }
    }

    package var now: Reading { Reading(wall: wall(), boot: boot(), bootID: bootID()) }

    /// The machine's clocks.
    package static let live = TokenClock(
        wall: { milliseconds(CLOCK_REALTIME) }, boot: { milliseconds(CLOCK_BOOTTIME) }, bootID: { machineBootID })

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Cannot fail: both clocks exist on every supported Linux, and the pointer is valid.
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The kernel's random identifier of this boot (random(4)), read once, because a process does not outlive it.
    /// Without it, times are compared by the wall clock.
    private static let machineBootID: String = {
        do {
            let file = try Descriptor(
                opening: "/proc/sys/kernel/random/boot_id", in: AT_FDCWD, flags: O_RDONLY)
            let text = String(decoding: try file.read(limit: 64), as: UTF8.self)
            return String(text.prefix { !$0.isWhitespace })
        } catch {
            return ""
        }
    }()
}

/// How long an access token remains valid. A pure function of a credential and a time.
///
/// The life of a token is the difference of two times on the service's clock, and the elapsed part is measured on this
/// machine's boot clock, so that a wall clock that is wrong, or is set meanwhile, does not matter. After a reboot only
/// the wall clock is available.
package struct Freshness: Equatable, Sendable {
    /// Seconds until the token expires, negative afterwards; nil if it does not expire, or if the clock cannot tell.
    package let secondsLeft: Double?
    /// Whether it should be renewed before it is used.
    package let isDue: Bool
    /// Whether it has certainly expired.
    package let isExpired: Bool

    /// A token is renewed when less than this remains of it, in seconds, ...
    package static let margin: Double = 60
    /// ... or less than this fraction of its life, whichever is shorter.
    package static let marginOfLife = 0.1

    /// Evaluates the access token of `credential`.
    package static func judge(_ credential: Credential, now: TokenClock.Reading) -> Freshness {
        guard let expires = credential.accessTokenExpires else {
            return Freshness(secondsLeft: nil, isDue: false, isExpired: false)
        }
        // The field comes from a file, so even absurd values must not overflow.
        let life = Double(expires) - Double(credential.serverTime ?? credential.issuedAt)
        guard let elapsed = elapsed(of: credential, now: now) else {
            return Freshness(secondsLeft: nil, isDue: true, isExpired: false)
        }
        let left = life - elapsed
        return Freshness(
            secondsLeft: left, isDue: left <= 0 || left < min(margin, life * marginOfLife), isExpired: left <= 0)
    }

    /// Seconds for which a token that had expired when it was issued is not renewed again: the service's clock or its
    /// expirations are wrong, and the next token would be no better.
    static let pauseAfterEnded: Double = 60

    /// Whether the token was issued less than `pauseAfterEnded` ago.
    static func isInPause(_ credential: Credential, now: TokenClock.Reading) -> Bool {
        elapsed(of: credential, now: now).map { $0 < pauseAfterEnded } ?? false
    }

    /// Whether the refresh token has expired, by the same clocks; false if its expiry is unspecified.
    package static func isRefreshTokenExpired(_ credential: Credential, now: TokenClock.Reading) -> Bool {
        guard let expires = credential.refreshTokenExpires, let elapsed = elapsed(of: credential, now: now) else {
            return false
        }
        return Double(expires) - Double(credential.serverTime ?? credential.issuedAt) - elapsed <= 0
    }

    /// Seconds since the token was issued; nil if the clock has been set back to before then.
    private static func elapsed(of credential: Credential, now: TokenClock.Reading) -> Double? {
        let elapsed: Double
        if let boot = credential.bootTime, let name = credential.bootID, !name.isEmpty, name == now.bootID {
            elapsed = (Double(now.boot) - Double(boot)) / 1000
        } else {
            elapsed = Double(now.wall) / 1000 - Double(credential.issuedAt)
        }
        return elapsed < 0 ? nil : elapsed
    }
}

extension Credential {
    /// When the current tokens were issued, in seconds since 1970 UTC by the local clock.
    fileprivate var issuedAt: Int64 { refreshedAt ?? createdAt }
}
