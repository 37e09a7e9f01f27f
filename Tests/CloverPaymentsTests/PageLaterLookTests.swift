import CloverPayments
import Testing

/// Looks that follow one another, each kept in the journal as `checkout wait` keeps it.
@Suite("Verdicts: what later looks leave of what earlier ones found of a page")
struct PageLaterLookTests {
    private static let start = PageVerdictTests.start
    private static let unread = PageEvidence.Reading.unread(PageObstacle(.unreadable, "the service answered 503"))
    private static let approved = PageReport(.approved, of: "P1")

    private static func records(_ payments: PagePayment..., missing: String...) -> PageEvidence.Reading {
        var records = PageRecords(payments)
        for id in missing { records.asked[id] = .missing }
        return .read(records)
    }

    private static func payment(_ id: String = "P1", _ amount: Int64 = 425, _ result: String = "SUCCESS") -> PagePayment
    {
        PageVerdictTests.payment(id, amount, result)
    }

    /// A page that a webhook alone shows as paid.
    private static func reported() throws -> PageEvidence {
        var evidence = try PageVerdictTests.evidence()
        evidence.reports = [approved]
        var outcome = evidence.page.paid(by: PagePayment("P1")).outcome
        outcome.isProvisional = true
        evidence.page = evidence.page.settled(.approved, outcome)
        return evidence
    }

    /// Keeps what a look at these records finds.
    private static func note(_ records: PageEvidence.Reading, in evidence: inout PageEvidence) {
        evidence.records = records
        evidence.page.note(PageVerdict(evidence), now: start)
    }

    @Test(
        "a webhook alone does not undo what the records have shown, when they cannot be read or lack it",
        arguments: [("SUCCESS", 600), ("VOIDED", 425)] as [(String, Int64)])
    func webhookAfterFinding(_ result: String, _ amount: Int64) throws {
        var evidence = try Self.reported()
        Self.note(Self.records(Self.payment("P1", amount, result)), in: &evidence)
        #expect(evidence.page.outcome.paymentID == nil && evidence.page.outcome.candidates == ["P1"])
        for records in [Self.unread, Self.records(missing: "P1")] {
            evidence.records = records
            let verdict = PageVerdict(evidence)
            #expect(verdict.status == 80 && !verdict.isPaid, "\(verdict)")
        }
        evidence.records = Self.records(Self.payment())
        #expect(PageVerdict(evidence).status == 0)
    }

