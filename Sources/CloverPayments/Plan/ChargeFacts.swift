/// What a charge amounts to after everything that came after it.
package struct ChargeFacts: Sendable, Equatable {
    package let type: ChargeType
    /// Approved, with its increments; in the smallest unit like all others here.
    package let held: Int64
    package let isCaptured: Bool
    package let captured: Int64
    package let refunded: Int64
    package let isVoided: Bool
    /// The tip as it is now; nil when there is none.
    package let tip: Int64?

    /// What can still be given back, the tip counted in.
    package var rest: Int64 { isCaptured ? max(0, captured + (tip ?? 0) - refunded) : 0 }

    /// - Parameter followUps: what came after the charge, the oldest first.
    package init(_ charge: PaymentOperation, _ followUps: [PaymentOperation]) {
        let done = followUps.filter { $0.state == .approved }
        func amounts(_ kind: OperationKind) -> [Int64] {
            done.filter { $0.kind == kind }.map { $0.outcome.amount ?? $0.amount?.minorUnits ?? 0 }
        }
        // An increment asks for an amount and may be answered with the whole payment.
        let increments = done.filter { $0.kind == .increment }.map { $0.amount?.minorUnits ?? 0 }
        let type = charge.request.type ?? .sale
        let approved = charge.state == .approved ? charge.outcome.amount ?? charge.minorUnits ?? 0 : 0
        self.type = type
        held = approved + increments.reduce(0, +)
        let captures = amounts(.capture)
        isCaptured = charge.state == .approved && (type.isCaptured || !captures.isEmpty)
        captured = type.isCaptured ? approved : captures.reduce(0, +)
        refunded = amounts(.refund).reduce(0, +)
        isVoided = done.contains { $0.kind == .void }
        tip =
            done.last { $0.kind == .tip || $0.kind == .capture && $0.request.tip != nil }?.request.tip
            ?? charge.outcome.tip ?? charge.request.tip
    }

    /// A word for lists: what the charge is by now.
    package func word(_ charge: PaymentOperation) -> String {
        guard charge.state == .approved else { return charge.state.rawValue }
        if isVoided { return "voided" }
        if refunded > 0 { return rest == 0 ? "refunded" : "partly refunded" }
        if type == .preauth { return isCaptured ? "captured" : "authorized" }
        return charge.isPartial ? "partly approved" : "approved"
    }
}
