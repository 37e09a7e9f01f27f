/// What a session has to tell and nobody has asked for yet. Of a charge that changes only the newest is kept, so that it
/// does not grow while nobody asks.
struct SessionNews: Sendable {
    /// What whoever waits is told.
    enum Item: Sendable {
        case event(ReaderEvent)
        case end
    }

    private var events: [ReaderEvent] = []
    private var isEnded = false
    private var error: (any Error)?

    mutating func add(_ event: ReaderEvent) {
        guard !isEnded else { return }
        if case .battery = event, case .battery = events.last { events.removeLast() }
        events.append(event)
    }

    /// The first end counts, but for one by cancellation, which only says that the end was asked for.
    mutating func end(_ error: (any Error)?) {
        guard !isEnded, !(error is CancellationError) else { return }
        isEnded = true
        self.error = error
    }

    /// Nil while there is nothing.
    mutating func next() throws -> Item? {
        if !events.isEmpty { return .event(events.removeFirst()) }
        if let error { throw error }
        return isEnded ? .end : nil
    }
}
