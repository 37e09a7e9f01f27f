import CloverEmulator
import Testing

@Suite("Tokens at the meter")
struct TrafficMeterTests {
    private func meter() -> TrafficMeter {
        TrafficMeter(tokens: ["static"], isEnforced: true)
    }

    private func verdict(_ meter: TrafficMeter, _ number: Int) -> Verdict? {
        meter.ticket(number)?.verdict
    }

    @Test("An admitted token is known and has limits of its own; a retired one is like any wrong one")
    func admission() {
        let meter = meter()
        #expect(meter.ticket(meter.arrive(token: "new", at: 0))?.token == nil)
        meter.admit(token: "new")
        #expect(meter.knows(token: "new"))
        for _ in 0..<16 { meter.leave(meter.arrive(token: "static", at: 0)) }
        #expect(verdict(meter, meter.arrive(token: "static", at: 0)) == .refused(.tokenRate, retryAfter: nil))
        #expect(verdict(meter, meter.arrive(token: "new", at: 0)) == .admitted)
        meter.retire(token: "new")
        #expect(!meter.knows(token: "new"))
        #expect(meter.ticket(meter.arrive(token: "new", at: 0))?.token == nil)
        #expect(meter.knows(token: "static"))
    }

    @Test("A request that arrived with a token keeps its place until it leaves, and then a new token starts afresh")
    func places() {
        let meter = meter()
        meter.admit(token: "old")
        let waiting = (0..<5).map { _ in meter.arrive(token: "old", at: 0) }
        meter.retire(token: "old")
        meter.admit(token: "second")
        #expect(verdict(meter, meter.arrive(token: "second", at: 0)) == .admitted)
        let place = meter.ticket(waiting[0])?.token
        for number in waiting { meter.leave(number) }
        meter.admit(token: "third")
        let reused = (0..<5).map { _ in meter.arrive(token: "third", at: 1) }
        #expect(reused.allSatisfy { verdict(meter, $0) == .admitted })
        #expect(meter.ticket(reused[0])?.token == place)
        meter.admit(token: "third")
        #expect(verdict(meter, meter.arrive(token: "third", at: 1)) == .refused(.tokenConcurrency, retryAfter: 1))
    }
}
