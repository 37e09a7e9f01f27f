import CloverAuth
import Synchronization

/// Clocks that a test sets.
final class TestClock: Sendable {
    private let reading: Mutex<TokenClock.Reading>

    init(wall: Int64 = 1_700_000_000_000, boot: Int64 = 5_000_000, bootID: String = "boot-1") {
        reading = Mutex(TokenClock.Reading(wall: wall, boot: boot, bootID: bootID))
    }

    var clock: TokenClock {
        TokenClock(
            wall: { self.reading.withLock { $0.wall } }, boot: { self.reading.withLock { $0.boot } },
            bootID: { self.reading.withLock { $0.bootID } })
    }

    /// Lets time pass for both clocks.
    func advance(seconds: Int64) {
        reading.withLock {
            $0 = TokenClock.Reading(
                wall: $0.wall + seconds * 1000, boot: $0.boot + seconds * 1000, bootID: $0.bootID)
        }
    }
}
