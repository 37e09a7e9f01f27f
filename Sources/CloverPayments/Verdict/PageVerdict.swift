import CloverOutput

/// What the evidence about a page of Hosted Checkout proves: one function for every command.
///
/// A page is paid if the merchant's records show one payment of it, of what it asked for, which was not given back, and nothing
/// shows another; or, until the record comes, if a signed webhook says so that nothing contradicts. Neither the end of its time
/// nor records without a payment prove that it was not paid. A payment is that of one page. What a person has seen and settled
/// is quiet until something else is found.
package struct PageVerdict: Sendable, Equatable {
    package enum Finding: Sendable, Equatable {
        /// The records show this payment alone. `former`: those in whose place it is.
        case paid(PagePayment, former: [String])
        /// Only a signed webhook shows it; an empty ID if it names none.
        case reported(String)
        /// The same, and by now the records should have it.
        case overdue(String)
        /// What a person recorded stands: the person has seen what is found, or it confirms the entry.
        case asRecorded
        /// Several payments.
        case several([String])
        /// A payment that is not the page's, or not any more.
        case other(String)
        /// What an earlier look found is not in the records now.
        case notShown
        /// No payment that took money was seen. `open`: those of its order that may still take some.
        case unseen(open: [String])
        /// The records could not be read, and nothing else shows a payment.
        case unread(PageObstacle)
    }

    package private(set) var finding: Finding
    /// What the page is by it, as one word.
    package var state: CheckoutState
    /// What was found, as a clause; of one payment, without naming it.
    package var reason: String
    /// What a person has to know beside it: each is a sentence without its end.
    package var warnings: [String] = []
    package var notices: [String] = []
    /// Why the records, or a part of them, could not be read.
    package var obstacle: PageObstacle?
    /// Whether it holds although more may come: another look is of no use now.
    package var isLasting = true
    /// Whether the time of the page is over.
    package var hasEnded = false
    /// Whether a person has settled the page in the knowledge of it.
    package var isAcknowledged = false
    /// Whether it shows as paid what a person recorded as not paid.
    package var isAgainstEntry = false
    /// What is shown of each payment, and whether by records that were read.
    package private(set) var facts: [PageFact] = []
    package private(set) var isRead = false

    package init(_ finding: Finding, _ state: CheckoutState, _ reason: String, isLasting: Bool = true) {
        (self.finding, self.state, self.reason, self.isLasting) = (finding, state, reason, isLasting)
    }

    package init(_ evidence: PageEvidence) {
        var judge = PageJudge(evidence)
        self = judge.verdict()
        let page = evidence.page
        hasEnded = page.outcome.session == nil || evidence.now >= page.expiry
        facts = evidence.facts
        if case .read = evidence.records { isRead = true }
        weighEntry(evidence)
    }

    mutating func replace(
        _ finding: Finding, _ state: CheckoutState, _ reason: String, isLasting: Bool = true
    ) {
        (self.finding, self.state, self.reason, self.isLasting) = (finding, state, reason, isLasting)
    }

    /// The payments that count as the page's.
    package var payments: [String] {
        switch finding {
        case .paid(let payment, _): [payment.id]
        case .reported(let payment), .overdue(let payment): [payment]
        case .several(let payments): payments
        case .asRecorded, .other, .notShown, .unseen, .unread: []
        }
    }

    /// Whether the page is taken as paid.
    package var isPaid: Bool {
        switch finding {
        case .paid, .reported: true
        case .asRecorded: state != .notPaid
        case .overdue, .several, .other, .notShown, .unseen, .unread: false
        }
    }

    /// Whether only a webhook shows a payment, whose record may still come.
    package var isReport: Bool {
        switch finding {
        case .reported, .overdue: true
        case .paid, .asRecorded, .several, .other, .notShown, .unseen, .unread: false
        }
    }

    /// Whether nothing was seen, and the page can be paid.
    package var isOpen: Bool {
        if case .unseen = finding { !hasEnded } else { false }
    }

    /// What was found that a person has to judge, as a clause; nil if there is nothing to judge.
    package var clause: String? {
        switch finding {
        case .other(let payment): "of the payment \(payment): \(reason)"
        case .several, .overdue, .unseen: reason
        case .paid, .reported, .asRecorded, .notShown, .unread: nil
        }
    }

    /// That the records lack a payment that a webhook reports, as a clause.
    static func missing(_ payment: String) -> String { "the merchant's records have no payment \(payment)" }
}

