import CloverPayments
import Testing

/// Thousands of pages whose customers pay up to three times, of which the records, the webhooks and the journal show what they
/// happen to show.
@Suite("Verdicts: random pages of Hosted Checkout")
struct PageModelTests {
    /// What happened, and what of it can be seen.
    private struct World {
        struct Paid {
            var record: PagePayment
            /// Whether its order has the reference of the page that is judged.
            var isOwn = true
            /// Whether its order has the reference of no page, as one that was paid at the counter.
            var isCounter = false
            /// Whether the records lack it although it was paid at the counter.
            var isLost = false
            /// Whether the records show it by now.
            var isListed = false
            /// Whether it was approved, so that a webhook says so.
            var isApproved = true
        }

        static let asked: Int64 = 1000
        var paid: [Paid] = []
        var reports: [PageReport] = []
        var isReadable = true
        var isTwin = false
        /// Payments of other charges in the journal.
        var owners: [String: PageEvidence.Owner] = [:]
        /// With the page as the journal has it, and the time.
        var base: PageEvidence

        /// What a look sees.
        var evidence: PageEvidence {
            var evidence = base
            (evidence.reports, evidence.owners) = (reports, owners)
            guard isReadable else {
                evidence.records = .unread(PageObstacle(.unreadable, "the service answered 503"))
                return evidence
            }
            var records = PageRecords(paid.filter { $0.isOwn && $0.isListed }.map(\.record))
            if isTwin { records.contradictory = records.payments.first?.id }
            // A payment at the counter is asked for only where the journal names it.
            let named = evidence.named
            for one in paid where !(one.isOwn && one.isListed) {
                if one.isCounter, !named.contains(one.record.id) { continue }
                // An order of another page shows whose it is only where it is listed.
                if one.isCounter, !one.isLost {
                    records.asked[one.record.id] = .payment(one.record)
                } else if !one.isOwn, one.isListed, !one.isCounter {
                    records.elsewhere[one.record.id] = PageRecords.Place(order: "O9", page: "h_9")
                } else {
                    records.asked[one.record.id] = .missing
                }
            }
            // What webhooks name otherwise, or the journal has from before.
            for id in named where !paid.contains(where: { $0.record.id == id }) {
                records.asked[id] = .missing
            }
            evidence.records = .read(records)
            return evidence
        }
    }

    /// Numbers that are the same in each run (Steele, Lea, Flood: SplitMix64).
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let uuid = "1b3b0b4c-8d0e-4c4f-9a55-0c1f7a1b2c3d"

