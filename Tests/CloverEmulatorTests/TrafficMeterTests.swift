import CloverEmulator
import Testing

@Suite("Tokens at the meter")
struct TrafficMeterTests {
    private static let owner = TokenOwner(merchantID: "SHOP", appID: "APP")

    private func meter() -> TrafficMeter {
        let meter = TrafficMeter(isEnforced: true)
        meter.admit(token: "static", of: Self.owner)
        return meter
    }

    private func verdict(_ meter: TrafficMeter, _ number: Int) -> LimitDecision? {
        meter.ticket(number)?.verdict
    }

    @Test("An admitted token has separate limits; a retired one is invalid")
    func admission() {
        let meter = meter()
        #expect(meter.ticket(meter.arrive(token: "new", at: 0))?.token == nil)
        meter.admit(token: "new", of: Self.owner)
        #expect(meter.owner(of: "new") == Self.owner)
        for _ in 0..<16 { meter.leave(meter.arrive(token: "static", at: 0), at: 0) }
        #expect(verdict(meter, meter.arrive(token: "static", at: 0)) == .refused(.tokenRate, retryAfter: nil))
        #expect(verdict(meter, meter.arrive(token: "new", at: 0)) == .admitted)
        meter.retire(token: "new")
        #expect(meter.owner(of: "new") == nil)
        #expect(meter.ticket(meter.arrive(token: "new", at: 0))?.token == nil)
        #expect(meter.owner(of: "static") == Self.owner)
    }

    @Test("Reuses a retired token's entry only after its last request has ended")
    func places() {
        let meter = meter()
        meter.admit(token: "old", of: Self.owner)
        let waiting = (0..<5).map { _ in meter.arrive(token: "old", at: 0) }
        meter.retire(token: "old")
        meter.admit(token: "second", of: Self.owner)
        #expect(verdict(meter, meter.arrive(token: "second", at: 0)) == .admitted)
        let place = meter.ticket(waiting[0])?.token
        for number in waiting { meter.leave(number, at: 1) }
        meter.admit(token: "third", of: Self.owner)
        let reused = (0..<5).map { _ in meter.arrive(token: "third", at: 1) }
        #expect(reused.allSatisfy { verdict(meter, $0) == .admitted })
        #expect(meter.ticket(reused[0])?.token == place)
        meter.admit(token: "third", of: Self.owner)
        #expect(verdict(meter, meter.arrive(token: "third", at: 1)) == .refused(.tokenConcurrency, retryAfter: 1))
    }

    @Test("Counts apps separately, and a token without an app for none")
    func apps() throws {
        let meter = TrafficMeter(apps: ["A", "B"], isEnforced: true)
        let owners = [("a1", "A"), ("a2", "A"), ("a3", "A"), ("a4", "A"), ("b", "B"), ("own", nil)]
        for (token, app) in owners { meter.admit(token: token, of: TokenOwner(merchantID: "SHOP", appID: app)) }
        for token in ["a1", "a2", "a3"] {
            for _ in 0..<16 { meter.leave(meter.arrive(token: token, at: 0), at: 0) }
        }
        let last = (0..<3).map { _ in meter.arrive(token: "a4", at: 0) }
        #expect(last.map { verdict(meter, $0) } == [.admitted, .admitted, .refused(.appRate, retryAfter: nil)])
        #expect(verdict(meter, meter.arrive(token: "b", at: 0)) == .admitted)
        #expect(verdict(meter, meter.arrive(token: "own", at: 0)) == .admitted)
        let statistics = meter.statistics
        #expect(statistics.apps.map(\.appID) == ["A", "B"])
        #expect(statistics.apps.map(\.gauge.requests) == [51, 1])
        #expect(statistics.apps.map { $0.gauge.rejected[.appRate] ?? 0 } == [1, 0])
        #expect(statistics.tokens.map(\.gauge.requests) == [16, 16, 16, 3, 1, 1])
        #expect(statistics.appPeakPerSecond == 51)
    }

    @Test("Logs the times of arrival and response of each request")
    func log() throws {
        let meter = meter()
        let first = meter.arrive(token: "static", request: "GET /a", at: 5_000_000)
        let second = meter.arrive(token: nil, request: "GET /b", at: 7_000_000)
        meter.leave(second, at: 9_000_000)
        var writer = JSONWriter(capacity: 512)
        meter.log.json.write(to: &writer)
        let entries = try Node(writer.bytes()).elements
        #expect(entries.map { $0["number"]?.integer } == [first, second])
        #expect(entries.map { $0["request"]?.text } == ["GET /a", "GET /b"])
        #expect(entries.map { $0["arrivedMilliseconds"]?.integer } == [0, 2])
        #expect(entries.map { $0["leftMilliseconds"]?.integer } == [nil, 4])
        #expect(entries.map { $0["merchantId"]?.text } == ["SHOP", nil])
    }
}
