import CloverPayments
import Testing

@Suite("Payments that differ from the journal")
struct PaymentDifferenceTests {
    /// A charge of 12.50 USD that a person entered as paid.
    private static func charge(_ type: ChargeType = .sale) -> PaymentOperation {
        var request = OperationRequest(path: "/v1/payments", body: "{}")
        request.type = type
        return JournalFixture.operation(.charge, "c_1", nil, 1250, request, approved: 1250)
    }

    private static func followUp(
        _ kind: OperationKind, _ amount: Int64, state: OperationState = .approved, isByHand: Bool = true,
        isPending: Bool = false
    ) -> PaymentOperation {
        let operation = JournalFixture.operation(
            kind, "x_\(kind)", "c_1", amount, OperationRequest(path: "/", body: "{}"), approved: amount)
        var outcome = operation.outcome
        if state != .approved { outcome.amount = nil }
        if isByHand { outcome.isByHand = true }
        if isPending { outcome.isProvisional = true }
        return operation.settled(state, outcome)
    }

    private static func payment(
        _ amount: Int64?, _ currency: String? = "usd", _ ending: ObservedPayment.Ending = .approved,
        captured: Int64? = nil, refunded: Int64? = nil
    ) -> ObservedPayment {
        var outcome = OperationOutcome()
        outcome.paymentID = "P1"
        outcome.amount = amount
        var payment = ObservedPayment(source: .paymentID, ending: ending, currency: currency, outcome: outcome)
        payment.captured = captured
        payment.refunded = refunded
        return payment
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let payment: ObservedPayment
        var type = ChargeType.sale
        var followUps: [PaymentOperation] = []
        /// Nil if the payment is as in the journal.
        var words: String?
    }

    @Test(
        "a payment is compared with the charge and with what is recorded about its follow-ups",
        arguments: [
            Row(testDescription: "the same", payment: payment(1250)),
            Row(testDescription: "nothing shown", payment: payment(nil, nil)),
            Row(
                testDescription: "less", payment: payment(600),
                words: "Clover shows 6.00 USD, the journal has 12.50 USD"),
            Row(
                testDescription: "more, and voided since", payment: payment(2000, "USD", .voided),
                words: "Clover shows 20.00 USD, the journal has 12.50 USD"),
            Row(
                testDescription: "another currency", payment: payment(1250, "jpy"),
                words: "Clover shows 1250 JPY, the journal has 12.50 USD"),
            Row(
                testDescription: "another currency without an amount", payment: payment(nil, "EUR"),
                words: "Clover shows an amount in EUR, the journal has 12.50 USD"),
            Row(
                testDescription: "an increment", payment: payment(1350), type: .preauth,
                followUps: [followUp(.increment, 100)]),
            Row(
                testDescription: "no increment", payment: payment(1250), type: .preauth,
                followUps: [followUp(.increment, 100)],
                words: "Clover shows 12.50 USD, the journal has 13.50 USD"),
            Row(
                testDescription: "an increment that is not settled", payment: payment(1350), type: .preauth,
                followUps: [followUp(.increment, 100, state: .unknown)]),
            Row(
                testDescription: "a captured part", payment: payment(1000, captured: 1000), type: .preauth,
                followUps: [followUp(.capture, 1000)]),
            Row(
                testDescription: "a captured part, beside the amount that was held",
                payment: payment(1250, captured: 1000), type: .preauth, followUps: [followUp(.capture, 1000)]),
            Row(
                testDescription: "another captured part", payment: payment(1250, captured: 1250), type: .preauth,
                followUps: [followUp(.capture, 1000)],
                words: "Clover shows 12.50 USD captured, the journal has 10.00 USD captured"),
            Row(
                testDescription: "nothing captured", payment: payment(1250, captured: 0), type: .preauth,
                followUps: [followUp(.capture, 1250)],
                words: "Clover shows 0.00 USD captured, the journal has 12.50 USD captured"),
            Row(
                testDescription: "a released hold", payment: payment(1250, captured: 0, refunded: 1250), type: .preauth,
                words: "Clover shows a hold that was released, the journal has a hold"),
            Row(
                testDescription: "a voided hold", payment: payment(1250, "usd", .voided), type: .preauth,
                words: "Clover shows a hold that was released, the journal has a hold"),
            Row(
                testDescription: "a voided hold, as in the journal", payment: payment(1250, "usd", .voided),
                type: .preauth, followUps: [followUp(.void, 0)]),
            Row(
                testDescription: "a refund", payment: payment(1250, refunded: 500), followUps: [followUp(.refund, 500)]
            ),
            Row(
                testDescription: "a smaller refund", payment: payment(1250, refunded: 300),
                followUps: [followUp(.refund, 500)],
                words: "Clover shows 3.00 USD refunded, the journal has 5.00 USD refunded"),
            Row(
                testDescription: "a refund that was entered as not carried out", payment: payment(1250, refunded: 500),
                followUps: [followUp(.refund, 500, state: .failed)],
                words: "Clover shows 5.00 USD refunded, the journal has 0.00 USD refunded"),
            Row(
                testDescription: "a refund that a response reported and the service does not show",
                payment: payment(1250, refunded: 0), followUps: [followUp(.refund, 500, isByHand: false)],
                words: "Clover shows 0.00 USD refunded, the journal has 5.00 USD refunded"),
            Row(
                testDescription: "a refund that is pending", payment: payment(1250, refunded: 0),
                followUps: [followUp(.refund, 500, isByHand: false, isPending: true)]),
            Row(
                testDescription: "a refund that is not settled, and shown", payment: payment(1250, refunded: 500),
                followUps: [followUp(.refund, 500, state: .unknown, isByHand: false)],
                words: "Clover shows 5.00 USD refunded, the journal has 0.00 USD refunded"),
            Row(
                testDescription: "a refund that is not settled, and not shown", payment: payment(1250, refunded: 0),
                followUps: [followUp(.refund, 500, state: .unknown, isByHand: false)]),
            Row(
                testDescription: "a capture that a response reported and the service does not show",
                payment: payment(1250, captured: 0), type: .preauth,
                followUps: [followUp(.capture, 1250, isByHand: false)],
                words: "Clover shows 0.00 USD captured, the journal has 12.50 USD captured"),
            Row(
                testDescription: "a captured part other than a response reported",
                payment: payment(1250, captured: 1250), type: .preauth,
                followUps: [followUp(.capture, 1000, isByHand: false)],
                words: "Clover shows 12.50 USD captured, the journal has 10.00 USD captured"),
            Row(
                testDescription: "a late void, as a refund of the whole", payment: payment(1250, refunded: 1250),
                followUps: [followUp(.void, 0)]),
            Row(
                testDescription: "more captured than was held, as a person recorded it",
                payment: payment(1250, captured: 2000), type: .preauth, followUps: [followUp(.capture, 2000)],
                words: "Clover shows 20.00 USD captured, the journal has 12.50 USD held"),
            Row(
                testDescription: "a void that gave back a part", payment: payment(1250, refunded: 500),
                followUps: [followUp(.void, 0)], words: "Clover shows 5.00 USD refunded, the journal has a void"),
            Row(
                testDescription: "a void that is not shown", payment: payment(1250, refunded: 0),
                followUps: [followUp(.void, 0, isByHand: false)],
                words: "Clover shows a payment that is not voided, the journal has a void"),
        ])
    func difference(_ row: Row) {
        #expect(row.payment.difference(from: Self.charge(row.type), after: row.followUps)?.words == row.words)
    }

