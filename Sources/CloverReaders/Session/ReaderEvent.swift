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
