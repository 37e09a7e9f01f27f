import CloverOutput
import CloverPayments
import Foundation
import Testing

@Suite("Verdicts: what evidence proves about a page of Hosted Checkout")
struct PageVerdictTests {
    /// Milliseconds since 1970 when the pages of these tests were made, and how long they are open.
    static let (start, life): (Int64, Int64) = (1_800_000_000_000, 900_000)

    /// A page of 4.25 USD, and a moment at which it is open.
    static func evidence(asking amount: Int64 = 425, key: String = "k-1") throws -> PageEvidence {
        var plan = CheckoutPlan()
        plan.items = [CheckoutPlan.Item(name: "Tea", price: amount, quantity: 1)]
        plan.idempotencyKey = key
        let made = try plan.operation(currency: .usDollar, environment: "sandbox", merchantID: "M1", now: start)
        let session =
            #"{"id":"S1","address":"https://pay.example","createdAt":\#(start),"expiresAt":\#(start + life),"#
            + #""reference":"R"}"#
        var outcome = OperationOutcome()
        outcome.session = try JSONDecoder().decode(CheckoutSession.self, from: Data(session.utf8))
        return PageEvidence(page: made.settled(.approved, outcome), now: start + 1000)
    }

    static func payment(_ id: String = "P1", _ amount: Int64? = 425, _ result: String? = "SUCCESS") -> PagePayment {
        PagePayment(id, order: "O1", amount: amount, currency: "USD", result: result)
    }

    /// The page as a person settled it in the knowledge of what `verdict` found.
    ///
    /// - Parameter shown: what Clover shows of the payment that the person names.
    static func settled(
        _ page: PaymentOperation, isPaid: Bool, payment: String? = nil, _ verdict: PageVerdict? = nil,
        shown: PageFact? = nil
    ) -> PaymentOperation {
        var outcome = OperationOutcome(reason: "recorded by Anna")
        (outcome.isByHand, outcome.settledBy, outcome.session) = (true, "Anna", page.outcome.session)
        var known = PageFact.merged(page.knownFacts ?? [], verdict?.facts ?? [])
        known = PageFact.merged(known, [shown].compactMap(\.self))
        outcome.settled = known.filter { $0.isNamed != true || isPaid && [nil, $0.payment].contains(payment) }
        if isPaid {
            (outcome.paymentID, outcome.amount) = (payment, page.amount?.minorUnits)
            outcome = page.accepting(outcome, of: payment)
        }
        return page.settled(isPaid ? .approved : .failed, outcome)
    }

    /// A kind of evidence, in the words of `docs/verdicts.md`.
    struct Kind {
        let words: String
        let change: (inout PageEvidence) -> Void

        static func made(_ words: String, _ change: @escaping (inout PageEvidence) -> Void) -> Kind {
            Kind(words: words, change: change)
        }

        static func shown(_ words: String, _ payments: PagePayment..., loose: Int64? = nil) -> Kind {
            made(words) { evidence in
                var records = PageRecords(payments)
                records.looseRefund = loose
                evidence.records = .read(records)
            }
        }

        /// Webhooks, with what the records have of the payments that they name.
        static func heard(
            _ words: String, _ reports: [PageReport], _ payments: [PagePayment] = [],
            asked: [String: PageRecords.Answer] = [:]
        ) -> Kind {
            made(words) { evidence in
                var records = PageRecords(payments)
                records.asked = asked
                for report in reports where records.asked[report.payment] == nil {
                    records.asked[report.payment] = .missing
                }
                (evidence.reports, evidence.records) = (reports, .read(records))
            }
        }

        /// A page that a person settled as paid, who knew of P1 and P2.
        static func settled(_ words: String, _ payments: PagePayment...) -> Kind {
            made(words) { evidence in
                let both = [PageVerdictTests.payment(), PageVerdictTests.payment("P2")]
                evidence.records = .read(PageRecords(both))
                evidence.page = PageVerdictTests.settled(evidence.page, isPaid: true, PageVerdict(evidence))
                var records = PageRecords(payments)
                for payment in both where !payments.contains(where: { $0.id == payment.id }) {
                    records.asked[payment.id] = .missing
                }
                evidence.records = .read(records)
            }
        }

        /// A page that a person settled with P1, which is in an order without the page's reference.
        static func named(_ words: String, _ payments: PagePayment...) -> Kind {
            made(words) { evidence in
                evidence.page = PageVerdictTests.settled(evidence.page, isPaid: true, payment: "P1")
                var records = PageRecords(payments)
                records.asked["P1"] = .payment(PageVerdictTests.payment())
                evidence.records = .read(records)
            }
        }

