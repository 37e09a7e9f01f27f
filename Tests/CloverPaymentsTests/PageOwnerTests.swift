import CloverPayments
import Testing

/// Pages of which persons name or accept the same payment.
@Suite("Verdicts: a payment counts for one page only")
struct PageOwnerTests {
    private static let start = PageVerdictTests.start

    /// What a look finds, as it is kept.
    private static func look(
        at page: PaymentOperation, _ records: PageRecords, owner: String? = nil, in journal: ChargeJournal
    ) async throws -> PageVerdict {
        var evidence = PageEvidence(page: try #require(try await journal.operation(page.id)), now: start)
        evidence.records = .read(records)
        if let owner { evidence.owners["P1"] = PageEvidence.Owner(id: owner, isByReportAlone: false) }
        let verdict = PageVerdict(evidence)
        try await journal.record(verdict, of: page.id, now: start)
        return verdict
    }

    private static func isNothing(_ page: PaymentOperation) -> Bool {
        page.outcome.amount == 0 && page.outcome.paymentID == nil && page.checkoutState(now: start) == .unknown
    }

    @Test(
        "a payment that a person named for one page, and that is in the order of another, is captured by none until freed",
        arguments: JournalWorld.Store.allCases)
    func twoPages(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let first = try PageVerdictTests.evidence(key: "k-1").page
            let second = try PageVerdictTests.evidence(key: "k-2").page
            for page in [first, second] { try await world.add(page) }
            func settle(
                _ page: PaymentOperation, _ payment: String? = nil, isDone: Bool = true
            ) async throws -> PaymentOperation {
                try await journal.settleByHand(
                    page.id, isDone: isDone, by: "Anna", payment: payment, now: Self.start)
            }
            // The service cannot be asked.
            let named = try await settle(first, "P1")
            #expect(named.outcome.amount == 425)
            let own = PageRecords([PageVerdictTests.payment()])
            let found = try await Self.look(at: second, own, owner: first.id, in: journal)
            #expect(found.status == 80 && found.owner(of: "P1") == first.id, "\(found)")
            await #expect(throws: PaymentPlanError.paymentOfAnother(id: second.id, payment: "P1", other: first.id)) {
                try await settle(second, "P1")
            }
            let other = try await settle(second)
            #expect(Self.isNothing(other), "\(other.outcome)")
            var elsewhere = PageRecords()
            elsewhere.elsewhere["P1"] = PageRecords.Place(order: "O1", page: second.id)
            #expect(try await Self.look(at: first, elsewhere, in: journal).status == 80)
            let confirmed = try await settle(first)
            #expect(Self.isNothing(confirmed), "\(confirmed.outcome)")
            #expect(try await Self.look(at: first, elsewhere, in: journal).status == 0)
            #expect(try await settle(first, isDone: false).state == .failed)
            // It is free by now, and its order proves whose it is.
            let proved = try await Self.look(at: second, own, in: journal)
            #expect(proved.payments == ["P1"] && proved.status == 0, "\(proved)")
            let paid = try await journal.recordPayment(
                PageVerdictTests.payment(), of: second.id, detail: "paid", now: Self.start)
            #expect(paid.outcome.paymentID == "P1" && paid.outcome.amount == 425)
        }
    }

    @Test("each of several payments that a person accepted is that page's", arguments: JournalWorld.Store.allCases)
    func several(_ store: JournalWorld.Store) async throws {
        try await JournalWorld.run(store) { world in
            let journal = world.journal
            let first = try PageVerdictTests.evidence(key: "k-1").page
            let second = try PageVerdictTests.evidence(key: "k-2").page
            for page in [first, second] { try await world.add(page) }
            let both = PageRecords([PageVerdictTests.payment(), PageVerdictTests.payment("P2")])
            #expect(try await Self.look(at: first, both, in: journal).status == 80)
            let settled = try await journal.settleByHand(
                first.id, isDone: true, by: "Anna", payment: nil, now: Self.start)
            #expect(settled.outcome.amount == 850 && settled.acceptedPayments == ["P1", "P2"])
            await #expect(throws: PaymentPlanError.paymentOfAnother(id: second.id, payment: "P2", other: first.id)) {
                try await journal.settleByHand(
                    second.id, isDone: true, by: "Anna", payment: "P2", now: Self.start)
            }
        }
    }
}
