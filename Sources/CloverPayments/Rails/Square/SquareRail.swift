/// Charges that are handed to the Square app. They are neither planned nor looked up here: they belong to no Clover
/// merchant, and only the app's response shows their outcome.
struct SquareRail: PaymentRailRules {
    let displayName = "the Square app"
    let amountRange: ClosedRange<Int64> = 0...Int64.max
    let isHandedOff = true

    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError? {
        .handedOff(id: charge.id)
    }

    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence] {
        [.inconclusive("only the Square app's response shows the outcome")]
    }
}
