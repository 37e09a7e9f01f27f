/// What the limits say to a request.
package enum Verdict: Sendable, Equatable {
    case admitted
    /// 429. `retryAfter` is in seconds and comes with the concurrency limits only.
    case refused(Refusal, retryAfter: Int?)
}
