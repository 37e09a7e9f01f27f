/// A session with a reader that takes payments.
package protocol CardSession: ReaderSession {
    /// Whether the driver says that it can charge.
    var takesPayments: Bool { get }

    /// Charges a card that the reader reads. Called when the session is ready, and for one charge at a time.
    ///
    /// Cancelling the task gives up waiting and says nothing about the money: use `cancelCharge`, and go on waiting.
    /// - Parameter onProgress: what the reader tells meanwhile, in its own words, such as `SWIPE_DIP_OR_TAP_CARD`.
    /// - Throws: `ReaderError`. Unless it is `driver(.refused)`, money may have moved.
    func charge(
        _ request: CardCharge, onProgress: @Sendable (String) async throws -> Void
    ) async throws -> CardOutcome

    /// Asks to give up the charge under way. Before a card is shown `charge` then returns `cancelled`; afterwards it
    /// may come to any end.
    func cancelCharge() async throws
}

/// A driver whose readers take payments: its sessions are `CardSession`s.
package protocol CardDriver: ReaderDriver {
    /// What became of a charge, by its `externalPaymentID`: also one of an earlier run, and without a session.
    func payment(externalID: String) async throws -> CardLookup
}

/// A charge as it is handed to a reader. Amounts are whole minor units of the currency.
package struct CardCharge: Sendable, Equatable {
    /// Made before the first byte is sent, and sent again with the same charge only: a second one with the same key
    /// answers with the outcome of the first.
    package var idempotencyKey: String
    /// By which the payment is found again; at most 32 characters.
    package var externalPaymentID: String
    /// The invoice's number; at most 12 characters.
    package var externalReferenceID: String?
    /// Tax included, tip not; 1...999999999.
    package var amount: Int64
    /// ISO 4217, such as `USD`.
    package var currency: String
    /// Closed at once: no tip and no capture later. Needs `capture`.
    package var isFinal: Bool
    /// False for an authorisation that is captured later.
    package var capture: Bool
    /// Only where it is final.
    package var tipAmount: Int64?
    /// The part of the amount that is tax.
    package var taxAmount: Int64?
    /// Whether a card that covers a part of the amount only may be charged with that part.
    package var acceptsPartial: Bool

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

/// A payment that a reader took. Amounts are whole minor units of the currency.
package struct CardPayment: Sendable, Equatable {
    /// Clover's id of the payment.
    package var id: String
    package var externalPaymentID: String
    /// What was approved, without tip: less than was asked for in a partial approval.
    package var amount: Int64
    package var currency: String
    package var tipAmount: Int64?
    package var taxAmount: Int64?
    package var isFinal: Bool
    package var isCaptured: Bool
    package var orderID: String?
    package var authCode: String?
    /// The processor's reference.
    package var referenceID: String?
    package var card: CardFacts?
    /// When the payment was made, in milliseconds since 1970.
    package var createdTime: Int64?

    package init(
        id: String, externalPaymentID: String, amount: Int64, currency: String, isFinal: Bool, isCaptured: Bool
    ) {
        self.id = id
        self.externalPaymentID = externalPaymentID
        self.amount = amount
        self.currency = currency
        self.isFinal = isFinal
        self.isCaptured = isCaptured
    }
}

/// The end of a charge that a reader knows of.
package enum CardOutcome: Sendable, Equatable {
    case approved(CardPayment)
    /// The card's bank, or Clover, said no; no money moved. `code` is the word for it, such as `card_declined`.
    case declined(code: String, message: String, card: CardFacts?)
    /// Given up before a card was charged: by `cancelCharge`, on the reader, or because no card came.
    case cancelled(code: String, message: String)
    /// The driver cannot tell: money may have moved.
    case unknown(message: String)
}

/// What may be told of a card. The words are those of Clover's payment records; unknown ones are kept as they come.
package struct CardFacts: Sendable, Equatable {
    /// Such as `VISA`.
    package var type: String?
    package var first6: String?
    package var last4: String?
    /// How it was read, such as `EMV_CONTACTLESS`.
    package var entryType: String?

    package init(type: String?, first6: String?, last4: String?, entryType: String?) {
        self.type = type
        self.first6 = first6
        self.last4 = last4
        self.entryType = entryType
    }
}

/// What a reader knows of a charge when asked for it later.
package enum CardLookup: Sendable, Equatable {
    /// It never began, or came to nothing that is kept: no money moved.
    case notFound
    /// The driver has no such charge, but keeps no record that outlives it: no proof.
    case notRemembered
    /// It has not come to its end.
    case underWay
    case ended(CardOutcome)
}
