/// What is asked of Clover under one idempotency key.
package enum OperationKind: String, Codable, Sendable, CaseIterable {
    case charge
    case capture
    case void
    case refund
    case tip
    case increment
    case receipt

    /// Whether money moves by it, or is held.
    package var movesMoney: Bool { self != .receipt }
}
