/// A session with a reader that takes payments.
package protocol CardSession: ReaderSession {
    /// Whether the driver reports that it can charge.
    var takesPayments: Bool { get }

    /// Charges a card that the reader reads. Call it when the session is ready, and for one charge at a time.
    ///
    /// Cancelling the task stops waiting and proves nothing about the money: call `cancelCharge`, and continue waiting.
    /// - Parameter onProgress: the reader's progress codes, unchanged, such as `SWIPE_DIP_OR_TAP_CARD`.
    /// - Throws: `ReaderError`. Unless it is `driver(.refused)`, money may have moved.
    func charge(
        _ request: CardCharge, onProgress: @Sendable (String) async throws -> Void
    ) async throws -> CardOutcome

    /// Asks the reader to cancel the current charge. Before a card is presented, `charge` then returns `cancelled`;
    /// afterwards it may have any outcome.
    func cancelCharge() async throws
}

/// A charge as it is sent to a reader. Amounts are in the currency's minor units.
package struct CardCharge: Sendable, Equatable, Encodable {
    /// Created before the first byte is sent, and reused only for the same charge: a second request with the same key
    /// returns the outcome of the first.
    package var idempotencyKey: String
    /// The ID by which the payment is looked up; at most 32 characters.
    package var externalPaymentID: String
    /// The invoice number; at most 12 characters.
    package var externalReferenceID: String?
    /// Including tax, excluding the tip; 1...999999999.
    package var amount: Int64
    /// ISO 4217 code, such as `USD`.
    package var currency: String
    /// Final at once: no later tip or capture. Requires `capture`.
    package var isFinal: Bool
    /// False for an authorization that is captured later.
    package var capture: Bool
    /// Only if `isFinal`.
    package var tipAmount: Int64?
    /// The part of the amount that is tax.
    package var taxAmount: Int64?
    /// Whether a card that covers only part of the amount may be charged with that part.
    package var acceptsPartial: Bool

    private enum CodingKeys: String, CodingKey {
        case idempotencyKey, amount, currency, capture, tipAmount, taxAmount
        case externalPaymentID = "externalPaymentId"
        case externalReferenceID = "externalReferenceId"
        case isFinal = "final"
        case acceptsPartial = "acceptPartial"
    }

    package init(
        idempotencyKey: String, externalPaymentID: String, externalReferenceID: String? = nil, amount: Int64,
        currency: String, isFinal: Bool, capture: Bool, tipAmount: Int64? = nil, taxAmount: Int64? = nil,
        acceptsPartial: Bool = false
    ) {
        self.idempotencyKey = idempotencyKey
        self.externalPaymentID = externalPaymentID
        self.externalReferenceID = externalReferenceID
        self.amount = amount
        self.currency = currency
        self.isFinal = isFinal
        self.capture = capture
        self.tipAmount = tipAmount
        self.taxAmount = taxAmount
        self.acceptsPartial = acceptsPartial
    }
}

/// A payment that a reader took. Amounts are in the currency's minor units.
package struct CardPayment: Sendable, Equatable, Decodable {
    /// Clover's ID of the payment.
    package let id: String
    package let externalPaymentID: String
    /// The approved amount, excluding the tip; less than requested for a partial approval.
    package let amount: Int64
    package let currency: String
    package let isFinal: Bool
    package let isCaptured: Bool
    package let tipAmount: Int64?
    package let taxAmount: Int64?
    package let orderID: String?
    package let authCode: String?
    /// The processor's reference.
    package let referenceID: String?
    /// When the payment was made, in milliseconds since 1970.
    package let createdTime: Int64?
    package let card: CardDetails?

    private enum CodingKeys: String, CodingKey {
        case id, amount, currency, tipAmount, taxAmount, authCode, createdTime, card
        case externalPaymentID = "externalPaymentId"
        case isFinal = "final"
        case isCaptured = "captured"
        case orderID = "orderId"
        case referenceID = "referenceId"
    }
}

/// The outcome of a charge that a reader reports.
package enum CardOutcome: Sendable, Equatable {
    case approved(CardPayment)
    /// The card's bank or Clover declined it; no money moved. `code` is the reason, such as `card_declined`.
    case declined(code: String, message: String, card: CardDetails?)
    /// Cancelled before a card was charged: by `cancelCharge`, on the reader, or because no card was presented.
    case cancelled(code: String, message: String)
    /// The driver does not know the outcome: money may have moved.
    case unknown(message: String)
}

/// The card details that may be shown. The values are those of Clover's payment records; unknown ones are kept unchanged.
package struct CardDetails: Sendable, Equatable, Decodable {
    /// Such as `VISA`.
    package let type: String?
    package let first6: String?
    package let last4: String?
    /// The entry method, such as `EMV_CONTACTLESS`.
    package let entryType: String?
}

/// The result of looking up a charge later.
package enum CardLookup: Sendable, Equatable {
    /// It never started, or had no effect that is recorded: no money moved.
    case notFound
    /// The driver has no such charge, but keeps no record that outlives the process: this proves nothing.
    case notRemembered
    case underWay
    case ended(CardOutcome)
}
