/// A session with one reader. The caller that starts it ends it with `disconnect`.
package protocol ReaderSession: Sendable {
    /// The reader as the driver knew it when the session started.
    var reader: Reader { get }

    /// Waits for the next event; only one task may wait at a time.
    /// - Returns: nil after `disconnected`, when there are no more events.
    /// - Throws: `ReaderError` if the session was lost, `CancellationError` if the task was cancelled.
    func nextEvent() async throws -> ReaderEvent?

    /// Accepts or refuses the update of an `updateNeeded` event; refusing ends the session. Called only for drivers that
    /// report updates.
    func respondToUpdate(_ mayBegin: Bool) async throws

    /// Ends the session and releases everything it holds; a second call does nothing. Works in a cancelled task too, and
    /// takes a few seconds at most.
    func disconnect() async

    /// Releases what this process holds, but keeps the connection where the transport can keep it without this process
    /// (BlueZ can); otherwise the same as `disconnect`.
    func release() async
}

extension ReaderSession {
    package func respondToUpdate(_ mayBegin: Bool) async throws {}

    package func release() async { await disconnect() }
}

/// The state of a session. The values are those of Clover's own SDK (iOS, device connection).
package enum ReaderState: String, Sendable, CaseIterable {
    /// Connected; the reader is checking its configuration.
    case initializing
    /// Firmware or keys are being updated.
    case updatingFW
    case ready
    /// Ready to take cards, but the battery level is below `ReaderRules.lowBattery`.
    case lowBattery
    case disconnected
}

/// An event of a session, as the driver reports it. `ReaderTracker` turns events into reports for the user, without
/// repetition.
package enum ReaderEvent: Sendable, Equatable {
    case state(ReaderState)
    /// Progress of the firmware or key update, 0...1. Implies the state `updatingFW`.
    case progress(Double)
    /// Battery level in percent, 0...100. The state `lowBattery` is derived from it and needs no event.
    case battery(Int)
    /// The reader cannot be used until this is done. The session waits for `ReaderSession.respondToUpdate`.
    case updateNeeded(ReaderUpdate)
    /// Properties that became known after connecting: those that are not nil replace the earlier ones.
    case details(Reader)
}

/// Turns a session's events into reports for the user: each change once, with `lowBattery` derived from the battery level.
package struct ReaderTracker: Sendable {
    package enum Report: Sendable, Equatable {
        /// The state, and the progress of an update, 0...1; nil in every other state.
        case state(ReaderState, progress: Double?)
        /// The battery level changed, but the state did not.
        case battery(Int)
    }

    /// The reader with all properties known so far.
    package private(set) var reader: Reader
    package private(set) var state = ReaderState.disconnected
    package private(set) var progress: Double?

    package init(_ reader: Reader) {
        self.reader = reader
    }

    /// Takes in an event.
    ///
    /// - Returns: what to report; nil if nothing changed.
    package mutating func take(_ event: ReaderEvent) -> Report? {
        let before = self
        switch event {
        case .state(let new):
            // A driver that monitors the battery itself may report `lowBattery`, and revokes it with `ready`.
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

/// An update that a reader needs before it can be used.
package enum ReaderUpdate: Sendable, Equatable {
    /// New firmware, with its version if known.
    case firmware(version: String?)
    case keys
}
