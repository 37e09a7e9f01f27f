/// What is shown of one payment of a page. A person who settles a page has seen a set of these, one for each payment.
package struct PageFact: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable {
        case paid
        case held
        case voided
        case failed
        /// Its result is another one, or is not shown.
        case unclear
        /// The orders show it twice, with different contents.
        case twice
        /// It is that of another charge or page, or was made before the page.
        case others
        /// Only a signed webhook shows it.
        case reported
        /// It was shown, and the records do not have it.
        case gone
        /// No payment: a refund of which it is not shown whose it is.
        case refund
        /// Named to a person by an earlier version, which did not keep what was shown of it.
        case seen
    }

    /// The ID; `OperationOutcome.unnamedPayment` for a payment without one.
    package let payment: String
    package let state: State
    /// In the smallest unit; nil if unknown.
    package var amount: Int64?
    package var currency: String?
    /// What was given back of it, in the smallest unit; nil if that cannot be read.
    package var refunded: Int64?
    /// Of one that is another's: whose it is.
    package var owner: String?
    /// Whether only a person has named it as the page's: no order of the page, and no webhook, shows it.
    package var isNamed: Bool?
    /// Of one that is shown twice: what the first copy is. Of one that was only seen: that it was voided. Of one that is gone, or
    /// failed after a person had accepted it: what it was before.
    package var copy: State?

    package init(_ payment: String, _ state: State, amount: Int64? = nil, refunded: Int64? = 0, owner: String? = nil) {
        self.payment = payment.isEmpty && state != .refund ? OperationOutcome.unnamedPayment : payment
        (self.state, self.amount, self.refunded, self.owner) = (state, amount, refunded, owner)
    }

    package init(_ shown: PagePayment) {
        let state: State =
            switch shown.result {
            case "SUCCESS": shown.isHeld ? .held : .paid
            case "AUTH", "AUTH_COMPLETED": .held
            case "VOIDED": .voided
            case "FAIL": .failed
            default: .unclear
            }
        self.init(shown.id, state, amount: shown.amount, refunded: shown.hasUnreadableRefund ? nil : shown.refunded)
        currency = shown.currency?.uppercased()
    }

    /// Whether money of it is with the merchant, as far as is shown.
    package var hasMoney: Bool {
        switch state {
        case .twice: true
        case .paid: amount != 0 && (refunded == nil || refunded == 0 || refunded ?? 0 < amount ?? .max)
        case .held, .voided, .failed, .unclear, .others, .reported, .gone, .refund, .seen: false
        }
    }

    /// Whether it is the page's for a person who settles the page: from then on, whatever becomes of it.
    package var isOwn: Bool {
        switch state {
        case .paid, .held, .voided, .unclear, .twice, .reported, .gone: true
        // Declined cards are ordinary.
        case .failed: copy != nil
        case .others, .refund, .seen: false
        }
    }

    /// Of one that is gone: what it was before. Of any other: the same.
    package var lastShown: PageFact {
        guard state == .gone else { return self }
        var fact = PageFact(payment, copy ?? .paid, amount: amount, refunded: refunded)
        fact.currency = currency
        return fact
    }

    /// Whether records have shown, or a person has said, that it took money, whatever was given back since.
    package var tookMoney: Bool { [.paid, .twice].contains(lastShown.state) && amount != 0 }

    /// The same beside what was known before.
    func after(_ before: PageFact?) -> PageFact {
        guard let before, [.gone, .failed].contains(state) else { return self }
        var fact = self
        // That of another charge, or a declined card, is not known to have taken money of this page.
        let rest: State? = state == .gone && before.state != .seen ? .unclear : nil
        fact.copy = before.state == state ? before.copy : before.isOwn ? before.state : rest
        guard state == .gone else { return fact }
        (fact.amount, fact.currency, fact.refunded) = (before.amount, before.currency, before.refunded)
        fact.isNamed = before.isNamed
        return fact
    }

    /// Whether it was shown to have taken no money, or given all of it back, and will take none.
    var isOver: Bool {
        switch state {
        case .voided, .failed: true
        case .paid: !hasMoney
        case .held, .unclear, .twice, .others, .reported, .gone, .refund, .seen: false
        }
    }

    /// Whether a person who has seen it knows a later fact of the same payment, as far as an earlier version tells.
    private func covers(_ fact: PageFact) -> Bool {
        switch fact.state {
        case .paid: refunded == nil || fact.refunded == 0
        case .voided, .failed: copy == .voided
        case .twice, .gone, .refund: false
        case .held, .unclear, .others, .reported, .seen: true
        }
    }

    /// Whether it is the same, for a person who knows `before`.
    func isKnown(by before: PageFact?) -> Bool {
        guard let before, before.payment == payment else { return false }
        // One that is there again as it was did not change.
        var (known, shown) = (state == .gone ? before : before.lastShown, self)
        (known.isNamed, shown.isNamed) = (nil, nil)
        // A currency that is not shown is no other one.
        if shown.currency == nil { known.currency = nil }
        return known == shown || before.state == .seen && before.covers(self)
    }

    /// How its currency differs from that of its page; nil if it does not, or is not shown.
    package func differenceInCurrency(from page: PaymentOperation) -> PaymentDifference? {
        guard let currency, currency != page.currencyCode, let asked = page.asked else { return nil }
        let shown = amount.map { PaymentDifference.text($0, in: currency) }
        return PaymentDifference(
            shown: shown ?? "an amount in \(ServiceErrorBody.oneLine(currency))", recorded: "\(asked)")
    }

    /// For a list.
    func words(of page: PaymentOperation) -> String {
        func text(_ amount: Int64) -> String {
            PaymentDifference.text(amount, in: currency ?? page.currencyCode ?? "")
        }
        let money = amount.map { " of \(text($0))" } ?? ""
        switch state {
        case .paid:
            guard let refunded else { return "\(payment)\(money), with a refund that shows no amount" }
            return "\(payment)\(money)" + (refunded > 0 ? ", of which \(text(refunded)) were refunded" : "")
        case .held: return "\(payment)\(money), which is only held"
        case .voided: return "\(payment)\(money), which is voided now"
        case .failed: return "\(payment)\(money), which failed"
        case .unclear: return "\(payment)\(money), without a result that is known"
        case .twice: return "\(payment), which is shown twice"
        case .others: return "\(payment), which is that of \(owner ?? "another")"
        case .reported: return "\(payment)\(money), which only a webhook shows"
        case .gone: return "\(payment)\(money), which the records do not have"
        case .seen: return payment
        case .refund: return "a refund of \(refunded.flatMap { $0 > 0 ? text($0) : nil } ?? "an unknown amount")"
        }
    }

    /// The sum in the smallest unit; nil if it is not known.
    static func sum(_ amounts: [Int64?]) -> Int64? {
        var sum: Int64 = 0
        for amount in amounts {
            guard let amount else { return nil }
            let (total, isBeyond) = sum.addingReportingOverflow(amount)
            guard !isBeyond else { return nil }
            sum = total
        }
        return sum
    }

    /// The facts of two looks: of each payment, what the later one shows.
    package static func merged(_ earlier: [PageFact], _ later: [PageFact]) -> [PageFact] {
        earlier.filter { fact in !later.contains { $0.payment == fact.payment } } + later
    }
}

