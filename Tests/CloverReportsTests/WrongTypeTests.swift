import CloverJSON
import CloverReports
import Testing

/// Each member that reports read, with values of other types.
@Suite("Members of a wrong type")
struct WrongTypeTests {
    private typealias Tests = ReportRunTests

    private static let noon: Int64 = 1_791_216_000_000  // 2026-10-05 12:00 in New York
    private static let times = #""clientCreatedTime":\#(noon),"createdTime":\#(noon)"#

    /// 10.00 with 10 % off, another 0.50 off, 10 % service charge and 0.65 tax: 10.00. The record of each kind has all the members
    /// that reports read of it, and no others.
    private static let shop: Tests.Shop = {
        let payment =
            #"{"id":"P1","order":{"id":"O1"},"amount":1000,"tipAmount":100,"taxAmount":65,"employee":{"id":"E1"},"#
            + #""tender":{"id":"T1","label":"Card"},"result":"SUCCESS","cardTransaction":{"type":"AUTH","state":"PENDING"},"#
            + #"\#(times),"taxRates":{"elements":[{"name":"VAT","rate":650000,"taxableAmount":850,"taxAmount":65,"isVat":false}]},"#
            + #""additionalCharges":{"elements":[{"amount":5}]},"externalPaymentId":"X1","cashbackAmount":0,"currency":"USD"}"#
        let refund =
            #"{"id":"R1","amount":100,"taxAmount":5,"tipAmount":0,"serviceChargeAmount":{"amount":5},"#
            + #""additionalCharges":{"amount":5},"voided":false,"deletedTime":0,"status":"SUCCESS",\#(times),"#
            + #""employee":{"id":"E1"},"overrideMerchantTender":{"id":"T1","label":"Card"},"payment":{"id":"P1","amount":1000,"#
            + #""tipAmount":100,\#(times),"order":{"id":"O1"},"tender":{"id":"T1","label":"Card"},"result":"SUCCESS"},"#
            + #""orderRef":{"id":"O1"},"lineItems":{"elements":[{"id":"L1","item":{"id":"I1"},"name":"Cake","price":1000,"#
            + #""isRevenue":true}]},"taxableAmountRates":{"elements":[{"name":"VAT","rate":650000,"taxableAmount":80,"#
            + #""taxAmount":5,"isVat":false}]}}"#
        let credit =
            #"{"id":"C1","amount":100,"taxAmount":5,"voided":false,"result":"SUCCESS","creditRefunds":{"elements":[]},"#
            + #"\#(times),"employee":{"id":"E1"},"tender":{"id":"T1","label":"Card"},"orderRef":{"id":"O1"},"#
            + #""taxRates":{"elements":[{"name":"VAT","rate":650000,"taxableAmount":80,"taxAmount":5,"isVat":false}]}}"#
        func discount(_ percent: Int, _ amount: Int) -> String {
            #""discounts":{"elements":[{"name":"Off","percentage":\#(percent),"percentageDecimal":\#(percent * 10_000),"#
                + #""amount":\#(amount)}]}"#
        }
        let order =
            #"{"id":"O1","total":1000,"isVat":false,"testMode":false,"manualTransaction":false,"employee":{"id":"E1"},"#
            + #""lineItems":{"elements":[{"id":"L1","item":{"id":"I1"},"name":"Cake","price":1000,"unitQty":1000,"#
            + #""modifications":{"elements":[{"amount":0}]},\#(discount(10, 0)),"isRevenue":true,"exchanged":false,"#
            + #""refunded":false,"isOrderFee":false}]},\#(discount(0, -50)),"#
            + #""serviceCharge":{"percentage":10,"percentageDecimal":100000},"payments":{"elements":[\#(payment)]},"#
            + #""currency":"USD","taxRemoved":false,"paymentState":"PAID",\#(times)}"#
        return Tests.Shop(payments: [payment], refunds: [refund], credits: [credit], orders: [order])
    }()