/// Weighs the evidence about a page.
private struct PageJudge {
    let evidence: PageEvidence
    let page: PaymentOperation
    /// What webhooks say of payments that contradicts the page.
    let stated: [String: String]
    /// The payments that webhooks report as approved, but for those that are shown not to be the page's.
    var approved: [String]
    /// Payments that are shown not to be the page's, or not to have taken money.
    var excluded: Set<String> = []
    /// Of a payment that a webhook reports, and that is not the page's by the records.
    var denial: PageVerdict?
    var warnings: [String] = []
    var notices: [String] = []
    var obstacle: PageObstacle?
    /// The payments of the page's orders that took no money so far.
    var unpaid: [PagePayment] = []

    init(_ evidence: PageEvidence) {
        self.evidence = evidence
        (page, approved, stated) = (evidence.page, evidence.approved, evidence.contradictions)
    }

    private var isByHand: Bool { page.outcome.isByHand == true }

    mutating func verdict() -> PageVerdict {
        guard page.outcome.session != nil else {
            var verdict = unseen(": \(page.outcome.reason ?? "its address never arrived")")
            verdict.isLasting = true
            return verdict
        }
        var found: PageVerdict?
        switch evidence.records {
        case .unasked: removeForeign(.init())
        case .unread(let obstacle):
            self.obstacle = obstacle
            removeForeign(.init())
        case .read(let records):
            removeForeign(records)
            found = judge(records)
        }
        var verdict = found ?? judgeReports()
        verdict.warnings += warnings
        verdict.notices += notices
        verdict.obstacle = obstacle
        return verdict
    }

    // MARK: Whose a payment is

    /// Removes what webhooks report and the journal has under another charge, or the records in the order of another page.
    private mutating func removeForeign(_ records: PageRecords) {
        for id in approved {
            let verdict: PageVerdict
            if let place = records.elsewhere[id] {
                verdict = other(
                    id,
                    "a webhook with a valid signature names it, and it is in the order \(place.order) of the page "
                        + place.page)
            } else if let owner = evidence.owners[id], !records.payments.contains(where: { $0.id == id }) {
                verdict = other(id, Self.owned(by: owner))
            } else {
                continue
            }
            warnings.append(verdict.clause ?? verdict.reason)
            exclude(id, verdict)
        }
    }

    private static func owned(by owner: PageEvidence.Owner) -> String { "the journal has it under \(owner.id)" }

    private mutating func exclude(_ id: String, _ verdict: PageVerdict) {
        denial = verdict
        denial?.isLasting = false
        excluded.insert(id)
        approved.removeAll { $0 == id }
    }

    private func other(_ id: String, _ reason: String, _ state: CheckoutState = .unknown) -> PageVerdict {
        PageVerdict(.other(id), state, reason)
    }

    // MARK: The records

    /// - Returns: nil if the records show no payment that took money, or not all could be read.
    private mutating func judge(_ records: PageRecords) -> PageVerdict? {
        if let id = records.contradictory {
            return other(id, "the merchant's records show it twice, with different contents" + besides([id], records))
        }
        var found = records.payments.filter(\.isPaid)
        unpaid = records.payments.filter { !$0.isPaid }
        if let verdict = addRecorded(&found, records) { return verdict }
        addAccepted(&found, records)
        guard obstacle == nil else { return nil }
        removeUnpaid(found)
        addReported(&found, records)
        guard obstacle == nil else { return nil }
        for payment in found {
            guard let owner = evidence.owners[payment.id], !owner.isByReportAlone else { continue }
            return other(payment.id, Self.owned(by: owner) + besides([payment.id], records))
        }
        // A payment of 0 is none beside others.
        let paying = found.filter { $0.amount != 0 }
        return weigh(paying.isEmpty ? found : paying, records)
    }

    /// The other payments of the page's orders that took money, as the end of a clause: what a person settles is all of them.
    private func besides(_ ids: [String], _ records: PageRecords) -> String {
        let others = records.payments.filter { $0.isPaid && !ids.contains($0.id) }
        return others.isEmpty ? "" : "; the page's order shows \(Self.list(others)), too"
    }

    /// What the records show of a payment that they, or a person who named it, had as the page's; nil if it did not change.
    private func change(of payment: PagePayment) -> PageVerdict? {
        // Of one that took nothing, nothing is recorded as paid.
        let isTaken = isByHand && page.state == .approved && page.outcome.amount != 0
        let isNamed = isTaken && payment.id == page.outcome.paymentID && payment.isOver
        guard !payment.id.isEmpty, payment.id == page.recordedPayment || isNamed else { return nil }
        return other(
            payment.id, "it was recorded as paid, and the merchant's records show it " + payment.words + " now",
            payment.state)
    }