extension [PageFact] {
    /// Those of which money is with the merchant, as far as is shown: none if as much was given back as all of them took, of
    /// whichever.
    package var withMoney: [PageFact] {
        let loose = first { $0.state == .refund }?.refunded ?? 0
        guard loose > 0, let sum = PageFact.sum(filter(\.tookMoney).map(\.amount)), sum <= loose else {
            return filter(\.hasMoney)
        }
        return []
    }
}

extension PaymentOperation {
    /// Whether a person has settled a page, or has confirmed what is recorded, and no response has overtaken that.
    package var isSettledPage: Bool { rail.makesPage && (outcome.isByHand == true || seenFacts != nil) }

    /// What a person has seen of a page's payments; nil if no person has settled it. An earlier version kept clauses: the
    /// payments that they name were seen, and a refund only where it was of the whole.
    private var seenFacts: [PageFact]? {
        if let settled = outcome.settled { return settled }
        guard rail.makesPage, let clauses = outcome.acknowledged else { return nil }
        let isGivenBack = outcome.page == .givenBack || state != .approved
        var facts: [PageFact] = []
        for clause in clauses {
            let words = clause.split { !$0.isLetter && !$0.isNumber && !"-_".contains($0) }.map(String.init)
            for id in words where PageEvidence.isRecordID(id) && !facts.contains(where: { $0.payment == id }) {
                guard id.contains(where: \.isNumber), id.contains(where: \.isLetter) else { continue }
                let isRefunded = isGivenBack && clause.contains("refunded")
                var fact = PageFact(id, .seen, refunded: isRefunded ? nil : 0)
                if clause.contains("'VOIDED'") { fact.copy = .voided }
                facts.append(fact)
            }
        }
        return facts
    }

