import CloverPayments

/// Events for a person at a terminal.
enum OperationText {
    static func line(_ event: ChargeEvent) -> String {
        switch event {
        case .created(let operation):
            "\(what(operation)) is written down as \(operation.id)"
        case .sent(let operation, let isAgain):
            isAgain ? "sent again, under the same key" : "sent to \(operation.rail.displayName)"
        case .progress(_, let say):
            say.replacing("_", with: " ").lowercased()
        case .cancelling:
            "cancelling"
        case .skipped(let operation):
            "\(operation.id) is being worked on by another process"
        case .settled(let operation):
            settled(operation)
        }
    }

    /// Such as `a charge of 12.50 USD`.
    private static func what(_ operation: PaymentOperation) -> String {
        let article = operation.kind == .increment ? "an" : "a"
        return "\(article) \(operation.kind.rawValue)" + (operation.amount.map { " of \($0)" } ?? "")
    }

    private static func settled(_ operation: PaymentOperation) -> String {
        let words = ending(operation)
        return words + (operation.outcome.contradiction.map { "; \($0)" } ?? "")
    }

    private static func ending(_ operation: PaymentOperation) -> String {
        let outcome = operation.outcome
        guard operation.state == .approved else {
            let why = outcome.code.flatMap(RefusalCode.meaning)?.words ?? outcome.text ?? outcome.reason
            return operation.state.rawValue + (why.map { ": \($0)" } ?? "")
        }
        guard operation.kind == .charge else { return "\(operation.kind.rawValue) done" }
        var parts = [operation.isPartial ? "partly approved" : "approved"]
        if var amount = operation.amount {
            if let approved = outcome.amount { amount.minorUnits = approved }
            parts.append("\(amount)")
        } else if let amount = operation.amountText {
            parts.append(amount)
        }
        if let card = outcome.card {
            parts.append([card.type, card.last4.map { "....\($0)" }].compactMap(\.self).joined(separator: " "))
        }
        if let code = outcome.authCode { parts.append("code \(code)") }
        if let payment = outcome.paymentID { parts.append("payment \(payment)") }
        if outcome.isByHand == true, let person = outcome.settledBy { parts.append("(said by \(person))") }
        if let issues = outcome.issues { parts.append("(\(issues.joined(separator: ", ")))") }
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
