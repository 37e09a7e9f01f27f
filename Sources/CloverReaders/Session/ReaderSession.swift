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

/// Where the session with a reader stands. The words are those of Clover's own SDK (iOS, device connection).
package enum ReaderState: String, Sendable, CaseIterable {
    /// The link stands; the reader checks its configuration.
    case initializing
    /// Firmware or keys are being renewed.
    case updatingFW
    /// It takes cards.
    case ready
    /// It takes cards, but its charge is below `ReaderRules.lowBattery`.
    case lowBattery
    /// There is no session.
    case disconnected
}

/// What a session tells, as the driver heard it. `ReaderTracker` makes of it what a user sees, without repetitions.
package enum ReaderEvent: Sendable, Equatable {
    /// A step of the session.
    case state(ReaderState)
    /// How far the update of firmware or keys is, 0...1. Means the state `updatingFW`.
    case progress(Double)
    /// The charge in percent, 0...100. The state `lowBattery` follows from it and needs no event of its own.
    case battery(Int)
    /// The reader cannot be used before this is done. The session waits for `ReaderSession.answerUpdate`.
    case updateNeeded(ReaderUpdate)
    /// Facts that became known after connecting: what is not nil replaces what was known.
    case details(Reader)
}

/// Makes of a session's events what a user sees: each change once, `lowBattery` told from the charge.
package struct ReaderTracker: Sendable {
    /// Something that a user is told.
    package enum Report: Sendable, Equatable {
        /// The state, and how far an update is, 0...1; nil in every other state.
        case state(ReaderState, progress: Double?)
        /// The charge changed, and the state did not.
        case battery(Int)
    }

    /// What is known of the reader.
    package private(set) var reader: Reader
    package private(set) var state = ReaderState.disconnected
    package private(set) var progress: Double?

    package init(_ reader: Reader) {
        self.reader = reader
    }

    /// What there is to tell after the event; nil when nothing changed.
    package mutating func take(_ event: ReaderEvent) -> Report? {
        let before = self
        switch event {
        case .state(let new):
            // A driver that knows of the charge by itself may say `lowBattery`, and takes it back by `ready`.
            move(to: new == .ready && isLow ? .lowBattery : new)
        case .progress(let share):
            move(to: .updatingFW)
            progress = share
        case .battery(let percent):
            reader.battery = percent
            if state == .ready || state == .lowBattery { move(to: isLow ? .lowBattery : .ready) }
        case .updateNeeded:
            break
        case .details(let facts):
            reader.learn(facts)
            if state == .ready, isLow { move(to: .lowBattery) }
        }
        if state != before.state || progress != before.progress { return .state(state, progress: progress) }
        if let battery = reader.battery, battery != before.reader.battery { return .battery(battery) }
        return nil
    }

    private var isLow: Bool { reader.battery.map { $0 < ReaderRules.lowBattery } ?? false }

    private mutating func move(to new: ReaderState) {
        state = new
        if new != .updatingFW { progress = nil }
        reader.connected = new != .disconnected
    }
}

/// What a reader needs before it can be used.
package enum ReaderUpdate: Sendable, Equatable {
    /// New firmware; the version where it is known.
    case firmware(version: String?)
    /// New encryption keys.
    case keys
}
