import CloverTestSupport

/// The sales of a random shop without any damage, by the definitions alone: it shares no code with the reports.
struct PlainSales {
    private var sums: [String: Int] = [:]

    /// - Parameter period: in milliseconds since 1970.
    static func sums(of shop: RandomShop.Shop, in period: Range<Int>) throws -> [String: String] {
        var sales = PlainSales()
        let names = [
            "orders", "grossSales", "discounts", "refunds", "manualRefunds", "netSales", "tax", "serviceCharges",
            "tips",
            "nonRevenue", "amountCollected", "unpaidBalance",
        ]
        for name in names { sales.sums[name] = 0 }
        let orders = try JSONValue.lines(shop.orders)
        for order in orders { sales.add(order: order, in: period) }
        for payment in try JSONValue.lines(shop.payments) where period.contains(payment["createdTime"]?.integer ?? 0) {
            sales.add("tax", payment["taxAmount"])
            sales.add("tips", payment["tipAmount"])
            sales.add("amountCollected", payment["amount"])
            sales.add("amountCollected", payment["tipAmount"])
        }
        for refund in try JSONValue.lines(shop.refunds) where period.contains(refund["createdTime"]?.integer ?? 0) {
            sales.add(refund: refund, lines: orders.flatMap { $0["lineItems"]?["elements"]?.elements ?? [] })
        }
        for credit in try JSONValue.lines(shop.credits) where period.contains(credit["createdTime"]?.integer ?? 0) {
            let (amount, tax) = (credit["amount"]?.integer ?? 0, credit["taxAmount"]?.integer ?? 0)
            sales.add("manualRefunds", amount - tax)
            sales.add("tax", -tax)
            sales.add("amountCollected", -amount)
        }
        func sum(_ name: String) -> Int { sales.sums[name] ?? 0 }
        sales.add("netSales", sum("grossSales") - sum("discounts") - sum("refunds") - sum("manualRefunds"))
        sales.add(
            "unpaidBalance",
            sum("netSales") + sum("tax") + sum("tips") + sum("nonRevenue") - sum("amountCollected"))
        return sales.sums.mapValues(String.init)
    }

    private mutating func add(_ name: String, _ amount: Int) { sums[name, default: 0] += amount }

    private mutating func add(_ name: String, _ value: JSONValue?) { add(name, value?.integer ?? 0) }

    /// An order is a sale at its first payment.
    private mutating func add(order: JSONValue, in period: Range<Int>) {
        let paidAt = order["payments"]?["elements"]?.elements?.compactMap { $0["createdTime"]?.integer }.min()
        guard let paidAt, period.contains(paidAt) else { return }
        add("orders", 1)
        let lines = order["lineItems"]?["elements"]?.elements ?? []
        let prices = lines.map { $0["price"]?.integer ?? 0 }
        let off = -(order["discounts"]?["elements"]?.elements?.first?["amount"]?.integer ?? 0)
        for (line, (price, share)) in zip(lines, zip(prices, Self.shares(of: off, prices))) {
            if Self.isRevenue(line) {
                add("grossSales", price)
                add("discounts", share)
            } else {
                add("nonRevenue", price - share)
            }
        }
    }

    private mutating func add(refund: JSONValue, lines: [JSONValue]) {
        let (amount, tax) = (refund["amount"]?.integer ?? 0, refund["taxAmount"]?.integer ?? 0)
        let tip = refund["tipAmount"]?.integer ?? 0
        let named = refund["lineItems"]?["elements"]?.elements?.first?["id"]
        let line = named.flatMap { id in lines.first { $0["id"] == id } }
        if line.map(Self.isRevenue) ?? true {
            add("refunds", amount - tax - tip)
        } else {
            add("nonRevenue", -(amount - tax - tip))
        }
        add("tax", -tax)
        add("tips", -tip)
        add("amountCollected", -amount)
    }

    private static func isRevenue(_ line: JSONValue) -> Bool { line["isRevenue"] != .bool(false) }

    /// One cent after the other goes to the line that is furthest below its share, of equal ones to the first.
    private static func shares(of off: Int, _ prices: [Int]) -> [Int] {
        let sum = prices.reduce(0, +)
        guard sum > 0 else { return prices.map { _ in 0 } }
        var shares = prices.map { off * $0 / sum }
        while shares.reduce(0, +) < off {
            let missing = prices.indices.map { off * prices[$0] - shares[$0] * sum }
            let most = missing.max() ?? 0
            shares[missing.firstIndex(of: most) ?? 0] += 1
        }
        return shares
    }
}
