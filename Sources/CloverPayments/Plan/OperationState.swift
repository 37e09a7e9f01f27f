/// Where an operation is. Only what is permitted by `permits` ever comes after another.
package enum OperationState: String, Codable, Sendable, CaseIterable {
    /// Written down; nothing has left, or what left was refused by a limit before anything was done.
    case created
    /// Written down as leaving: from now on it may be carried out.
    case sent
    /// Carried out.
    case approved
    /// The card, its bank or the service said no: nothing moved.
    case declined
    /// Stopped before the card was read: nothing moved.
    case cancelled
    /// It cannot have been carried out: never sent, not understood, or refused at the door.
    case failed
    /// It may have been carried out, and no answer says so.
    case unknown

    /// Nothing comes after it, but for the correction of what a person said.
    package var isFinal: Bool {
        switch self {
        case .approved, .declined, .cancelled, .failed: true
        case .created, .sent, .unknown: false
        }
    }

    /// Whether `next` may follow. `sent` and `unknown` may follow themselves: sent again under the same key, and still
    /// unknown for another reason.
    package func permits(_ next: OperationState) -> Bool {
        switch (self, next) {
        // From `sent` back to `created` goes what a limit refused, because that did nothing.
        // A card may be refused while it is made into a token.
        case (.created, .sent), (.created, .declined), (.created, .cancelled), (.created, .failed): true
        case (.unknown, .created): false
        case (.sent, _), (.unknown, _): true
        default: false
        }
    }
}
