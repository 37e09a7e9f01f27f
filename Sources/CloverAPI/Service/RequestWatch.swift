/// Learns what becomes of a request, which may leave several times. Both are called on any thread and must be quick.
package struct RequestWatch: Sendable {
    /// The request is about to leave, and may be carried out from now on. False withdraws it: it is not sent. Called
    /// under the lock that decides (`Departure`).
    package var departed: @Sendable () -> Bool
    /// It did not leave after all, was refused, or its answer was lost: it is not under way any more. Whether it may have
    /// been carried out all the same.
    package var failed: @Sendable (_ mayHaveActed: Bool) -> Void

    package static let nobody = RequestWatch(departed: { true }, failed: { _ in })

    package init(
        departed: @escaping @Sendable () -> Bool, failed: @escaping @Sendable (_ mayHaveActed: Bool) -> Void
    ) {
        self.departed = departed
        self.failed = failed
    }
}