    @Test(
        "a follow-up is contradicted only by what the payment shows of it",
        arguments: [
            (OperationKind.void, 0, "Clover shows a payment that is not voided, the journal has a void"),
            (.void, 1250, nil), (.void, nil, nil),
            (.refund, 0, "Clover shows 0.00 USD refunded, the journal has 12.50 USD refunded"),
            (.refund, 1250, nil), (.refund, 2000, nil), (.refund, nil, nil),
        ] as [(OperationKind, Int64?, String?)])
    func shortfall(_ kind: OperationKind, _ refunded: Int64?, _ words: String?) {
        let followUp = Self.followUp(kind, 1250)
        let shown = Self.payment(1250, captured: 1250, refunded: refunded)
        #expect(shown.shortfall(of: followUp, on: Self.charge(), after: [followUp])?.words == words)
        var voided = shown
        voided.ending = .voided
        #expect(voided.shortfall(of: followUp, on: Self.charge(), after: [followUp]) == nil)
    }

    @Test(
        "a tip is contradicted by the one before it only",
        arguments: [(0, true), (300, false), (500, false), (nil, false)] as [(Int64?, Bool)])
    func tip(_ shown: Int64?, _ isContradicted: Bool) {
        var request = OperationRequest(path: "/", body: "{}")
        (request.tip, request.amountBefore) = (300, 0)
        let followUp = JournalFixture.operation(.tip, "x_tip", "c_1", nil, request, approved: nil)
        var payment = Self.payment(1250)
        payment.outcome.tip = shown
        let found = payment.shortfall(of: followUp, on: Self.charge(.auth), after: [followUp])
        let words = "Clover shows a tip of 0.00 USD, the journal has a tip of 3.00 USD"
        #expect(found?.words == (isContradicted ? words : nil))
    }
}
