/// The ways an answer can be spoiled.
package enum FaultKind: String, Sendable, CaseIterable {
    /// The connection is reset without an answer.
    case reset
    /// 500 with a JSON body.
    case serverError = "500"
    /// 503 with an HTML body, as a proxy in front of the service gives.
    case unavailable = "503-html"
    /// The whole length is announced, a part is sent, the connection closes.
    case truncate
    /// The body comes in 16 parts, a tenth of a second apart.
    case slow
    /// 429 for the requests of a token in a second.
    case tokenRate = "429-rate"
    /// 429 for the requests of a token in flight, with `retry-after`.
    case tokenConcurrency = "429-concurrent"
    /// 200 with an HTML body.
    case notJSON = "not-json"
    /// 200 with an envelope that has no `elements`.
    case noElements = "no-elements"
    /// The work is done, then the connection is reset instead of the answer.
    case loseAnswer = "lose-answer"
}
