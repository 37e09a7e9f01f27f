import CloverRateLimit
import Testing

/// Waiters of a budget that serves one of them in each turn, and how often they ask.
@Suite("back-off of waiters")
struct SlotBackoffTests {
    private static let millisecond: Int64 = 1_000_000
    private static let turns = 2000

    private struct Waiter {
        let arrival: Int
        var ask: Int64
        var isStopped = false
    }

    /// Each waiter that was served waits again, behind all others. Stopped ones are counted by the others, and never ask.
    ///
    /// - Returns: the share of the turns that were used, and the attempts for each of them.
    private static func run(waiters: Int, stopped: Int, turn: Int64, delay: SlotBackoff) -> (
        used: Double, attempts: Double
    ) {
        var line = (0..<waiters).map { Waiter(arrival: $0, ask: 0, isStopped: $0 < stopped) }
        var (free, now, attempts, arrivals) = (0 as Int64, 0 as Int64, 0, waiters)
        for _ in 0..<turns {
            while true {
                guard let place = line.indices.filter({ !line[$0].isStopped }).min(by: { line[$0].ask < line[$1].ask })
                else { return (0, 0) }
                let waiter = line[place]
                now = max(now, waiter.ask)
                attempts += 1
                if now >= free {
                    line.remove(at: place)
                    line.append(Waiter(arrival: arrivals, ask: now))
                    arrivals += 1
                    free = now + turn
                    break
                }
                let earlier = line.count { $0.arrival < waiter.arrival }
                line[place].ask = free + delay.yieldDelay(earlierWaiters: earlier)
            }
        }
        return (Double(turns) * Double(turn) / Double(now), Double(attempts) / Double(turns))
    }

    @Test(
        "of many waiters in a database, few ask in each turn, and hardly a turn stays unused", arguments: [8, 64, 200])
    func crowd(waiters: Int) {
        for turn in [20, 63].map({ $0 * Self.millisecond }) {
            let result = Self.run(waiters: waiters, stopped: 0, turn: turn, delay: SlotBackoff(turn: turn))
            #expect(result.used > 0.98 && result.attempts < 24, "\(result)")
            // Where attempts are cheap, all ask in each turn.
            let cheap = Self.run(waiters: waiters, stopped: 0, turn: turn, delay: SlotBackoff(turn: 0))
            #expect(cheap.used > 0.98 && (waiters < 64 || cheap.attempts > 48), "\(cheap)")
        }
    }

    @Test("waiters that were stopped hold up those behind them only a little")
    func stopped() {
        for stopped in 1...3 {
            let turn = 63 * Self.millisecond
            let result = Self.run(waiters: 64, stopped: stopped, turn: turn, delay: SlotBackoff(turn: turn))
            #expect(result.used > 0.85, "\(stopped): \(result)")
        }
    }
}
