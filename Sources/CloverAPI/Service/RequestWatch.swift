/// Learns what becomes of a request, which may leave several times. Both are called on any thread and must be quick.
package struct RequestWatch: Sendable {
    /// It is about to leave: from now on it may be carried out.
    package var departed: @Sendable () -> Void
    /// It did not leave after all, was refused, or its answer was lost: it is not under way any more. Whether it may have
    /// been carried out all the same.
    package var failed: @Sendable (_ mayHaveActed: Bool) -> Void

    package static let nobody = RequestWatch(departed: {}, failed: { _ in })

    package init(
        departed: @escaping @Sendable () -> Void, failed: @escaping @Sendable (_ mayHaveActed: Bool) -> Void
    ) {
        self.departed = departed
        self.failed = failed
    }
}
