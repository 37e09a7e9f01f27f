import CloverReports
import Testing

@Suite("Reconciliation")
struct ReconcileRunTests {
    private static let noon: Int64 = 1_791_216_000_000  // 2026-10-05 12:00 in New York

    private static func payment(_ id: String, _ amount: Int64 = 1000, at time: Int64 = noon, _ more: String = "")
        -> String
    {
        #"{"id":"\#(id)","order":{"id":"O1"},"amount":\#(amount),"createdTime":\#(time),"result":"SUCCESS"\#(more)}"#
    }

    private static func order(_ payments: [String], total: Int64 = 1000, _ more: String = "") -> String {
        #"{"id":"O1","total":\#(total),"lineItems":{"elements":[{"id":"L1","price":\#(total)}]},"#
            + #""payments":{"elements":[\#(payments.joined(separator: ","))]}\#(more)}"#
    }

    private static func refund(_ id: String, _ amount: Int64, at time: Int64 = noon) -> String {
        #"{"id":"\#(id)","amount":\#(amount),"createdTime":\#(time),"payment":{"id":"P1","amount":1000,"#
            + #""tipAmount":200,"order":{"id":"O1"}}}"#
    }

    private static func findings(
        payments: [String] = [], refunds: [String] = [], credits: [String] = [], orders: [String] = [],
        charges: [ReconcileRun.Charge] = []
    ) throws -> [ReportFinding] {
        var run = ReconcileRun(try ReportRunTests.request(.sales))
        for text in payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
        for text in credits { Array(text.utf8).withUnsafeBytes { run.add(credit: $0) } }
        for text in orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
        for charge in charges { run.add(charge: charge) }
        return run.finish()
    }

    private static func charge(
        _ paymentID: String? = "P1", amount: Int64 = 1000, isPaid: Bool? = true, isVoided: Bool = false,
        at time: Int64 = noon
    ) -> ReconcileRun.Charge {
        ReconcileRun.Charge(
            id: "c_1", paymentID: paymentID, externalID: nil, amount: amount, instant: time, isPaid: isPaid,
            isVoided: isVoided, isListed: true)
    }