    /// Adds the payment that an earlier look found, if the page's orders do not have it.
    private mutating func addRecorded(_ found: inout [PagePayment], _ records: PageRecords) -> PageVerdict? {
        for payment in unpaid {
            guard let verdict = change(of: payment) else { continue }
            // One that was voided since is no end if another payment took its place; one that is held may still take money.
            let isReplaced = payment.isOver && found.contains { !$0.isGivenBack }
            return isReplaced ? nil : verdict
        }
        guard let known = page.recordedPayment, !found.contains(where: { $0.id == known }) else { return nil }
        switch records.asked[known] {
        case .payment(let payment) where !payment.isPaid: return change(of: payment)
        case .payment(let payment):
            if let early = earlier(payment) { return early }
            found.append(payment)
        case .missing:
            let others = found.isEmpty ? "" : "; they show another payment: \(Self.list(found))"
            return other(known, "it was recorded as paid, and the merchant's records do not have it now" + others)
        case .unread(let obstacle): self.obstacle = obstacle
        case nil: obstacle = PageObstacle(.unreadable, "the payment \(known) was not asked for")
        }
        return nil
    }

    /// Adds the payments that a person named or accepted, wherever they are: from then on, another one is a second payment.
    private mutating func addAccepted(_ found: inout [PagePayment], _ records: PageRecords) {
        for fact in page.acceptedFacts where !found.contains(where: { $0.id == fact.payment }) {
            switch records.asked[fact.payment] {
            case .payment(let payment) where payment.isPaid && !evidence.isEarly(payment): found.append(payment)
            case .unread(let obstacle): self.obstacle = obstacle
            case .payment, .missing, nil: continue
            }
        }
    }

    private func earlier(_ payment: PagePayment) -> PageVerdict? {
        guard evidence.isEarly(payment) else { return nil }
        return other(payment.id, "a webhook with a valid signature names it, and it was made before the page")
    }

    private static let webhook = "a webhook with a valid signature reports"

    /// Removes what webhooks report and the page's orders show as not paid.
    private mutating func removeUnpaid(_ found: [PagePayment]) {
        for payment in unpaid where !payment.id.isEmpty && approved.contains(payment.id) {
            exclude(payment.id, denied(payment))
        }
        // A webhook may name a payment by a UUID, or not at all: it may be about one that was voided since.
        let unnamed = approved.filter { !PageEvidence.isRecordID($0) }
        let voided = unpaid.filter { $0.state == .voided }
        guard found.isEmpty, let first = voided.first, !unnamed.isEmpty, unnamed.count <= voided.count else { return }
        let reason = " a payment of the page as approved, and the merchant's records show this one "
        for id in unnamed { exclude(id, other(first.id, Self.webhook + reason + first.words, .voided)) }
    }

    private func denied(_ payment: PagePayment) -> PageVerdict {
        change(of: payment)
            ?? other(
                payment.id, Self.webhook + " it as approved, and the merchant's records show it " + payment.words,
                payment.state)
    }

    /// Adds the payments that webhooks name, as their own records show them.
    private mutating func addReported(_ found: inout [PagePayment], _ records: PageRecords) {
        for id in approved where PageEvidence.canBeAsked(id) && !found.contains(where: { $0.id == id }) {
            switch records.asked[id] {
            case .payment(let payment) where !payment.isPaid: exclude(id, denied(payment))
            case .payment(let payment):
                if let early = earlier(payment) { exclude(id, early) } else { found.append(payment) }
            case .missing: continue
            case .unread, nil:
                // Under a UUID, it may be the one that was found.
                if !found.isEmpty, !PageEvidence.isRecordID(id) { continue }
                var obstacle = PageObstacle(.unreadable, "the payment \(id) was not asked for")
                if case .unread(let reason) = records.asked[id] { obstacle = reason }
                if !found.isEmpty {
                    // Beside another payment, the webhook alone does not show which one is the page's.
                    obstacle.reason += ", such as \(id); the page's order shows \(Self.list(found))"
                    approved.removeAll { $0 == id }
                }
                self.obstacle = obstacle
                return
            }
        }
    }

