package import CloverAPI
import CloverJSON
import CloverOutput

/// A card reader that can take payments: implemented by drivers that read cards.
package protocol PaymentReader: Sendable {
    /// Starts a payment and reports its events until it ends. The stream ends after `completed`, `cancelled` or `failed`; a
    /// `completed` after one of the others takes precedence. If the stream ends or throws before that, the outcome is unknown.
    ///
    /// - Parameter end: ends the wait for the driver; the stream ends when the driver has been ended.
    func charge(_ request: ReaderCharge, until end: WaitCanceller) -> AsyncThrowingStream<ReaderEvent, any Error>

    /// Cancels the payment in progress if no card was presented yet; otherwise the payment continues.
    func cancel() async
}

/// Why a reader's payment has no outcome.
package struct ReaderFailure: Error, Sendable {
    package let reason: String
    /// The payment of an approval that cannot be used; empty if it has no ID, nil if nothing was approved.
    package let payment: String?

    package init(reason: String, payment: String? = nil) {
        self.reason = reason
        self.payment = payment
    }
}

/// A payment request as a reader receives it (Clover Go: PayRequest).
package struct ReaderCharge: Sendable, Equatable {
    /// In the smallest unit, including tax, excluding the tip.
    package let amount: Int64
    package let currency: String
    package let isFinal: Bool
    package let isCaptured: Bool
    /// The ID by which the payment is looked up later.
    package let externalPaymentID: String
    package let externalReferenceID: String?
    package let taxAmount: Int64?
    /// Nil where a tip may be added later.
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

/// An event of a payment on a reader.
package enum ReaderEvent: Sendable, Equatable {
    /// A progress code; the set is open. An example is `SWIPE_DIP_OR_TAP_CARD`.
    case progress(String)
    case completed(ReaderResult)
    /// Cancelled before a card was presented: nothing was charged.
    case cancelled
    case failed(code: String, message: String?)
}

/// A completed payment (Clover Go: PayResponse).
package struct ReaderResult: Sendable, Equatable {
    package var paymentID: String?
    package var orderID: String?
    /// The payment's own result: `SUCCESS`, `AUTH`, `FAIL`.
    package var result: String
    /// The approved amount, in the smallest unit.
    package var amount: Int64?
    package var tip: Int64?
    package var card: CardDetails?
    package var authCode: String?
    /// The external ID that the payment has; nil if the driver does not repeat it.
    package var externalID: String?
    package var currency: String?
    /// Whether the money was captured and not only held; nil if unknown.
    package var isCaptured: Bool?
    /// Whether nothing can be added to it later, such as a tip; nil if unknown.
    package var isFinal: Bool?

    package init(
        paymentID: String?, orderID: String? = nil, result: String, amount: Int64?, tip: Int64? = nil,
        card: CardDetails? = nil, authCode: String? = nil, externalID: String? = nil, currency: String? = nil,
        isCaptured: Bool? = nil, isFinal: Bool? = nil
    ) {
        self.isFinal = isFinal
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

/// Asks a reader's driver about payments that it took, including those of earlier runs.
package protocol ReaderChargeLookup: Sendable {
    /// Asks about the payment with this external ID, without charging anything.
    ///
    /// - Parameter driver: the driver program that made the payment; nil if unknown.
    /// - Returns: nil if there is no driver to ask.
    func recall(externalID: String, driver: String?) async -> ReaderChargeStatus?
}

/// What a driver reports about an earlier payment.
package enum ReaderChargeStatus: Sendable, Equatable {
    /// How the payment ended.
    case ended(ReaderEvent)
    /// The payment has not ended.
    case underWay
    /// No money moved, and none will, according to the record of the driver that made the payment.
    case noPayment
    /// The driver does not know; with the reason.
    case unclear(String)
}

/// Turns a reader's events about a charge into evidence, in the order of the events.
struct ReaderEvidence {
    private(set) var evidence: [Evidence] = []
    /// Whether a card may have been read: from then on, a failure proves nothing.
    private var isCardShown = false

    /// Progress codes that precede any card (Clover Go: transaction events; Android device activity).
    private static let beforeCard: Set<String> = ["SWIPE_DIP_OR_TAP_CARD", "READER_READY", "CANCEL_CARD_READ"]

    /// Whether a card may have been read when the reader reports this progress code.
    static func mayHaveReadCard(_ word: String) -> Bool { !beforeCard.contains(word) }

    mutating func take(_ event: ReaderEvent) {
        switch event {
        case .progress(let word):
            if Self.mayHaveReadCard(word) { isCardShown = true }
        case .cancelled:
            evidence.append(.cancelled(OperationOutcome(reason: "it was cancelled on the reader")))
        case .completed(let result):
            evidence.append(.payment(Self.payment(result)))
        case .failed(let code, let message):
            evidence.append(failed(code, message))
        }
    }

    private func failed(_ code: String, _ message: String?) -> Evidence {
        var outcome = OperationOutcome()
        outcome.code = code
        outcome.text = message.map(ServiceErrorBody.oneLine)
        switch PaymentErrorCode.meaning(of: code)?.cause {
        case .card: return .refusedByDriver(.declined, outcome)
        case .request where code == "cancelled" || code == "CANCEL": return .refusedByDriver(.cancelled, outcome)
        case .request, .state, .account: return .refusedByDriver(.failed, outcome)
        case .service, nil:
            guard isCardShown else { return .refusedByDriver(.failed, outcome) }
            outcome.reason = "the reader failed after a card was presented"
            return .silence(outcome, isRepeatable: false)
        }
    }

    private static func payment(_ result: ReaderResult) -> ObservedPayment {
        var outcome = OperationOutcome()
        outcome.paymentID = result.paymentID
        outcome.orderID = result.orderID
        outcome.card = result.card
        outcome.authCode = result.authCode
        outcome.tip = result.tip.flatMap(JSONTree.amount)
        outcome.amount = result.amount
        let ending: ObservedPayment.Ending
        switch result.result {
        case "SUCCESS", "AUTH": ending = .approved
        case "FAIL":
            ending = .declined
            outcome.code = "FAIL"
        case let word: ending = .open(word)
        }
        var payment = ObservedPayment(
            source: .driver, ending: ending, externalID: result.externalID, currency: result.currency,
            isCaptured: ending == .approved ? result.isCaptured : nil, outcome: outcome)
        payment.isFinal = result.isFinal
        return payment
    }
}
