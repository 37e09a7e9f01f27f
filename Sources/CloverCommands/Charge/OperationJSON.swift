import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

/// Operations as clover's own JSON: events of a run, and rows of the journal.
enum OperationJSON {
    static func event(_ event: ChargeEvent, _ word: String) -> JSONLine {
        var line = JSONLine()
        line.add("event", word)
        switch event {
        case .created(let operation):
            name(operation, &line)
            line.add("idempotencyKey", operation.idempotencyKey)
            // Of a plan or a subscription, it is not sent.
            if !operation.rail.isRecurring, let external = operation.externalID { line.add("externalId", external) }
            amount(operation, &line)
            line.add("rail", operation.rail.rawValue)
            line.add("recover", "clover charge recover \(operation.id)")
        case .sent(let operation, let isAgain):
            name(operation, &line)
            if isAgain { line.add("again", true) }
        case .progress(let operation, let say):
            name(operation, &line)
            line.add("say", say)
        case .cancelling(let operation), .skipped(let operation):
            name(operation, &line)
        case .settled(let operation):
            name(operation, &line)
            outcome(operation, &line)
        }
        return line
    }

    /// Adds the ids of the charge and, for a follow-up, of the operation.
    private static func name(_ operation: PaymentOperation, _ line: inout JSONLine) {
        line.add(operation.rail.isCharge ? "charge" : "operation", operation.parent ?? operation.id)
        if operation.kind != .charge {
            line.add("operation", operation.id)
            line.add("kind", operation.kind.rawValue)
        }
    }

    private static func amount(_ operation: PaymentOperation, _ line: inout JSONLine) {
        if let amount = operation.asked {
            line.add("amount", amount.minorUnits)
            line.add("currency", amount.currency.code)
        } else if operation.kind == .tip {
            line.add("tip", operation.request.tip)
            line.add("currency", operation.request.tipCurrency)
        }
    }

    /// Adds what is known of the outcome.
    private static func outcome(_ operation: PaymentOperation, _ line: inout JSONLine) {
        let outcome = operation.outcome
        if let session = outcome.session {
            line.add("session", session.id)
            line.add("url", session.address)
            line.add("expiresAt", instant: session.expiresAt ?? operation.expiry)
            if let here = operation.expiryHere { line.add("expiresHereAt", instant: here) }
        }
        // A webhook may come without the payment's ID.
        if let made = outcome.paymentID, !made.isEmpty {
            line.add(operation.rail.isRecurring ? operation.rail.noun : "payment", made)
        }
        if let payment = outcome.clientPaymentID { line.add("clientPayment", payment) }
        if let order = outcome.orderID { line.add("order", order) }
        if let amount = operation.asked?.minorUnits ?? operation.minorUnits {
            let isUnpaid = operation.rail.makesPage && operation.movedNoMoney || operation.hasUnknownAmount
            if operation.state == .approved, !isUnpaid, operation.paymentsOfPage == nil {
                line.add("amount", outcome.amount ?? amount)
                let isOther = operation.rail.makesPage && outcome.amount ?? amount != amount
                if operation.isPartial || isOther { line.add("requestedAmount", amount) }
            } else {
                line.add("requestedAmount", amount)
                // How Clover rounds taxes is not documented.
                if let slack = operation.checkoutTotal?.slack, slack > 0 { line.add("requestedAmountWithin", slack) }
            }
            line.add("currency", operation.currencyCode)
        } else if operation.rail.isRecurring, let amount = outcome.amount {
            line.add("amount", amount)
        }
        if operation.kind != .void, let tip = outcome.tip ?? operation.request.tip {
            line.add("tip", tip)
            if operation.minorUnits == nil, let currency = operation.request.tipCurrency {
                line.add("currency", currency)
            }
        }
        if let card = outcome.card { line.add("card", json: self.card(card)) }
        if let customer = operation.request.customer { line.add("customer", customer) }
        if let code = outcome.authCode { line.add("authCode", code) }
        if let issues = outcome.issues { line.add("issues", issues) }
        if let isOffline = outcome.isOffline { line.add("offline", isOffline) }
        if let code = outcome.code {
            line.add("code", code)
            if let meaning = PaymentErrorCode.meaning(of: code) { line.add("meaning", meaning.words) }
        }
        if let text = outcome.text { line.add("message", text) }
        if let http = outcome.http, operation.state != .approved { line.add("http", Int64(http)) }
        let words = operation.absence ?? operation.wordsElsewhere ?? operation.report
        if let reason = outcome.reason ?? words { line.add("reason", reason) }
        elsewhere(outcome, &line)
        byHand(operation, &line)
        if outcome.isProvisional == true, operation.state != .approved { line.add("provisional", true) }
        if operation.state == .unknown { line.add("recover", "clover charge recover \(operation.id)") }
    }

