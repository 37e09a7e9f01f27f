import CloverPayments
import Testing

@Suite("Which hand-off a response belongs to")
struct HandOffMatchTests {
    private static func handOff(
        _ id: String, _ state: OperationState = .sent, code: String? = nil, payment: String? = nil,
        client: String? = nil, overturned: String? = nil, isByHand: Bool = false, body: String = "{}",
        of externalID: String? = "table-9"
    ) -> PaymentOperation {
        var outcome = OperationOutcome()
        outcome.code = code
        outcome.paymentID = payment
        outcome.clientPaymentID = client
        outcome.overturnedCode = overturned
        outcome.isByHand = isByHand ? true : nil
        return PaymentOperation(
            id: id, kind: .charge, rail: .square, environment: "square", merchantID: "", idempotencyKey: id,
            externalID: externalID, amount: nil, request: OperationRequest(path: "", body: body), now: 1
        ).settled(state, outcome)
    }

    private static func paid(_ payment: String? = nil, _ client: String? = nil) -> HandOffResponse {
        var outcome = OperationOutcome()
        outcome.paymentID = payment
        outcome.clientPaymentID = client
        return HandOffResponse(state: "table-9", ending: .approved, outcome: outcome)
    }

    private static let cancelled = notPaid("payment_canceled", .cancelled)

    private static func notPaid(_ code: String, _ ending: OperationState) -> HandOffResponse {
        var outcome = OperationOutcome()
        outcome.code = code
        return HandOffResponse(state: "table-9", ending: ending, outcome: outcome)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: HandOffResponse
        /// The newest first.
        let handOffs: [PaymentOperation]
        /// The match, and the hand-off that it names.
        let expected: String

        init(_ description: String, _ answer: HandOffResponse, _ handOffs: [PaymentOperation], _ expected: String) {
            testDescription = description
            self.answer = answer
            self.handOffs = handOffs
            self.expected = expected
        }
    }

    private static func word(_ match: HandOffMatch) -> String {
        switch match {
        case .none: "none"
        case .known(let found): "known \(found.id)"
        case .settles(let found): "settles \(found.id)"
        case .overturns(let found): "overturns \(found.id)"
        case .completes(let found): "completes \(found.id)"
        case .contradicts(let found): "contradicts \(found.id)"
        case .otherPayment(let found): "other than \(found.id)"
        case .paymentOfAnother(let found): "the payment of \(found.id)"
        case .ambiguous(let found): "ambiguous " + found.map(\.id).joined(separator: " ")
        case .stateless(let found): "stateless " + found.map(\.id).joined(separator: " ")
        }
    }

