/// What was last seen of a page of Hosted Checkout, as one word. Only `paid`, `paidInPart`, `paidInParts`, `paidTwice` and
/// `givenBack` rest on a payment that was seen.
package enum CheckoutState: String, Codable, Sendable, CaseIterable {
    /// It can be paid, and no payment was seen.
    case open
    /// Its time is over, and no payment was seen: it may still have been paid.
    case expired
    case paid
    /// Payments that are together less than it asked for.
    case paidInPart
    /// Several payments that are together what it asked for.
    case paidInParts
    /// Several payments that are together more than it asked for, or whose sum is not known.
    case paidTwice
    /// All that was paid was refunded since.
    case givenBack
    /// Its payment was voided.
    case voided
    /// Its payment is only held.
    case held
    /// A person recorded that it was not paid.
    case notPaid
    /// It was not made, or no one has its address.
    case failed
    /// It is not known whether it was made, or what was found contradicts the page or what was recorded.
    case unknown

    /// Whether payments were seen that took money.
    var showsMoney: Bool {
        switch self {
        case .paid, .paidInPart, .paidInParts, .paidTwice, .givenBack: true
        case .open, .expired, .voided, .held, .notPaid, .failed, .unknown: false
        }
    }
}

extension PaymentOperation {
    /// What was last seen of a page; nil for anything else.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func checkoutState(now: Int64) -> CheckoutState? {
        guard rail == .hostedCheckout else { return nil }
        switch state {
        case .created, .sent, .unknown: return .unknown
        case .declined, .cancelled, .failed:
            guard outcome.isByHand == true else { return .failed }
            return outcome.contradiction == nil ? .notPaid : outcome.page ?? .unknown
        case .approved: break
        }
        if let seen = outcome.page { return seen }
        // As an earlier version recorded it.
        if paymentsOfPage != nil { return .paidTwice }
        // What contradicts the entry is the payment.
        if isPaidAfterAll { return .paid }
        if outcome.contradiction != nil { return .unknown }
        guard movedNoMoney else { return .paid }
        // A payment was seen that is not taken as the page's.
        if outcome.candidates != nil { return .unknown }
        return now < expiry ? .open : .expired
    }

    /// The payment of a page that the merchant's records have shown; nil if they have not.
    package var recordedPayment: String? {
        guard rail.makesPage, state == .approved, outcome.candidates == nil, outcome.isByHand != true,
            !isPaidByWebhookAlone
        else { return nil }
        return outcome.paymentID
    }

    /// When the payments and orders of a page can have been made at the earliest, in milliseconds since 1970: clocks disagree.
    var earliestPayment: Int64 { (outcome.session?.createdAt ?? createdAt) - 60 * 60 * 1000 }

    /// Begins what contradicts a page that only a webhook shows as paid.
    static let webhookAlone = "a webhook alone reported it as paid; "

    /// What shows that money was paid for a page, for a person who is not to record that it was not.
    var proofs: [String] {
        let paid = (knownFacts ?? []).withMoney.filter { $0.isNamed != true }.map { $0.words(of: self) }
        return paid.isEmpty ? [outcome.contradiction ?? outcome.reason].compactMap(\.self) : paid
    }

    /// Whether payments of the page are shown that took money and were not given back, so that a person cannot record that it
    /// was not paid.
    var isShownAsPaid: Bool {
        guard rail.makesPage else { return false }
        if isPaidAfterAll { return !isPaidByWebhookAlone }
        if outcome.shown != nil || outcome.settled != nil {
            // A person can correct what no record shows as the page's.
            return knownFacts?.withMoney.contains { $0.isNamed != true } ?? false
        }
        // As an earlier version recorded it.
        guard let seen = outcome.page else { return paymentsOfPage != nil }
        return seen.showsMoney && seen != .givenBack
    }

    /// Ends what contradicts a page that a person recorded as not paid.
    private static let paidAfterAll = "recorded it as not paid; a payment is shown"

    /// Whether a payment of a page was shown after a person recorded it as not paid, and no person has seen that since.
    package var isPaidAfterAll: Bool { outcome.contradiction?.hasSuffix(Self.paidAfterAll) == true }

    /// Notes what was given back of the payment of a page.
    mutating func note(_ payment: PagePayment) {
        let clauses = [payment.refundClause(of: self), payment.remark].compactMap(\.self)
        outcome.reason = clauses.isEmpty ? nil : clauses.joined(separator: "; ")
        outcome.refunded = payment.refunded > 0 ? payment.refunded : nil
    }

    /// The payments of a checkout that has several; nil for any other.
    package var paymentsOfPage: [String]? {
        guard rail.makesPage, state == .approved, let payments = outcome.candidates, payments.count > 1 else {
            return nil
        }
        return payments
    }

    /// Whether it is a page whose payment the records have shown, and which a later look, or a payment after a person's entry,
    /// contradicts.
    package var isContradictedPage: Bool {
        rail.makesPage && state == .approved && outcome.contradiction != nil && outcome.isByHand != true
            && !isPaidByWebhookAlone
    }

    /// Whether a page is not to be offered to the customer again: it has ended, a payment was seen, or a person has settled it.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func cannotBePaidAgain(now: Int64) -> Bool {
        guard rail.makesPage, outcome.session != nil else { return false }
        guard state == .approved else { return outcome.isByHand == true }
        return checkoutState(now: now) != .open
    }

    /// Begins the clause about payments whose refund, by which another one is the page's, is pending.
    package static let pendingElsewhere = "the refund of another payment is pending, and may still fail"

    /// Whether it is a page that is paid only if the refund of another payment does not fail.
    package var awaitsRefundElsewhere: Bool {
        rail.makesPage && state == .approved && outcome.reason?.contains(Self.pendingElsewhere) == true
    }

    /// Whether what an earlier look found rests on records that show a payment as something else than the page's. One that may
    /// still take money, or that a webhook alone showed, is none. An earlier version did not keep what was shown.
    var hasFindingInRecords: Bool {
        guard let shown = outcome.shown else { return outcome.page != .held }
        return shown.contains { [.paid, .voided, .twice, .gone].contains($0.state) }
    }

    /// What an earlier look has found of a page that is not known to be paid, or has several payments, as a clause; nil if a
    /// look that finds nothing is no change.
    var earlierFinding: String? {
        guard rail.makesPage, movedNoMoney || paymentsOfPage != nil, outcome.candidates != nil else { return nil }
        return outcome.reason
    }

    /// Whether it is a page that only a webhook shows as paid: the merchant's records did not show the payment so far.
    package var isPaidByWebhookAlone: Bool {
        rail.makesPage && state == .approved && outcome.paymentID != nil && outcome.isProvisional == true
            && outcome.candidates == nil
    }

    /// Notes what a look found that does not show a page as paid, or shows several payments. A page that is recorded as paid by
    /// more than a webhook stays so, with what became of its payment; one that a person settled, until the person corrects or
    /// confirms it.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func note(_ verdict: PageVerdict, now: Int64) {
        // What was shown before may not be in records that were not read.
        let known = outcome.shown ?? []
        let facts =
            verdict.isRead
            ? verdict.facts
            : known + verdict.facts.filter { fact in !known.contains { $0.payment == fact.payment } }
        if case .notShown = verdict.finding { outcome.shown = facts }
        guard let clause = verdict.clause else { return }
        let seen: CheckoutState? = [.open, .expired].contains(verdict.state) ? nil : verdict.state
        var payment: String?
        // Whether a payment is shown not to be the page's, or not any more. What only a webhook shows as paid is not known to be
        // paid then.
        var isDenied = false
        var several: [String]?
        switch verdict.finding {
        case .other(let id): (payment, isDenied) = (id, true)
        case .overdue(let id): payment = id
        case .several(let payments): several = payments
        // Of a page that is open, the next look may find the payment.
        case .unseen where verdict.isOpen:
            // What an earlier look named is over.
            let over = verdict.facts.filter { [.voided, .failed].contains($0.state) }.map(\.payment)
            let isHeld = outcome.page == .held || seen == .held
            guard movedNoMoney, outcome.candidates?.allSatisfy(over.contains) ?? isHeld else { return }
            (outcome.candidates, outcome.reason, outcome.page, outcome.shown) = (nil, nil, nil, nil)
            // One that is held may take the money yet.
            if case .unseen(let open) = verdict.finding, seen == .held {
                outcome.reason = "only held so far: \(open.joined(separator: ", "))"
                (outcome.page, outcome.shown) = (seen, facts)
            }
            return
        case .unseen(let open): payment = open.first
        case .paid, .reported, .asRecorded, .notShown, .unread: return
        }
        if outcome.isByHand == true {
            guard isDenied || several != nil, !verdict.isAcknowledged else { return }
            (outcome.contradiction, outcome.page, outcome.shown) = (clause, seen, facts)
            return
        }
        outcome.shown = facts
        if let several {
            let isContradicted = outcome.contradiction != nil && !isPaidAfterAll
            guard outcome.candidates != several || outcome.reason != clause || isContradicted else { return }
            (outcome.candidates, outcome.reason, outcome.page) = (several, clause, seen)
            // What contradicted one payment alone is over.
            if isContradicted { outcome.contradiction = nil }
            outcome.isProvisional = nil
            keepExpiry()
            updatedAt = now
            return
        }
        let isReturned = facts.withMoney.isEmpty
        let ended = facts.filter { $0.isOver || isReturned && $0.state == .paid }.map(\.payment)
        if let several = paymentsOfPage, !several.allSatisfy(ended.contains) {
            // Those that were seen, and did not end, stay in mind.
            let known = outcome.reason ?? ""
            if isDenied, !known.contains(clause) { outcome.reason = known.isEmpty ? clause : "\(known); \(clause)" }
            return
        }
        if isPaidByWebhookAlone {
            if isDenied || !isPaidAfterAll { outcome.contradiction = Self.webhookAlone + clause }
            if isDenied {
                (outcome.paymentID, outcome.amount, outcome.isProvisional) = (nil, nil, nil)
            }
        } else if !movedNoMoney {
            let hadSeveral = paymentsOfPage != nil
            // What was not read may be found then.
            guard isDenied, hadSeveral || isSettledPage || payment == outcome.paymentID || verdict.isRead else {
                return
            }
            (outcome.contradiction, outcome.page) = (clause, seen)
            // What was refunded before is a part of what is known now.
            outcome.reason = nil
            let shown = facts.first { $0.payment == outcome.paymentID && $0.state == .paid }
            if let refunded = shown?.refunded { outcome.refunded = refunded > 0 ? refunded : nil }
            if seen == .givenBack { outcome.refunded = outcome.refunded ?? outcome.amount }
            // They are not several payments any more.
            if hadSeveral { (outcome.candidates, outcome.reason) = (nil, nil) }
        }
        if movedNoMoney {
            (outcome.reason, outcome.page) = (clause, seen)
            if let payment { outcome.candidates = [payment] }
        }
    }

    /// A page that has a payment already, as a later look shows it; nil if the payment is to be recorded.
    ///
    /// - Parameters:
    ///   - isByWebhookAlone: whether the merchant's records do not show the payment so far.
    ///   - former: the payments in whose place it is.
    package func confirmed(
        by payment: PagePayment, isByWebhookAlone: Bool, after former: [String]
    ) -> PaymentOperation? {
        let isByHand = outcome.isByHand == true
        // A webhook alone adds nothing to what a person has recorded.
        if isByHand, isByWebhookAlone, state == .approved, [nil, payment.id].contains(outcome.paymentID) {
            return self
        }
        // A webhook may come without the payment's ID: a later one may name it.
        let named = outcome.paymentID.flatMap { $0.isEmpty && !payment.id.isEmpty ? nil : $0 }
        let isConfirmation = isPaidByWebhookAlone && !isByWebhookAlone
        guard let known = named, outcome.candidates == nil, !isByHand, !isConfirmation, !former.contains(known) else {
            return nil
        }
        var page = self
        guard !isByWebhookAlone else { return page }
        page.note(payment)
        // What an earlier look found is over: a refund failed or was voided since. A person's entry is not corrected here.
        if known == payment.id, !isPaidAfterAll {
            (page.outcome.contradiction, page.outcome.page) = (nil, nil)
            page.forgetFacts(of: payment)
        }
        return page
    }

    /// Forgets what was shown, and what a person has seen of it, but for the payments that the person accepted: they stay the
    /// page's. The UUID of a webhook may be that of the payment.
    private mutating func forgetFacts(of payment: PagePayment) {
        let accepted = acceptedFacts.filter { PageEvidence.isRecordID($0.payment) }
            .map { fact in fact.payment == payment.id ? PageFact(payment) : fact }
        (outcome.acknowledged, outcome.settled, outcome.shown) = (nil, accepted.isEmpty ? nil : accepted, nil)
    }

    /// The checkout with its payment, which outweighs what a person entered.
    package func paid(by payment: PagePayment) -> PaymentOperation {
        var operation = self
        operation.forgetFacts(of: payment)
        if state != .approved, let person = outcome.settledBy {
            operation.outcome.contradiction = "\(person) \(Self.paidAfterAll)"
        }
        // Only a person ends what contradicts a person.
        if state == .approved, !isPaidAfterAll { operation.outcome.contradiction = nil }
        operation.state = .approved
        operation.outcome.isProvisional = nil
        operation.outcome.isByHand = nil
        operation.outcome.reason = nil
        operation.outcome.page = nil
        operation.outcome.candidates = nil
        operation.outcome.paymentID = payment.id
        operation.outcome.orderID = payment.order
        operation.note(payment)
        // A page asks for its whole amount, so that a payment without a record is of that amount.
        operation.outcome.amount = payment.amount ?? checkoutTotal?.amount
        return operation
    }
}