    @Test("a webhook alone does not undo that a recorded payment was voided")
    func webhookAfterVoid() throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.reports = [Self.approved]
        evidence.page = evidence.page.paid(by: Self.payment())
        Self.note(Self.records(Self.payment("P1", 425, "VOIDED")), in: &evidence)
        #expect(evidence.page.word(now: Self.start) == "voided", "as in the list")
        evidence.records = Self.unread
        let verdict = PageVerdict(evidence)
        #expect(verdict.status == 80 && verdict.state == .voided, "\(verdict)")
    }

    @Test("that a record is overdue is named again when the orders cannot be read")
    func overdueThenUnread() throws {
        var evidence = try Self.reported()
        evidence.now = Self.start + 3 * PageVerdictTests.life
        Self.note(Self.records(missing: "P1"), in: &evidence)
        #expect(evidence.page.outcome.contradiction != nil)
        evidence.records = Self.unread
        let verdict = PageVerdict(evidence)
        #expect(verdict.finding == .overdue("P1") && verdict.status == 80, "\(verdict)")
    }

    @Test("a page that the records show as held is paid by a webhook that comes later")
    func webhookAfterHold() throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.now = Self.start + 3 * PageVerdictTests.life
        Self.note(Self.records(Self.payment("P1", 425, "AUTH")), in: &evidence)
        #expect(evidence.page.outcome.candidates == ["P1"])
        (evidence.reports, evidence.records, evidence.acceptsLateRecords) = ([Self.approved], Self.unread, true)
        #expect(PageVerdict(evidence).isPaid)
    }

    @Test("that a payment contradicts a person stays until a person has seen it, whatever else is found of the page")
    func againstEntry() throws {
        var evidence = try Self.reported()
        evidence.page = PageVerdictTests.settled(try PageVerdictTests.evidence().page, isPaid: false)
        var outcome = evidence.page.paid(by: PagePayment("P1")).outcome
        outcome.isProvisional = true
        evidence.page = evidence.page.settled(.approved, outcome)
        #expect(evidence.page.isPaidAfterAll)
        // The record of what the webhook reported.
        evidence.records = Self.records(Self.payment())
        #expect(PageVerdict(evidence).isAgainstEntry)
        #expect(evidence.page.confirmed(by: Self.payment(), isByWebhookAlone: false, after: []) == nil)
        evidence.page = evidence.page.paid(by: Self.payment())
        #expect(evidence.page.isPaidAfterAll && PageVerdict(evidence).status == 80)
        // Two payments, of which one is voided later.
        Self.note(Self.records(Self.payment(), Self.payment("P2")), in: &evidence)
        evidence.records = Self.records(Self.payment(), Self.payment("P2", 425, "VOIDED"))
        #expect(PageVerdict(evidence).status == 80)
        evidence.page = evidence.page.paid(by: Self.payment())
        #expect(evidence.page.isPaidAfterAll && PageVerdict(evidence).status == 80)
    }

    @Test("what contradicts a page beside its recorded payment is in the journal, and ends with the contradiction")
    func besideRecorded() throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.page = evidence.page.paid(by: Self.payment())
        evidence.owners["P2"] = PageEvidence.Owner(id: "c_1", isByReportAlone: false)
        Self.note(Self.records(Self.payment(), Self.payment("P2")), in: &evidence)
        #expect(evidence.page.isContradictedPage && evidence.page.checkoutState(now: Self.start) == .unknown)
        evidence.records = Self.records(Self.payment())
        #expect(PageVerdict(evidence).status == 0)
        let later = try #require(evidence.page.confirmed(by: Self.payment(), isByWebhookAlone: false, after: []))
        #expect(later.outcome.contradiction == nil && later.checkoutState(now: Self.start) == .paid)
    }

    @Test("two payments that were seen stay two while one of them is shown twice, with different contents")
    func severalAndTwice() throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.page = evidence.page.paid(by: Self.payment())
        Self.note(Self.records(Self.payment(), Self.payment("P2")), in: &evidence)
        var records = PageRecords([Self.payment(), Self.payment("P2")])
        records.contradictory = "P2"
        Self.note(.read(records), in: &evidence)
        #expect(evidence.page.paymentsOfPage == ["P1", "P2"])
        evidence.records = Self.records(Self.payment(), missing: "P2")
        #expect(PageVerdict(evidence).status == 80)
    }

    @Test("of two payments that were seen, a webhook alone does not show one as the page's when the records lack it")
    func severalAndWebhook() throws {
        var evidence = try PageVerdictTests.evidence()
        Self.note(Self.records(Self.payment(), Self.payment("P2")), in: &evidence)
        evidence.reports = [Self.approved]
        evidence.records = Self.records(Self.payment("P2", 425, "VOIDED"), missing: "P1")
        #expect(PageVerdict(evidence).status == 80)
        evidence.records = Self.records(Self.payment("P2", 425, "VOIDED"), Self.payment())
        #expect(PageVerdict(evidence).status == 0)
    }

    @Test("what contradicted one payment alone is over when several are seen")
    func contradictionThenSeveral() throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.page = evidence.page.paid(by: Self.payment())
        Self.note(Self.records(missing: "P1"), in: &evidence)
        #expect(evidence.page.outcome.contradiction != nil)
        Self.note(Self.records(Self.payment(), Self.payment("P2")), in: &evidence)
        #expect(evidence.page.outcome.contradiction == nil && evidence.page.paymentsOfPage == ["P1", "P2"])
        #expect(evidence.page.outcome.reason?.contains("paid more than once") == true)
    }

    /// A page that a person settled as paid with an earlier version, which kept clauses.
    private static func settledEarlier(_ clause: String, payment: String? = nil) throws -> PageEvidence {
        var evidence = try PageVerdictTests.evidence()
        var outcome = PageVerdictTests.settled(evidence.page, isPaid: true, payment: payment).outcome
        (outcome.settled, outcome.acknowledged) = (nil, [clause])
        evidence.page = evidence.page.settled(.approved, outcome)
        return evidence
    }

    @Test("the clauses of an earlier version are read as facts: what they name is quiet until it changes")
    func clauses() throws {
        var evidence = try Self.settledEarlier("paid more than once: P1, P2")
        evidence.records = Self.records(Self.payment(), Self.payment("P2"))
        #expect(PageVerdict(evidence).finding == .asRecorded)
        var back = Self.payment("P2")
        back.refunded = 100
        for changed in [[Self.payment(), back], [Self.payment(), Self.payment("P2"), Self.payment("P3")]] {
            evidence.records = .read(PageRecords(changed))
            #expect(PageVerdict(evidence).status == 80, "\(changed)")
        }
        var named = try Self.settledEarlier("of the payment P1: it is of 6.00 USD", payment: "P1")
        named.records = Self.records(missing: "P1")
        #expect(PageVerdict(named).status == 80)
    }

    @Test("the payment that a person named is one of the page's: another is a second one, whatever is in which order")
    func secondPayment() throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.page = PageVerdictTests.settled(evidence.page, isPaid: true, payment: "P1")
        var records = PageRecords()
        records.asked["P1"] = .payment(Self.payment())
        evidence.records = .read(records)
        #expect(PageVerdict(evidence).finding == .asRecorded)
        records.payments = [Self.payment("P2")]
        for _ in 0..<2 {
            Self.note(.read(records), in: &evidence)
            let verdict = PageVerdict(evidence)
            #expect(verdict.status == 80 && verdict.state == .paidTwice, "\(verdict)")
            #expect(verdict.payments == ["P2", "P1"], "\(verdict)")
        }
        evidence.page = PageVerdictTests.settled(evidence.page, isPaid: true, payment: "P1", PageVerdict(evidence))
        #expect(PageVerdict(evidence).finding == .asRecorded)
    }

    @Test(
        "of two payments that a person accepted, the end of one is named until the person confirms it",
        arguments: ["VOIDED", "SUCCESS"])
    func endOfAccepted(_ result: String) throws {
        var evidence = try PageVerdictTests.evidence()
        evidence.records = Self.records(Self.payment(), Self.payment("P2"))
        evidence.page = PageVerdictTests.settled(evidence.page, isPaid: true, PageVerdict(evidence))
        var changed = Self.payment("P2", 425, result)
        if result == "SUCCESS" { changed.refunded = 425 }
        for _ in 0..<2 {
            Self.note(Self.records(Self.payment(), changed), in: &evidence)
            let verdict = PageVerdict(evidence)
            #expect(verdict.status == 80 && verdict.clause?.contains("P2") == true, "\(verdict)")
        }
        evidence.page = PageVerdictTests.settled(evidence.page, isPaid: true, PageVerdict(evidence))
        #expect(PageVerdict(evidence).status == 0)
    }

    @Test("a page that is open, and whose payment is only held, is held by every command until that is over")
    func held() throws {
        var evidence = try PageVerdictTests.evidence()
        Self.note(Self.records(Self.payment("P1", 425, "AUTH")), in: &evidence)
        #expect(evidence.page.checkoutState(now: Self.start) == .held && evidence.page.word(now: Self.start) == "held")
        #expect(evidence.page.outcome.reason?.contains("P1") == true)
        Self.note(Self.records(Self.payment("P1", 425, "FAIL")), in: &evidence)
        #expect(evidence.page.word(now: Self.start) == "open" && evidence.page.outcome.reason == nil)
    }

    @Test("the word of a page is that of the list, whatever contradicts it")
    func words() throws {
        var evidence = try PageVerdictTests.evidence()
        Self.note(Self.records(Self.payment("P1", 600)), in: &evidence)
        #expect(evidence.page.word(now: Self.start) == "unknown")
        evidence.page = PageVerdictTests.settled(try PageVerdictTests.evidence().page, isPaid: false)
        #expect(evidence.page.word(now: Self.start) == "notPaid")
        evidence.page = evidence.page.paid(by: Self.payment())
        #expect(evidence.page.checkoutState(now: Self.start) == .paid && evidence.page.word(now: Self.start) == "paid")
    }

    @Test("what a look finds of a refund takes the place of what an earlier one found")
    func refunds() throws {
        var part = Self.payment()
        part.refunded = 300
        var evidence = try PageVerdictTests.evidence()
        evidence.page = evidence.page.paid(by: part)
        #expect(evidence.page.outcome.reason?.contains("3.00") == true)
        part.refunded = 425
        Self.note(Self.records(part), in: &evidence)
        #expect(evidence.page.outcome.reason == nil && evidence.page.outcome.refunded == 425)
        #expect(evidence.page.outcome.contradiction?.contains("4.25") == true)
    }

    @Test("a refund of the whole that an earlier version named is quiet", arguments: [true, false])
    func clauseOfRefund(_ isGivenBack: Bool) throws {
        var evidence = try Self.settledEarlier("of the payment P1: it was paid, and 4.25 USD of it were refunded since")
        var outcome = evidence.page.outcome
        if isGivenBack { outcome.page = .givenBack }
        evidence.page = evidence.page.settled(.approved, outcome)
        var back = Self.payment()
        back.refunded = 425
        evidence.records = Self.records(back)
        #expect(PageVerdict(evidence).status == (isGivenBack ? 0 : 80))
    }
}