    static let rows = [
        Row("nothing there", paid("T1"), [], "none"),
        Row("one open, paid", paid("T1", "C1"), [handOff("a")], "settles a"),
        Row("one open, cancelled", cancelled, [handOff("a")], "settles a"),
        Row(
            "the repeated error of one that was paid later", cancelled,
            [handOff("b"), handOff("a", .approved, payment: "T1", overturned: "payment_canceled")], "ambiguous b a"),
        Row(
            "another error than that of one that was paid later", cancelled,
            [handOff("b"), handOff("a", .approved, payment: "T1", overturned: "amount_too_small")], "settles b"),
        Row("unknown is open", cancelled, [handOff("a", .unknown, code: "odd")], "settles a"),
        Row("the same payment again", paid("T1"), [handOff("a", .approved, payment: "T1")], "known a"),
        Row(
            "an old payment does not settle a newer one", paid("T1", "C1"),
            [handOff("b"), handOff("a", .approved, payment: "T1", client: "C1")], "known a"),
        Row(
            "the device's id is enough", paid(nil, "C1"),
            [handOff("b"), handOff("a", .approved, payment: "T1", client: "C1")], "known a"),
        Row(
            "the server's id came later than the device's", paid("T1", "C1"),
            [handOff("b"), handOff("a", .approved, client: "C1")], "completes a"),
        Row(
            "the payment of a request with another state", paid("T1", "C1"),
            [handOff("b"), handOff("a", .approved, payment: "T1", of: "table-1")], "the payment of a"),
        Row(
            "the device's id of a request with another state", paid("T1", "C1"),
            [handOff("b"), handOff("a", .approved, client: "C1", of: "table-1")], "the payment of a"),
        Row(
            "another payment settles the open one", paid("T2", "C2"),
            [handOff("b"), handOff("a", .approved, payment: "T1", client: "C1")], "settles b"),
        Row(
            "an old cancellation looks like a new one", cancelled,
            [handOff("b"), handOff("a", .cancelled, code: "payment_canceled")], "ambiguous b a"),
        Row(
            "another error than that of the old one", notPaid("not_logged_in", .failed),
            [handOff("b"), handOff("a", .cancelled, code: "payment_canceled")], "settles b"),
        Row(
            "a payment settles the open one, whatever became of the old one", paid("T2"),
            [handOff("b"), handOff("a", .cancelled, code: "payment_canceled")], "settles b"),
        Row(
            "a payment without ids may be the old one", paid(), [handOff("b"), handOff("a", .approved)],
            "ambiguous b a"),
        Row("two open", paid("T1"), [handOff("b", body: "[]"), handOff("a")], "ambiguous b a"),
        Row("two open, cancelled", cancelled, [handOff("b", body: "[]"), handOff("a")], "ambiguous b a"),
        Row("two that ask for the same", paid("T1"), [handOff("b"), handOff("a")], "settles b"),
        Row(
            "one of three asks for something else", paid("T1"),
            [handOff("c"), handOff("b"), handOff("a", body: "[]")], "ambiguous c b a"),
        Row(
            "the same cancellation again", cancelled, [handOff("a", .cancelled, code: "payment_canceled")], "known a"),
        Row(
            "the same unknown error again", notPaid("odd", .unknown), [handOff("a", .unknown, code: "odd")], "known a"),
        Row(
            "paid after all", paid("T1"), [handOff("a", .cancelled, code: "payment_canceled")], "overturns a"),
        Row("paid after it was closed by hand", paid(), [handOff("a", .cancelled, isByHand: true)], "overturns a"),
        Row(
            "paid, and two were cancelled", paid("T1"),
            [handOff("b", .failed, code: "x"), handOff("a", .cancelled, code: "y")], "ambiguous b a"),
        Row("a payment is not undone", cancelled, [handOff("a", .approved, payment: "T1")], "contradicts a"),
        Row("a second payment", paid("T2"), [handOff("a", .approved, payment: "T1")], "other than a"),
        Row("a payment entered by hand", paid("T1"), [handOff("a", .approved, isByHand: true)], "completes a"),
        Row(
            "that payment, or the open one", paid("T1"), [handOff("b"), handOff("a", .approved, isByHand: true)],
            "ambiguous b a"),
        Row(
            "the payment that a person named", paid("T1", "C1"),
            [handOff("b"), handOff("a", .approved, payment: "T1", isByHand: true)], "completes a"),
    ]

    @Test("a hand-off is settled only if no other one can be meant", arguments: rows)
    func matches(_ row: Row) {
        #expect(Self.word(HandOffMatch(row.answer, among: row.handOffs)) == row.expected)
    }

    @Test("a response without a state settles nothing unless its payment is known")
    func stateless() {
        var outcome = OperationOutcome()
        outcome.paymentID = "T1"
        let answer = HandOffResponse(state: nil, ending: .approved, outcome: outcome)
        #expect(Self.word(HandOffMatch(answer, among: [])) == "none")
        #expect(Self.word(HandOffMatch(answer, among: [Self.handOff("a", of: nil)])) == "stateless a")
        let known = [Self.handOff("b", of: nil), Self.handOff("a", .approved, payment: "T1", of: nil)]
        #expect(Self.word(HandOffMatch(answer, among: known)) == "known a")
    }

    @Test("an empty state counts as a state")
    func emptyState() {
        let answer = HandOffResponse(state: "", ending: .approved, outcome: OperationOutcome())
        #expect(Self.word(HandOffMatch(answer, among: [Self.handOff("a", of: "")])) == "settles a")
    }

    static let chosen = [
        Row("open", cancelled, [handOff("a")], "settles a"),
        Row("cancelled before, paid", paid("T1"), [handOff("a", .cancelled, code: "x")], "overturns a"),
        Row("paid before, cancelled", cancelled, [handOff("a", .approved, payment: "T1")], "contradicts a"),
        Row("paid by another payment", paid("T2"), [handOff("a", .approved, payment: "T1")], "other than a"),
        Row("paid before, and paid by word of mouth", paid(), [handOff("a", .approved, payment: "T1")], "known a"),
        Row("paid by hand", paid("T2"), [handOff("a", .approved, isByHand: true)], "completes a"),
        Row("the same again", cancelled, [handOff("a", .cancelled, code: "payment_canceled")], "known a"),
        Row(
            "the payment of another one", paid("T1"), [handOff("a"), handOff("b", .approved, payment: "T1")],
            "the payment of b"),
    ]

    @Test("matches the hand-off that the user named", arguments: chosen)
    func names(_ row: Row) throws {
        let chosen = try #require(row.handOffs.first)
        let match = HandOffMatch(row.answer, chosen: chosen, among: Array(row.handOffs.dropFirst()) + [chosen])
        #expect(Self.word(match) == row.expected)
    }
}