        /// A page that was paid by P1 before.
        static func recorded(_ words: String, _ payments: PagePayment...) -> Kind {
            made(words) { evidence in
                evidence.page = evidence.page.paid(by: PageVerdictTests.payment())
                var records = PageRecords(payments)
                records.asked["P1"] = .missing
                evidence.records = .read(records)
            }
        }
    }

    @Test(
        "what a person did not know when settling a page is named, with the same status by each command",
        arguments: [true, false])
    func news(_ acceptsLateRecords: Bool) throws {
        for (id, result, refunded) in [("P1", "VOIDED", 0), ("P1", "SUCCESS", 100), ("P3", "SUCCESS", 0)] {
            let verdict = try Self.verdict { evidence in
                evidence.acceptsLateRecords = acceptsLateRecords
                let both = [Self.payment(), Self.payment("P2")]
                evidence.records = .read(PageRecords(both))
                evidence.page = Self.settled(evidence.page, isPaid: true, PageVerdict(evidence))
                var changed = Self.payment(id, 425, result)
                changed.refunded = Int64(refunded)
                evidence.records = .read(PageRecords([changed] + both.filter { $0.id != id }))
            }
            #expect(verdict.status == 80 && verdict.clause?.contains(id) == true, "\(verdict)")
        }
    }

    @Test("an entry of an earlier version, with clauses only, is quiet about what it knew, and about nothing else")
    func earlierVersion() throws {
        var evidence = try Self.evidence()
        evidence.records = .read(PageRecords([Self.payment("P1", 600)]))
        let clause = try #require(PageVerdict(evidence).clause)
        var outcome = Self.settled(evidence.page, isPaid: true).outcome
        (outcome.settled, outcome.acknowledged) = (nil, [clause])
        evidence.page = evidence.page.settled(.approved, outcome)
        #expect(PageVerdict(evidence).finding == .asRecorded)
        evidence.records = .read(PageRecords([Self.payment("P1", 600), Self.payment("P2")]))
        #expect(PageVerdict(evidence).status == 80)
    }

    @Test("tax is never less than nothing, so that a payment of less than the items is another amount")
    func taxAllowance() throws {
        var plan = CheckoutPlan()
        plan.items = [CheckoutPlan.Item(name: "Screw", price: 5, quantity: 500)]
        plan.taxes = [CheckoutPlan.Tax(name: "VAT", rate: 800_000)]
        plan.idempotencyKey = "k-1"
        let made = try plan.operation(currency: .usDollar, environment: "sandbox", merchantID: "M1", now: Self.start)
        var outcome = OperationOutcome()
        outcome.session = try Self.evidence().page.outcome.session
        for (amount, isPaid) in [(2500, true), (2499, false), (2450, false), (0, false), (2700, true)]
            as [(Int64, Bool)]
        {
            var evidence = PageEvidence(page: made.settled(.approved, outcome), now: Self.start + 1000)
            evidence.records = .read(PageRecords([Self.payment("P1", amount)]))
            #expect(PageVerdict(evidence).isPaid == isPaid, "\(amount)")
        }
    }

