/// A session with one reader. Whoever began it ends it with `disconnect`.
package protocol ReaderSession: Sendable {
    /// What the driver knew of the reader when the session began.
    var reader: Reader { get }

    /// Waits for the next event; called by one task at a time.
    /// - Returns: nil after `disconnected`, when nothing will come any more.
    /// - Throws: `ReaderError` when the session broke, `CancellationError` when the task was cancelled.
    func nextEvent() async throws -> ReaderEvent?

    /// Lets the update of an `updateNeeded` begin, or refuses it, which ends the session. Only drivers that tell of
    /// updates are asked.
    func answerUpdate(_ mayBegin: Bool) async throws

    /// Ends the session and gives back everything it holds; does nothing the second time. Works in a cancelled task
    /// too, and takes a few seconds at most.
    func disconnect() async

    /// Gives back what this process holds, and leaves the link up where the transport can keep it without us (BlueZ
    /// does); elsewhere the same as `disconnect`.
    func release() async
}

extension ReaderSession {
    package func answerUpdate(_ mayBegin: Bool) async throws {}

    package func release() async { await disconnect() }
}