    /// Adds what Clover has shown as done elsewhere with the payment.
    private static func elsewhere(_ outcome: OperationOutcome, _ line: inout JSONLine) {
        guard let done = outcome.elsewhere else { return }
        if let captured = done.captured { line.add("capturedElsewhere", captured) }
        if let refunded = done.refunded { line.add("refundedElsewhere", refunded) }
        if done.isReleased == true { line.add("releasedElsewhere", true) }
    }

    /// Adds the facts of an outcome entered by hand.
    private static func byHand(_ operation: PaymentOperation, _ line: inout JSONLine) {
        let outcome = operation.outcome
        if let person = outcome.settledBy { line.add("settledBy", person) }
        if let contradiction = outcome.contradiction { line.add("contradiction", contradiction) }
        if let candidates = outcome.candidates ?? operation.acceptedPayments { line.add("candidates", candidates) }
    }

    private static func card(_ card: CardDetails) -> String {
        var line = JSONLine()
        if let type = card.type { line.add("type", type) }
        if let first6 = card.first6 { line.add("first6", first6) }
        if let last4 = card.last4 { line.add("last4", last4) }
        if let entry = card.entry { line.add("entry", entry) }
        return line.text
    }

    /// A row of `charge list`, with the charge's follow-ups included in its amounts.
    ///
    /// - Parameter status: the charge's status as one word.
    static func row(_ charge: PaymentOperation, _ facts: ChargeTotals, status: String) -> JSONLine {
        var line = JSONLine()
        line.add("charge", charge.id)
        line.add("state", charge.state.rawValue)
        line.add("status", status)
        line.add("amount", charge.asked?.minorUnits ?? charge.minorUnits)
        line.add("currency", charge.currencyCode)
        line.add("tip", facts.tip)
        // Of a page that was paid more than once, the sum is not known.
        let isKnown = charge.state == .approved && charge.paymentsOfPage == nil && !charge.hasUnknownAmount
        line.add("approved", isKnown ? facts.held : nil)
        line.add("captured", isKnown ? facts.captured : nil)
        let hasRefund = charge.state == .approved && (!charge.rail.makesPage || charge.refundedOfPage != nil)
        line.add("refunded", hasRefund ? facts.refunded : nil)
        line.add("type", facts.type.rawValue)
        line.add("rail", charge.rail.rawValue)
        line.add("device", charge.request.device)
        line.add("payment", charge.outcome.paymentID.flatMap { $0.isEmpty ? nil : $0 })
        line.add("clientPayment", charge.outcome.clientPaymentID)
        line.add("order", charge.outcome.orderID)
        line.add("card", json: charge.outcome.card.map(card) ?? "null")
        if let customer = charge.request.customer { line.add("customer", customer) }
        line.add("code", charge.outcome.code)
        line.add("message", charge.outcome.text)
        line.add("reason", charge.outcome.reason ?? charge.wordsElsewhere ?? charge.report)
        elsewhere(charge.outcome, &line)
        byHand(charge, &line)
        line.add("idempotencyKey", charge.idempotencyKey)
        line.add("externalId", charge.rail.isRecurring ? nil : charge.externalID)
        line.add("environment", charge.environment)
        // A hand-off whose request names no location has no merchant.
        line.add("merchant", charge.merchantID.isEmpty ? nil : charge.merchantID)
        line.add("createdAt", instant: charge.createdAt)
        line.add("updatedAt", instant: facts.updatedAt)
        return line
    }

    /// A follow-up of a charge.
    static func followUp(_ operation: PaymentOperation, of charge: PaymentOperation) -> String {
        var line = JSONLine()
        line.add("operation", operation.id)
        line.add("kind", operation.kind.rawValue)
        line.add("state", operation.state.rawValue)
        line.add("amount", operation.amount?.minorUnits)
        line.add("tip", operation.request.tip)
        line.add("payment", operation.outcome.paymentID)
        if let payment = operation.formerPayment(of: charge) { line.add("formerPayment", payment) }
        line.add("code", operation.outcome.code)
        line.add("reason", operation.outcome.reason)
        byHand(operation, &line)
        line.add("idempotencyKey", operation.idempotencyKey)
        line.add("createdAt", instant: operation.createdAt)
        return line.text
    }

    static func transition(_ transition: OperationTransition) -> String {
        var line = JSONLine()
        line.add("state", transition.state.rawValue)
        line.add("at", instant: transition.at)
        line.add("detail", transition.detail)
        return line.text
    }
}
