/// A wish to hear signals.
final class SignalSubscription: Sendable {
    /// The rules' texts.
    let rules: [String]
    let stream: AsyncThrowingStream<DBusSignal, any Error>.Continuation
    /// Given when the bus confirmed every rule.
    let installed = Answer<Void>()

    init(rules: [String], stream: AsyncThrowingStream<DBusSignal, any Error>.Continuation) {
        self.rules = rules
        self.stream = stream
    }

    /// Ends it for whoever waits for it or reads from it.
    func end(_ error: DBusError) {
        installed.give(.failure(error))
        stream.finish(throwing: error)
    }
}