    @Test("a record that cannot be read is named, and the others are compared")
    func unreadable() throws {
        let paid = [Self.payment("P1", 400), Self.payment("P2").replacing(#""amount":1000"#, with: #""amount":"ten""#)]
        let found = try Self.findings(
            payments: paid, refunds: [Self.refund("R1", 5000), "[]"], credits: ["{}"], orders: [Self.order([paid[0]])])
        #expect(
            found.map(\.kind) == ["partly_paid", "refund_above_payment"]
                + Array(repeating: "unreadable_record", count: 3))
        #expect(found.map(\.identifiers).contains(["payment": "P2"]))
    }

    @Test(
        "a refund of another day that cannot be read matters only beside a refund of the day, or a charge, of its payment"
    )
    func damagedRefund() throws {
        let damaged = Self.refund("R0", 100, at: Self.noon - 9 * 86_400_000)
            .replacing(#""amount":100"#, with: #""amount":"ten""#)
        let paid = [Self.payment("P1")]
        func run(_ refunds: [String], _ charges: [ReconcileRun.Charge] = []) throws -> (kinds: [String], hasAll: Bool) {
            var run = ReconcileRun(try ReportRunTests.request(.sales))
            for text in paid { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
            for text in refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
            Array(Self.order(paid).utf8).withUnsafeBytes { run.add(order: $0) }
            for charge in charges { run.add(charge: charge) }
            return (run.finish().map(\.kind), run.hasAll)
        }
        #expect(try run([damaged]) == ([], true))
        #expect(try run([damaged.replacing(#","payment":{"id":"P1""#, with: #","payment":{"id":5"#)]) == ([], true))
        #expect(try run([damaged, Self.refund("R1", 5)]) == (["unreadable_record"], false))
        #expect(try run([damaged], [Self.charge()]) == (["unreadable_record"], false))
        #expect(
            try run([damaged.replacing(#""createdTime":"#, with: #""createdAt":"#)]) == (["unreadable_record"], false))
        let today = Self.refund("R0", 100).replacing(#""amount":100"#, with: #""amount":"ten""#)
        #expect(try run([today]) == (["unreadable_record"], false))
    }

    @Test("an ecommerce charge that cannot be read matters on its own day only")
    func damagedCharge() throws {
        for (time, found) in [(Self.noon, ["unreadable_record"]), (Self.noon - 2 * 86_400_000, [])] {
            var run = ReconcileRun(try ReportRunTests.request(.sales))
            let charge = #"{"id":"H1","created":\#(time),"status":"succeeded","amount":"ten"}"#
            Array(charge.utf8).withUnsafeBytes { run.add(charge: $0) }
            #expect(run.finish().map(\.kind) == found)
        }
    }

    @Test("an order that cannot be read is not called gone")
    func unreadableOrder() throws {
        let paid = [Self.payment("P1")]
        let order = Self.order(paid).replacing(#""price":1000"#, with: #""price":1000.5"#)
        let found = try Self.findings(payments: paid, refunds: [Self.refund("R1", 5)], orders: [order, order])
        #expect(found.map(\.kind) == ["unreadable_record"])
        #expect(found.first?.sentence == "an order has no usable 'lineItems.price', and was left out")
    }

    @Test("nothing is found where all agrees, also after a refund of all, and outside the period")
    func nothing() throws {
        let paid = [Self.payment("P1")]
        #expect(try Self.findings(payments: paid, orders: [Self.order(paid)]).isEmpty)
        #expect(
            try Self.findings(payments: paid, refunds: [Self.refund("R1", 1200)], orders: [Self.order(paid)]).isEmpty)
        #expect(try Self.findings(payments: paid, orders: [Self.order(paid)], charges: [Self.charge()]).isEmpty)
        let early = [Self.payment("P1", 400, at: Self.noon - 10 * 86_400_000)]
        #expect(try Self.findings(payments: early, orders: [Self.order(early)]).isEmpty)
        // A part that was paid before the period, and the rest in it.
        let parts = early + [Self.payment("P2", 600)]
        #expect(try Self.findings(payments: parts, orders: [Self.order(parts)]).isEmpty)
        // A test order.
        let test = [Self.payment("P1", 5)]
        #expect(try Self.findings(payments: test, orders: [Self.order(test, #","testMode":true"#)]).isEmpty)
    }

    @Test("each kind of difference is named, with its amount")
    func kinds() throws {
        func kinds(_ findings: [ReportFinding]) -> [String] { findings.map { "\($0.kind) \($0.amount ?? 0)" } }
        let part = [Self.payment("P1", 400)]
        #expect(kinds(try Self.findings(payments: part, orders: [Self.order(part)])) == ["partly_paid -600"])
        let twice = [Self.payment("P1"), Self.payment("P2", at: Self.noon + 4000)]
        #expect(kinds(try Self.findings(payments: twice, orders: [Self.order(twice)])) == ["paid_twice 1000"])
        let later = [Self.payment("P1"), Self.payment("P2", 300, at: Self.noon + 4000)]
        #expect(kinds(try Self.findings(payments: later, orders: [Self.order(later)])) == ["overpaid 300"])
        let paid = [Self.payment("P1")]
        #expect(
            kinds(
                try Self.findings(
                    payments: paid, refunds: [Self.refund("R0", 800, at: 1), Self.refund("R1", 500)],
                    orders: [Self.order(paid)])) == ["refund_above_payment 100"])
        #expect(kinds(try Self.findings(payments: paid)) == ["payment_without_order 1000"])
        let wrong = Self.order(paid).replacing(#""price":1000"#, with: #""price":1100"#)
        #expect(kinds(try Self.findings(payments: paid, orders: [wrong])) == ["total_differs -100"])
        let taxed = [Self.payment("P1", 1000, at: Self.noon, #","taxAmount":80"#)]
        #expect(kinds(try Self.findings(payments: taxed, orders: [Self.order(taxed)])) == ["tax_differs 80"])
        let odd = [Self.payment("P1").replacing("SUCCESS", with: "VOID_FAILED")]
        #expect(kinds(try Self.findings(payments: odd)) == ["undecided_payment 1000"])
        let clock = [Self.payment("P1", at: Self.noon, #","clientCreatedTime":\#(Self.noon + 2 * 86_400_000)"#)]
        #expect(kinds(try Self.findings(payments: clock, orders: [Self.order(clock)])) == ["clock_differs 0"])
        let alone = #"{"id":"R1","amount":50,"createdTime":\#(Self.noon)}"#
        #expect(kinds(try Self.findings(refunds: [alone])) == ["refund_without_payment 50"])
    }

    @Test("a total that no line, tax or payment explains is named, and not called partly paid")
    func unexplainedTotals() throws {
        func kinds(_ total: Int64, _ paid: Int64, tax: Int64, isVAT: Bool = false) throws -> [String] {
            let payments = [Self.payment("P1", paid, at: Self.noon, #","taxAmount":\#(tax)"#)]
            let order = Self.order(payments, total: 1000, #","isVat":\#(isVAT)"#)
                .replacing(#""total":1000"#, with: #""total":\#(total)"#)
            return try Self.findings(payments: payments, orders: [order]).map { "\($0.kind) \($0.amount ?? 0)" }
        }
        // The lines of 10.00 and their tax are paid.
        #expect(try kinds(5000, 1080, tax: 80) == ["total_differs 3920"])
        #expect(try kinds(1100, 1080, tax: 80) == ["total_differs 20"])
        // No tax is above 50 %.
        #expect(try kinds(5000, 500, tax: 0) == ["total_differs 4000"])
        #expect(try kinds(5000, 1000, tax: 0, isVAT: true) == ["total_differs 4000"])
        // The tax may be owed, and so may the lines.
        #expect(try kinds(1080, 1000, tax: 0) == ["partly_paid -80"])
        #expect(try kinds(1080, 540, tax: 40) == ["partly_paid -540"])
        #expect(try kinds(1000, 400, tax: 60, isVAT: true) == ["partly_paid -600"])
    }

    @Test("of a charge made before the period, only what was given back in it is compared")
    func olderCharges() throws {
        var charge = Self.charge(at: Self.noon - 20 * 86_400_000)
        (charge.isOlder, charge.refunded) = (true, 500)
        let paid = Self.payment("P1", at: Self.noon - 20 * 86_400_000)
        var run = ReconcileRun(try ReportRunTests.request(.sales))
        run.add(charge: charge)
        #expect(run.missingPayments == ["P1"])
        #expect(run.finish().isEmpty, "its payment may not be known by this id")
        let found = try Self.findings(payments: [paid], charges: [charge])
        #expect(found.map { "\($0.kind) \($0.amount ?? 0)" } == ["charge_not_refunded 500"])
        let back = try Self.findings(payments: [paid], refunds: [Self.refund("R1", 500)], charges: [charge])
        #expect(back.allSatisfy { !$0.kind.hasPrefix("charge") }, "\(back)")
        charge.isPaid = nil
        #expect(try Self.findings(payments: [paid], charges: [charge]).isEmpty)
    }

    @Test("a refund that names a line of another order is named")
    func otherLine() throws {
        let paid = [Self.payment("P1")]
        for line in ["L1", "L9"] {
            let refund = Self.refund("R1", 100).replacing(
                #""id":"R1","#, with: #""id":"R1","lineItems":{"elements":[{"id":"\#(line)","price":100}]},"#)
            let found = try Self.findings(payments: paid, refunds: [refund], orders: [Self.order(paid)])
            #expect(found.map(\.kind) == (line == "L1" ? [] : ["refund_line_differs"]), "\(found)")
        }
    }

    @Test("a refund or credit whose payment was not paid, or whose payment or order is unknown, is named")
    func returns() throws {
        func kinds(_ findings: [ReportFinding]) -> [String] { findings.map { "\($0.kind) \($0.amount ?? 0)" } }
        let refund = #"{"id":"R1","amount":50,"createdTime":\#(Self.noon),"payment":{"id":"P1"}}"#
        let sale = [Self.payment("P9")]
        for result in ["VOIDED", "FAIL"] {
            // As the list of payments has it, or as the refund does.
            let payment = Self.payment("P1").replacing("SUCCESS", with: result)
            let own = refund.replacing(#""id":"P1""#, with: #""id":"P1","amount":1000,"result":"\#(result)""#)
            for (payments, refund) in [([payment], refund), ([], own)] {
                let found = try Self.findings(payments: payments, refunds: [refund])
                #expect(kinds(found) == ["refund_of_unpaid_payment 50"], "\(found)")
                #expect(found[0].sentence.contains(result) && found[0].identifiers["payment"] == "P1")
            }
        }
        #expect(
            kinds(try Self.findings(payments: sale, refunds: [refund], orders: [Self.order(sale)]))
                == ["refund_of_unknown_payment 50"])
        #expect(
            try Self.findings(
                payments: sale, refunds: [refund.replacing("P1", with: "P9")], orders: [Self.order(sale)]
            ).isEmpty)
        // More than was paid, also where only the list of payments has the amount.
        let much = refund.replacing("P1", with: "P9").replacing(":50,", with: ":1050,")
        #expect(
            kinds(try Self.findings(payments: sale, refunds: [much], orders: [Self.order(sale)]))
                == ["refund_above_payment 50"])
        // Of another period, or voided.
        #expect(try Self.findings(refunds: [refund.replacing("\(Self.noon)", with: "1")]).isEmpty)
        #expect(try Self.findings(refunds: [refund.replacing(":50,", with: #":50,"voided":true,"#)]).isEmpty)
        #expect(
            kinds(
                try Self.findings(refunds: [Self.refund("R1", 50)])) == ["refund_without_order 50"])
        let credit = #"{"id":"C1","amount":70,"createdTime":\#(Self.noon),"orderRef":{"id":"O7"}}"#
        #expect(kinds(try Self.findings(credits: [credit])) == ["credit_without_order 70"])
        #expect(try Self.findings(credits: [#"{"id":"C1","amount":70,"createdTime":\#(Self.noon)}"#]).isEmpty)
        let ahead = #","clientCreatedTime":\#(Self.noon + 2 * 86_400_000),"orderRef""#
        #expect(
            kinds(try Self.findings(credits: [credit.replacing(#","orderRef""#, with: ahead)]))
                == ["clock_differs 0", "credit_without_order 70"])
    }

    @Test("charges of the journal are compared with the shop's payments")
    func charges() throws {
        let paid = [Self.payment("P1")]
        func kind(_ charge: ReconcileRun.Charge) throws -> [String] {
            try Self.findings(payments: paid, orders: [Self.order(paid)], charges: [charge]).map(\.kind)
        }
        #expect(try kind(Self.charge("P9")) == ["charge_without_payment"])
        #expect(try kind(Self.charge(amount: 999)) == ["charge_amount_differs"])
        #expect(try kind(Self.charge(isPaid: nil)) == ["charge_unknown"])
        #expect(try kind(Self.charge(isPaid: false)) == ["charge_paid_after_all"])
        #expect(try kind(Self.charge("P9", isPaid: false)).isEmpty)
        #expect(try kind(Self.charge("P9", at: Self.noon - 10 * 86_400_000)).isEmpty)
        // Voided by ourselves: the payment is void, or was given back.
        #expect(try kind(Self.charge("P9", isVoided: true)).isEmpty)
        #expect(try kind(Self.charge(isVoided: true)) == ["charge_not_voided"])
        let back = try Self.findings(
            payments: paid, refunds: [Self.refund("R1", 1200)], orders: [Self.order(paid)],
            charges: [Self.charge(isVoided: true)])
        #expect(back.isEmpty, "\(back)")
    }

    @Test("a hold that was increased and captured in part explains an order whose total lacks the increment, or has it")
    func increasedHold() throws {
        let paid = [Self.payment("P1", 400)]
        for (total, expected) in [(Int64(600), [String]()), (850, []), (700, ["partly_paid"])] {
            var hold = Self.charge(amount: 400)
            (hold.released, hold.releasedOfFirst) = (450, 200)
            let found = try Self.findings(payments: paid, orders: [Self.order(paid, total: total)], charges: [hold])
            #expect(found.map(\.kind) == expected, "\(found)")
        }
    }

    @Test("a part that was accepted explains an order whose total has all that was asked for")
    func acceptedPart() throws {
        let paid = [Self.payment("P1", 400)]
        for (total, expected) in [(Int64(1000), [String]()), (900, ["partly_paid"])] {
            var part = Self.charge(amount: 400)
            part.unapproved = 600
            let found = try Self.findings(payments: paid, orders: [Self.order(paid, total: total)], charges: [part])
            #expect(found.map(\.kind) == expected, "\(found)")
        }
        let unaccepted = try Self.findings(
            payments: paid, orders: [Self.order(paid)], charges: [Self.charge(amount: 400)])
        #expect(unaccepted.map(\.kind) == ["partly_paid"])
    }

    @Test("a charge of the ecommerce API is found by its id, or by its order and amount")
    func ecommerce() throws {
        let paid = [Self.payment("P1")]
        let order = Self.order(paid)
        func kinds(_ id: String, order orderID: String?, amount: Int64 = 1000, isPaid: Bool? = true) throws -> [String]
        {
            var charge = ReconcileRun.Charge(
                id: id, paymentID: id, externalID: nil, amount: amount, instant: Self.noon, isPaid: isPaid,
                isListed: true)
            (charge.orderID, charge.isEcommerce) = (orderID, true)
            return try Self.findings(payments: paid, orders: [order], charges: [charge]).map(\.kind)
        }
        let place = try #require(order.firstRange(of: #""id":""#))
        let orderID = String(order[place.upperBound...].prefix { $0 != "\"" })
        #expect(try kinds("P1", order: nil) == [])
        #expect(try kinds("C9", order: orderID) == [])
        #expect(try kinds("C9", order: orderID, amount: 999) == ["charge_without_payment"])
        #expect(try kinds("C9", order: nil) == ["charge_without_payment"])
        #expect(try kinds("C9", order: nil, isPaid: nil) == ["charge_unknown"])
        #expect(try kinds("P1", order: nil, isPaid: false) == ["charge_paid_after_all"])
    }

    @Test(
        "an ecommerce charge of the journal that the shop does not have, or has as void, is named; one only held is not"
    )
    func journalEcommerce() throws {
        let paid = [Self.payment("P1"), Self.payment("P2").replacing("SUCCESS", with: "VOIDED")]
        func sentences(_ id: String, order: String? = "O9", isHeld: Bool = false, refunded: Int64 = 0) throws
            -> [String]
        {
            var charge = Self.charge(id)
            (charge.orderID, charge.isInferred, charge.isHeld, charge.refunded) = (order, true, isHeld, refunded)
            return try Self.findings(payments: paid, orders: [Self.order([paid[0]])], charges: [charge])
                .map { "\($0.kind): \($0.sentence)" }
        }
        let missing = "charge_without_payment: the journal has the charge as paid, but "
        #expect(try sentences("P1") == [])
        #expect(try sentences("X9", order: "O1") == [])
        #expect(try sentences("X9") == [missing + "no payment of the shop has its id, nor its order and amount"])
        #expect(try sentences("P2") == [missing + "its payment has the result 'VOIDED'"])
        #expect(try sentences("P2", isHeld: true) == [])
        // A refund soon after the charge may be a void.
        #expect(try sentences("P2", refunded: 1000) == [])
        #expect(try sentences("P1", refunded: 300).map { $0.prefix(20) } == ["charge_not_refunded:"])
    }

    @Test("a refund that the journal has, and the shop does not, is named; one whose outcome is open is not")
    func missingRefund() throws {
        let paid = [Self.payment("P1", 1000, at: Self.noon, #","tipAmount":200"#)]
        func found(_ refunded: Int64, _ refunds: [String]) throws -> [String] {
            var charge = Self.charge()
            charge.refunded = refunded
            return try Self.findings(payments: paid, refunds: refunds, orders: [Self.order(paid)], charges: [charge])
                .map { "\($0.kind) \($0.amount ?? 0)" }
        }
        #expect(try found(1000, []) == ["charge_not_refunded 1000"])
        #expect(try found(1000, [Self.refund("R1", 500)]) == ["charge_not_refunded 500"])
        #expect(try found(1000, [Self.refund("R1", 1000)]) == [])
        #expect(try found(1200, [Self.refund("R1", 1000)]) == [])
        let pending = Self.refund("R1", 1000).replacing(
            #""amount":1000,"c"#, with: #""amount":1000,"status":"PENDING","c"#)
        #expect(try found(1000, [pending]) == ["undecided_payment 1000"])
        let sentences = try Self.findings(payments: paid, refunds: [pending], orders: [Self.order(paid)]).map(
            \.sentence)
        #expect(sentences.contains { $0.contains("it is on its way, and may still fail") }, "\(sentences)")
    }

    private static func ecommerce(
        _ payments: [String], _ charges: [String], refunds: [String] = [], journal: [ReconcileRun.Charge] = []
    ) throws -> [ReportFinding] {
        var run = ReconcileRun(try ReportRunTests.request(.sales))
        for text in payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
        Array(order(payments).utf8).withUnsafeBytes { run.add(order: $0) }
        for charge in journal { run.add(charge: charge) }
        for text in charges { Array(text.utf8).withUnsafeBytes { run.add(charge: $0) } }
        return run.finish()
    }

    private static func ecommerceCharge(_ id: String, _ more: String = "", created: String = "\(noon)") -> String {
        let currency = more.contains("currency") ? "" : #","currency":"usd""#
        let amount = more.contains(#""amount":"#) ? "" : #","amount":1000"#
        return
            #"{"id":"\#(id)"\#(amount),"created":\#(created),"status":"succeeded","order":"O1"\#(more)\#(currency)}"#
    }

    @Test("one payment explains one charge, whatever their order: the other one may be a double charge")
    func doubleCharge() throws {
        let paid = [Self.payment("P1")]
        for ids in [["P1", "C2"], ["C2", "P1"], ["C1", "C2"]] {
            let found = try Self.ecommerce(paid, ids.map { Self.ecommerceCharge($0) })
            #expect(found.map(\.kind) == ["charge_without_payment"], "\(ids): \(found)")
            #expect(found.first?.identifiers["charge"] == "C2")
            let other = ids.first { $0 != "C2" } ?? ""
            #expect(
                found.first?.sentence.hasSuffix("the payment of its order and amount is that of the charge \(other)")
                    == true)
        }
        // A failed attempt before it is no charge of the payment.
        let failed = Self.ecommerceCharge("C2").replacing("succeeded", with: "failed")
        #expect(try Self.ecommerce(paid, [failed, Self.ecommerceCharge("C1")]).isEmpty)
        // The same charge, of the journal and of the API.
        for id in ["P1", "C1", "X9"] {
            var journal = Self.charge(id)
            journal.orderID = "O1"
            let found = try Self.ecommerce(paid, [Self.ecommerceCharge(id)], journal: [journal])
            #expect(found.isEmpty, "\(found)")
        }
        var journal = Self.charge("X9")
        journal.orderID = "O8"
        let found = try Self.ecommerce(
            paid, [Self.ecommerceCharge("X9").replacing("O1", with: "O8")], journal: [journal])
        #expect(found.map(\.kind) == ["charge_without_payment"] && found[0].identifiers["charge"] == "c_1", "\(found)")
    }

    @Test("a charge of the ecommerce API whose time is missing, a text or in seconds is named")
    func chargeTimes() throws {
        let paid = [Self.payment("P1")]
        for created in [#""2026-10-05""#, "\(Self.noon / 1000)", "\(Self.noon)000", "[]"] {
            let found = try Self.ecommerce(paid, [Self.ecommerceCharge("P1", created: created)])
            #expect(found.map(\.kind) == ["unreadable_record"], "\(created): \(found)")
            #expect(found.first?.identifiers == ["charge": "P1"])
        }
        let missing = Self.ecommerceCharge("P1").replacing(#""created":\#(Self.noon),"#, with: "")
        #expect(try Self.ecommerce(paid, [missing]).map(\.kind) == ["unreadable_record"])
        #expect(try Self.ecommerce(paid, [Self.ecommerceCharge("P1", created: "\(Self.noon).5")]).isEmpty)
    }

    @Test("a charge in another currency, and one refunded there only, are named; one only held is not")
    func chargeFacts() throws {
        let paid = [Self.payment("P1")]
        func kinds(_ id: String, _ more: String) throws -> [String] {
            try Self.ecommerce(paid, [Self.ecommerceCharge(id, more)]).map(\.kind)
        }
        #expect(try kinds("P1", #","currency":"usd""#) == [])
        #expect(try kinds("P1", #","currency":"eur""#) == ["currency_differs"])
        let foreign = try Self.ecommerce(
            paid, [Self.ecommerceCharge("P1", #","currency":"eur","amount":900,"amount_refunded":400"#)])
        #expect(foreign.map(\.kind) == ["charge_amount_differs", "charge_not_refunded", "currency_differs"])
        #expect(foreign.map(\.currency) == [nil, "EUR", "EUR"] && foreign.map(\.amount) == [nil, 400, 900])
        #expect(foreign[1].sentence.hasPrefix("the ecommerce API has €4.00 of the charge as refunded"), "\(foreign)")
        // What is only held was not captured, whatever it shows.
        #expect(
            try kinds("P1", #","captured":false,"amount_captured":1000,"amount_refunded":1000"#)
                == ["charge_not_refunded", "charge_paid_after_all"])
        let shown = Self.ecommerceCharge("C9", #","captured":false,"amount_captured":1000"#)
        #expect(try Self.ecommerce(paid, [shown.replacing("O1", with: "O9")]).isEmpty)
        let held = Self.ecommerceCharge("C9", #","captured":false"#).replacing("O1", with: "O9")
        #expect(try Self.ecommerce(paid, [held]).isEmpty)
    }

    @Test("an ecommerce charge that contradicts its payment is named, and one that cannot be compared is unreadable")
    func contradictions() throws {
        let paid = [Self.payment("P1")]
        func found(_ charge: String) throws -> [String] {
            try Self.ecommerce(paid, [charge]).map { "\($0.kind) \($0.amount ?? 0)" }
        }
        #expect(try found(Self.ecommerceCharge("P1")) == [])
        #expect(try found(Self.ecommerceCharge("P1", #","captured":true,"amount_captured":1000"#)) == [])
        #expect(
            try found(Self.ecommerceCharge("P1", #","captured":true,"amount_captured":100"#))
                == ["charge_amount_differs 900"])
        #expect(
            try found(Self.ecommerceCharge("P1", #","captured":false,"amount_captured":0"#))
                == ["charge_paid_after_all 1000"])
        #expect(
            try found(Self.ecommerceCharge("P1", #","captured":true,"amount_captured":1100"#))
                == ["charge_amount_differs 100"])
        #expect(try found(Self.ecommerceCharge("P1", #","amount_captured":1100,"tip_amount":100"#)) == [])
        for amount in ["", #","amount_refunded":0"#, #","amount_refunded":null"#] {
            let refunded = Self.ecommerceCharge("P1", #","refunded":true"# + amount)
            #expect(try found(refunded) == ["charge_not_refunded 0"], "\(refunded)")
            #expect(try Self.ecommerce(paid, [refunded], refunds: [Self.refund("R1", 400)]).isEmpty, "\(refunded)")
        }
        let elsewhere = Self.ecommerceCharge("P1").replacing("O1", with: "O9")
        #expect(try found(elsewhere) == ["payment_not_in_order 1000"])
        let named = try Self.ecommerce(paid, [elsewhere]).first
        #expect(named?.identifiers == ["charge": "P1", "order": "O1", "payment": "P1"], "\(elsewhere)")
        for (member, other) in [
            (#""amount":1000"#, #""amount":null"#), (#""amount":1000,"#, ""),
            (#""currency":"usd""#, #""currency":null"#), (#""currency":"usd""#, #""currency":"""#),
        ] {
            let charge = Self.ecommerceCharge("P1").replacing(member, with: other)
            #expect(try found(charge) == ["unreadable_record 0"], "\(charge)")
            // Nothing was paid by one that failed.
            let failed = Self.ecommerceCharge("C9").replacing(member, with: other)
                .replacing("succeeded", with: "failed").replacing("O1", with: "O9")
            #expect(try found(failed) == [], "\(failed)")
        }
    }

    @Test("a hold captured in part is no finding while the charges and the payment agree about what was captured")
    func capturedInPart() throws {
        let part = [Self.payment("P1", 100)]
        func found(
            _ payments: [String], captured: Int64 = 100, journal: Int64? = nil, released: Int64 = 900
        ) throws -> [String] {
            var own = Self.charge(amount: journal ?? 0)
            own.released = released
            return try Self.ecommerce(
                payments, [Self.ecommerceCharge("P1", #","captured":true,"amount_captured":\#(captured)"#)],
                journal: journal == nil ? [] : [own]
            ).map { "\($0.kind) \($0.amount ?? 0)" }
        }
        #expect(try found(part) == [])
        #expect(try found(part, journal: 100) == [])
        #expect(try found(part, captured: 200) == ["charge_amount_differs -100", "partly_paid -900"])
        #expect(
            try found([Self.payment("P1", 300)], journal: 100)
                == ["charge_amount_differs 200", "charge_amount_differs 200", "partly_paid -700"])
        // The journal has more as captured than the ecommerce API and the payment.
        #expect(
            try found(part, journal: 200, released: 800) == ["charge_amount_differs -100", "partly_paid -900"])
        // Something else was taken off, too.
        let order = Self.order(part, total: 1500)
        var run = ReconcileRun(try ReportRunTests.request(.sales))
        Array(part[0].utf8).withUnsafeBytes { run.add(payment: $0) }
        Array(order.utf8).withUnsafeBytes { run.add(order: $0) }
        let charge = Self.ecommerceCharge("P1", #","captured":true,"amount_captured":100"#)
        Array(charge.utf8).withUnsafeBytes { run.add(charge: $0) }
        #expect(run.finish().map(\.kind) == ["partly_paid"])
    }
}
