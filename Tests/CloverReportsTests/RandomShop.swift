/// A shop of random orders that are paid, partly paid, refunded or left open, with consistent totals.
struct RandomShop {
    typealias Shop = ReportRunTests.Shop

    /// Each order with its payments and refunds.
    private(set) var parts: [Shop] = []
    private var random: any RandomNumberGenerator

    init(_ random: inout some RandomNumberGenerator) { self.random = random }

    /// All parts together.
    var shop: Shop {
        Shop(
            payments: parts.flatMap(\.payments), refunds: parts.flatMap(\.refunds), credits: parts.flatMap(\.credits),
            orders: parts.flatMap(\.orders))
    }

    mutating func make(_ count: Int) {
        for place in 0..<count { parts.append(order(place)) }
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    private mutating func chance(_ percent: Int64) -> Bool { number(1...100) <= percent }

    /// 2026-10-18 to 2026-11-08.
    private mutating func time() -> Int64 { number(1_792_310_400_000...1_794_124_800_000) }

    private mutating func order(_ place: Int) -> Shop {
        var shop = Shop()
        var lines: [String] = []
        var goods: Int64 = 0
        for line in 0..<number(1...4) {
            let price = number(0...5000)
            goods += price
            let item = number(0...5)
            let kind = chance(10) ? #","isRevenue":false"# : ""
            lines.append(
                #"{"id":"L\#(place)-\#(line)","item":{"id":"I\#(item)"},"name":"Item \#(item)","price":\#(price)\#(kind)}"#
            )
        }
        let off = chance(30) ? min(goods, number(0...900)) : 0
        let discount = off > 0 ? #","discounts":{"elements":[{"name":"Off","amount":-\#(off)}]}"# : ""
        let tax = (goods - off) * 8 / 100
        let total = goods - off + tax
        let at = time()
        var payments: [String] = []
        var paid: Int64 = 0
        if !chance(10) {
            let isSplit = chance(20)
            let first = isSplit ? total / 2 : total
            paid = first
            payments.append(payment("P\(place)", "O\(place)", first, isSplit ? tax / 2 : tax, at))
            if isSplit, chance(70) {
                payments.append(
                    payment("Q\(place)", "O\(place)", total - first, tax - tax / 2, at + number(0...200_000_000)))
            }
        }
        shop.payments += payments
        shop.orders.append(
            #"{"id":"O\#(place)","total":\#(total),"createdTime":\#(at - number(0...300_000_000)),"#
                + #""employee":{"id":"E\#(number(1...3))"},"#
                + #""lineItems":{"elements":[\#(lines.joined(separator: ","))]}\#(discount),"#
                + #""payments":{"elements":[\#(payments.joined(separator: ","))]}}"#)
        if chance(15), paid > 0 {
            let named = chance(50) ? #","lineItems":{"elements":[{"id":"L\#(place)-0","price":1}]}"# : ""
            let amount = min(number(1...900), paid)
            shop.refunds.append(
                #"{"id":"R\#(place)","amount":\#(amount),"taxAmount":\#(number(0...min(amount, 40))),"#
                    + #""tipAmount":\#(number(0...3)),"createdTime":\#(time()),"#
                    + #""payment":{"id":"P\#(place)","order":{"id":"O\#(place)"}}\#(named)}"#)
        }
        if chance(5) {
            shop.credits.append(
                #"{"id":"C\#(place)","amount":\#(number(5...900)),"taxAmount":5,"createdTime":\#(time())}"#)
        }
        return shop
    }

    /// Damages some records: payments that their list lacks, and amounts, times and ids that cannot be read or are others.
    mutating func damage() {
        for place in parts.indices {
            var shop = parts[place]
            shop.payments = shop.payments.filter { _ in !chance(8) }
            shop.payments = shop.payments.map { chance(12) ? damaged($0) : $0 }
            shop.refunds = shop.refunds.map { chance(20) ? damaged($0) : $0 }
            shop.orders = shop.orders.map { chance(8) ? damaged($0) : $0 }
            parts[place] = shop
        }
    }

    /// Makes some parts contradict themselves, or hold a member of a wrong type. What a part has in one place only keeps its
    /// value.
    ///
    /// - Returns: the places of these parts.
    mutating func contradict() -> Set<Int> {
        var places: Set<Int> = []
        for place in parts.indices where chance(30) {
            var part = parts[place]
            contradict(&part)
            if part != parts[place] { places.insert(place) }
            parts[place] = part
        }
        return places
    }

    private mutating func contradict(_ part: inout Shop) {
        switch number(1...10) {
        case 1...4:
            guard let place = part.payments.indices.randomElement(using: &random) else { return }
            part.payments[place] = contradicting(part.payments[place])
        case 5...7:
            // The order's copy.
            guard let payment = part.payments.randomElement(using: &random) else { return }
            let changed = contradicting(payment)
            part.orders[0] = part.orders[0].replacing(payment, with: changed)
        case 8:
            guard let place = part.payments.indices.randomElement(using: &random) else { return }
            let gone = part.payments[place]
            if chance(50) {
                part.payments.remove(at: place)
            } else {
                part.orders[0] = part.orders[0].replacing(",\(gone)", with: "").replacing(gone, with: "")
                    .replacing("[,", with: "[")
            }
        case 9:
            if chance(20) { part.orders = [] } else { part.orders[0] = mistyped(part.orders[0]) }
        default: part.refunds = part.refunds.map { mistyped($0) }
        }
    }

    /// A copy of a payment that says something else.
    private mutating func contradicting(_ payment: String) -> String {
        let word = ["FAIL", "VOIDED", "AUTH", "PENDING", "NEW"][Int(number(0...4))]
        let changes: [(Regex<Substring>, String)] = [
            (/"amount":[0-9]+/, #""amount":\#(number(0...9000))"#),
            (/"tipAmount":[0-9]+/, #""tipAmount":\#(number(0...300))"#),
            (/"taxAmount":[0-9]+/, #""taxAmount":\#(number(0...300))"#), (/"amount":/, #""currency":"EUR","amount":"#),
            (/"createdTime":[0-9]+/, #""createdTime":\#(time())"#), (/"createdTime":[0-9]+,/, ""),
            (/"result":"SUCCESS"/, #""result":"\#(word)""#), (/"result":"SUCCESS",/, ""), (/"id":"P/, #""id":"N"#),
            (/"id":"O/, #""id":"N"#),
        ]
        let place = Int(number(0...Int64(changes.count)))
        guard place < changes.count else { return mistyped(payment) }
        return payment.replacing(changes[place].0, with: changes[place].1, maxReplacements: 1)
    }

    /// The record with one member of a wrong type; its id stays.
    private mutating func mistyped(_ record: String) -> String {
        let members =
            record.matches(of: /"(?:amount|t[a-z]+Amount|total|createdTime|price|isRevenue|rate)":/)
            .map { (of: $0.range, wrong: #""x""#) }
            + record.matches(of: /"(?:order|employee|tender|payment|result|payments|lineItems|discounts|item|name)":/)
            .map { (of: $0.range, wrong: "5") }
        guard let member = members.randomElement(using: &random) else { return record }
        let wrong = ["[5]", member.wrong, member.wrong][Int(number(0...2))]
        var result = record
        // The first of two members with one name counts.
        result.insert(contentsOf: "\(wrong),\(record[member.of])", at: member.of.upperBound)
        return result
    }

    /// The shop, with a page that comes again, and records that come twice.
    mutating func repeated() -> Shop {
        var shop = shop
        for list in [\Shop.payments, \.refunds, \.credits, \.orders] {
            let records = shop[keyPath: list]
            guard !records.isEmpty else { continue }
            let start = Int(number(0...Int64(records.count - 1)))
            shop[keyPath: list].insert(
                contentsOf: records[start...].prefix(20), at: Int(number(0...Int64(records.count))))
            for record in records where chance(5) { shop[keyPath: list].append(record) }
        }
        return shop
    }

    private mutating func damaged(_ record: String) -> String {
        let faults: [(Regex<Substring>, String)] = [
            (/"amount":[0-9]+/, #""amount":"x""#), (/"amount":[0-9]+/, #""amount":-7"#), (/"id":"O/, #""id":"N"#),
            (/"createdTime":[0-9]+/, #""createdTime":\#(time())"#), (/"createdTime":[0-9]+,/, ""),
            (/"result":"SUCCESS"/, #""result":"NEW""#), (/"id":"P/, #""id":"N"#), (/"price":[0-9]+/, #""price":[]"#),
            (/"createdTime":/, #""clientCreatedTime":"x","createdTime":"#),
        ]
        let (fault, text) = faults[Int(number(0...Int64(faults.count - 1)))]
        return record.replacing(fault, with: text, maxReplacements: 1)
    }

    private mutating func payment(_ id: String, _ order: String, _ amount: Int64, _ tax: Int64, _ at: Int64) -> String {
        #"{"id":"\#(id)","order":{"id":"\#(order)"},"amount":\#(amount),"taxAmount":\#(tax),"tipAmount":\#(number(0...300)),"#
            + #""createdTime":\#(at),"result":"SUCCESS","employee":{"id":"E\#(number(1...3))"},"#
            + #""tender":{"id":"T\#(number(1...3))","label":"Tender"},"taxRates":{"elements":[{"id":"X","rate":800000,"#
            + #""taxableAmount":\#(amount - tax)}]}}"#
    }
}
