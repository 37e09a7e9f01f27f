/// A line about a session, as users see it and as other processes read it.
package struct SessionReport: Codable, Sendable, Equatable {
    package enum Event: String, Codable, Sendable {
        case state, battery
    }

    package let event: Event
    package let reader: String
    package let name: String?
    package let transport: String
    package let state: String
    /// 0...1; only in the state `updatingFW`.
    package let progress: Double?
    package let battery: Int?
    package let firmware: String?
    package let serial: String?
    /// Milliseconds since 1970.
    package let at: Int64

    package init(_ report: ReaderTracker.Report, of tracker: ReaderTracker, at: Int64) {
        switch report {
        case .state: event = .state
        case .battery: event = .battery
        }
        reader = tracker.reader.id
        name = tracker.reader.name
        transport = tracker.reader.transport.rawValue
        state = tracker.state.rawValue
        progress = tracker.progress
        battery = tracker.reader.battery
        firmware = tracker.reader.firmware
        serial = tracker.reader.serial
        self.at = at
    }

    private init(_ other: SessionReport, state: ReaderState, at: Int64) {
        event = .state
        reader = other.reader
        name = other.name
        transport = other.transport
        self.state = state.rawValue
        progress = nil
        battery = other.battery
        firmware = other.firmware
        serial = other.serial
        self.at = at
    }

    /// The end of the session that nobody could tell of any more.
    package func disconnected(at: Int64) -> SessionReport {
        SessionReport(self, state: .disconnected, at: at)
    }

    /// Whether the session is over.
    package var isEnd: Bool { state == ReaderState.disconnected.rawValue }
}
