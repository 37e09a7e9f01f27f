import CloverJSON
import CloverOutput

/// One piece of evidence about an operation. `Verdict` decides what it proves.
package enum Evidence: Equatable, Sendable {
    /// Nothing of the request left this machine, and nothing will. The ending says how the operation ended.
    case neverLeft(NeverSentEnding, OperationOutcome)
    /// The same, but whether the key was charged before, elsewhere, could not be asked.
    case keyUnchecked(OperationOutcome)
    /// The response to the operation's own request, or to its repetition under the same key, is a decline in Clover's own
    /// form.
    case declined(OperationOutcome)
    /// The request was refused in Clover's own form, other than by a decline, with a status that says that it was wrong, and
    /// no earlier request was lost.
    case refused(OperationOutcome)
    /// A decline or refusal in Clover's own form of a later sending under the same key, after one that was refused in front of
    /// the service and may have been carried out; or a refusal that does not name the payment service.
    case doubtfulRefusal(NeverSentEnding, OperationOutcome)
    /// The sign-in was refused (401) in a form that gateways use, too.
    case signInDoubted(OperationOutcome)
    /// The device or reader says that it was cancelled. `isRequested`: this run had asked for that.
    case cancelled(OperationOutcome, isRequested: Bool = false)
    /// The reader's driver reports that it failed or was declined, before or without a charge.
    case refusedByDriver(NeverSentEnding, OperationOutcome)
    /// The driver that made the charge, whose record outlives the charge, has no such payment.
    case absentFromDriver
    /// Whatever the request made is out of everyone's reach, and nothing can come of it, as of a page whose address never
    /// arrived.
    case outOfReach(OperationOutcome)
    /// A payment is shown.
    case payment(ObservedPayment)
    /// The effect of a follow-up is shown: on its charge, or in the response to its own request.
    case effect(OperationOutcome)
    /// The charge of a follow-up was read after the follow-up was sent, and is unchanged.
    case unchanged
    /// The charge of a follow-up was read after the follow-up was sent, and shows a change that may be its effect.
    case changed(OperationOutcome)
    /// The service or device, asked by the operation's external ID after the operation was sent, has no such payment.
    case absent
    /// The service refuses the sign-in for reading too, so that it accepts no request with it.
    case signInRefused
    /// Anything inconclusive: no response, one that is not in Clover's form, an outage, a contradiction.
    case silence(OperationOutcome, isRepeatable: Bool)

    /// How an operation ended that was not carried out.
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

    /// The response to the first sending was lost, and the second one was refused.
    package static func secondRefused(_ outcome: OperationOutcome) -> Evidence {
        let word = outcome.code ?? outcome.http.map(String.init) ?? "no reason"
        return .inconclusive(
            "the response to the first attempt was lost, and the second was refused (\(word))", http: outcome.http)
    }

    /// Nothing was learnt, for this reason.
    static func inconclusive(_ reason: String, http: Int? = nil, isRepeatable: Bool = false) -> Evidence {
        .silence(OperationOutcome(reason: reason, http: http), isRepeatable: isRepeatable)
    }

    /// Whether the service's records have to be read before a conclusion: the evidence does not show the payment itself.
    package var needsLookup: Bool {
        switch self {
        case .neverLeft, .keyUnchecked, .outOfReach, .effect, .unchanged, .changed, .absent, .signInRefused: false
        case .payment(let payment): payment.ending != .approved
        // A proxy may repeat the decline of another request.
        case .declined, .refused, .doubtfulRefusal, .signInDoubted, .cancelled, .refusedByDriver, .absentFromDriver,
            .silence:
            true
        }
    }

    /// Whether this shows that an operation was sent before, which the journal does not know.
    func shows(_ operation: PaymentOperation) -> Bool {
        switch self {
        case .payment(let payment): payment.source != .list && payment.relation(to: operation) != .foreign
        case .refusedByDriver, .cancelled, .effect, .changed: true
        default: false
        }
    }

    /// Whether the records were read and have nothing of the operation. That is documented as 404, but not in which form.
    var isAbsence: Bool {
        switch self {
        case .absent, .unchanged, .outOfReach: true
        case .silence(let outcome, _): outcome.http == 404
        default: false
        }
    }

    /// Whether a payment is shown that took no money, or gave it back.
    var isFailedPayment: Bool {
        if case .payment(let payment) = self { payment.ending == .declined || payment.ending == .voided } else { false }
    }

    /// Whether the service's records were read, and understood.
    var isReading: Bool {
        switch self {
        case .payment(let payment): payment.source != .response && payment.source != .driver
        case .absent, .unchanged: true
        default: false
        }
    }

    /// Whether the charge of a follow-up shows a change that may be its effect.
    var isChange: Bool { if case .changed = self { true } else { false } }

    /// Whether this is a payment that only looks like the operation's. It proves nothing against a response about the
    /// operation itself.
    package var isOnlySimilar: Bool {
        if case .payment(let payment) = self { payment.source == .list && !payment.isFromOwnSource } else { false }
    }

    /// The payment that a response to `operation` named as its own, by which it can be looked up.
    package func paymentID(of operation: PaymentOperation) -> String? {
        switch self {
        case .payment(let payment) where payment.relation(to: operation) == .own: payment.outcome.paymentID
        case .silence(let outcome, _): outcome.paymentID
        case .declined(let outcome) where operation.kind == .charge: outcome.paymentID
        default: nil
        }
    }
}

