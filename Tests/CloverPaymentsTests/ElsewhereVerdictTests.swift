import CloverPayments
import Testing

@Suite("What a payment shows of what was done elsewhere")
struct ElsewhereVerdictTests {
    /// One row: what the service shows of the payment of a charge of 12.50 USD, and what follows for a hold and for a sale.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let hold: String
        let sale: String
        var followUps: [PaymentOperation] = []
        /// What a person has confirmed.
        var acknowledged: [String] = []
        let change: @Sendable (inout ObservedPayment) -> Void

        init(
            _ description: String, hold: String, sale: String, after followUps: [PaymentOperation] = [],
            acknowledged: [String] = [], _ change: @escaping @Sendable (inout ObservedPayment) -> Void
        ) {
            testDescription = description
            self.hold = hold
            self.sale = sale
            self.followUps = followUps
            self.acknowledged = acknowledged
            self.change = change
        }
    }

    private static let nothing = "nothing"
    private static let unknown = "not known: what was known stays"
    private static let contradiction = "contradiction (80)"

    private static func followUp(_ kind: OperationKind, _ amount: Int64?, isRefused: Bool = false) -> PaymentOperation {
        let request = OperationRequest(path: "/", body: "{}")
        let operation = JournalFixture.operation(kind, "x_1", "c_1", amount, request, approved: amount)
        guard isRefused else { return operation }
        var outcome = OperationOutcome()
        outcome.isProvisional = true
        return operation.settled(.failed, outcome)
    }

    static var kinds: [Kind] {
        [
            Kind("as it was approved", hold: nothing, sale: nothing) { _ in },
            Kind("a part is captured", hold: "3.00 USD of the hold was captured elsewhere", sale: nothing) {
                $0.captured = 300
            },
            Kind("all of it is captured", hold: "12.50 USD of the hold was captured elsewhere", sale: nothing) {
                $0.captured = 1250
            },
            Kind("more is captured than was held", hold: contradiction, sale: nothing) { $0.captured = 2000 },
            Kind(
                "more is captured than was held, as a person has confirmed",
                hold: "20.00 USD of the hold was captured elsewhere", sale: nothing,
                acknowledged: ["Clover shows 20.00 USD captured, the journal has 12.50 USD held"]
            ) { $0.captured = 2000 },
            Kind(
                "the same, and more is refunded than that", hold: contradiction, sale: contradiction,
                acknowledged: ["Clover shows 20.00 USD captured, the journal has 12.50 USD held"]
            ) {
                $0.captured = 2000
                $0.refunded = 2500
            },
            Kind(
                "the same, as a person has confirmed, too",
                hold: "20.00 USD of the hold was captured and 25.00 USD of it was refunded elsewhere",
                sale: "25.00 USD of it was refunded elsewhere",
                acknowledged: [
                    "Clover shows 20.00 USD captured, the journal has 12.50 USD held",
                    "Clover shows 25.00 USD refunded, the journal has 20.00 USD captured",
                    "Clover shows 25.00 USD refunded, the journal has 12.50 USD captured",
                ]
            ) {
                $0.captured = 2000
                $0.refunded = 2500
            },
            Kind("how much is captured is not shown", hold: unknown, sale: nothing) { $0.captured = nil },
            Kind(
                "a part is captured, and some of that is refunded",
                hold: "3.00 USD of the hold was captured and 1.00 USD of it was refunded elsewhere",
                sale: "1.00 USD of it was refunded elsewhere"
            ) {
                $0.captured = 300
                $0.refunded = 100
            },
            Kind("a part is refunded", hold: nothing, sale: "5.00 USD of it was refunded elsewhere") {
                $0.refunded = 500
            },
            Kind(
                "all of it is refunded", hold: "the hold was released elsewhere",
                sale: "12.50 USD of it was refunded elsewhere"
            ) { $0.refunded = 1250 },
            Kind("more is refunded than there was", hold: contradiction, sale: contradiction) { $0.refunded = 2000 },
            Kind(
                "a part is refunded, as from here", hold: nothing, sale: nothing, after: [followUp(.refund, 500)]
            ) { $0.refunded = 500 },
            Kind(
                "more is refunded than from here", hold: nothing, sale: "2.00 USD of it was refunded elsewhere",
                after: [followUp(.refund, 500)]
            ) { $0.refunded = 700 },
            Kind(
                "a part is refunded, and a refund from here was refused", hold: nothing, sale: nothing,
                after: [followUp(.refund, 500, isRefused: true)]
            ) { $0.refunded = 500 },
            Kind("a refund is shown without its amount", hold: unknown, sale: nothing) {
                $0.refunded = 1250
                $0.lacksRefundedAmount = true
            },
            Kind("voided", hold: "the hold was released elsewhere", sale: "the payment was voided elsewhere") {
                $0.ending = .voided
            },
            Kind("voided, as from here", hold: nothing, sale: nothing, after: [followUp(.void, nil)]) {
                $0.ending = .voided
            },
            Kind("declined", hold: unknown, sale: nothing) { $0.ending = .declined },
            Kind("pending", hold: unknown, sale: nothing) { $0.ending = .open("pending") },
            Kind("in another currency", hold: unknown, sale: nothing) { $0.currency = "EUR" },
        ]
    }

    /// What follows from a row, in the words of the table.
    private static func word(_ kind: Kind, _ type: ChargeType) -> String {
        var request = OperationRequest(path: "/v1/payments", body: "{}")
        request.type = type
        var outcome = JournalFixture.outcome(1250)
        outcome.acknowledged = kind.acknowledged
        let charge = JournalFixture.operation(.charge, "c_1", nil, 1250, request, approved: 1250)
            .settled(.approved, outcome)
        var payment = ObservedPayment(source: .paymentID, ending: .approved, currency: "USD", outcome: outcome)
        payment.captured = type == .preauth ? 0 : 1250
        payment.refunded = 0
        kind.change(&payment)
        let verdict = ElsewhereVerdict(on: charge, after: kind.followUps, payment)
        if verdict.obstacle != nil { return unknown }
        if verdict.excess != nil { return contradiction }
        guard let done = verdict.done else { return nothing }
        var known = outcome
        known.elsewhere = done
        return charge.settled(.approved, known).wordsElsewhere ?? nothing
    }

    @Test("each kind of payment shows what the table says", arguments: kinds)
    func kind(_ kind: Kind) {
        #expect(Self.word(kind, .preauth) == kind.hold)
        #expect(Self.word(kind, .sale) == kind.sale)
    }

    /// The second part of `docs/verdicts.md`.
    static func table() -> String {
        var lines = [
            "## What was done elsewhere",
            "",
            "Generated from the function that judges it (`Sources/CloverPayments/Verdict/ElsewhereVerdict.swift`): what the payment of an",
            "approved charge of 12.50 USD shows, and what is recorded of it, beside what was done from here. It is asked for by `recover ID`",
            "and the same key, of a hold and of a part that is to be given back, and before a refund.",
            "",
            "| the payment | a hold | a sale |",
            "|---|---|---|",
        ]
        for kind in kinds {
            lines.append("| \(kind.testDescription) | \(word(kind, .preauth)) | \(word(kind, .sale)) |")
        }
        lines += [
            "",
            "What contradicts the charge is named with both amounts until a person confirms it with `clover charge settle ID --paid`. A refund",
            "is refused (64) where the payment differs from the journal in anything else: its status, currency, amount or tip, or what was",
            "captured.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