    /// A customer pays, or something becomes of a payment.
    private static func happen(_ world: inout World, _ random: inout SplitMix) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4:
            guard world.paid.count < 3 else { return }
            pay(&world, &random)
        case 4: change(&world, &random) { $0.record.refunded = ($0.record.amount ?? 0) / 2 }
        case 5:
            let isPending = Bool.random(using: &random)
            change(&world, &random) {
                $0.record.refunded = $0.record.amount ?? 0
                $0.record.hasPendingRefund = isPending
            }
        case 6: change(&world, &random) { $0.record.result = "VOIDED" }
        case 7: change(&world, &random) { if $0.record.result == "AUTH" { $0.record.result = "SUCCESS" } }
        case 8: change(&world, &random) { $0.isListed = true }
        case 9: world.isReadable.toggle()
        case 10:
            for index in world.paid.indices { world.paid[index].isListed = Bool.random(using: &random) }
        default: world.base.now += Int64.random(in: 0...PageVerdictTests.life, using: &random)
        }
        if Int.random(in: 0..<40, using: &random) == 0 { world.isTwin.toggle() }
    }

    private static func pay(_ world: inout World, _ random: inout SplitMix) {
        let id = "P\(world.paid.count + 1)"
        let amounts: [Int64?] = [World.asked, World.asked, World.asked, 400, 600, 0, nil]
        let results: [String?] = ["SUCCESS", "SUCCESS", "SUCCESS", "AUTH", "FAIL", nil]
        let amount = amounts.randomElement(using: &random) ?? nil
        var one = World.Paid(record: PagePayment(id, order: "O1", amount: amount, currency: "USD"))
        one.record.result = results.randomElement(using: &random) ?? nil
        if Int.random(in: 0..<20, using: &random) == 0 { one.record.currency = "EUR" }
        one.isApproved = one.record.result != "FAIL"
        one.isListed = Bool.random(using: &random)
        one.isOwn = Int.random(in: 0..<6, using: &random) != 0
        one.isCounter = !one.isOwn && Bool.random(using: &random)
        if Int.random(in: 0..<10, using: &random) == 0 {
            world.owners[id] = PageEvidence.Owner(id: "c_9", isByReportAlone: Bool.random(using: &random))
        }
        world.paid.append(one)
        guard !one.isCounter else { return }
        // Webhooks may be lost, or come twice, under another name, or contradict.
        let names: [String?] = [id, id, id, uuid, nil]
        let messages: [String?] = [nil, nil, amount.map { "Approved for \($0)" }, "Approved for 77"]
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            world.reports.append(
                PageReport(
                    one.isApproved ? .approved : .declined, of: names.randomElement(using: &random) ?? nil,
                    message: messages.randomElement(using: &random) ?? nil))
        }
        if Int.random(in: 0..<12, using: &random) == 0 { world.reports.append(PageReport(.declined, of: id)) }
    }

    private static func change(
        _ world: inout World, _ random: inout SplitMix, _ change: (inout World.Paid) -> Void
    ) {
        guard let index = world.paid.indices.randomElement(using: &random) else { return }
        change(&world.paid[index])
    }

    /// The journal after a look, as the commands keep it.
    private static func keep(_ verdict: PageVerdict, in page: inout PaymentOperation, now: Int64) {
        func take(_ payment: PagePayment, isByWebhookAlone: Bool, after former: [String] = []) {
            if let known = page.confirmed(by: payment, isByWebhookAlone: isByWebhookAlone, after: former) {
                page = known
                return
            }
            var outcome = page.paid(by: payment).outcome
            if isByWebhookAlone { outcome.isProvisional = true }
            page = page.settled(.approved, outcome)
        }
        switch verdict.finding {
        case .paid(let payment, let former): take(payment, isByWebhookAlone: false, after: former)
        case .reported(let id): take(PagePayment(id), isByWebhookAlone: true)
        case .overdue(let id) where !page.isPaidByWebhookAlone:
            take(PagePayment(id), isByWebhookAlone: true)
            page.note(verdict, now: now)
        default: page.note(verdict, now: now)
        }
    }

    /// What `checkout wait`, which keeps a verdict, and `checkout list` after it say otherwise than the verdict, which
    /// `charge show --check` prints; nil if they agree.
    private static func disagreement(
        on verdict: PageVerdict, kept page: PaymentOperation, now: Int64
    ) -> String? {
        switch verdict.finding {
        case .paid, .reported, .asRecorded:
            let status: Int32 = page.outcome.contradiction != nil ? 80 : page.state == .approved ? 0 : 81
            return status == verdict.status ? nil : "\(verdict.status) by the evidence, and \(status) by the journal"
        case .several, .other:
            let isQuiet = verdict.isRead && page.checkoutState(now: now) == .paid
            return isQuiet ? "80, and the list has it as paid" : nil
        case .overdue, .notShown, .unseen, .unread: return nil
        }
    }

    /// What the page's orders show as paid and not given back.
    private static func standing(in evidence: PageEvidence) -> [PagePayment] {
        guard case .read(let records) = evidence.records else { return [] }
        // What a person has named is one of them, wherever it is.
        let named = evidence.page.settledFacts.filter(\.hasMoney).compactMap { fact -> PagePayment? in
            guard evidence.page.state == .approved, case .payment(let payment) = records.asked[fact.payment] else {
                return nil
            }
            return records.payments.contains { $0.id == payment.id } ? nil : payment
        }
        return (records.payments + named).filter { payment in
            payment.isPaid && payment.amount != 0
                && (payment.refunded == 0 || payment.refunded < payment.amount ?? .max)
        }
    }

    /// What of the evidence a verdict denies; nil if it is sound.
    private static func fault(in verdict: PageVerdict, on evidence: PageEvidence) -> String? {
        let shown = standing(in: evidence)
        let approved = evidence.reports.filter { $0.ending == .approved }
        switch verdict.finding {
        case .paid(let payment, _):
            let truth = shown.first { $0.id == payment.id }
            guard let truth else { return "paid by a payment that does not stand" }
            if truth.amount != World.asked || truth.currency != "USD" { return "paid by another amount" }
            if shown.count > 1 { return "paid, and several payments stand" }
            if let owner = evidence.owners[payment.id], !owner.isByReportAlone { return "paid by another's payment" }
        case .reported(let id), .overdue(let id):
            let page = evidence.page
            let isKnown =
                page.isPaidByWebhookAlone || page.recordedPayment == id || approved.contains { $0.payment == id }
            if !isKnown { return "reported without a report" }
            if evidence.owners[id] != nil, page.recordedPayment != id { return "another's payment is reported" }
            if case .read(let records) = evidence.records, records.elsewhere[id] != nil {
                return "another page's payment is reported"
            }
            if !shown.isEmpty { return "reported alone, beside a payment that stands" }
            if let found = undone(verdict, on: page) { return found }
        // What a person has not judged so far is not there now.
        case .notShown where evidence.page.outcome.isByHand == true: break
        case .unseen, .notShown:
            if !shown.isEmpty { return "not paid, and a payment stands" }
            // What the records have shown against a webhook outweighs it.
            if case .notShown = verdict.finding { break }
            if !approved.isEmpty { return "not paid, against a webhook" }
            if case .read = evidence.records {} else { return "not paid, and nothing was read" }
            if evidence.page.recordedPayment != nil { return "not paid, against what was recorded" }
        case .several(let ids):
            if Set(ids).count != ids.count || ids.count < 2 { return "several, and not several" }
        case .asRecorded, .other, .unread: break
        }
        guard verdict.isAcknowledged else { return nil }
        // What a person has seen names all that stood.
        let known = evidence.page.settledFacts.map(\.payment)
        let news = shown.map(\.id).filter { !known.contains($0) }
        return news.isEmpty ? nil : "quiet about \(news)"
    }

    /// What the records have shown, as the journal has it, against a page that a webhook alone is taken to show as paid.
    private static func undone(_ verdict: PageVerdict, on page: PaymentOperation) -> String? {
        guard case .reported(let id) = verdict.finding, page.outcome.isByHand != true else { return nil }
        if !page.movedNoMoney, !page.isPaidAfterAll, let words = page.outcome.contradiction {
            return "paid, against what was found before: \(words)"
        }
        let wasShown = page.outcome.shown?.contains { $0.payment == id && [.paid, .voided].contains($0.state) }
        let isOpen = page.movedNoMoney && page.outcome.candidates?.contains(id) == true
        return isOpen && wasShown == true ? "paid by a webhook, and the records have shown otherwise" : nil
    }

    /// What of the evidence a verdict does not say of a page that a person settled; nil if it says all.
    private static func silence(in verdict: PageVerdict, on evidence: PageEvidence) -> String? {
        let page = evidence.page
        guard page.outcome.isByHand == true, case .read(let records) = evidence.records, verdict.obstacle == nil else {
            return nil
        }
        let shown = standing(in: evidence)
        guard page.state == .approved else {
            // That of another charge is no money of this page.
            let own = shown.filter { evidence.owners[$0.id].map(\.isByReportAlone) ?? true }
            return verdict.status == 81 && !own.isEmpty ? "not paid, and a payment stands" : nil
        }
        guard verdict.status == 0 else { return nil }
        // What is proved now needs no entry, but for the money of other payments that the person accepted.
        var proved: String?
        if case .paid(let payment, _) = verdict.finding { proved = payment.id }
        // One that was shown twice then, and is now with the same contents, did not change.
        let shownTwice = verdict.facts.filter { $0.state == .twice }
        for fact in page.settledFacts where fact.hasMoney && !shownTwice.contains(fact) && fact.payment != proved {
            var now = records.payments.first { $0.id == fact.payment }
            if now == nil, case .payment(let payment) = records.asked[fact.payment] { now = payment }
            if let now, !now.isPaid { return "quiet about the end of \(fact.payment)" }
            if let now, now.refunded != fact.refunded { return "quiet about a refund of \(fact.payment)" }
            if now == nil, records.asked[fact.payment] == .missing {
                return "quiet about \(fact.payment), which is gone"
            }
        }
        let known = page.settledFacts.map(\.payment) + [proved].compactMap(\.self)
        let news = shown.map(\.id).filter { !known.contains($0) }
        if !news.isEmpty { return "quiet about \(news), which are new" }
        // Beside what the person accepted, the one that is proved is more money.
        let accepted = page.settledFacts.filter { fact in fact.hasMoney && shown.contains { $0.id == fact.payment } }
        let isBeyond = proved != nil && accepted.contains { $0.payment != proved }
        return isBeyond ? "quiet about money beyond what was accepted" : nil
    }

    /// What a person enters: that it is paid, by which payment, or that it is not paid, unless that is refused.
    private static func settle(
        _ world: World, _ verdict: PageVerdict, _ evidence: PageEvidence, _ random: inout SplitMix
    ) -> PaymentOperation {
        let page = world.base.page
        let counter = world.paid.first { $0.isCounter }
        let known = PageFact.merged(page.settledFacts, verdict.facts)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return known.contains(where: \.hasMoney) ? page : PageVerdictTests.settled(page, isPaid: false, verdict)
        case 1:
            // At the counter, only the person knows of it.
            if let counter = counter?.record, counter.isPaid, counter.amount == World.asked, counter.refunded == 0 {
                var fact = PageFact(counter)
                fact.isNamed = true
                return PageVerdictTests.settled(page, isPaid: true, payment: counter.id, verdict, shown: fact)
            }
            // Only one that was looked up, and is of what the page asked for.
            let payment = standing(in: evidence).first { $0.amount == World.asked && $0.currency == "USD" }
            return PageVerdictTests.settled(page, isPaid: true, payment: payment?.id, verdict)
        default: return PageVerdictTests.settled(page, isPaid: true, verdict)
        }
    }

    private typealias Rule = (PageEvidence) -> PageVerdict

    /// - Parameter enough: the number of faults after which no further world is looked at.
    /// - Returns: the first fault that each world shows by a rule, and how many looks were paid.
    private static func faults(
        _ count: Int, enough: Int = .max, _ rule: Rule
    ) throws -> (faults: [String], paid: Int) {
        let fresh = try PageVerdictTests.evidence(asking: World.asked)
        var faults: [String] = []
        var paid = 0
        for seed in 0..<count where faults.count < enough {
            var random = SplitMix(state: UInt64(seed))
            var world = World(base: fresh)
            for step in 0..<10 {
                happen(&world, &random)
                let evidence = world.evidence
                let verdict = rule(evidence)
                if verdict.isPaid { paid += 1 }
                if let denied = fault(in: verdict, on: evidence) ?? silence(in: verdict, on: evidence) {
                    faults.append("world \(seed), step \(step): \(denied): \(verdict)")
                    break
                }
                if Int.random(in: 0..<3, using: &random) != 0 {
                    keep(verdict, in: &world.base.page, now: evidence.now)
                    let now = evidence.now
                    if let words = disagreement(on: verdict, kept: world.base.page, now: now) {
                        faults.append("world \(seed), step \(step): \(words): \(verdict)")
                        break
                    }
                }
                if Int.random(in: 0..<8, using: &random) == 0 {
                    world.base.page = settle(world, verdict, evidence, &random)
                }
            }
        }
        return (faults, paid)
    }

    @Test("no verdict denies its evidence, whatever is lost, late, repeated or contradicted")
    func sound() throws {
        let (faults, paid) = try Self.faults(2000) { PageVerdict($0) }
        #expect(faults.isEmpty, "\(faults.count) faults, such as \(faults.prefix(3))")
        #expect(paid > 1000, "the worlds show payments")
    }

    enum Mistake: CaseIterable {
        /// Refunds are not looked at.
        case keepsRefunds
        /// Orders that cannot be read are taken as empty.
        case readsNothing
        /// Only the first payment of the orders counts.
        case firstOnly
        /// Nothing is known of other charges and pages.
        case ownsAll
        /// Once settled, always quiet.
        case staysQuiet
        /// Amounts are taken for what was asked for.
        case takesAny
    }

    @Test("the check finds a rule that is wrong", arguments: Mistake.allCases)
    func mistaken(_ mistake: Mistake) throws {
        let (faults, _) = try Self.faults(600, enough: 1) { evidence in
            var evidence = evidence
            var records = PageRecords()
            if case .read(let read) = evidence.records { records = read }
            switch mistake {
            case .keepsRefunds: for index in records.payments.indices { records.payments[index].refunded = 0 }
            case .readsNothing: break
            case .firstOnly: records.payments = Array(records.payments.prefix(1))
            case .ownsAll: (records.elsewhere, evidence.owners) = ([:], [:])
            case .staysQuiet:
                var verdict = PageVerdict(evidence)
                verdict.isAcknowledged = evidence.page.outcome.settled != nil
                return verdict
            case .takesAny: for index in records.payments.indices { records.payments[index].amount = World.asked }
            }
            if case .unread = evidence.records, mistake != .readsNothing { return PageVerdict(evidence) }
            evidence.records = .read(records)
            return PageVerdict(evidence)
        }
        #expect(!faults.isEmpty)
    }

    @Test("a page that is paid stays so, whatever more is seen, unless money was given back or a payment is named")
    func lasting() throws {
        let fresh = try PageVerdictTests.evidence(asking: World.asked)
        for seed in 0..<1000 {
            var random = SplitMix(state: UInt64(seed))
            var world = World(base: fresh)
            let record = PagePayment("P1", order: "O1", amount: World.asked, currency: "USD")
            world.paid = [World.Paid(record: record, isListed: true)]
            keep(PageVerdict(world.evidence), &world)
            for _ in 0..<6 {
                Self.happen(&world, &random)
                let verdict = PageVerdict(world.evidence)
                // A record that is late, or gone, is named; an unread list says nothing.
                switch verdict.finding {
                case .paid, .reported, .several, .other, .notShown, .unread: break
                case .asRecorded, .overdue, .unseen: Issue.record("world \(seed): \(verdict)")
                }
                keep(verdict, &world)
            }
        }
    }

    @Test(
        "of a page that a person settled, a look in time and a later look end alike, and nothing that moved is unsaid")
    func settledByPerson() throws {
        let fresh = try PageVerdictTests.evidence(asking: World.asked)
        var named = 0
        for seed in 0..<2000 {
            var random = SplitMix(state: UInt64(seed))
            var world = World(base: fresh)
            for _ in 0..<4 { Self.happen(&world, &random) }
            let before = world.evidence
            world.base.page = Self.settle(world, PageVerdict(before), before, &random)
            for step in 0..<4 {
                Self.happen(&world, &random)
                var evidence = world.evidence
                let verdict = PageVerdict(evidence)
                let denied = Self.silence(in: verdict, on: evidence)
                #expect(denied == nil, "world \(seed), step \(step): \(verdict)")
                evidence.acceptsLateRecords = true
                if evidence.page.outcome.isByHand == true {
                    #expect(PageVerdict(evidence) == verdict, "world \(seed), step \(step)")
                }
                guard verdict.status == 80, evidence.page.outcome.isByHand == true else { continue }
                named += 1
                // What is named is named again until a person has seen it, and then no more.
                keep(verdict, &world)
                guard world.base.page.outcome.isByHand == true else { break }
                #expect(PageVerdict(world.evidence).status == 80, "world \(seed), step \(step): \(verdict)")
                let isPaid = world.base.page.state == .approved
                guard isPaid else { continue }
                world.base.page = PageVerdictTests.settled(world.base.page, isPaid: isPaid, verdict)
                let after = PageVerdict(world.evidence)
                #expect(after.status == 0, "world \(seed), step \(step): \(after)")
            }
        }
        #expect(named > 200, "the worlds show news")
    }

    /// What the service counts of a page that a person settled, beside what its row says; nil if they agree, or if not all that the
    /// person accepted is shown.
    ///
    /// - Parameter accepted: what the person has named or accepted so far.
    private static func miscount(of world: World, _ accepted: Set<String>) -> String? {
        let page = world.base.page
        let own = world.paid.filter { $0.isOwn || accepted.contains($0.record.id) }
        let isShown = own.allSatisfy { $0.isOwn ? $0.isListed || !accepted.contains($0.record.id) : !$0.isLost }
        guard world.isReadable, isShown, page.outcome.isByHand == true, !page.acceptedFacts.isEmpty else { return nil }
        let taken = own.filter { ($0.isListed || $0.isCounter) && $0.record.result == "SUCCESS" }.map(\.record)
        let isKnown = taken.allSatisfy { $0.currency == "USD" }
        let captured: Int64? = isKnown ? taken.reduce(0) { $0 + ($1.amount ?? 0) } : nil
        let refunded: Int64 = taken.reduce(0) { $0 + $1.refunded }
        let payment = page.outcome.paymentID ?? "no payment"
        let row = "\(page.outcome.amount ?? -1), \(page.refundedOfPage ?? -1) back, \(payment)"
        if page.outcome.amount != captured { return "\(captured ?? -1) were taken, and the row has \(row)" }
        if page.refundedOfPage != (isKnown || refunded == 0 ? refunded : nil) {
            return "\(refunded) were given back, and the row has \(row)"
        }
        if taken.isEmpty, page.checkoutState(now: world.base.now) == .paid { return "paid, and nothing was taken" }
        if let id = page.outcome.paymentID, !taken.isEmpty, taken.map(\.id) != [id] { return "other payments: \(row)" }
        let isKept = taken.contains { $0.refunded < $0.amount ?? .max }
        return !isKept && page.knownFacts?.withMoney.isEmpty == false ? "the entry cannot be corrected" : nil
    }

    /// Something becomes of a payment, or of what the records show.
    private static func turn(_ world: inout World, _ random: inout SplitMix) {
        let results = ["SUCCESS", "SUCCESS", "SUCCESS", "AUTH", "FAIL", "VOIDED"]
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            guard world.paid.count < 3 else { return }
            let amount = [World.asked, World.asked, 700].randomElement(using: &random)
            var one = World.Paid(
                record: PagePayment("P\(world.paid.count + 1)", order: "O1", amount: amount, currency: "USD"))
            one.record.result = results.randomElement(using: &random)
            if Int.random(in: 0..<10, using: &random) == 0 { one.record.currency = "EUR" }
            one.isOwn = Bool.random(using: &random)
            (one.isCounter, one.isListed) = (!one.isOwn, true)
            world.paid.append(one)
        case 2:
            let result = results.randomElement(using: &random)
            change(&world, &random) { one in
                one.record.result = result
                if result != "SUCCESS" { one.record.refunded = 0 }
            }
        case 3:
            let part = Int64.random(in: 1...2, using: &random)
            change(&world, &random) { one in
                if one.record.result == "SUCCESS" { one.record.refunded = (one.record.amount ?? 0) / part }
            }
        case 4:
            change(&world, &random) { one in
                if one.isOwn { one.isListed.toggle() } else { one.isLost.toggle() }
            }
        default: world.isReadable.toggle()
        }
    }

    @Test("what a person named or accepted stays the page's: the row has what the service counts, or a look names it")
    func counted() throws {
        let fresh = try PageVerdictTests.evidence(asking: World.asked)
        var compared = 0
        for seed in 0..<3000 {
            var random = SplitMix(state: UInt64(seed))
            var world = World(base: fresh)
            var accepted: Set<String> = []
            for step in 0..<10 {
                Self.turn(&world, &random)
                let evidence = world.evidence
                let verdict = PageVerdict(evidence)
                keep(verdict, &world)
                let listed = world.paid.filter { $0.isOwn && $0.isListed }.map(\.record.id)
                let lost = accepted.subtracting(evidence.named + listed)
                #expect(lost.isEmpty, "world \(seed), step \(step): \(lost) are not asked for")
                if verdict.status == 0, let words = Self.miscount(of: world, accepted) {
                    Issue.record("world \(seed), step \(step): \(words): \(verdict)")
                    break
                }
                if verdict.status == 0, world.base.page.outcome.isByHand == true { compared += 1 }
                guard Bool.random(using: &random) else { continue }
                let counter = world.paid.first { $0.isCounter }?.record
                // Without a network, the person's word counts, whatever the payment is.
                if let counter, !world.paid.contains(where: \.isOwn), accepted.isSubset(of: [counter.id]),
                    !world.isReadable || counter.isPaid && counter.currency == "USD"
                {
                    var fact = PageFact(counter)
                    fact.isNamed = true
                    let isShown = world.isReadable && world.paid.allSatisfy { !$0.isLost }
                    if world.isReadable, !isShown { continue }
                    world.base.page = PageVerdictTests.settled(
                        world.base.page, isPaid: true, payment: counter.id, verdict, shown: isShown ? fact : nil)
                    accepted = [counter.id]
                } else {
                    world.base.page = PageVerdictTests.settled(world.base.page, isPaid: true, verdict)
                    accepted.formUnion(world.base.page.acceptedFacts.map(\.payment))
                }
                let after = PageVerdict(world.evidence)
                let words = after.status == 0 ? Self.miscount(of: world, accepted) : nil
                #expect(words == nil, "world \(seed), step \(step): \(words ?? ""): \(after)")
            }
        }
        #expect(compared > 500, "the worlds show pages that a person settled")
    }

    private func keep(_ verdict: PageVerdict, _ world: inout World) {
        Self.keep(verdict, in: &world.base.page, now: world.base.now)
    }
}