    @Test(
        "a webhook's message that is not understood is printed, and one about a part or a refund is no payment",
        arguments: [
            ("Approved for 4.25 USD", true), ("Approved for USD 4.25", true), ("approved for  425", true),
            ("Approved for $6.00", false), ("Partially approved for 200", false), ("Refund for 425", false),
            ("Approved", true),
        ])
    func messages(_ message: String, _ isPaid: Bool) throws {
        let verdict = try Self.verdict { evidence in
            evidence.reports = [PageReport(.approved, of: "P1", message: message)]
            var records = PageRecords()
            records.asked["P1"] = .missing
            evidence.records = .read(records)
        }
        #expect(verdict.isPaid == isPaid, "\(verdict)")
        if message == "Approved" { #expect(verdict.notices.contains { $0.contains("'Approved'") }, "\(verdict)") }
    }

    @Test("what was found of a page that is open is over once the payment is voided")
    func over() throws {
        var evidence = try Self.evidence()
        evidence.records = .read(PageRecords([Self.payment("P1", 600)]))
        evidence.page.note(PageVerdict(evidence), now: Self.start)
        #expect(evidence.page.outcome.candidates == ["P1"])
        evidence.records = .read(PageRecords([Self.payment("P1", 600, "VOIDED")]))
        let verdict = PageVerdict(evidence)
        #expect(verdict.isOpen, "\(verdict)")
        evidence.page.note(verdict, now: Self.start)
        #expect(evidence.page.outcome.candidates == nil && evidence.page.outcome.reason == nil)
    }

    private static func changed(_ change: (inout PagePayment) -> Void) -> PagePayment {
        var payment = payment()
        change(&payment)
        return payment
    }

    private static let uuid = "1b3b0b4c-8d0e-4c4f-9a55-0c1f7a1b2c3d"

    /// P1 as given back, in part or as a whole.
    private static func returned(_ amount: Int64 = 425, _ id: String = "P1") -> PagePayment {
        var payment = payment(id)
        payment.refunded = amount
        return payment
    }

    private static let obstacle = PageObstacle(.unreadable, "the service answered 503")

    static var kinds: [Kind] {
        let approved = PageReport(.approved, of: "P1")
        let other = PageReport(.approved, of: "P1", message: "Approved for 600")
        let both = [PageReport(.approved, of: "P2"), PageReport(.declined, of: "P2")]
        let held = changed { $0.isHeld = true }
        let foreign = changed { $0.currency = "EUR" }
        let bare = changed { $0.amount = nil }
        let unreadable = changed { $0.hasUnreadableRefund = true }
        let early = changed { $0.madeAt = start - 86_400_000 }
        func several(_ evidence: inout PageEvidence) {
            evidence.records = .read(PageRecords([payment(), payment("P2")]))
        }
        return [
            .shown("no payment"),
            .made("the orders cannot be read") { $0.records = .unread(obstacle) },
            .shown("a payment of what the page asked for", payment()),
            .shown("one of another amount", payment("P1", 600)),
            .shown("one in another currency", foreign),
            .shown("one whose amount cannot be read", bare),
            .shown("one that is only held", held),
            .shown("one without a result", payment("P1", 425, nil)),
            .shown("one that was voided, and that nothing showed as paid", payment("P1", 425, "VOIDED")),
            .shown("one of which a part was given back", returned(100)),
            .shown("one that was given back as a whole, or is to be", returned()),
            .shown("one with a refund that shows no amount", unreadable),
            .shown("two payments", payment(), payment("P2")),
            .shown("two that are together what was asked for", payment("P1", 200), payment("P2", 225)),
            .shown("two that are together less", payment("P1", 200), payment("P2", 100)),
            .shown("two, of which one was given back as a whole", returned(), payment("P2")),
            .shown("two, of which one was voided", payment("P1", 425, "VOIDED"), payment("P2")),
            .shown("two that were both given back", returned(), returned(425, "P2")),
            .shown("two, and a refund that names neither", payment(), payment("P2"), loose: 425),
            .shown("two, and a refund of the sum that names neither", payment(), payment("P2"), loose: 850),
            .made("one that the orders show twice, with different contents") { evidence in
                var records = PageRecords([payment()])
                records.contradictory = "P1"
                evidence.records = .read(records)
            },
            .made("one that the journal has under another charge") { evidence in
                evidence.records = .read(PageRecords([payment()]))
                evidence.owners["P1"] = PageEvidence.Owner(id: "c_1", isByReportAlone: false)
            },
            .heard("a webhook alone", [approved]),
            .made("a webhook, and the orders cannot be read") { evidence in
                (evidence.reports, evidence.records) = ([approved], .unread(obstacle))
            },
            .heard(
                "a webhook about a payment that the records show as voided", [approved], [payment("P1", 425, "VOIDED")]),
            .heard("a webhook that states another amount", [other]),
            .heard("the same, and the payment's record has what was asked for", [other], [payment()]),
            .heard("the same, beside another payment, of what was asked for", [other], [payment("P2")]),
            .heard("webhooks about two payments", [approved, PageReport(.approved, of: "P2")]),
            .heard("webhooks that report a payment as approved and as declined", both),
            .heard("the same, beside another payment, of what was asked for", both, [payment()]),
            .made("a webhook about a payment in the order of another page") { evidence in
                var records = PageRecords()
                records.elsewhere["P1"] = PageRecords.Place(order: "O2", page: "h_2")
                (evidence.reports, evidence.records) = ([approved], .read(records))
            },
            .heard(
                "a webhook about a payment that was made before the page", [approved], asked: ["P1": .payment(early)]),
            .heard("a webhook that names a UUID, beside a payment", [PageReport(.approved, of: uuid)], [payment()]),
            .heard("a webhook about a payment without a record, beside another", [approved], [payment("P2")]),
            .heard("a webhook about a card that was declined", [PageReport(.declined, of: "P1")]),
            .recorded("seen as paid before, and not in the records now"),
            .recorded("seen as paid before, and voided now", payment("P1", 425, "VOIDED")),
            .recorded("the same, beside another payment", payment("P1", 425, "VOIDED"), payment("P2")),
            .recorded("seen as paid before, and only held now, beside another", held, payment("P2")),
            .made("seen as paid twice before, and nothing now") { evidence in
                several(&evidence)
                evidence.page.note(PageVerdict(evidence), now: start)
                evidence.records = .read(PageRecords())
            },
            .made("seen with another amount before, and a webhook while the orders cannot be read") { evidence in
                evidence.records = .read(PageRecords([payment("P1", 600)]))
                evidence.page.note(PageVerdict(evidence), now: start)
                (evidence.reports, evidence.records) = ([approved], .unread(obstacle))
            },
            .made("seen as paid before, and as voided since, and the same webhook") { evidence in
                evidence.page = evidence.page.paid(by: payment())
                evidence.records = .read(PageRecords([payment("P1", 425, "VOIDED")]))
                evidence.page.note(PageVerdict(evidence), now: start)
                (evidence.reports, evidence.records) = ([approved], .unread(obstacle))
            },
            .made("settled by a person who knew of both payments") { evidence in
                several(&evidence)
                evidence.page = settled(evidence.page, isPaid: true, PageVerdict(evidence))
            },
            .made("the same, and a third payment since") { evidence in
                several(&evidence)
                evidence.page = settled(evidence.page, isPaid: true, PageVerdict(evidence))
                evidence.records = .read(PageRecords([payment(), payment("P2"), payment("P3")]))
            },
            .settled(
                "the same, and both were voided since", payment("P1", 425, "VOIDED"), payment("P2", 425, "VOIDED")),
            .settled("the same, and one of them was voided since", payment("P1", 425, "VOIDED"), payment("P2")),
            .settled("the same, and one of them was given back as a whole since", returned(), payment("P2")),
            .settled("the same, and one of them was given back in part since", returned(100), payment("P2")),
            .settled("the same, and neither is in the records now"),
            .made("the same, as a person has confirmed, and one of them is there again, with a refund") { evidence in
                several(&evidence)
                evidence.page = settled(evidence.page, isPaid: true, PageVerdict(evidence))
                var records = PageRecords()
                for id in ["P1", "P2"] { records.asked[id] = .missing }
                evidence.records = .read(records)
                evidence.page = settled(evidence.page, isPaid: true, PageVerdict(evidence))
                records.asked["P2"] = .payment(returned(100, "P2"))
                evidence.records = .read(records)
            },
            .made("settled by a person who knew of a payment that is only held, and that failed since") { evidence in
                evidence.records = .read(PageRecords([held]))
                evidence.page = settled(evidence.page, isPaid: true, PageVerdict(evidence))
                evidence.records = .read(PageRecords([payment("P1", 425, "FAIL")]))
            },
            .made("settled by a person who knew of another amount, and given back as a whole since") { evidence in
                evidence.records = .read(PageRecords([payment("P1", 600)]))
                evidence.page = settled(evidence.page, isPaid: true, PageVerdict(evidence))
                var back = payment("P1", 600)
                back.refunded = 600
                evidence.records = .read(PageRecords([back]))
            },
            .made("recorded by a person as paid, and no payment is shown") { evidence in
                evidence.page = settled(evidence.page, isPaid: true)
                evidence.records = .read(PageRecords())
            },
            .made("the same, with a payment that is not in the records") { evidence in
                evidence.page = settled(evidence.page, isPaid: true, payment: "P1")
                var records = PageRecords()
                records.asked["P1"] = .missing
                evidence.records = .read(records)
            },
            .named("recorded by a person with a payment that no order of the page has"),
            .named("the same, and the page's order has another one since", payment("P2")),
            .made("recorded by a person as not paid, and no payment is shown") { evidence in
                evidence.page = settled(evidence.page, isPaid: false)
                evidence.records = .read(PageRecords())
            },
            .made("recorded by a person as not paid, and a payment is shown") { evidence in
                evidence.page = settled(evidence.page, isPaid: false)
                evidence.records = .read(PageRecords([payment()]))
            },
        ]
    }

    /// The last part of `docs/verdicts.md`.
    static func table() throws -> String {
        var lines = [
            "## Hosted Checkout pages",
            "",
            "Generated from the function that judges them (`Sources/CloverPayments/Verdict/PageVerdict.swift`): what a look finds, as in",
            "`checkout wait`, `charge recover` and `charge show --check`, and its exit status. Payments are those of the orders that have the",
            "page's reference. The last column: when the page has ended, and the record of its payment is overdue.",
            "",
            "| evidence | while the page is open | long after its end |",
            "|---|---|---|",
        ]
        for kind in kinds {
            var cells = [kind.words]
            for age in [1000, 3 * life] {
                var evidence = try evidence()
                evidence.now = start + age
                kind.change(&evidence)
                let verdict = PageVerdict(evidence)
                cells.append(
                    "\(verdict.finding == .asRecorded ? "as recorded" : verdict.state.rawValue) (\(verdict.status))")
            }
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        lines += [
            "",
            "Neither the end of a page nor orders without a payment prove that it was not paid. A payment counts for one page only.",
            "`checkout wait` takes a webhook alone as paid (0) until a look has named that the record of its payment is missing.",
            "",
            "What a person recorded stays as long as nothing is shown that was not known then. Another payment, a refund, a void, or a payment",
            "that is gone, is named (80) by each look until the person corrects or confirms the entry, also where one payment is left that is",
            "what the page asked for. The payments that a person names or accepts are the page's from then on, in whichever order they are, and",
            "whatever the records show of them: they are asked for by each look. `clover charge settle --paid` records what is known: captured",
            "is the sum of the payments that took money and were not voided, refunded what is shown of them, and neither is stated where it is",
            "not known, or in another currency. If none of them took money, nothing is captured, and the page is voided, held or unknown.",
            "`clover charge settle --not-paid` is",
            "refused while payments are known that took money and were not given back. If such a payment is that of another charge, record it",
            "there first: `clover charge settle OTHER --paid --payment ID`, then `clover charge recover` of the page. If the journal has the",
            "page's payment under another page, free it there: `clover charge settle OTHER --not-paid`.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func verdict(_ change: (inout PageEvidence) -> Void) throws -> PageVerdict {
        var evidence = try evidence()
        change(&evidence)
        return PageVerdict(evidence)
    }

    @Test(
        "another amount in a webhook beside the page's payment is unclear, and names both",
        arguments: ["P1", nil, uuid])
    func otherAmount(_ named: String?) throws {
        let verdict = try Self.verdict { evidence in
            evidence.reports = [PageReport(.approved, of: named, message: "Approved for 600")]
            var records = PageRecords([Self.payment("P2")])
            records.asked = ["P1": .missing, Self.uuid: .missing]
            evidence.records = .read(records)
        }
        #expect(verdict.status == 80 && verdict.state == .unknown, "\(verdict)")
        #expect(verdict.clause?.contains("Approved for 600") == true && verdict.clause?.contains("P2") == true)
        #expect(verdict.clause?.contains("more than once") == false, "\(verdict)")
    }

    @Test("a payment that only a webhook gave to another page counts for the page whose order has it")
    func ownedByReport() throws {
        let verdict = try Self.verdict { evidence in
            evidence.records = .read(PageRecords([Self.payment()]))
            evidence.owners["P1"] = PageEvidence.Owner(id: "h_2", isByReportAlone: true)
        }
        #expect(verdict.payments == ["P1"] && verdict.isPaid, "\(verdict)")
    }

    @Test("a payment that was seen before, and that a short list lacks, is still one of several")
    func lateList() throws {
        let verdict = try Self.verdict { evidence in
            evidence.records = .read(PageRecords([Self.payment(), Self.payment("P2")]))
            evidence.page.note(PageVerdict(evidence), now: Self.start)
            evidence.records = .read(PageRecords([Self.payment()]))
        }
        #expect(verdict.state == .paidTwice && verdict.payments == ["P1", "P2"], "\(verdict)")
    }

    @Test("a page whose webhook alone was seen is not open, although nothing was asked for")
    func unasked() throws {
        let reported = try Self.verdict { $0.reports = [PageReport(.approved, of: nil)] }
        #expect(!reported.isOpen && reported.isPaid, "\(reported)")
        let declined = try Self.verdict { $0.reports = [PageReport(.declined, of: "P1")] }
        #expect(declined.isOpen && declined.state == .open, "\(declined)")
    }

    @Test("amounts of any size are compared without an overflow", arguments: [Int64.min, -1, 0, Int64.max])
    func extremes(_ amount: Int64) throws {
        let one = try Self.verdict { $0.records = .read(PageRecords([Self.payment("P1", amount)])) }
        #expect(!one.isPaid && one.status == 80, "\(one)")
        let two = try Self.verdict {
            $0.records = .read(PageRecords([Self.payment("P1", amount), Self.payment("P2", amount)]))
        }
        #expect(!two.isPaid, "\(two)")
    }
}
