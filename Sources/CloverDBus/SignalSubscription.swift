/// A wish to hear signals.
final class SignalSubscription: Sendable {
    /// The rule's text.
    let rule: String
    let stream: AsyncThrowingStream<DBusSignal, any Error>.Continuation
    /// Given when the bus confirmed the rule.
    let installed = Answer<Void>()

    init(rule: String, stream: AsyncThrowingStream<DBusSignal, any Error>.Continuation) {
        self.rule = rule
        self.stream = stream
    }

    /// Ends it for whoever waits for it or reads from it.
    func end(_ error: DBusError) {
        installed.give(.failure(error))
        stream.finish(throwing: error)
    }
}