    /// What was known of the page's payments when a person settled it.
    package var settledFacts: [PageFact] {
        let facts = seenFacts ?? []
        guard outcome.isByHand == true, state == .approved, let id = outcome.paymentID, !id.isEmpty,
            !facts.contains(where: { $0.payment == id && $0.state != .seen })
        else { return facts }
        // The person named it.
        var named = PageFact(id, .paid, amount: outcome.amount)
        (named.currency, named.isNamed) = (currencyCode, true)
        return facts + [named]
    }

    /// The payments that a person named or accepted as the page's, whatever became of them.
    package var acceptedFacts: [PageFact] { isSettledPage && state == .approved ? settledFacts.filter(\.isOwn) : [] }

    /// The payments that a person accepted as those of a page, if they are several: those that took money, if any did.
    package var acceptedPayments: [String]? {
        guard outcome.paymentID == nil else { return nil }
        let paid = acceptedFacts.filter(\.tookMoney)
        let ids = (paid.isEmpty ? acceptedFacts : paid).map(\.payment)
        return ids.count > 1 ? ids : nil
    }

    /// What earlier looks have shown of a page's payments, whether or not a person has seen it.
    var shownFacts: [PageFact] {
        var facts = outcome.shown ?? []
        if let id = recordedPayment, !facts.contains(where: { $0.payment == id }) {
            var recorded = PageFact(id, .paid, amount: outcome.amount, refunded: outcome.refunded ?? 0)
            recorded.currency = currencyCode
            facts.append(recorded)
        }
        return facts
    }

    /// What was given back of a page's payments, in the smallest unit of its currency; nil if that is not known. Of the payment
    /// that the row names, if it names one.
    package var refundedOfPage: Int64? {
        let known = (knownFacts ?? []).map(\.lastShown)
        let only = paymentsOfPage == nil ? known.filter { $0.payment == outcome.paymentID } : []
        let taken = (only.isEmpty ? known : only).filter(\.tookMoney)
        guard !taken.isEmpty else { return outcome.refunded ?? 0 }
        var amounts = taken.map { fact in fact.state == .twice ? nil : fact.refunded }
        if let loose = known.first(where: { $0.state == .refund })?.refunded {
            // What was refunded above a payment is among them, too.
            let isPart = only.isEmpty && loose > 0 && taken.allSatisfy { $0.refunded ?? 0 <= $0.amount ?? .max }
            amounts.append(isPart ? loose : nil)
        }
        let isInCurrency = taken.allSatisfy { $0.currency == nil || $0.currency == currencyCode }
        guard let sum = PageFact.sum(amounts), sum == 0 || isInCurrency else { return nil }
        // Of what is not taken as the page's, nothing is captured.
        return sum > 0 && movedNoMoney ? nil : sum
    }

    /// Whether it is not known how much was paid for a page that a person settled as paid.
    package var hasUnknownAmount: Bool {
        isSettledPage && state == .approved && outcome.isByHand == true && outcome.amount == nil
    }

