/// Observes the transmissions of a request. Both closures are called on any thread and must return quickly.
package struct RequestWatch: Sendable {
    /// Called just before the request is sent; it may be carried out from then on. Returns false to withdraw it, so
    /// that it is not sent. Called under the lock that decides (`Departure`).
    package var departed: @Sendable () -> Bool
    /// Called when a transmission was not sent after all, was refused, or lost its response: it is no longer in flight.
    /// `mayHaveActed` says whether it may still have been carried out.
    package var failed: @Sendable (_ mayHaveActed: Bool) -> Void

    package static let nobody = RequestWatch(departed: { true }, failed: { _ in })

    package init(
        departed: @escaping @Sendable () -> Bool, failed: @escaping @Sendable (_ mayHaveActed: Bool) -> Void
    ) {
        self.departed = departed
        self.failed = failed
    }
}
