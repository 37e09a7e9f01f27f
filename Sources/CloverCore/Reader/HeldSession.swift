import CloverReaders

/// A session, and the reader of it, which no other process has meanwhile.
struct HeldSession: Sendable {
    let session: any ReaderSession
    let hold: ReaderHold

    /// Ends the session; a signal waits for that.
    /// - Parameter keepingLink: leaves the link up where the transport can keep it without us.
    func end(keepingLink: Bool = false, in environment: CommandEnvironment) async {
        environment.criticalWork.begin()
        if keepingLink { await session.release() } else { await session.disconnect() }
        environment.criticalWork.end()
        withExtendedLifetime(hold) {}
    }
}