    /// The entry of a person that a page is paid, with what is shown of the payments that the person accepts by it. Where none of
    /// them took money, none is recorded.
    ///
    /// - Parameter payment: the one that the person names; nil for all that are known.
    package func accepting(_ entry: OperationOutcome, of payment: String?) -> OperationOutcome {
        guard rail.makesPage else { return entry }
        var outcome = entry
        let known = (entry.settled ?? []).filter { payment == nil || $0.payment == payment }
        let seen = known.filter { $0.isOwn || [.others, .refund].contains($0.state) }
        if let reason = outcome.reason, !seen.isEmpty {
            outcome.reason = "\(reason); known then: \(seen.map { $0.words(of: self) }.joined(separator: "; "))"
        }
        // Where nothing is known, the person's word counts.
        guard !seen.isEmpty else { return outcome }
        let own = known.filter(\.isOwn)
        let paid = own.filter(\.tookMoney)
        // A webhook may name a payment of the records by a UUID.
        let reported = own.filter { fact in
            fact.lastShown.state == .reported && (paid.isEmpty || PageEvidence.isRecordID(fact.payment))
        }
        let taken = paid + reported
        // The payment is the one of which the amounts are.
        let ids = (taken.isEmpty ? own : taken).map(\.payment).filter(PageEvidence.isRecordID)
        let id = ids.count == 1 && taken.count < 2 ? ids[0] : nil
        if id != outcome.paymentID, id != nil || outcome.paymentID.map(PageEvidence.isRecordID) == true {
            (outcome.paymentID, outcome.orderID) = (id, nil)
        }
        if !paid.isEmpty { outcome.isProvisional = nil }
        (outcome.refunded, outcome.page) = (nil, nil)
        guard !taken.isEmpty else {
            let states = Set(own.map(\.lastShown.state))
            let isVoided = states.contains(.voided) && states.isSubset(of: [PageFact.State.voided, .failed])
            outcome.amount = 0
            outcome.page = states.contains(.held) ? .held : isVoided ? .voided : .unknown
            return outcome
        }
        // A page asks for its whole amount, so that one without a record is of that amount.
        if paid.isEmpty, taken.count == 1, taken[0].amount == nil {
            if outcome.amount ?? 0 == 0 { outcome.amount = asked?.minorUnits }
            return outcome
        }
        let isInCurrency = taken.allSatisfy { $0.currency == nil || $0.currency == currencyCode }
        outcome.amount = isInCurrency ? PageFact.sum(taken.map(\.amount)) : nil
        let rest = (paid.map(\.lastShown) + known.filter { $0.state == .refund }).withMoney
        outcome.page = reported.isEmpty && rest.isEmpty ? .givenBack : nil
        return outcome
    }

    /// What is known by now, for a person who settles the page.
    package var knownFacts: [PageFact]? {
        guard rail.makesPage else { return nil }
        var known = PageFact.merged(settledFacts, shownFacts)
        if isPaidByWebhookAlone, let id = outcome.paymentID {
            let report = PageFact(id, .reported)
            if !known.contains(where: { $0.payment == report.payment }) { known.append(report) }
        }
        return known
    }

    /// Whether it is a page that only a webhook shows as paid, and no person has confirmed.
    var isUnconfirmedPage: Bool { isPaidByWebhookAlone && knownFacts != settledFacts }
}

extension PageEvidence {
    /// Payments that were shown, or that a person named: that they are gone is a fact, too.
    var taken: [String] {
        var all = page.outcome.candidates ?? []
        if let payment = page.recordedPayment { all.append(payment) }
        all += page.settledFacts.filter { $0.isOwn || $0.state == .others }.map(\.payment)
        var ids: [String] = []
        for id in all where Self.isRecordID(id) && !ids.contains(id) { ids.append(id) }
        return ids
    }

