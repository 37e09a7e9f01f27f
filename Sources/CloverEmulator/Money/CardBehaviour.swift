/// What the card that is shown to a device does.
package enum CardBehaviour: String, Sendable, CaseIterable {
    case approve
    case decline
    /// Half of the amount is approved.
    case partial
    /// Approved, and noticed as a likely repetition.
    case duplicate
    /// Approved with a signature.
    case signature
    /// Approved by the device alone, without network.
    case offline
    /// The customer cancels.
    case cancel
}