    /// - Parameter shown: those that took money.
    private mutating func weigh(_ shown: [PagePayment], _ records: PageRecords) -> PageVerdict? {
        // Of several, those that were given back, or voided since, count no more, unless more was refunded, of whichever.
        let loose = shown.count > 1 ? records.looseRefund : nil
        let facts = shown.map { PageFact($0) } + [PageFact("", .refund, refunded: loose)]
        let isReturned = loose != nil && facts.withMoney.isEmpty
        let returned = loose == nil ? shown.filter(\.isGivenBack) : isReturned ? shown : []
        let rest = shown.filter { payment in !returned.contains { $0.id == payment.id } }
        let over = unpaid.filter(\.isOver).map(\.id)
        if rest.isEmpty, let verdict = allReturned(returned, over) { return verdict }
        var former = returned.map(\.id) + over
        if let known = page.recordedPayment, !shown.isEmpty, !shown.contains(where: { $0.id == known }) {
            former.append(known)
        }
        if !rest.isEmpty { approved.removeAll(where: former.contains) }
        let found = rest.isEmpty ? shown : rest
        guard let payment = found.first else { return noneLeft(over) }
        var ids = found.map(\.id)
        // What another webhook states is of a payment that the records do not show.
        if let (id, words) = statement(besides: ids) {
            return other(
                id.isEmpty ? OperationOutcome.unnamedPayment : id,
                "\(words), and the merchant's records do not show it; they show \(Self.list(found))")
        }
        // Records need not be found under the UUID of a webhook, but each webhook's payment is one.
        let others = approved.filter { !$0.isEmpty && !PageEvidence.isRecordID($0) }
        if others.count > found.count { return several(others, .more) }
        let earlier = isByHand ? [] : [page.outcome.paymentID].compactMap(\.self) + (page.paymentsOfPage ?? [])
        for id in approved + earlier
        where PageEvidence.isRecordID(id) && !ids.contains(id) && !former.contains(id) && !excluded.contains(id)
            && stated[id] != PageEvidence.bothEndings
        {
            ids.append(id)
        }
        if ids.count > 1 { return several(found, ids, loose) }
        let verdict = one(payment, former)
        guard case .paid(var paid, _) = verdict.finding else { return verdict }
        let pending = returned.filter(\.hasPendingRefund)
        guard !pending.isEmpty else { return verdict }
        paid.remark = "\(PaymentOperation.pendingElsewhere): \(Self.list(pending))"
        warnings.append(paid.remark ?? "")
        return PageVerdict(.paid(paid, former: former), .paid, verdict.reason)
    }

    /// Another amount in the message of a webhook about none of these payments.
    private func statement(besides shown: [String]) -> (id: String, words: String)? {
        let ids = [""] + approved.filter { !$0.isEmpty && !shown.contains($0) }
        for id in ids {
            if let words = stated[id], words != PageEvidence.bothEndings { return (id, words) }
        }
        return nil
    }

    /// Of a page whose payments were all refunded as a whole; nil for one alone.
    private func allReturned(_ payments: [PagePayment], _ over: [String]) -> PageVerdict? {
        guard !payments.isEmpty else { return nil }
        let returned = payments.map(\.id)
        let pending = payments.first(where: \.hasPendingRefund)?.pendingNote ?? ""
        let missing = approved.first {
            PageEvidence.isRecordID($0) && !returned.contains($0) && !over.contains($0)
                && stated[$0] != PageEvidence.bothEndings
        }
        // Under the UUID of a webhook, it may be one of those.
        if let missing {
            return PageVerdict(
                .several(returned + [missing]), .unknown,
                "paid, and refunded as a whole since\(pending): \(Self.list(payments)); \(Self.webhook) the payment "
                    + "\(missing), which the merchant's records do not show so far")
        }
        guard payments.count > 1 else { return nil }
        let recorded = returned.first { $0 == page.outcome.paymentID } ?? returned[0]
        let others = returned.filter { $0 != recorded }.joined(separator: ", ")
        return other(
            recorded,
            "it was paid, and refunded as a whole since, as the page's other payments were: \(others)\(pending)",
            .givenBack)
    }

    /// Of a page of which no payment took money; nil if none was seen as paid before.
    private func noneLeft(_ over: [String]) -> PageVerdict? {
        guard approved.isEmpty, let payments = page.paymentsOfPage, payments.allSatisfy(over.contains) else {
            return nil
        }
        let recorded = payments.first { $0 == page.outcome.paymentID } ?? payments[0]
        return other(
            recorded,
            "it was seen as paid, and the merchant's records show that none of the page's payments took money: "
                + unpaid.map(\.text).joined(separator: ", "), .voided)
    }