    /// What is shown of each payment.
    var facts: [PageFact] {
        var read = PageRecords()
        if case .read(let found) = records { read = found }
        var facts: [PageFact] = []
        let (heard, settled) = (self.approved, page.settledFacts)
        func known(_ id: String) -> PageFact? { settled.first { $0.payment == id } }
        func add(_ fact: PageFact) {
            guard !facts.contains(where: { $0.payment == fact.payment }) else { return }
            let shown = fact.state == .gone ? page.shownFacts.first { $0.payment == fact.payment } : nil
            facts.append(fact.after(known(fact.payment) ?? shown))
        }
        func add(_ payment: PagePayment) {
            let owner = owners[payment.id].flatMap { $0.isByReportAlone ? nil : $0.id }
            var fact = owner.map { PageFact(payment.id, .others, owner: $0) } ?? PageFact(payment)
            if !read.payments.contains(where: { $0.id == payment.id }), !heard.contains(payment.id) {
                fact.isNamed = known(payment.id)?.isNamed
            }
            add(fact)
        }
        if let id = read.contradictory {
            var fact = PageFact(id, .twice)
            if let copy = read.payments.first(where: { $0.id == id }).map(PageFact.init) {
                (fact.amount, fact.currency, fact.refunded) = (copy.amount, copy.currency, copy.refunded)
                fact.copy = copy.state
            }
            add(fact)
        }
        for payment in read.payments { add(payment) }
        for (id, place) in read.elsewhere.sorted(by: { $0.key < $1.key }) {
            add(PageFact(id, .others, owner: place.page))
        }
        let taken = taken
        for (id, answer) in read.asked.sorted(by: { $0.key < $1.key }) {
            switch answer {
            case .payment(let payment) where isEarly(payment):
                add(PageFact(id, .others, owner: "a time before the page"))
            case .payment(let payment): add(payment)
            case .missing where taken.contains(id):
                // A webhook may still report it, and that of another page is none that this one lacks.
                guard let before = known(id), [.reported, .others].contains(before.state) else {
                    add(PageFact(id, .gone))
                    continue
                }
                if !heard.contains(id) { add(before) }
            case .missing, .unread: break
            }
        }
        let stated = contradictions
        for id in heard {
            if let owner = owners[id] { add(PageFact(id, .others, owner: owner.id)) }
            let report = reports.last { $0.ending == .approved && $0.payment == id && stated[id] != nil }
            let amount = report.flatMap { report in page.amount.flatMap { report.amount($0.currency) } }
            add(PageFact(id, .reported, amount: amount))
        }
        if let loose = read.looseRefund { add(PageFact("", .refund, refunded: loose)) }
        return facts
    }

    /// Whether more than the word of a person shows that a payment is the page's, so that the entry is overtaken.
    func proves(_ payment: PagePayment) -> Bool {
        guard page.isSettledPage, payment.id != page.recordedPayment, case .read(let records) = records else {
            return true
        }
        return approved.contains(payment.id) || records.payments.contains { $0.id == payment.id }
    }

    /// Whether it was made before the page. A smaller number is in no unit that is known.
    func isEarly(_ payment: PagePayment) -> Bool {
        // A person has named it, and its record was read then.
        let known = page.state == .approved ? page.outcome.settled ?? [] : []
        let isAccepted = known.contains { $0.payment == payment.id && $0.isOwn && $0.state != .reported }
        guard let made = payment.madeAt, !isAccepted else { return false }
        return made > 100_000_000_000 && made < start
    }
}

extension PageVerdict {
    /// The charge or page that has a payment instead; nil if none of the journal has it.
    package func owner(of payment: String) -> String? {
        facts.first { $0.payment == payment && $0.state == .others }?.owner.flatMap { $0.contains(" ") ? nil : $0 }
    }

