import CloverRecords

/// One thing that was seen or heard about an operation. `Verdict` says what it proves.
package enum Evidence: Equatable, Sendable {
    /// Nothing of the request left this machine, and nothing will. The state says how it ended.
    case neverLeft(NeverSentEnding, OperationOutcome)
    /// The response to the operation's own request, or to its repetition under the same key, is a decline in Clover's own
    /// form.
    case declined(OperationOutcome)
    /// The request was refused in Clover's own form, other than by a decline, and no earlier request was lost.
    case refused(OperationOutcome)
    /// The device or reader says that it was cancelled.
    case cancelled(OperationOutcome)
    /// The reader's driver says that it failed, or was declined, before or without a charge.
    case driverRefused(NeverSentEnding, OperationOutcome)
    /// The driver of the charge, whose record outlives it, has no such payment.
    case driverHasNone
    /// A payment is shown.
    case payment(SeenPayment)
    /// The effect of a follow-up is shown: on its charge, or in the response to its own request.
    case effect(OperationOutcome)
    /// The charge of a follow-up was read after its request, and is as it was before.
    case unchanged
    /// The service or device, asked by the operation's external id after its request, has no such payment.
    case absent
    /// Whatever does not tell: no response, one that is not in Clover's form, an outage, a contradiction.
    case silence(OperationOutcome, isRepeatable: Bool)

    /// How an operation ended of which nothing was carried out.
    package enum NeverSentEnding: String, CaseIterable, Sendable {
        case declined, cancelled, failed

        package var state: OperationState {
            switch self {
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            }
        }
    }

    /// Whether the service's records have to be read before anything is concluded: it is neither an approval nor a
    /// decline in Clover's form.
    package var asksForLook: Bool {
        switch self {
        case .neverLeft, .declined, .effect, .unchanged, .absent, .driverHasNone: false
        case .payment(let payment): payment.ending != .approved && payment.ending != .declined
        case .refused, .cancelled, .driverRefused, .silence: true
        }
    }

    /// A payment that only looks like the operation's: it proves nothing against a response about the operation itself.
    package var isOnlyAlike: Bool {
        if case .payment(let payment) = self { payment.source == .list } else { false }
    }

    /// The payment that a response to `operation` named as its own, by which it can be asked for.
    package func paymentID(of operation: PaymentOperation) -> String? {
        switch self {
        case .payment(let payment) where payment.relation(to: operation) == .own: payment.outcome.paymentID
        case .silence(let outcome, _): outcome.paymentID
        default: nil
        }
    }
}

/// A payment as the service, a device or a driver shows it.
package struct SeenPayment: Equatable, Sendable {
    /// What the payment itself says about its end.
    package enum Ending: Equatable, Sendable {
        case approved
        case declined
        case voided
        /// Another word, such as `pending`; nil when there is none.
        case open(String?)
    }

    /// How the payment was found, which decides what it can prove.
    package enum Source: String, CaseIterable, Sendable {
        /// In the response to the operation's own request, or to its repetition under the same key.
        case response
        /// By a payment id that the journal has for the operation.
        case paymentID
        /// By the external id or reference that the operation sent.
        case externalID
        /// The reader's driver told of it, for the external id of the charge.
        case driver
        /// In a list, without a reference, but alike.
        case list
    }

    /// Whose payment it is.
    package enum Relation: Equatable, Sendable {
        case own
        /// It may be the operation's: a person has to look.
        case possible
        /// It is another operation's.
        case foreign
    }

    package var source: Source
    package var ending: Ending
    /// The external id or reference that the payment has.
    package var externalID: String?
    package var currency: String?
    /// Whether the money was taken, and not only held; nil when that is not shown reliably.
    package var isCaptured: Bool?
    /// Whether the journal has the payment under another operation.
    package var isOfAnother = false
    /// The payment's id, amount, tip and card.
    package var outcome: OperationOutcome

    package init(
        source: Source, ending: Ending, externalID: String? = nil, currency: String? = nil, isCaptured: Bool? = nil,
        outcome: OperationOutcome
    ) {
        self.source = source
        self.ending = ending
        self.externalID = externalID
        self.currency = currency
        self.isCaptured = isCaptured
        self.outcome = outcome
    }

    /// Whether this is the payment of `operation`.
    package func relation(to operation: PaymentOperation) -> Relation {
        guard !isOfAnother else { return .foreign }
        if let externalID, let sent = operation.externalID, externalID != sent { return .foreign }
        // An empty id identifies nothing.
        guard outcome.paymentID?.isEmpty == false else { return .possible }
        switch source {
        case .response, .paymentID, .driver: return .own
        // An id that a person chose may stand on another payment too.
        case .externalID: return externalID == nil || operation.request.hasChosenID == true ? .possible : .own
        case .list: return .possible
        }
    }

    /// What the payment shows otherwise than it was asked for, as a clause; nil when nothing. A smaller amount is a partial
    /// approval, not a contradiction.
    package func contradiction(with operation: PaymentOperation) -> String? {
        guard let asked = operation.amount else { return nil }
        if let amount = outcome.amount, amount <= 0 || amount > asked.minorUnits {
            return "its amount is \(amount) in the smallest unit, and \(asked.minorUnits) was asked for"
        }
        if let currency, currency.uppercased() != asked.currency.code {
            return "its currency is \(ServiceRefusal.oneLine(currency)), and \(asked.currency.code) was asked for"
        }
        // A hold may have been captured since.
        let isFresh = source == .response || source == .driver
        if isFresh, let isCaptured, let type = operation.request.type, isCaptured != type.isCaptured {
            return isCaptured ? "it is captured, and only a hold was asked for" : "it is only held, not captured"
        }
        if let tip = outcome.tip, let asked = operation.request.tip, tip != asked {
            return "its tip is \(tip) in the smallest unit, and \(asked) was asked for"
        }
        return nil
    }
}