    /// - Parameter former: those in whose place it is.
    private mutating func one(_ payment: PagePayment, _ former: [String]) -> PageVerdict {
        // A record without an amount does not outweigh what the webhook states.
        let statement = payment.amount == nil ? stated[payment.id] : nil
        if var reason = evidence.contradiction(of: payment) ?? statement ?? payment.gap {
            if let refund = payment.refundClause(of: page) { reason += "; \(refund)" }
            // Names what became of the recorded payment, too.
            guard let known = page.recordedPayment, former.contains(known) else {
                return other(payment.id, reason, payment.isGivenBack ? .givenBack : .unknown)
            }
            return other(
                known, "it was paid, and given back or voided since; of the payment \(payment.id): \(reason)")
        }
        if payment.isGivenBack, let refund = payment.refundClause(of: page) {
            return other(payment.id, "it was paid, and \(refund)", .givenBack)
        }
        if let refund = payment.refund(of: page) {
            warnings.append("\(refund) of the payment \(payment.id) were refunded since\(payment.pendingNote)")
        }
        if let reason = stated[payment.id] {
            notices.append("\(reason); the merchant's records show it as paid, with the page's amount")
        }
        return PageVerdict(.paid(payment, former: former), .paid, "paid: the payment is in the merchant's records")
    }

    // MARK: Several payments

    private func several(_ found: [PagePayment], _ ids: [String], _ loose: Int64?) -> PageVerdict {
        let total = ids.count == found.count ? sum(of: found) : nil
        var order = PageVerdict.ComparisonOrder.more
        if let total, let asked = evidence.asked { order = PageVerdict.comparison(of: total, with: asked) }
        var verdict = several(ids, order, total)
        if let refund = PagePayment.refund(of: found, page) {
            let pending = found.first(where: \.hasPendingRefund)?.pendingNote ?? ""
            verdict.reason += "; \(refund) of them were refunded since\(pending)"
        }
        if let loose {
            var part = PagePayment("", currency: found.first?.currency)
            part.refunded = loose
            verdict.reason +=
                "; of a refund of \(part.refund(of: page) ?? "an unknown amount") it is not shown whose it is"
        }
        return verdict
    }

    /// - Parameter order: what they are together, compared with what the page asked for.
    private func several(_ ids: [String], _ order: PageVerdict.ComparisonOrder, _ sum: Int64? = nil) -> PageVerdict {
        let state: CheckoutState
        var words: String
        switch order {
        case .same: (state, words) = (.paidInParts, "paid in parts, which together are what it asked for")
        case .less:
            (state, words) = (.paidInPart, "paid in part only")
            if var money = page.amount, let sum, let asked = evidence.asked?.amount {
                money.minorUnits = sum
                words += ", \(money) of "
                money.minorUnits = asked
                words += "\(money)"
            }
        case .more: (state, words) = (.paidTwice, "paid more than once")
        }
        return PageVerdict(.several(ids), state, "\(words): \(ids.joined(separator: ", "))")
    }

    /// The sum in the smallest unit; nil if it is not known.
    private func sum(of payments: [PagePayment]) -> Int64? {
        var sum: Int64 = 0
        for payment in payments {
            guard let amount = payment.amount, amount > 0, payment.currency?.uppercased() == page.currencyCode else {
                return nil
            }
            let (total, isBeyond) = sum.addingReportingOverflow(amount)
            guard !isBeyond else { return nil }
            sum = total
        }
        return sum
    }

    private static func list(_ payments: [PagePayment]) -> String { payments.map(\.id).joined(separator: ", ") }

    // MARK: Without a payment in the records

