import CloverRecords

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
