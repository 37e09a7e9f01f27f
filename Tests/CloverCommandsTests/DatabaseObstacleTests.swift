import CloverCore
import CloverFleet
import CloverRateLimit
import Synchronization
import Testing

@Suite("Waits for the database in words")
struct DatabaseObstacleTests {
    private final class StillClock: Sendable {
        private let milliseconds = Mutex<Int64>(0)

        func pass(_ count: Int64) { milliseconds.withLock { $0 += count } }
        var now: BootInstant { BootInstant(nanoseconds: milliseconds.withLock(\.self) * 1_000_000) }
    }

    @Test("the words state what was measured, and in which time")
    func words() {
        let clock = StillClock()
        let waits = DatabaseWaits { clock.now }
        #expect(waits.obstacle == nil)
        clock.pass(1000)
        waits.begin("postgresql://db/clover")
        clock.pass(2250)
        waits.end()
        let expected = Obstacle(
            "2.25 s of the last 3.25 s went into waiting for postgresql://db/clover", check: "clover state check")
        #expect(waits.obstacle == expected)
        clock.pass(3500)
        #expect(waits.obstacle == nil)
    }
}
