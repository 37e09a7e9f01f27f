/// A shop of random orders that are paid, partly paid, refunded or left open, with consistent totals.
struct RandomShop {
    private(set) var shop = ReportRunTests.Shop()
    private var random: any RandomNumberGenerator

    init(_ random: inout some RandomNumberGenerator) { self.random = random }

    mutating func make(_ count: Int) {
        for place in 0..<count { order(place) }
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    private mutating func chance(_ percent: Int64) -> Bool { number(1...100) <= percent }

    /// 2026-10-18 to 2026-11-08.
    private mutating func time() -> Int64 { number(1_792_310_400_000...1_794_124_800_000) }

    private mutating func order(_ place: Int) {
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
        if !chance(10) {
            let isSplit = chance(20)
            let first = isSplit ? total / 2 : total
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
        if chance(15), !payments.isEmpty {
            let named = chance(50) ? #","lineItems":{"elements":[{"id":"L\#(place)-0","price":1}]}"# : ""
            shop.refunds.append(
                #"{"id":"R\#(place)","amount":\#(number(1...900)),"taxAmount":\#(number(0...40)),"#
                    + #""tipAmount":\#(number(0...3)),"createdTime":\#(time()),"#
                    + #""payment":{"id":"P\#(place)","order":{"id":"O\#(place)"}}\#(named)}"#)
        }
        if chance(5) {
            shop.credits.append(
                #"{"id":"C\#(place)","amount":\#(number(1...900)),"taxAmount":5,"createdTime":\#(time())}"#)
        }
    }

    /// Damages some records: payments that their list lacks, and amounts, times and ids that cannot be read or are others.
    mutating func damage() {
        shop.payments = shop.payments.filter { _ in !chance(8) }
        shop.payments = shop.payments.map { chance(12) ? damaged($0) : $0 }
        shop.refunds = shop.refunds.map { chance(20) ? damaged($0) : $0 }
        shop.orders = shop.orders.map { chance(8) ? damaged($0) : $0 }
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
