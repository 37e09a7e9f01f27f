/// Hooks and cancellation for one send.
package struct RequestTerms: Sendable {
    /// Cancels the request's waits; nil waits without limit.
    package var waits: WaitSwitch?
    /// True if cancelling ends every wait. Otherwise it only ends long pauses by the service, because the request is
    /// still wanted.
    package var endsEveryWait = false
    /// Called before each transmission, before the first byte is sent. If it throws, the request is not sent.
    package var willLeave: @Sendable () async throws -> Void = {}
    /// Called when a transmission had no effect, because it was held back or refused with a 429 (`isRefused`), and will
    /// be retried.
    package var didNothing: @Sendable (_ isRefused: Bool) async -> Void = { _ in }

    package static let usual = RequestTerms()

    package init() {}
}
