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
