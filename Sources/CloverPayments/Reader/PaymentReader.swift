import CloverRecords

/// A card reader that can take a payment: implemented by drivers that read cards.
package protocol PaymentReader: Sendable {
    /// Begins a payment, and tells what happens until it ends. The stream ends after `completed`, `cancelled` or
    /// `failed`, which a later `completed` outweighs; when it ends or throws before, the outcome is unknown.
    func charge(_ request: ReaderCharge) -> AsyncThrowingStream<ReaderEvent, any Error>

    /// Cancels the payment under way, if no card was shown yet; otherwise it goes on.
    func cancel() async
}

/// A payment as a reader gets it (Clover Go: PayRequest).
package struct ReaderCharge: Sendable, Equatable {
    /// In the smallest unit, tax included, tip not.
    package let amount: Int64
    package let currency: String
    package let isFinal: Bool
    package let isCaptured: Bool
    /// By which the payment is found again.
    package let externalPaymentID: String
    package let externalReferenceID: String?
    package let taxAmount: Int64?
    /// Nil where a tip may come later.
    package let tipAmount: Int64?
    package let acceptsPartial: Bool
    package let idempotencyKey: String
    package init(_ operation: PaymentOperation) {
        let type = operation.request.type ?? .sale
        amount = operation.amount?.minorUnits ?? 0
        currency = operation.amount?.currency.code ?? ""
        isFinal = type.isFinal
        isCaptured = type.isCaptured
        externalPaymentID = operation.externalID ?? ""
        externalReferenceID = operation.request.reference
        taxAmount = operation.request.tax
        tipAmount = type.isFinal ? operation.request.tip : nil
        acceptsPartial = operation.request.acceptsPartial
        idempotencyKey = operation.idempotencyKey
    }
}

/// What a reader tells of a payment.
package enum ReaderEvent: Sendable, Equatable {
    /// An open word, such as `SWIPE_DIP_OR_TAP_CARD`.
    case progress(String)
    case completed(ReaderResult)
    /// Before a card was shown: nothing was charged.
    case cancelled
    case failed(code: String, message: String?)
}

/// A payment that was made (Clover Go: PayResponse).
package struct ReaderResult: Sendable, Equatable {
    package var paymentID: String?
    package var orderID: String?
    /// As the payment has it: `SUCCESS`, `AUTH`, `FAIL`.
    package var result: String
    /// What was approved, in the smallest unit.
    package var amount: Int64?
    package var tip: Int64?
    package var card: CardFacts?
    package var authCode: String?
    /// The external id that the payment has; nil where the driver does not repeat it.
    package var externalID: String?
    package var currency: String?
    /// Whether the money was taken, and not only held; nil where that is not known.
    package var isCaptured: Bool?

    package init(
        paymentID: String?, orderID: String? = nil, result: String, amount: Int64?, tip: Int64? = nil,
        card: CardFacts? = nil, authCode: String? = nil, externalID: String? = nil, currency: String? = nil,
        isCaptured: Bool? = nil
    ) {
        self.externalID = externalID
        self.currency = currency
        self.isCaptured = isCaptured
        self.paymentID = paymentID
        self.orderID = orderID
        self.result = result
        self.amount = amount
        self.tip = tip
        self.card = card
        self.authCode = authCode
    }
}
