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
    /// Of one that is shown twice: what the first copy is. Of one that was only seen: that it was voided.
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
        var (known, shown) = (before, self)
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
        case .gone: return "\(payment), which the records do not have"
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
        guard outcome.isByHand == true, state == .approved, let id = outcome.paymentID,
            !facts.contains(where: { $0.payment == id && $0.state != .seen })
        else { return facts }
        // The person named it.
        var named = PageFact(id, .paid, amount: outcome.amount)
        (named.currency, named.isNamed) = (currencyCode, true)
        return facts + [named]
    }

    /// The payments that took money, and that a person named or accepted as the page's.
    var acceptedFacts: [PageFact] {
        isSettledPage && state == .approved ? settledFacts.filter(\.hasMoney) : []
    }

    /// The payments that a person accepted as those of a page, if they are several.
    package var acceptedPayments: [String]? {
        let ids = acceptedFacts.map(\.payment)
        return ids.count > 1 ? ids : nil
    }

    /// Whether it is not known how much was paid for a page that a person settled as paid.
    package var hasUnknownAmount: Bool {
        isSettledPage && state == .approved && outcome.isByHand == true && outcome.amount == nil
    }

    /// The entry of a person that a page is paid, with what is shown of the payments that the person accepts by it.
    ///
    /// - Parameter payment: the one that the person names; nil for all that are known.
    func accepting(_ entry: OperationOutcome, of payment: String?) -> OperationOutcome {
        var outcome = entry
        let known = (entry.settled ?? []).filter { payment == nil || $0.payment == payment }
        let paid = known.filter { [.paid, .twice].contains($0.state) && $0.amount != 0 }
        // A webhook may name a payment of the records by a UUID.
        let reported = known.filter { fact in
            fact.state == .reported && (paid.isEmpty || PageEvidence.isRecordID(fact.payment))
        }
        let taken = paid + reported
        guard rail.makesPage else { return outcome }
        let seen = known.filter { ![.failed, .seen].contains($0.state) }.map { $0.words(of: self) }
        if let reason = outcome.reason, !seen.isEmpty {
            outcome.reason = "\(reason); known then: \(seen.joined(separator: "; "))"
        }
        guard !taken.isEmpty else { return outcome }
        if outcome.paymentID == nil, taken.count == 1, paid.count == 1 { outcome.paymentID = paid[0].payment }
        // A page asks for its whole amount, so that one without a record is of that amount.
        if paid.isEmpty, taken.count == 1, taken[0].amount == nil { return outcome }
        let isInCurrency = taken.allSatisfy { $0.currency == nil || $0.currency == currencyCode }
        outcome.amount = isInCurrency ? PageFact.sum(taken.map(\.amount)) : nil
        let refunded = isInCurrency ? PageFact.sum(taken.map(\.refunded)) : nil
        outcome.refunded = refunded == 0 ? nil : refunded
        outcome.page = paid.count == taken.count && !paid.contains(where: \.hasMoney) ? .givenBack : nil
        return outcome
    }

    /// What is known by now, for a person who settles the page.
    var knownFacts: [PageFact]? {
        guard rail.makesPage else { return nil }
        var known = PageFact.merged(seenFacts ?? [], outcome.shown ?? [])
        if isPaidByWebhookAlone, let id = outcome.paymentID {
            let report = PageFact(id, .reported)
            if !known.contains(where: { $0.payment == report.payment }) { known.append(report) }
        }
        return known
    }

    /// Whether it is a page that only a webhook shows as paid, and no person has confirmed.
    var isUnconfirmedPage: Bool { isPaidByWebhookAlone && knownFacts != seenFacts }
}

extension PageEvidence {
    /// Payments that were shown, or that a person named: that they are gone is a fact, too.
    var taken: [String] {
        var all = page.outcome.candidates ?? []
        if let payment = page.recordedPayment { all.append(payment) }
        all += page.settledFacts.filter(\.hasMoney).map(\.payment)
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
        func add(_ fact: PageFact) {
            if !facts.contains(where: { $0.payment == fact.payment }) { facts.append(fact) }
        }
        func add(_ payment: PagePayment) {
            let owner = owners[payment.id].flatMap { $0.isByReportAlone ? nil : $0.id }
            var fact = owner.map { PageFact(payment.id, .others, owner: $0) } ?? PageFact(payment)
            if !read.payments.contains(where: { $0.id == payment.id }), !heard.contains(payment.id) {
                fact.isNamed = settled.first { $0.payment == payment.id }?.isNamed
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
            case .missing where taken.contains(id): add(PageFact(id, .gone))
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
        guard page.outcome.isByHand == true, case .read(let records) = records else { return true }
        return approved.contains(payment.id) || records.payments.contains { $0.id == payment.id }
    }

    /// Whether it was made before the page. A smaller number is in no unit that is known.
    func isEarly(_ payment: PagePayment) -> Bool {
        // A person has named it, and its record was read then.
        let known = page.state == .approved ? page.outcome.settled ?? [] : []
        let isAccepted = known.contains { $0.payment == payment.id && $0.hasMoney }
        guard let made = payment.madeAt, !isAccepted else { return false }
        return made > 100_000_000_000 && made < start
    }
}

extension PageVerdict {
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
        let accepted = page.acceptedFacts.map(\.payment)
        var changed: PageFact?
        var showsOther = false
        if case .paid(let payment, _) = finding {
            showsOther = true
            changed = news.first { $0.payment != payment.id && ($0.state == .gone || accepted.contains($0.payment)) }
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
        // It is proved now.
        if case .paid(let payment, _) = finding, evidence.proves(payment) {
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
                if let before { return before.hasMoney || before.state == .reported }
                return names(fact.payment) || orders.contains { $0.id == fact.payment }
            // A payment that took no money agrees with an entry that says so.
            case .gone, .held, .voided, .unclear: return isDone
            // Declined cards are ordinary.
            case .failed: return isDone && before.map { $0.hasMoney || $0.state == .reported } ?? false
            case .reported:
                if let before { return before.state == .reported }
                guard isDone else { return true }
                // It confirms the entry, unless it is one more.
                if case .reported = finding { return false }
                return PageEvidence.isRecordID(fact.payment) || names(fact.payment)
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
