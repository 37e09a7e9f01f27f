/// What the Ecommerce API answers (Clover: create a charge, capture, refund; response codes).
enum EcommerceAnswer {
    /// - Parameter isRepeat: the same request left before under the same key, and its answer was lost.
    static func verdict(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Verdict {
        if (200...299).contains(status) { return accepted(operation, status, body) }
        let refusal = ServiceRefusal(body)
        var outcome = OperationOutcome()
        outcome.http = status
        outcome.code = refusal.code
        outcome.text = refusal.text
        outcome.paymentID = operation.kind == .charge ? refusal.chargeID : nil
        let cause = refusal.code.flatMap(RefusalCode.meaning)?.cause
        if status == 402 || cause == .card {
            // Some declines come as a 500 (Clover: test card numbers).
            outcome.code = refusal.code ?? "card_declined"
            return .settled(.declined, outcome)
        }
        if status >= 500 {
            outcome.reason = "the service answered \(status)"
            return .unknown(outcome, isRepeatable: true)
        }
        if isRepeat {
            // Such as a card token that the first try has used up: proof of nothing.
            outcome.reason =
                "the answer to the first try was lost, and the second was refused (\(refusal.code ?? "\(status)"))"
            return .unknown(outcome, isRepeatable: false)
        }
        return .settled(.failed, outcome)
    }

    private static func accepted(_ operation: PaymentOperation, _ status: Int, _ body: [UInt8]) -> Verdict {
        guard let tree = JSONTree(body), tree["id"]?.string != nil else {
            return .unknown(
                OperationOutcome(reason: "the answer (\(status)) is not to be understood", http: status),
                isRepeatable: true)
        }
        return operation.kind == .refund
            ? refund(tree, status) : charge(tree, operation, status)
    }

    /// A charge, as an answer or from the list.
    static func charge(_ tree: JSONTree, _ operation: PaymentOperation, _ status: Int) -> Verdict {
        var outcome = OperationOutcome()
        outcome.http = status
        outcome.paymentID = tree["id"]?.string
        outcome.orderID = tree["order"]?.identifier
        outcome.authCode = tree["auth_code"]?.string
        outcome.tip = tree["tip_amount"]?.amount
        if let source = tree["source"] {
            outcome.card = CardFacts(
                type: source["brand"]?.string, first6: source["first6"]?.string, last4: source["last4"]?.string)
        }
        let failure = tree["failure_code"]?.string ?? tree["outcome"]?["code"]?.string
        outcome.text = (tree["failure_message"]?.string ?? tree["outcome"]?["seller_message"]?.string)
            .map(ServiceRefusal.oneLine)
        switch tree["status"]?.string {
        case "succeeded":
            if operation.kind == .capture {
                outcome.amount = tree["amount_captured"]?.amount ?? operation.amount?.minorUnits
            } else {
                outcome.amount = tree["amount"]?.amount ?? operation.amount?.minorUnits
            }
            return .settled(.approved, outcome)
        case "failed":
            outcome.code = failure ?? "card_declined"
            return .settled(.declined, outcome)
        case let word:
            outcome.reason = word.map { "the charge is '\($0)' at the service" } ?? "the answer names no status"
            return .unknown(outcome, isRepeatable: false)
        }
    }

    private static func refund(_ tree: JSONTree, _ status: Int) -> Verdict {
        var outcome = OperationOutcome()
        outcome.http = status
        outcome.paymentID = tree["id"]?.string
        outcome.amount = tree["amount"]?.amount
        switch tree["status"]?.string {
        // A pending refund is on its way and cannot be given twice.
        case "succeeded", "pending", nil: return .settled(.approved, outcome)
        case "failed", "canceled":
            outcome.code = tree["failure_reason"]?.string
            return .settled(.declined, outcome)
        case let word:
            outcome.reason = "the refund is '\(word ?? "")' at the service"
            return .unknown(outcome, isRepeatable: false)
        }
    }
}
