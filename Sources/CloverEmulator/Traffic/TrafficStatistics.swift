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
