import CloverEmulator
import Testing

@Suite("Limits")
struct LimitLawTests {
    private let millisecond = 1_000_000
    private var second: Int { 1000 * millisecond }

    /// Five tokens, with the indexes 1 to 5, of the app with the index 0.
    private func law(tokens: Int = 5) -> RequestLimiter {
        var law = RequestLimiter(limits: TrafficLimits())
        let app = law.addApp()
        for _ in 0..<tokens { _ = law.addToken(app: app) }
        return law
    }

    @Test("Admits 16 requests of a token per half-open second")
    func tokenRate() {
        var law = law()
        for request in 0..<16 {
            let verdict = law.arrive(token: 1, at: request)
            #expect(verdict == .admitted)
            law.leave(token: 1, verdict: verdict)
        }
        #expect(law.arrive(token: 1, at: second - 1) == .refused(.tokenRate, retryAfter: nil))
        #expect(law.arrive(token: 2, at: second - 1) == .admitted)
        #expect(law.arrive(token: 1, at: second) == .admitted)
        #expect(law.arrive(token: 1, at: second) == .refused(.tokenRate, retryAfter: nil))
    }

    @Test("Admits 50 requests per second of an app with all its tokens")
    func appRate() {
        var law = law()
        for request in 0..<50 {
            let verdict = law.arrive(token: 1 + request % 5, at: 0)
            #expect(verdict == .admitted)
            law.leave(token: 1 + request % 5, verdict: verdict)
        }
        #expect(law.arrive(token: 1, at: 1) == .refused(.appRate, retryAfter: nil))
    }

    @Test("A sixth request of a token in flight is refused with a wait")
    func tokenConcurrency() {
        var law = law()
        for _ in 0..<5 { #expect(law.arrive(token: 1, at: 0) == .admitted) }
        #expect(law.arrive(token: 1, at: 1) == .refused(.tokenConcurrency, retryAfter: 1))
        #expect(law.arrive(token: 2, at: 1) == .admitted)
    }

    @Test("An eleventh request of an app in flight is refused with a wait")
    func appConcurrency() {
        var law = law()
        for request in 0..<10 { #expect(law.arrive(token: 1 + request / 4, at: 0) == .admitted) }
        #expect(law.arrive(token: 4, at: 1) == .refused(.appConcurrency, retryAfter: 1))
    }

    @Test("A request before the end of the wait extends it; afterwards requests are admitted")
    func earlyCalls() {
        var law = law()
        for _ in 0..<5 { _ = law.arrive(token: 1, at: 0) }
        let first = law.arrive(token: 1, at: 0)
        #expect(first == .refused(.tokenConcurrency, retryAfter: 1))
        // Another request sent before the first refusal was written: its sender could not know.
        #expect(law.arrive(token: 1, at: 1) == .refused(.tokenConcurrency, retryAfter: 1))
        law.leave(token: 1, verdict: first)
        for _ in 0..<5 { law.leave(token: 1, verdict: .admitted) }
        #expect(law.arrive(token: 1, at: second / 2) == .refused(.tokenConcurrency, retryAfter: 2))
        #expect(law.arrive(token: 1, at: second) == .refused(.tokenConcurrency, retryAfter: 4))
        #expect(law.arrive(token: 1, at: 5 * second) == .admitted)
        for _ in 0..<4 { _ = law.arrive(token: 1, at: 5 * second) }
        #expect(law.arrive(token: 1, at: 5 * second) == .refused(.tokenConcurrency, retryAfter: 1))
    }

    @Test("The meter counts what it refuses, and without enforcement refuses nothing")
    func meter() {
        for isEnforced in [true, false] {
            let meter = TrafficMeter(isEnforced: isEnforced)
            for token in ["a", "b"] { meter.admit(token: token, of: TokenOwner(merchantID: "SHOP", appID: "APP")) }
            let numbers = (0..<20).map { meter.arrive(token: "a", at: $0) }
            let unknown = meter.arrive(token: "c", at: 30)
            #expect(meter.ticket(unknown)?.token == nil)
            let statistics = meter.statistics
            #expect(statistics.requests == 21)
            #expect(statistics.peakInFlight == 20)
            #expect(statistics.peakPerSecond == 20)
            #expect(statistics.inFlight == 20)
            #expect(statistics.rejected.values.reduce(0, +) == (isEnforced ? 15 : 0))
            for number in numbers { meter.leave(number, at: 1) }
            meter.leave(numbers[0], at: 1)
            #expect(meter.statistics.inFlight == 0)
            _ = meter.arrive(token: "a", at: second * 2)
            #expect(meter.statistics.peakPerSecond == 20)
        }
    }

    @Test("The busiest second is found wherever it begins")
    func window() {
        var window = SlidingWindow()
        var peak = 0
        for time in [0, 900, 950, 999, 1000, 1899, 1900, 5000] { peak = max(peak, window.add(time * millisecond)) }
        #expect(peak == 5)
        #expect(window.count(at: 7000 * millisecond) == 0)
    }

    @Test("Each limit has its own header")
    func headers() {
        let headers = LimitKind.allCases.map { "\($0.header): \($0.limit(in: TrafficLimits()))" }
        #expect(
            headers == [
                "X-RateLimit-tokenLimit: 16", "X-RateLimit-crossTokenLimit: 50", "X-RateLimit-tokenConcurrentLimit: 5",
                "X-RateLimit-crossTokenConcurrentLimit: 10",
            ])
    }
}
