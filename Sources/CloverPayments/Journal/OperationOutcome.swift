/// What became of an operation, as far as it is known.
package struct OperationOutcome: Codable, Sendable, Equatable {
    /// The charge or payment at Clover; of a refund the refund.
    package var paymentID: String?
    /// Of a hand-off: the id that the payer's device made, which is all there is of a payment that was taken offline.
    package var clientPaymentID: String?
    package var orderID: String?
    /// What was approved, captured or given back, in the smallest unit, without the tip.
    package var amount: Int64?
    package var tip: Int64?
    package var card: CardFacts?
    package var authCode: String?
    /// The service's word for a refusal, such as `card_declined`.
    package var code: String?
    /// The service's own text with it.
    package var text: String?
    /// The status of the answer; nil when there was none.
    package var http: Int?
    /// Why it is unknown, or how it came to be known, in our own words.
    package var reason: String?
    /// What the device wants the merchant to know: `duplicate`, `offline`, `signature`.
    package var issues: [String]?
    /// The device took the payment without asking the bank yet.
    package var isOffline: Bool?
    /// Nobody but a person said so.
    package var isByHand: Bool?
    /// Who said so: a person's name.
    package var settledBy: String?
    /// What was heard later, where that is not what was said by hand; in our own words.
    package var contradiction: String?
    /// Payments at Clover that may be this operation's; a person decides.
    package var candidates: [String]?
    /// Nothing left this machine, so that it can be done again under the same key.
    package var neverLeft: Bool?
    /// It rests on records that did not show a payment: they are read again for some days.
    package var isProvisional: Bool?
    /// How long after its end they were last read, in milliseconds.
    package var askedAt: Int64?

    package init() {}

    /// An outcome of which only the status of the response is known.
    init(http: Int) {
        self.http = http
    }

    /// An outcome of which only a reason is known.
    package init(reason: String, http: Int? = nil) {
        self.reason = reason
        self.http = http
    }
}