    /// The record with each of its members in turn replaced by values of each other type, with the path of the member.
    private static func changes(of record: String) -> [(path: String, record: String)] {
        let bytes = Array(record.utf8)
        return bytes.withUnsafeBytes { all in
            var result: [(String, String)] = []
            func visit(_ view: JSONView, _ path: String) {
                guard let base = all.baseAddress, let start = view.bytes.baseAddress else { return }
                let from = start - base
                let first = UInt8(view.bytes.first ?? 0)
                for wrong in path.isEmpty ? [] : ["5", #""x""#, "true", "[5]", #"{"x":5}"#] where !isSame(wrong, first)
                {
                    let (head, tail) = (all[..<from], all[(from + view.bytes.count)...])
                    result.append(
                        (
                            "\(path) \(wrong)",
                            String(decoding: head, as: UTF8.self) + wrong + String(decoding: tail, as: UTF8.self)
                        ))
                }
                view.eachMember { name, value in
                    visit(value, path + "." + String(decoding: name, as: UTF8.self))
                    return true
                }
                if first == UInt8(ascii: "[") { for entry in view.entries { visit(entry, path + "[]") } }
            }
            visit(JSONView(all), "")
            return result
        }
    }

    /// Whether a value has the type of one that begins with this character.
    private static func isSame(_ value: String, _ first: UInt8) -> Bool {
        let kinds: [Set<Character>] = [Set("-0123456789"), ["t", "f"], ["\""], ["["], ["{"]]
        return kinds.contains { kind in
            value.first.map(kind.contains) == true && kind.contains(Character(UnicodeScalar(first)))
        }
    }

    private static func identifiers(_ findings: [ReportFinding]) -> [[String: String]] {
        findings.filter { $0.kind == "unreadable_record" }.map(\.identifiers)
    }

    @Test(
        "a member of a wrong type that reports read is named with its record, by reports and by reconcile",
        arguments: ["payment", "refund", "credit", "order"])
    func records(kind: String) throws {
        let lists: [String: WritableKeyPath<Tests.Shop, [String]>] = [
            "payment": \.payments, "refund": \.refunds, "credit": \.credits, "order": \.orders,
        ]
        let list = try #require(lists[kind])
        let sound = try Self.shop.report(Tests.request(.items))
        #expect(sound.findings.isEmpty, "\(sound.findings)")
        let id = kind.prefix(1).uppercased() + "1"
        var count = 0
        for change in Self.changes(of: Self.shop[keyPath: list][0]) {
            var shop = Self.shop
            shop[keyPath: list] = [change.record]
            let named = change.path.hasPrefix(".id ") ? [:] : [kind: id]
            for report in [ReportName.sales, .items] {
                let found = try shop.report(Tests.request(report)).findings
                #expect(Self.identifiers(found) == [named], "\(change.path): \(found)")
            }
            var run = ReconcileRun(try Tests.request(.sales))
            for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
            for text in shop.refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
            for text in shop.credits { Array(text.utf8).withUnsafeBytes { run.add(credit: $0) } }
            for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
            #expect(!run.hasAll && Self.identifiers(run.finish()) == [named], "\(change.path)")
            count += 1
        }
        #expect(count > 70, "\(count)")
    }

    @Test("an employee, tender or item with a member of a wrong type is named, and so is an ecommerce charge")
    func others() throws {
        let records = [
            ("employee", #"{"id":"E1","name":"Ann"}"#), ("tender", #"{"id":"E1","label":"Card"}"#),
            ("item", #"{"id":"E1","categories":{"elements":[{"id":"G1","name":"Cakes"}]}}"#),
        ]
        for (kind, record) in records {
            for change in [("", record)] + Self.changes(of: record) {
                var names = ReportNames()
                Array(change.1.utf8).withUnsafeBytes { bytes in
                    switch kind {
                    case "employee": names.add(employee: bytes)
                    case "tender": names.add(tender: bytes)
                    default: names.add(item: bytes)
                    }
                }
                let findings = try Self.shop.report(Tests.request(.categories), names: names).findings
                let named = change.0.isEmpty ? [] : [change.0.hasPrefix(".id ") ? [:] : [kind: "E1"]]
                #expect(Self.identifiers(findings) == named, "\(kind)\(change.0): \(findings)")
            }
        }
        let charge =
            #"{"id":"H1","created":\#(Self.noon),"status":"succeeded","amount":1000,"currency":"usd","refunded":false,"order":"O1"}"#
        for change in [("", charge)] + Self.changes(of: charge) {
            var run = ReconcileRun(try Tests.request(.sales))
            Array(change.1.utf8).withUnsafeBytes { run.add(charge: $0) }
            let named = change.0.isEmpty ? [] : [change.0.hasPrefix(".id ") ? [:] : ["charge": "H1"]]
            #expect(Self.identifiers(run.finish()) == named, "\(change.0)")
        }
    }

    @Test("what a list that was not expanded has is its address, and no fault")
    func addresses() throws {
        var shop = Self.shop
        let address = #"{"href":"https://clover.test"}"#
        shop.payments = shop.payments.map {
            $0.replacing(/"(taxRates|additionalCharges)":\{"elements":\[[^\]]*\]\}/) { #""\#($0.1)":\#(address)"# }
        }
        #expect(shop != Self.shop)
        #expect(try shop.report(Tests.request(.sales)).findings.isEmpty)
    }

    @Test("the payments of an order that cannot be read are not called payments without an order")
    func paymentsOfDamagedOrder() throws {
        var shop = Self.shop
        shop.orders = shop.orders.map {
            $0.replacing(#""currency":"USD","taxRemoved""#, with: #""currency":5,"taxRemoved""#)
        }
        let remarks = try shop.report(Tests.request(.sales)).table.remarks
        #expect(
            remarks.contains { $0.contains("1 payment of orders that cannot be read (-$9.35: P1 of O1)") }, "\(remarks)"
        )
        #expect(!remarks.contains { $0.contains("without an order") }, "\(remarks)")
    }

    @Test("a payment in another currency than the shop's is named, by reports and by reconcile")
    func otherCurrency() throws {
        var shop = Self.shop
        shop.payments = shop.payments.map { $0.replacing("USD", with: "EUR") }
        let found = try shop.report(Tests.request(.sales)).findings
        #expect(found.map(\.kind) == ["currency_differs"])
        #expect(found.map(\.identifiers) == [["payment": "P1", "order": "O1"]])
        var run = ReconcileRun(try Tests.request(.sales))
        for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
        #expect(run.finish().map(\.kind) == ["currency_differs"])
    }

    @Test(
        "a payment, refund or credit whose parts cannot be right is named, by reports and by reconcile",
        arguments: [
            ("payment", #""taxAmount":65,"e"#, #""taxAmount":1001,"e"#),
            ("refund", #""taxAmount":5,"tip"#, #""taxAmount":101,"tip"#),
            ("refund", #""taxAmount":5,"tip"#, #""taxAmount":-5,"tip"#),
            ("refund", #""tipAmount":0"#, #""tipAmount":-1"#),
            ("refund", #"{"amount":5},"additional"#, #"{"amount":96},"additional"#),
            ("refund", #"{"amount":5},"additional"#, #"{"amount":-5},"additional"#),
            ("credit", #""taxAmount":5,"void"#, #""taxAmount":101,"void"#),
            ("credit", #""taxAmount":5,"void"#, #""taxAmount":-1,"void"#),
        ])
    func impossible(kind: String, right: String, wrong: String) throws {
        var shop = Self.shop
        let lists: [String: WritableKeyPath<Tests.Shop, [String]>] = [
            "payment": \.payments, "refund": \.refunds, "credit": \.credits,
        ]
        let list = try #require(lists[kind])
        let changed = shop[keyPath: list].map { $0.replacing(right, with: wrong) }
        try #require(changed != shop[keyPath: list])
        shop[keyPath: list] = changed
        let ids = [[kind: kind.prefix(1).uppercased() + "1"]]
        #expect(Self.identifiers(try shop.report(Tests.request(.sales)).findings) == ids)
        var run = ReconcileRun(try Tests.request(.sales))
        for text in shop.payments { Array(text.utf8).withUnsafeBytes { run.add(payment: $0) } }
        for text in shop.refunds { Array(text.utf8).withUnsafeBytes { run.add(refund: $0) } }
        for text in shop.credits { Array(text.utf8).withUnsafeBytes { run.add(credit: $0) } }
        for text in shop.orders { Array(text.utf8).withUnsafeBytes { run.add(order: $0) } }
        #expect(Self.identifiers(run.finish()) == ids && !run.hasAll)
    }

    @Test("items, discounts and lines of refunds without a name have an empty one, and people see that they have none")
    func nameless() throws {
        var shop = Self.shop
        shop.orders = shop.orders.map {
            $0.replacing(#""name":"Cake","#, with: "").replacing(#""name":"Off","#, with: "")
        }
        shop.refunds = shop.refunds.map { $0.replacing(#""name":"Cake","#, with: "") }
        for report in [ReportName.items, .discounts] {
            let (table, findings) = try shop.report(Tests.request(report))
            #expect(findings.isEmpty)
            let names = table.rows.map { Tests.row(table, $0)["name"] }
            #expect(names.contains("") && !names.contains("(no name)"), "\(names)")
            let shown = table.rows.map { Tests.row(table, table.named($0))["name"] }
            #expect(shown.contains("(no name)") && !shown.contains(""), "\(shown)")
            #expect(ReportPage.html([table]).contains("(no name)"))
        }
    }
}
