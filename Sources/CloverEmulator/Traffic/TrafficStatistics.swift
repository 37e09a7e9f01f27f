/// Statistics since the start, as `GET /emulator/stats` shows them.
package struct TrafficStatistics: Sendable {
    /// Record and payment requests received, including refused ones.
    package var requests = 0
    /// Peak number of one token's requests between the arrival of their head and the last byte of their response,
    /// including refused ones.
    package var peakInFlight = 0
    /// Requests of all tokens in progress, including those that wait for a person at a device.
    package var inFlight = 0
    /// Peak number of one token's requests arriving in any half-open second.
    package var peakPerSecond = 0
    /// The same for all tokens of one app together; tokens without an app are excluded.
    package var appPeakInFlight = 0
    package var appPeakPerSecond = 0
    /// Each app, and each valid token that has been used.
    package var apps: [TrafficAccount] = []
    package var tokens: [TrafficAccount] = []
    package var rejected: [LimitKind: Int] = [:]
    /// Requests that came although their sender had been asked to wait longer.
    package var earlyCalls = 0
    /// Requests that got a fault, including token calls.
    package var faults = 0
    /// Connections accepted.
    package var connections = 0

    mutating func add(_ gauge: TrafficGauge, isApp: Bool) {
        if isApp {
            appPeakInFlight = max(appPeakInFlight, gauge.peakInFlight)
            appPeakPerSecond = max(appPeakPerSecond, gauge.peakPerSecond)
        } else {
            peakInFlight = max(peakInFlight, gauge.peakInFlight)
            peakPerSecond = max(peakPerSecond, gauge.peakPerSecond)
        }
    }

    package func json(with oauth: OAuthStatistics, _ money: PaymentReport) -> JSONValue {
        [
            "requests": .integer(requests), "inFlight": .integer(inFlight), "peakInFlight": .integer(peakInFlight),
            "peakPerSecond": .integer(peakPerSecond), "appPeakInFlight": .integer(appPeakInFlight),
            "appPeakPerSecond": .integer(appPeakPerSecond),
            "rejected": .object(LimitKind.allCases.map { ($0.rawValue, .integer(rejected[$0] ?? 0)) }),
            "earlyCalls": .integer(earlyCalls), "faults": .integer(faults), "connections": .integer(connections),
            "refreshes": .integer(oauth.refreshes), "charges": .integer(money.charges),
            "duplicateCharges": .integer(money.duplicateCharges), "movedByKey": money.movedByKey,
            "refreshesRefused": .integer(oauth.refreshesRefused), "codesIssued": .integer(oauth.codesIssued),
            "codesSpent": .integer(oauth.codesSpent), "codesRefused": .integer(oauth.codesRefused),
            "tokensIssued": .integer(oauth.tokensIssued), "answersLost": .integer(oauth.answersLost),
            "apps": .array(apps.map(\.json)), "tokens": .array(tokens.map(\.json)),
        ]
    }
}

/// The traffic of one token or app, under a name that reveals no secret.
package struct TrafficAccount: Sendable {
    /// Nil for an app.
    package let token: String?
    /// Nil for an app.
    package let merchantID: String?
    /// Nil for a token without an app.
    package let appID: String?
    package let gauge: TrafficGauge

    /// The first 12 hexadecimal digits of the token's SHA-256.
    package static func name(of token: String) -> String {
        SHA256.hash(Array(token.utf8)).prefix(6).map { $0.digits(2, radix: 16) }.joined()
    }

    var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        if let token { members.append(("tokenHash", .string(Self.name(of: token)))) }
        if let merchantID { members.append(("merchantId", .string(merchantID))) }
        members.append(("appId", appID.map { .string($0) } ?? .null))
        return .object(members + gauge.members)
    }
}

/// The traffic of one token, or of one app with all its tokens. Times are in nanoseconds, never decreasing.
package struct TrafficGauge: Sendable {
    private static let millisecond = 1_000_000

    private var arrivals = SlidingWindow()
    /// Requests received, including refused ones.
    package private(set) var requests = 0
    package private(set) var inFlight = 0
    package private(set) var waiting = 0
    package private(set) var peakInFlight = 0
    package private(set) var peakPerSecond = 0
    package private(set) var rejected: [LimitKind: Int] = [:]
    private var firstArrival: Int?
    private var lastArrival = 0

    /// Whether none of its requests is in progress.
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

    mutating func refuse(_ refusal: LimitKind) { rejected[refusal, default: 0] += 1 }

    mutating func leave(isWaiting: Bool) {
        if isWaiting { waiting -= 1 } else { inFlight -= 1 }
    }

    /// The members in `GET /emulator/stats`.
    var members: [(key: String, value: JSONValue)] {
        [
            ("requests", .integer(requests)), ("spanMilliseconds", .integer(spanInMilliseconds)),
            ("inFlight", .integer(inFlight + waiting)), ("peakInFlight", .integer(peakInFlight)),
            ("peakPerSecond", .integer(peakPerSecond)),
            ("rejected", .object(LimitKind.allCases.map { ($0.rawValue, .integer(rejected[$0] ?? 0)) })),
        ]
    }
}
