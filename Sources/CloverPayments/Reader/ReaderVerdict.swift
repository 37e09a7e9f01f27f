import CloverRecords

/// What the events of a reader say about a charge.
struct ReaderVerdict {
    private(set) var verdict = Verdict.unknown(
        OperationOutcome(reason: "the reader stopped telling before the payment ended"), isRepeatable: false)
    /// A card may have been read: from then on a failure is no proof.
    private var isCardShown = false

    /// Words that come before any card (Clover Go: transaction events; Android device activity).
    private static let beforeCard: Set<String> = ["SWIPE_DIP_OR_TAP_CARD", "READER_READY", "CANCEL_CARD_READ"]

    /// Whether a card may have been read when the reader says this.
    static func tellsOfCard(_ word: String) -> Bool { !beforeCard.contains(word) }

    mutating func take(_ event: ReaderEvent, _ operation: PaymentOperation) {
        switch event {
        case .progress(let word):
            if Self.tellsOfCard(word) { isCardShown = true }
        case .cancelled:
            verdict = .settled(.cancelled, OperationOutcome(reason: "it was cancelled on the reader"))
        case .completed(let result):
            verdict = Self.verdict(result, operation)
        case .failed(let code, let message):
            var outcome = OperationOutcome()
            outcome.code = code
            outcome.text = message.map(ServiceRefusal.oneLine)
            switch RefusalCode.meaning(of: code)?.cause {
            case .card: verdict = .settled(.declined, outcome)
            case .request where code == "cancelled" || code == "CANCEL":
                verdict = .settled(.cancelled, outcome)
            case .request, .state, .account: verdict = .settled(.failed, outcome)
            case .service, nil:
                if isCardShown {
                    outcome.reason = "the reader failed after a card was shown"
                    verdict = .unknown(outcome, isRepeatable: false)
                } else {
                    verdict = .settled(.failed, outcome)
                }
            }
        }
    }

    private static func verdict(_ result: ReaderResult, _ operation: PaymentOperation) -> Verdict {
        var outcome = OperationOutcome()
        outcome.paymentID = result.paymentID
        outcome.orderID = result.orderID
        outcome.card = result.card
        outcome.authCode = result.authCode
        outcome.tip = result.tip.flatMap(JSONTree.amount)
        switch result.result {
        case "SUCCESS", "AUTH":
            outcome.amount = result.amount.flatMap(JSONTree.amount) ?? operation.amount?.minorUnits
            return .settled(.approved, outcome)
        case "FAIL":
            outcome.code = "FAIL"
            return .settled(.declined, outcome)
        case let word:
            outcome.reason = "the payment is '\(ServiceRefusal.oneLine(word))' at the service"
            return .unknown(outcome, isRepeatable: false)
        }
    }
}
