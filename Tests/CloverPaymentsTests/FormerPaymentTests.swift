import CloverPayments
import Testing

/// Follow-ups on a payment that the charge had before: a person has recorded another one since.
@Suite("Follow-ups on the former payment of a charge")
struct FormerPaymentTests {
    /// A follow-up on a payment, over a device.
    private static func followUp(
        _ kind: OperationKind, _ amount: Int64, on payment: String, _ state: OperationState
    ) -> PaymentOperation {
        let request = OperationRequest(path: "/v1/payments/\(payment)/\(kind.rawValue)", body: "{}")
        return JournalFixture.operation(kind, "x_1", "c_1", amount, request, approved: nil, state: state)
    }

    /// A charge of 12.50 USD whose payment is P1.
    private static func charge(_ type: ChargeType, approved: Int64 = 1250) -> PaymentOperation {
        var request = OperationRequest(path: "/v1/payments", body: "{}")
        request.type = type
        return JournalFixture.operation(.charge, "c_1", nil, 1250, request, approved: approved)
    }

    @Test(
        "one that is not settled explains no amount of the present payment",
        arguments: [(.capture, 500, 500), (.increment, 100, 1350)] as [(OperationKind, Int64, Int64)])
    func amounts(_ kind: OperationKind, _ amount: Int64, _ shown: Int64) {
        var outcome = OperationOutcome()
        (outcome.paymentID, outcome.amount) = ("P1", shown)
        let payment = ObservedPayment(source: .paymentID, ending: .approved, currency: "usd", outcome: outcome)
        for (followed, isExplained) in [("P1", true), ("P0", false)] {
            let open = Self.followUp(kind, amount, on: followed, .unknown)
            let difference = payment.difference(from: Self.charge(.preauth), after: [open])
            #expect((difference == nil) == isExplained, "\(followed): \(difference?.words ?? "")")
        }
    }

    @Test(
        "one neither keeps a person from accepting the part of the present payment, nor gives that back",
        arguments: [OperationState.unknown, .approved], JournalWorld.Store.allCases)
    func acceptedPart(_ state: OperationState, _ store: JournalWorld.Store) async throws {
        for (followed, isAccepted) in [("P1", false), ("P0", true)] {
            try await JournalWorld.run(store) { world in
                let charge = Self.charge(.sale, approved: 625)
                #expect(charge.isUnacceptedPart)
                try await world.add(charge)
                try await world.add(Self.followUp(.refund, 625, on: followed, state))
                var refusal: PaymentPlanError?
                do {
                    let settled = try await world.journal.settleByHand(
                        "c_1", isDone: true, by: "Anna", payment: nil, now: 2000)
                    #expect(settled.outcome.settledBy == "Anna" && !settled.isUnacceptedPart, "\(followed)")
                } catch let error as PaymentPlanError {
                    refusal = error
                }
                #expect((refusal == nil) == isAccepted, "\(followed): \(refusal as Any)")
            }
        }
    }
}