    private mutating func judgeReports() -> PageVerdict {
        let fate = obstacle == nil ? "do not show" : "cannot be read"
        if approved.contains(where: { stated[$0] != PageEvidence.bothEndings }) {
            // One that is declined, too, is none beside another.
            approved = approved.filter { stated[$0] != PageEvidence.bothEndings }
        }
        let doubted = approved.first { stated[$0] != nil } ?? (stated[""] == nil || approved.isEmpty ? nil : "")
        if let id = doubted, let reason = stated[id] {
            // Only the payment itself shows what was paid.
            var end = obstacle == nil ? "\(fate) the payment so far" : fate
            let others = approved.filter { $0 != id }.joined(separator: ", ")
            if !others.isEmpty { end += "; webhooks report \(others), too" }
            denial = other(
                id.isEmpty ? OperationOutcome.unnamedPayment : id, "\(reason), and the merchant's records \(end)")
            denial?.isLasting = false
            approved = []
        }
        // Payments that an earlier look found do not go away with their records.
        let over = unpaid.filter(\.isOver).map(\.id)
        let known = page.acceptedFacts.filter { $0.hasMoney || $0.state == .gone && $0.tookMoney }.map(\.payment)
        let recorded = isByHand ? known : page.paymentsOfPage ?? [page.recordedPayment].compactMap(\.self)
        let earlier = recorded.filter { !over.contains($0) && !excluded.contains($0) }
        if !approved.isEmpty, !earlier.isEmpty {
            approved = earlier + approved.filter { !earlier.contains($0) && PageEvidence.isRecordID($0) }
        }
        if approved.count > 1 { return several(approved, .more) }
        // One of several is not all of them because another page has the others.
        if let id = approved.first, isByHand || recorded.count(where: { !over.contains($0) }) < 2 {
            if let verdict = earlierFinding(beside: id, over) { return verdict }
            return reported(id, obstacle == nil ? "\(fate) it so far" : fate)
        }
        if let denial { return denial }
        if let obstacle { return PageVerdict(.unread(obstacle), .unknown, obstacle.reason, isLasting: false) }
        if let earlier = page.earlierFinding, unpaid.isEmpty || page.paymentsOfPage != nil {
            return PageVerdict(.notShown, .unknown, earlier, isLasting: false)
        }
        let hasDecline = evidence.reports.contains { $0.ending == .declined }
        return unseen(hasDecline ? "; a card was declined" : "")
    }

    /// What an earlier look found against the page, and this one does not refute: a webhook alone does not, whether it came
    /// before or after.
    private func earlierFinding(beside id: String, _ over: [String]) -> PageVerdict? {
        guard !isByHand else { return nil }
        let outcome = page.outcome
        if let words = outcome.contradiction, !page.isPaidAfterAll, !page.movedNoMoney {
            // Only that its record is missing contradicts a page that a webhook alone shows as paid.
            return page.isPaidByWebhookAlone
                ? overdue(id) : PageVerdict(.notShown, outcome.page ?? .unknown, words, isLasting: false)
        }
        guard page.hasFindingInRecords, let words = page.earlierFinding, let candidates = outcome.candidates,
            !candidates.allSatisfy({ over.contains($0) || excluded.contains($0) })
        else { return nil }
        return PageVerdict(.notShown, .unknown, words, isLasting: false)
    }

    private func overdue(_ id: String) -> PageVerdict {
        PageVerdict(.overdue(id), .unknown, PageVerdict.missing(id), isLasting: false)
    }

    private mutating func reported(_ id: String, _ fate: String) -> PageVerdict {
        // That a payment cannot be asked for by this ID says nothing about it, and a record may come late.
        let isAwaited = page.isPaidByWebhookAlone || !evidence.acceptsLateRecords && !isByHand
        if case .read = evidence.records, obstacle == nil, PageEvidence.isRecordID(id), isAwaited,
            page.isRecordOverdue(now: evidence.now)
        {
            return overdue(id)
        }
        let own = evidence.reports.filter { $0.ending == .approved && $0.payment == id }
        let isStated = own.contains { report in page.amount.flatMap { report.amount($0.currency) } != nil }
        let message = own.last { $0.message != nil }?.message
        let amount =
            isStated
            ? "the amount that it states is that of the page"
            : (message.map { "it says '\($0)', which is not understood" } ?? "nothing shows its amount")
                + ", and that of the page is recorded"
        notices.append(
            Self.webhook + " the payment\(id.isEmpty ? "" : " \(id)"), and the merchant's records \(fate): \(amount)")
        return PageVerdict(.reported(id), .paid, "paid: by a signed webhook", isLasting: false)
    }

    /// - Parameter more: follows what was seen.
    private func unseen(_ more: String) -> PageVerdict {
        let seen =
            unpaid.isEmpty
            ? "no payment was seen"
            : "no payment that took money was seen: its order has " + unpaid.map(\.text).joined(separator: ", ")
        let isOpen = page.outcome.session != nil && evidence.now < page.expiry
        let rest = unpaid.filter { !$0.isOver }
        let state: CheckoutState =
            if rest.isEmpty { isOpen ? .open : .expired } else {
                rest.contains(where: { $0.state == .held }) ? .held : .unknown
            }
        return PageVerdict(
            .unseen(open: rest.map(\.id).filter { !$0.isEmpty }), state,
            "the page has ended, and \(seen)" + more, isLasting: false)
    }
}