/// A payment as shown by the service, a device or a driver.
package struct ObservedPayment: Equatable, Sendable {
    /// The payment's own status.
    package enum Ending: Equatable, Sendable {
        case approved
        case declined
        case voided
        /// Another status, such as `pending`; nil if there is none.
        case open(String?)
    }

    /// How the payment was found, which decides what it can prove.
    package enum Source: String, CaseIterable, Sendable {
        /// In the response to the operation's own request, or to its repetition under the same key.
        case response
        /// By a payment ID that the journal has for the operation.
        case paymentID
        /// By the external ID or reference that the operation sent.
        case externalID
        /// Reported by the reader's driver for the external ID of the charge.
        case driver
        /// In a list, without a reference, but similar.
        case list
    }

    /// Which operation the payment belongs to.
    package enum Relation: Equatable, Sendable {
        case own
        /// It may belong to this operation: a person has to check.
        case possible
        /// It belongs to another operation.
        case foreign
    }

    package var source: Source
    package var ending: Ending
    /// The payment's external ID or reference.
    package var externalID: String?
    package var currency: String?
    /// Whether the money was captured and not only held; nil if that is not shown reliably.
    package var isCaptured: Bool?
    /// The amount that was captured, 0 for a hold, and the amount that was refunded, in the smallest unit; nil if that is
    /// not shown.
    package var captured: Int64?
    package var refunded: Int64?
    /// Whether a part of `refunded` is pending: it counts as refunded, and may still fail.
    package var hasPendingRefund = false
    /// Whether a refund is shown without its amount, so that `refunded` is the most that it can be.
    package var lacksRefundedAmount = false
    /// When it was made, in milliseconds since 1970; nil if that is not shown.
    package var createdAt: Int64?
    /// When the operation that it is compared with was recorded, by the same clock; nil if that is not known.
    package var askedAt: Int64?
    /// Whether nothing can be added to it later, such as a tip; nil if that is not shown.
    package var isFinal: Bool?
    /// Whether the journal has the payment under another operation.
    package var isOfAnother = false
    /// In a list: whether it was made at about the same time with the operation's own token, or of its customer, for the
    /// same amount.
    package var isFromOwnSource = false
    /// The payment's ID, amount, tip and card.
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

    /// Whether this payment belongs to `operation`.
    package func relation(to operation: PaymentOperation) -> Relation {
        guard !isOfAnother else { return .foreign }
        if let externalID, let sent = operation.externalID, externalID != sent { return .foreign }
        // An empty ID identifies nothing.
        guard outcome.paymentID?.isEmpty == false else { return .possible }
        switch source {
        case .response where operation.rail.rules.repeatsExternalID && ending == .approved && externalID == nil:
            return operation.externalID == nil ? .own : .possible
        case .response, .paymentID, .driver: return .own
        // An ID that a person chose may also be on another payment.
        case .externalID: return externalID == nil || operation.request.hasChosenID == true ? .possible : .own
        case .list: return .possible
        }
    }

    /// How the payment differs from what was requested, as a clause; nil if it does not. A smaller amount is a partial
    /// approval, not a contradiction, if the payment can only be from this very request.
    package func contradiction(with operation: PaymentOperation) -> String? {
        guard let asked = operation.amount else { return nil }
        if ending == .approved, operation.rail.rules.showsAmountAndTime, outcome.amount == nil {
            return "the service does not show its amount"
        }
        if outcome.amount == 0 { return "its amount is 0 or cannot be read, but \(asked) was requested" }
        func text(_ amount: Int64) -> String {
            PaymentDifference.text(amount, in: currency?.uppercased() ?? asked.currency.code)
        }
        if let amount = outcome.amount, amount < 0 || amount > asked.minorUnits {
            return "its amount is \(text(amount)), but \(asked) was requested"
        }
        if let end = operation.request.cardEnd, let shown = outcome.card?.last4, shown != end {
            return "it was paid with a card that ends in \(shown), and this one ends in \(end)"
        }
        if operation.rail.rules.showsAmountAndTime {
            if isEarlier(than: operation) { return "it was made before the request" }
            if isTimeMissing(for: operation) { return "the service does not show when it was made" }
        }
        if isFinal == false, operation.request.type?.isFinal == true {
            return "it is not final, so that a tip can still be added"
        }
        let isFresh = source == .response || source == .driver
        // Staff may have captured a part of a hold since, which looks like a partial approval.
        let taken = captured ?? (isCaptured == true ? outcome.amount : nil)
        let elsewhere = isFresh ? "" : ", which may have been done elsewhere"
        if operation.request.type == .preauth, let taken, taken > 0 {
            return "\(text(taken)) of the hold is captured\(elsewhere)"
        }
        if let refunded, refunded > 0 {
            return (lacksRefundedAmount ? "it is refunded" : "\(text(refunded)) of it is refunded") + elsewhere
        }
        if let amount = outcome.amount, amount < asked.minorUnits, !isUnique(to: operation) {
            return "its amount is \(text(amount)), but \(asked) was requested, \(Self.mayBeEarlier)"
        }
        if let currency, currency.uppercased() != asked.currency.code {
            return "its currency is \(ServiceErrorBody.oneLine(currency)), but \(asked.currency.code) was requested"
        }
        if operation.request.type?.isCaptured == true {
            if isCaptured == false { return "it is only held, not captured" }
            if let captured, let amount = outcome.amount, captured < amount {
                return "only \(text(captured)) of it is captured"
            }
            // Whether a service counts the tip among what was captured is not documented.
            if let captured, let amount = outcome.amount, captured > amount + max(0, outcome.tip ?? 0) {
                return "\(text(captured)) of it is captured, but \(asked) was requested"
            }
        }
        if let tip = outcome.tip, tip < 0 { return "its tip is \(text(tip))" }
        // On a device the payer may add a tip. A reader takes what was requested, unless the tip comes later.
        let rules = operation.rail.rules
        let isFixed = !rules.hasDevice && (!rules.hasReader || operation.request.type?.isFinal == true)
        if let tip = outcome.tip, let asked = operation.request.tip ?? (isFixed ? 0 : nil), tip != asked {
            return "its tip is \(text(tip)), but \(text(asked)) was requested"
        }
        return nil
    }

    /// The words for a smaller payment that an earlier request under the same key or ID may have made.
    package static let mayBeEarlier = "and it may be an earlier payment"

    /// Milliseconds by which the clocks of a service's machines may disagree.
    private static let clockSkew: Int64 = 10 * 60 * 1000

    /// Whether it was certainly made before the operation was, by the service's clock: or by that of this machine, if the
    /// service does not show its own and the payment is known only by an ID that a person chose, as that of an earlier
    /// payment may be. A key that a person chose may be that of an earlier request.
    func isEarlier(than operation: PaymentOperation) -> Bool {
        guard operation.request.hasChosenKey != true, !isOfSameRequest(operation), let shownTime else { return false }
        let hasOnlyChosenID = operation.request.hasChosenID == true && source != .list
        guard let askedAt = askedAt ?? (hasOnlyChosenID ? operation.createdAt : nil) else { return false }
        return shownTime < askedAt - Self.clockSkew
    }

    /// Whether the payment may be an earlier one with an ID that a person chose, because the service does not show when it was
    /// made.
    private func isTimeMissing(for operation: PaymentOperation) -> Bool {
        operation.request.hasChosenID == true && operation.request.hasChosenKey != true && shownTime == nil
            && !isOfSameRequest(operation)
    }

    /// When it was made; nil if that is not shown. A smaller number is in no unit that is known.
    private var shownTime: Int64? { createdAt.flatMap { $0 > 100_000_000_000 ? $0 : nil } }

    /// Whether it is of the operation's request whatever the clocks show, which may be wrong: it has this very card, or an ID
    /// that only this request has.
    private func isOfSameRequest(_ operation: PaymentOperation) -> Bool {
        isUnique(to: operation) || operation.request.cardEnd.map { $0 == outcome.card?.last4 } ?? false
    }

    /// Whether it has the external ID that the charge was sent with. One that a person chose may also be on another payment.
    func hasReference(of charge: PaymentOperation) -> Bool {
        externalID.map { $0 == charge.externalID } ?? false
    }

    /// Whether it can be a part of a charge that was approved in part: smaller, with the charge's external ID, or named by the
    /// journal as what may be its payment. Of a hold, a part that was captured is none.
    func isPart(of charge: PaymentOperation) -> Bool {
        guard charge.kind == .charge, charge.rail.isCharge, let asked = charge.amount?.minorUnits,
            let amount = outcome.amount, amount > 0, amount < asked,
            charge.request.type != .preauth || captured ?? 0 == 0
        else { return false }
        if hasReference(of: charge) { return true }
        return outcome.paymentID.map { charge.outcome.candidates?.contains($0) ?? false } ?? false
    }

    /// Whether a declined payment shows another amount than was requested.
    func isOfOtherAmount(than operation: PaymentOperation) -> Bool {
        outcome.amount.map { $0 != operation.amount?.minorUnits } ?? false
    }

    /// Whether no other request can have made the payment: it has the operation's external ID, which comes from a key that
    /// this program made.
    private func isUnique(to operation: PaymentOperation) -> Bool {
        if operation.rail.rules.showsOnlyOwnPayments { return true }
        let isOurs = operation.request.hasChosenKey != true && operation.request.hasChosenID != true
        return isOurs && externalID != nil && externalID == operation.externalID
    }
}

