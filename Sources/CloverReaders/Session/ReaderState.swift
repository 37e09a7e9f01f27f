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
