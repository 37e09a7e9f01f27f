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

/// What a reader's driver knows of payments that it took, also in an earlier run.
package protocol PaymentRecollection: Sendable {
    /// Asks what became of the payment with this external id; charges nothing.
    ///
    /// - Parameter driver: the driver program that the payment was made with; nil when that is not known.
    /// - Returns: nil when there is no driver to ask.
    func recall(externalID: String, driver: String?) async -> Recollection?
}

/// What a driver recalls of a payment.
package enum Recollection: Sendable, Equatable {
    /// How it ended.
    case ended(ReaderEvent)
    /// It has not ended.
    case underWay
    /// No money moved, and none will: by the record of the very driver that the payment was made with.
    case noPayment
    /// The driver cannot tell, and why.
    case unclear(String)
}

/// What the events of a reader say about a charge, in the order in which they came.
struct ReaderEvidence {
    private(set) var evidence: [Evidence] = []
    /// A card may have been read: from then on a failure is no proof.
    private var isCardShown = false

    /// Words that come before any card (Clover Go: transaction events; Android device activity).
    private static let beforeCard: Set<String> = ["SWIPE_DIP_OR_TAP_CARD", "READER_READY", "CANCEL_CARD_READ"]

    /// Whether a card may have been read when the reader says this.
    static func tellsOfCard(_ word: String) -> Bool { !beforeCard.contains(word) }

    mutating func take(_ event: ReaderEvent) {
        switch event {
        case .progress(let word):
            if Self.tellsOfCard(word) { isCardShown = true }
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
        outcome.text = message.map(ServiceRefusal.oneLine)
        switch RefusalCode.meaning(of: code)?.cause {
        case .card: return .driverRefused(.declined, outcome)
        case .request where code == "cancelled" || code == "CANCEL": return .driverRefused(.cancelled, outcome)
        case .request, .state, .account: return .driverRefused(.failed, outcome)
        case .service, nil:
            guard isCardShown else { return .driverRefused(.failed, outcome) }
            outcome.reason = "the reader failed after a card was shown"
            return .silence(outcome, isRepeatable: false)
        }
    }

    private static func payment(_ result: ReaderResult) -> SeenPayment {
        var outcome = OperationOutcome()
        outcome.paymentID = result.paymentID
        outcome.orderID = result.orderID
        outcome.card = result.card
        outcome.authCode = result.authCode
        outcome.tip = result.tip.flatMap(JSONTree.amount)
        outcome.amount = result.amount
        let ending: SeenPayment.Ending
        switch result.result {
        case "SUCCESS", "AUTH": ending = .approved
        case "FAIL":
            ending = .declined
            outcome.code = "FAIL"
        case let word: ending = .open(word)
        }
        return SeenPayment(
            source: .driver, ending: ending, externalID: result.externalID, currency: result.currency,
            isCaptured: ending == .approved ? result.isCaptured : nil, outcome: outcome)
    }
}