/// How an earlier sending of the same request under the same key ended.
enum EarlierSending: Sendable {
    /// There was none, or the service itself refused it.
    case none
    /// The sign-in check or the rate limit in front of the service refused it, as far as the response shows.
    case refusedInFront
    /// Its response was lost, or showed nothing.
    case lost
}

extension Evidence {
    /// What this response means after an earlier sending: only that the later one was not carried out.
    func after(_ earlier: EarlierSending) -> Evidence {
        switch (self, earlier) {
        case (_, .none): return self
        // An end of the second sending, as far as the response shows: the first one may have been carried out.
        case (.declined(let outcome), .lost), (.refused(let outcome), .lost), (.cancelled(let outcome, _), .lost),
            (.doubtfulRefusal(_, let outcome), .lost), (.signInDoubted(let outcome), .lost):
            return .secondRefused(outcome)
        case (.payment(let payment), .lost) where payment.ending == .declined: return .secondRefused(payment.outcome)
        case (.declined(let outcome), _): return .doubtfulRefusal(.declined, outcome)
        case (.payment(let payment), _) where payment.ending == .declined:
            var outcome = payment.outcome
            outcome.amount = nil
            return .doubtfulRefusal(.declined, outcome)
        case (.refused(let outcome), _): return .doubtfulRefusal(.failed, outcome)
        default: return self
        }
    }
}

extension OperationOutcome {
    /// Whether the response is that of the sign-in check (401) or the rate limit (429) in front of the service.
    var isOfGateway: Bool { http == 401 || http == 429 }
}
