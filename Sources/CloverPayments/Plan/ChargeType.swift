/// What is done with the money at once, and what may follow (Clover: transaction types).
package enum ChargeType: String, Codable, Sendable, CaseIterable {
    /// Final and captured: nothing changes later but by voids and refunds.
    case sale
    /// Captured, and a tip may be set until closeout.
    case auth
    /// Held until it is captured.
    case preauth

    /// `final` of the pay request: no later tip, no later capture.
    package var isFinal: Bool { self == .sale }

    /// `capture` of the pay request.
    package var isCaptured: Bool { self != .preauth }

    /// The type that a pair of the request means.
    ///
    /// - Returns: nil for the pair that is none: final and not captured.
    package init?(isFinal: Bool, isCaptured: Bool) {
        switch (isFinal, isCaptured) {
        case (true, true): self = .sale
        case (false, true): self = .auth
        case (false, false): self = .preauth
        case (true, false): return nil
        }
    }
}
