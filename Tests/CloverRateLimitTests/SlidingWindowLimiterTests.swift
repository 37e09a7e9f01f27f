import CloverRateLimit
import ProbeSupport
import Testing

@Suite("The window of grants")
struct SlidingWindowLimiterTests {
    private let start = BootInstant(nanoseconds: 5_000_000_000_000)
    private let millisecond: Int64 = 1_000_000

    @Test("An unused budget is given at once, the next grant a span after the first")
    func burst() {
        var window = SlidingWindowLimiter()
        let grants = (0..<16).map { _ in window.grant(now: start, limit: 16) }
        #expect(grants == (0..<16).map { start.advanced(by: $0) })
        #expect(window.grant(now: start, limit: 16) == start.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A budget of which nothing is known gives nothing for a span, then all of it")
    func full() {
        var window = SlidingWindowLimiter(fullAt: start)
        let free = start.advanced(by: SlidingWindowLimiter.span)
        #expect((0..<3).map { _ in window.grant(now: start, limit: 3) } == (0..<3).map { free.advanced(by: $0) })
        #expect(window.grant(now: start, limit: 3) == free.advanced(by: SlidingWindowLimiter.span))
    }

    /// The earliest time that keeps the limit, by trying all that can be it.
    private func earliest(after grants: [BootInstant], now: BootInstant, limit: Int) -> BootInstant {
        // Grants are given in rising order.
        let first = max(now, grants.last ?? now)
        let candidates = [first] + grants.map { $0.advanced(by: SlidingWindowLimiter.span) }.filter { $0 > first }
        for moment in candidates {
            let held = grants.filter { moment.nanoseconds(since: $0) < SlidingWindowLimiter.span }.count
            if held < limit { return moment }
        }
        return now
    }

    @Test("Random arrivals never break the law and never wait longer than they must", arguments: [1, 2, 5, 16, 50])
    func arrivals(limit: Int) {
        var random = SeededGenerator(seed: UInt64(limit))
        for _ in 0..<20 {
            var window = SlidingWindowLimiter()
            var given: [BootInstant] = []
            var now = start
            for _ in 0..<(limit * 6) {
                // Crowds and lulls, some longer than a window.
                let lull = Int64.random(in: 0..<2000, using: &random)
                now = now.advanced(by: Bool.random(using: &random) ? 0 : lull * 1_500_000 / Int64(limit))
                let recent = Array(given.suffix(limit * 2))
                let expected = earliest(after: recent, now: now, limit: limit)
                let moment = window.grant(now: now, limit: limit)
                // Grants are kept a nanosecond apart, which adds up in a crowd.
                #expect(moment >= expected)
                #expect(moment.nanoseconds(since: expected) <= Int64(limit * 6))
                given.append(moment)
            }
            #expect(WindowLaw.peak(given.map(\.nanoseconds), length: SlidingWindowLimiter.span) <= limit)
        }
    }

    @Test("A grant that is taken up in time holds")
    func fresh() {
        var window = SlidingWindowLimiter()
        let grant = window.grant(now: start, limit: 2)
        let before = window
        #expect(window.confirm(grant, now: start.advanced(by: SlidingWindowLimiter.freshness), limit: 2) == grant)
        #expect(window == before)
    }

    @Test("A grant that is taken up late moves to the present, and later grants count from there")
    func late() {
        var window = SlidingWindowLimiter()
        let grant = window.grant(now: start, limit: 2)
        _ = window.grant(now: start, limit: 2)
        let late = start.advanced(by: 500 * millisecond)
        #expect(window.confirm(grant, now: late, limit: 2) == late)
        #expect(window.grants == [start.advanced(by: 1), late])
        #expect(window.grant(now: late, limit: 2) == start.advanced(by: SlidingWindowLimiter.span + 1))
    }

    @Test("A request that left late counts from when it left, and one that left on time as granted")
    func lateDeparture() {
        var window = SlidingWindowLimiter()
        let first = window.grant(now: start, limit: 2)
        let second = window.grant(now: start, limit: 2)
        let late = start.advanced(by: 150 * millisecond)
        window.note(departure: late, of: first)
        window.note(departure: start, of: second)
        #expect(window.grants == [second, late])
        // The second, which left in time, is the oldest now; the late one holds back the grant after that.
        #expect(window.grant(now: late, limit: 2) == second.advanced(by: SlidingWindowLimiter.span))
        #expect(window.grant(now: late, limit: 2) == late.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A grant given ahead waits longer if an earlier request was sent late")
    func lateDepartureBeforeGrantAhead() {
        var window = SlidingWindowLimiter()
        let first = window.grant(now: start, limit: 2)
        let second = window.grant(now: start, limit: 2)
        let ahead = window.grant(now: start, limit: 2)
        #expect(ahead == first.advanced(by: SlidingWindowLimiter.span))
        let late = start.advanced(by: 150 * millisecond)
        window.note(departure: late, of: first)
        window.note(departure: late.advanced(by: 1), of: second)
        #expect(window.confirm(ahead, now: ahead, limit: 2) == late.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A late send counts for a grant confirmed at the same time or slightly later")
    func lateDepartureBesideConfirmation() {
        for delay: Int64 in [0, millisecond] {
            var window = SlidingWindowLimiter()
            let first = window.grant(now: start, limit: 2)
            let second = window.grant(now: start, limit: 2)
            let third = window.grant(now: start, limit: 2)
            window.note(departure: third.advanced(by: delay), of: first)
            window.note(departure: third.advanced(by: delay), of: second)
            #expect(
                window.confirm(third, now: third.advanced(by: delay), limit: 2)
                    >= third.advanced(by: SlidingWindowLimiter.span - 2))
        }
    }

    @Test("The departure of a grant that the ledger does not know changes nothing")
    func unknownDeparture() {
        var window = SlidingWindowLimiter()
        _ = window.grant(now: start, limit: 2)
        let before = window
        window.note(departure: start.advanced(by: millisecond), of: start.advanced(by: 7))
        #expect(window == before)
    }

    @Test("A grant that a pause has overtaken moves to the end of the pause")
    func overtaken() {
        var window = SlidingWindowLimiter()
        let grants = (0..<3).map { _ in window.grant(now: start, limit: 3) }
        let end = start.advanced(by: 3000 * millisecond)
        window.pause(until: end, cause: "tokenLimit")
        let moved = grants.map { window.confirm($0, now: start.advanced(by: 5), limit: 3) }
        #expect(moved == (0..<3).map { end.advanced(by: $0) })
        #expect(window.grant(now: end, limit: 3) == end.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A late grant followed by a whole granted budget is sent at once, and the later grants move")
    func hopelesslyLate() {
        var window = SlidingWindowLimiter()
        let grant = window.grant(now: start, limit: 2)
        let second = window.grant(now: start, limit: 2)
        let third = window.grant(now: start, limit: 2)
        let late = start.advanced(by: SlidingWindowLimiter.freshness + 1)
        #expect(window.confirm(grant, now: late, limit: 2) == late)
        #expect(window.confirm(third, now: third, limit: 2) == second.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A grant that is taken back counts no more")
    func withdrawn() {
        var window = SlidingWindowLimiter()
        let first = window.grant(now: start, limit: 2)
        _ = window.grant(now: start, limit: 2)
        window.withdraw(first)
        window.withdraw(start.advanced(by: 77))
        #expect(window.grant(now: start.advanced(by: 5), limit: 2) == start.advanced(by: 5))
    }

    @Test("A grant that the ledger does not know is replaced by a new one")
    func unknown() {
        var window = SlidingWindowLimiter(fullAt: start)
        #expect(window.confirm(start, now: start, limit: 2) == start.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A pause is never shortened, and keeps the cause of the longer one")
    func pauses() {
        var window = SlidingWindowLimiter()
        window.pause(until: start.advanced(by: 20), cause: "long")
        window.pause(until: start.advanced(by: 10), cause: "short")
        #expect(window.notBefore == start.advanced(by: 20))
        #expect(window.pauseCause == "long")
        window.pause(until: start.advanced(by: 30), cause: "longer")
        #expect(window.pauseCause == "longer")
        #expect(window.grant(now: start, limit: 5) == start.advanced(by: 30))
    }

    @Test("A smaller limit counts what was given under the larger one only for the larger one")
    func smallerLimit() {
        var window = SlidingWindowLimiter()
        for _ in 0..<7 { _ = window.grant(now: start, limit: 10) }
        // Three are left of the ten, of which it may have four.
        let now = start.advanced(by: 20)
        let grants = (0..<4).map { _ in window.grant(now: now, limit: 4) }
        #expect(Array(grants.prefix(3)) == (0..<3).map { now.advanced(by: $0) })
        #expect(grants[3] == start.advanced(by: SlidingWindowLimiter.span))
        #expect(window.grant(now: now, limit: 4) == now.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A larger limit counts what was given under the smaller one")
    func largerLimit() {
        var window = SlidingWindowLimiter()
        for _ in 0..<4 { _ = window.grant(now: start, limit: 4) }
        let grants = (0..<7).map { _ in window.grant(now: start.advanced(by: 10), limit: 10) }
        #expect(Array(grants.prefix(6)) == (0..<6).map { start.advanced(by: 10 + $0) })
        #expect(grants[6] == start.advanced(by: SlidingWindowLimiter.span))
    }

    @Test("A caller that has used up a lower limit takes nothing from the others, and gets its share when it is due")
    func lowerLimit() {
        var window = SlidingWindowLimiter()
        for _ in 0..<2 { _ = window.grant(now: start, limit: 2) }
        _ = window.grant(now: start, limit: 8)
        let free = start.advanced(by: SlidingWindowLimiter.span)
        for priority in RequestPriority.allCases {
            #expect(window.grant(for: priority, now: start, limit: 2) == .later(free))
            #expect(window.ownLimitTime(now: start, limit: 2) == free)
        }
        #expect(window.ownLimitTime(now: start, limit: 8) == nil)
        #expect(window.grants.count == 3)
        // One that was asked for nevertheless, a span ahead, is passed by those who have more.
        #expect(window.grant(now: start, limit: 2) == free)
        for index: Int64 in 0..<4 {
            #expect(window.grant(for: .interactive, now: start, limit: 8) == .granted(start.advanced(by: 3 + index)))
        }
        #expect(window.grant(now: start, limit: 8) > free)
    }

    @Test("What is learned counts for every limit")
    func learntForAll() throws {
        var window = SlidingWindowLimiter()
        let refusal = try #require(RateLimitResponse(header: "X-RateLimit-tokenLimit", value: "3"))
        window.learn(refusal, configured: RateLimits(requestsPerSecond: 6), now: start)
        for limit in [16, 2, 6] {
            #expect(window.grant(now: start, limit: limit) < start.advanced(by: SlidingWindowLimiter.margin))
        }
        #expect(window.grant(now: start, limit: 16) >= start.advanced(by: SlidingWindowLimiter.span))
    }

    /// Callers with these limits ask again and again, as soon as they may.
    private func crowd(_ limits: [Int], _ priority: RequestPriority, spans: Int64) -> [(limit: Int, moment: Int64)] {
        var window = SlidingWindowLimiter()
        var next = limits.map { _ in start }
        var since = next
        var left: [(limit: Int, moment: Int64)] = []
        let end = start.advanced(by: spans * SlidingWindowLimiter.span)
        // Of callers that ask at the same time, the one that has waited longest goes first.
        while let first = next.indices.min(by: { (next[$0], since[$0]) < (next[$1], since[$1]) }), next[first] < end {
            let now = next[first]
            switch window.grant(for: priority, now: now, limit: limits[first]) {
            case .granted(let moment):
                left.append((limits[first], moment.nanoseconds))
                next[first] = max(moment, now.advanced(by: 1))
                since[first] = next[first]
            case .later(let moment): next[first] = max(moment, now.advanced(by: 1))
            }
        }
        return left
    }

    @Test("Callers with different limits keep each limit, and use the largest", arguments: RequestPriority.allCases)
    func mixedLimits(_ priority: RequestPriority) {
        for limits in [[16, 4], [4, 16, 1, 16], [50, 16, 4, 2], [3, 2, 5]] {
            let left = crowd(limits, priority, spans: 40)
            for law in limits {
                let counted = left.filter { $0.limit <= law }.map(\.moment)
                #expect(WindowLaw.peak(counted, length: SlidingWindowLimiter.span) <= law, "\(limits)")
            }
            let most = limits.max() ?? 0
            #expect(left.count >= 38 * most, "\(limits): \(left.count)")
            // No caller starves.
            for limit in Set(limits) { #expect(left.count { $0.limit == limit } >= 20, "\(limits): \(limit)") }
        }
    }

    @Test("The history stays within its bound")
    func bound() {
        var window = SlidingWindowLimiter()
        for _ in 0..<2000 { _ = window.grant(now: start, limit: SlidingWindowLimiter.historyLimit) }
        #expect(window.grants.count == SlidingWindowLimiter.historyLimit)
    }

    /// A caller in the simulation below: when it will look at its grant next.
    private struct Sleeper {
        let grant: BootInstant
        let wakes: BootInstant
    }

    @Test("Late wake-ups, pauses and stopped callers never break the law", arguments: 1...12)
    func simulation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...20, using: &random)
        var window = SlidingWindowLimiter()
        var now = start
        var sleepers: [Sleeper] = []
        var left: [BootInstant] = []
        func sleeper(_ grant: BootInstant) -> Sleeper {
            // Mostly a little late, sometimes beyond patience, rarely stopped for seconds.
            let lateness =
                switch Int.random(in: 0..<20, using: &random) {
                case 0: Int64.random(in: 0...3000, using: &random) * millisecond
                case 1...4: Int64.random(in: 0...40, using: &random) * millisecond
                default: Int64.random(in: 0...2000, using: &random)
                }
            return Sleeper(grant: grant, wakes: max(grant, now).advanced(by: lateness))
        }
        for _ in 0..<3000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                window.pause(
                    until: now.advanced(by: Int64.random(in: 0...3000, using: &random) * millisecond), cause: "x")
            case 1..<45 where sleepers.count < 40:
                sleepers.append(sleeper(window.grant(now: now, limit: limit)))
            default:
                guard let next = sleepers.indices.min(by: { sleepers[$0].wakes < sleepers[$1].wakes }) else { continue }
                let woken = sleepers.remove(at: next)
                now = max(now, woken.wakes)
                let moment = window.confirm(woken.grant, now: now, limit: limit)
                if moment <= now {
                    #expect(now.nanoseconds(since: moment) <= SlidingWindowLimiter.freshness)
                    left.append(now)
                } else {
                    sleepers.append(sleeper(moment))
                }
            }
        }
        #expect(left.count > 500)
        #expect(WindowLaw.peak(left.map(\.nanoseconds)) <= limit)
    }

    @Test("Requests sent long after their grant never exceed the limit", arguments: 1...40)
    func lateDepartures(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...20, using: &random)
        var window = SlidingWindowLimiter()
        var now = start
        var waiting: [BootInstant] = []
        var leaving: [(moment: BootInstant, granted: BootInstant)] = []
        var left: [BootInstant] = []
        for _ in 0..<4000 {
            if waiting.count < 3 * limit, Bool.random(using: &random) {
                waiting.append(window.grant(now: now, limit: limit))
                continue
            }
            // What happens next: a grant's time has come, or a request is really sent.
            let due = waiting.indices.min { waiting[$0] < waiting[$1] }
            let departing = leaving.indices.min { leaving[$0].moment < leaving[$1].moment }
            if let departing, due.map({ leaving[departing].moment <= waiting[$0] }) ?? true {
                let departure = leaving.remove(at: departing)
                now = max(now, departure.moment)
                window.note(departure: now, of: departure.granted)
                left.append(now)
            } else if let due {
                now = max(now, waiting[due])
                let moment = window.confirm(waiting.remove(at: due), now: now, limit: limit)
                if moment > now {
                    waiting.append(moment)
                } else {
                    // Mostly at once; an overloaded machine or a slow handshake takes up to most of a second.
                    let delay =
                        Int.random(in: 0..<4, using: &random) == 0 ? Int64.random(in: 0...900, using: &random) : 0
                    leaving.append((now.advanced(by: delay * millisecond), moment))
                }
            }
        }
        #expect(left.count > 500)
        #expect(WindowLaw.peak(left.map(\.nanoseconds)) <= limit)
    }

    @Test("Bulk work has one grant ahead at most, and asks again when it has passed")
    func oneAhead() {
        var window = SlidingWindowLimiter()
        for delay: Int64 in 0..<2 {
            let moment = start.advanced(by: delay)
            #expect(window.grant(for: .bulk, now: moment, limit: 2) == .granted(moment))
        }
        let now = start.advanced(by: 5)
        let ahead = start.advanced(by: SlidingWindowLimiter.span)
        #expect(window.retryTime(for: .bulk, now: now, limit: 2) == nil)
        #expect(window.grant(for: .bulk, now: now, limit: 2) == .granted(ahead))
        #expect(window.grant(for: .bulk, now: now, limit: 2) == .later(ahead))
        #expect(window.retryTime(for: .bulk, now: now, limit: 2) == ahead)
        // Others are not held up: the next time is theirs.
        #expect(window.grant(now: now, limit: 2) == ahead.advanced(by: 1))
        #expect(window.grants.count == 4)
    }

    @Test("Bulk work that uses the whole budget spreads over half of the second", arguments: [1, 4, 16, 50])
    func spread(limit: Int) {
        var window = SlidingWindowLimiter()
        var now = start
        var times: [Int64] = []
        while now < start.advanced(by: 60 * SlidingWindowLimiter.span) {
            switch window.grant(for: .bulk, now: now, limit: limit) {
            case .granted(let moment):
                now = max(now, moment)
                times.append(now.nanoseconds)
            case .later(let moment): now = moment
            }
        }
        #expect(WindowLaw.peak(times, length: SlidingWindowLimiter.span) <= limit)
        // The half second of the beginning is all that is lost.
        #expect(times.count >= 60 * limit - limit / 2 - 1)
        let gaps = zip(times, times.dropFirst()).dropFirst(2 * limit).map { $1 - $0 }
        // No request that arrives in between waits much longer than the other half.
        #expect(gaps.allSatisfy { $0 <= SlidingWindowLimiter.span / Int64(limit) + SlidingWindowLimiter.span / 2 })
        #expect(gaps.allSatisfy { $0 >= SlidingWindowLimiter.span / Int64(2 * limit) })
    }

    @Test("Bulk work starves when it was granted nothing for a span")
    func starving() {
        var window = SlidingWindowLimiter()
        #expect(window.isBulkStarving(now: start))
        _ = window.grant(now: start, limit: 2)
        #expect(window.isBulkStarving(now: start))
        _ = window.grant(for: .bulk, now: start, limit: 2)
        #expect(!window.isBulkStarving(now: start.advanced(by: SlidingWindowLimiter.span / 2)))
        #expect(window.isBulkStarving(now: start.advanced(by: SlidingWindowLimiter.span + 1)))
    }
}
