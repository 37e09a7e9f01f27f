import Crypto

/// What has passed since the start, as `GET /emulator/stats` shows it.
package struct TrafficStatistics: Sendable {
    /// Requests for records and money received, refused ones included.
    package var requests = 0
    /// Most requests of one token between the arrival of their head and the last byte of their answer, refused ones
    /// included.
    package var peakInFlight = 0
    /// Requests of all tokens under way now, those that wait for a person at a device included.
    package var inFlight = 0
    /// Most requests of one token arriving in any half-open second.
    package var peakPerSecond = 0
    /// The same for all tokens of one app together; a token that belongs to no app is not among them.
    package var appPeakInFlight = 0
    package var appPeakPerSecond = 0
    /// Each app, and each token that is good and has been used.
    package var apps: [TrafficAccount] = []
    package var tokens: [TrafficAccount] = []
    package var rejected: [Refusal: Int] = [:]
    /// Requests that came although their sender had been told to wait longer.
    package var earlyCalls = 0
    /// Answers spoiled on purpose, those to token calls included.
    package var faults = 0
    /// Connections accepted.
    package var connections = 0

    package init() {}

    mutating func add(token gauge: TrafficGauge) {
        peakInFlight = max(peakInFlight, gauge.peakInFlight)
        peakPerSecond = max(peakPerSecond, gauge.peakPerSecond)
    }

    mutating func add(app gauge: TrafficGauge) {
        appPeakInFlight = max(appPeakInFlight, gauge.peakInFlight)
        appPeakPerSecond = max(appPeakPerSecond, gauge.peakPerSecond)
    }

    /// The JSON of the answer.
    package func json(with oauth: OAuthStatistics, _ money: MoneyReport) -> JSONValue {
        .object([
            ("requests", .integer(requests)), ("inFlight", .integer(inFlight)),
            ("peakInFlight", .integer(peakInFlight)),
            ("peakPerSecond", .integer(peakPerSecond)), ("appPeakInFlight", .integer(appPeakInFlight)),
            ("appPeakPerSecond", .integer(appPeakPerSecond)),
            ("rejected", .object(Refusal.allCases.map { ($0.rawValue, .integer(rejected[$0] ?? 0)) })),
            ("earlyCalls", .integer(earlyCalls)), ("faults", .integer(faults)), ("connections", .integer(connections)),
            ("refreshes", .integer(oauth.refreshes)), ("charges", .integer(money.charges)),
            ("duplicateCharges", .integer(money.duplicateCharges)), ("movedByKey", money.movedByKey),
            ("refreshesRefused", .integer(oauth.refreshesRefused)), ("codesIssued", .integer(oauth.codesIssued)),
            ("codesSpent", .integer(oauth.codesSpent)), ("codesRefused", .integer(oauth.codesRefused)),
            ("tokensIssued", .integer(oauth.tokensIssued)), ("answersLost", .integer(oauth.answersLost)),
            ("apps", .array(apps.map(\.json))), ("tokens", .array(tokens.map(\.json))),
        ])
    }
}

/// The traffic of one token or app, under a name that gives no secret away.
package struct TrafficAccount: Sendable {
    /// Nil for an app with all its tokens.
    package let token: String?
    /// Nil for an app.
    package let merchantID: String?
    /// Nil for a token that belongs to no app.
    package let appID: String?
    package let gauge: TrafficGauge

    /// The first 12 hexadecimal digits of the token's SHA-256.
    package static func name(of token: String) -> String {
        SHA256.hash(data: Array(token.utf8)).prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        if let token { members.append(("tokenHash", .string(Self.name(of: token)))) }
        if let merchantID { members.append(("merchantId", .string(merchantID))) }
        members.append(("appId", appID.map { .string($0) } ?? .null))
        return .object(members + gauge.members)
    }
}

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