    /// Weighs what a person has recorded. It stays as long as the evidence shows nothing that was not known then.
    mutating func weighEntry(_ evidence: PageEvidence) {
        let page = evidence.page
        guard page.isSettledPage else {
            isAgainstEntry = isPaid && page.isPaidAfterAll
            return
        }
        let news = news(evidence)
        guard !news.isEmpty else { return stand(evidence) }
        let words = "not known when it was settled: " + news.map { $0.words(of: page) }.joined(separator: "; ")
        let accepted = page.acceptedFacts
        var changed: PageFact?
        var showsOther = false
        if case .paid(let payment, _) = finding {
            showsOther = true
            changed = news.first { fact in
                fact.payment != payment.id
                    && (fact.state == .gone || accepted.contains { $0.payment == fact.payment })
            }
            // Beside what the person accepted, it is more money.
            if accepted.contains(where: { $0.tookMoney && $0.payment != payment.id }) { changed = changed ?? news[0] }
        }
        switch finding {
        case .unread: return
        case .paid(let payment, _) where changed == nil && evidence.proves(payment):
            isAgainstEntry = page.state != .approved
            // The records prove it, and the others are named.
            let others = news.filter { $0.payment != payment.id }.map { $0.words(of: page) }
            if !others.isEmpty { warnings.append("not known when it was settled: \(others.joined(separator: "; "))") }
        case .reported where page.state != .approved: isAgainstEntry = true
        case .several, .other, .overdue: reason += "; \(words)"
        case .paid, .reported, .asRecorded, .notShown, .unseen:
            let first = changed ?? news.first { $0.payment == page.outcome.paymentID } ?? news[0]
            let states = Set(news.map(\.state))
            // Beside another payment, it is not the end of the page.
            let state: CheckoutState =
                showsOther ? .unknown : states == [.voided] ? .voided : states == [.held] ? .held : .unknown
            let payment = first.payment.isEmpty ? OperationOutcome.unnamedPayment : first.payment
            replace(.other(payment), state, words)
        }
    }

    /// What is recorded stands.
    private mutating func stand(_ evidence: PageEvidence) {
        let page = evidence.page
        if case .unread = finding { return }
        if case .read(let records) = evidence.records {
            for id in evidence.taken {
                guard case .unread(let obstacle) = records.asked[id] else { continue }
                self.obstacle = obstacle
                return replace(.unread(obstacle), .unknown, obstacle.reason, isLasting: false)
            }
        }
        // It is proved now, and is all that the person accepted.
        if case .paid(let payment, _) = finding, evidence.proves(payment),
            !page.acceptedFacts.contains(where: { $0.tookMoney && $0.payment != payment.id })
        {
            isAgainstEntry = page.state != .approved
            return
        }
        if let contradiction = page.outcome.contradiction {
            return replace(.notShown, page.outcome.page ?? .unknown, contradiction, isLasting: false)
        }
        isAcknowledged = clause != nil
        let isDone = page.state == .approved
        replace(.asRecorded, isDone ? page.outcome.page ?? .paid : .notPaid, reason, isLasting: isDone || hasEnded)
    }

    /// What is shown and was not known to the person who settled the page.
    private func news(_ evidence: PageEvidence) -> [PageFact] {
        let page = evidence.page
        let known = page.settledFacts
        let isDone = page.state == .approved
        var orders: [PagePayment] = []
        if case .read(let records) = evidence.records { orders = records.payments }
        return facts.filter { fact in
            let before = known.first { $0.payment == fact.payment }
            guard !fact.isKnown(by: before) else { return false }
            switch fact.state {
            case .paid: return before != nil || fact.amount != 0
            case .twice, .refund, .seen: return true
            case .others:
                if let before { return before.isOwn }
                return names(fact.payment) || orders.contains { $0.id == fact.payment }
            // A payment that took no money agrees with an entry that says so.
            case .gone, .held, .voided, .unclear: return isDone
            // Declined cards are ordinary.
            case .failed: return isDone && before?.isOwn == true
            case .reported:
                if let before { return before.state == .reported }
                guard isDone else { return true }
                // It confirms the entry, unless it is one more.
                let isRecord = PageEvidence.isRecordID(fact.payment)
                if case .reported = finding, !isRecord || page.acceptedFacts.isEmpty { return false }
                return isRecord || names(fact.payment)
            }
        }
    }

    private func names(_ payment: String) -> Bool {
        switch finding {
        case .several(let payments): payments.contains(payment)
        case .other(let id): id == payment
        case .paid, .reported, .overdue, .asRecorded, .notShown, .unseen, .unread: false
        }
    }
}
