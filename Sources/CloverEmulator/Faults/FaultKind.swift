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

    // Those of payments, by card or by device.

    /// The work is done, then 500 instead of the answer.
    case serverErrorAfter = "500-after"
    /// The card takes its time.
    case slowCard = "slow-card"
    /// The card is declined.
    case decline
    /// The card is declined with the status 500, which the page of the test cards names.
    case declineAsError = "decline-500"
    /// The key is said to belong to another call.
    case keyClash = "key-clash"
    /// The key is not remembered, as when its life is over: the same call again is done again.
    case forgetKey = "forget-key"
    /// The card's token is said to be used.
    case tokenUsed = "token-used"
    /// Half of the amount is approved.
    case partial
    /// Approved, and noticed as a likely repetition.
    case duplicate
    /// Approved with a signature.
    case signature
    /// The customer cancels at the device: 209.
    case cancel
    /// The device is busy with something else: 503.
    case busy
    /// The device cannot do it: 501.
    case unsupported
    /// The device does the work, but too late: 504.
    case deviceTimeout = "timeout"

    /// Whether only payments have it.
    package var isOfPayments: Bool {
        switch self {
        case .reset, .serverError, .unavailable, .truncate, .slow, .tokenRate, .tokenConcurrency, .notJSON, .noElements,
            .loseAnswer:
            false
        case .serverErrorAfter, .slowCard, .decline, .declineAsError, .keyClash, .forgetKey, .tokenUsed, .partial,
            .duplicate, .signature, .cancel, .busy, .unsupported, .deviceTimeout:
            true
        }
    }
}
