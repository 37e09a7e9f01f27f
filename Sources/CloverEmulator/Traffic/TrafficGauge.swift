/// What has come from one token, or from one app with all its tokens. Times are nanoseconds that never fall.
package struct TrafficGauge: Sendable {
    private static let millisecond = 1_000_000

    private var arrivals = SlidingWindow()
    /// Requests received, refused ones included.
    package private(set) var requests = 0
    package private(set) var inFlight = 0
    /// Requests that wait for a person at a device.
    package private(set) var waiting = 0
    package private(set) var peakInFlight = 0
    package private(set) var peakPerSecond = 0
    package private(set) var rejected: [Refusal: Int] = [:]
    private var firstArrival: Int?
    private var lastArrival = 0

    package init() {}

    /// True when none of its requests is under way.
    var isIdle: Bool { inFlight + waiting == 0 }

    /// From the first request to the newest.
    package var spanInMilliseconds: Int { (lastArrival - (firstArrival ?? lastArrival)) / Self.millisecond }

    mutating func arrive(isWaiting: Bool, at now: Int) {
        requests += 1
        if firstArrival == nil { firstArrival = now }
        lastArrival = now
        if isWaiting { waiting += 1 } else { inFlight += 1 }
        peakInFlight = max(peakInFlight, inFlight)
        peakPerSecond = max(peakPerSecond, arrivals.add(now))
    }

    mutating func refuse(_ refusal: Refusal) { rejected[refusal, default: 0] += 1 }

    mutating func leave(isWaiting: Bool) {
        if isWaiting { waiting -= 1 } else { inFlight -= 1 }
    }

    /// What `GET /emulator/stats` shows of it.
    var members: [(key: String, value: JSONValue)] {
        [
            ("requests", .integer(requests)), ("spanMilliseconds", .integer(spanInMilliseconds)),
            ("inFlight", .integer(inFlight + waiting)), ("peakInFlight", .integer(peakInFlight)),
            ("peakPerSecond", .integer(peakPerSecond)),
            ("rejected", .object(Refusal.allCases.map { ($0.rawValue, .integer(rejected[$0] ?? 0)) })),
        ]
    }
}
