/// Orders that come whole, with their lines and discounts, and are added up by the service.
extension WriteDesk {
    /// What a cart comes to, in cents.
    private struct Sum {
        var subtotal = 0
        var discount = 0
        /// Tax by rate, in the order of the rates.
        var taxes: [(rate: JSONValue, amount: Int)] = []

        var tax: Int { taxes.map(\.amount).reduce(0, +) }
        var total: Int { subtotal - discount + tax }
    }

    mutating func submit(_ call: WriteCall) throws(APIError) -> Answer {
        let cart = try cart(call)
        var order = try insertOrder(try RequestBody.object(cart.body, "order.Order"))
        var lines = cart.lines
        for place in lines.indices { lines[place].set("orderRef", .reference(order.id)) }
        order.json.set("lineItems", .kept(lines))
        if !cart.discounts.isEmpty {
            order.json.set(
                "discounts",
                .kept(
                    cart.discounts.map { discount in
                        var discount = discount
                        discount.set("orderRef", .reference(order.id))
                        return discount
                    }))
        }
        order.json.set("total", .integer(cart.sum.total))
        if order.json["state"] == nil { order.json.set("state", .string("open")) }
        touch(&order)
        var tree = call.tree
        tree.add("lineItems,discounts")
        return Answer(status: 200, json: view.shown(order, .order, tree))
    }

    mutating func checkOut(_ call: WriteCall) throws(APIError) -> Answer {
        let cart = try cart(call)
        var shown = cart.body
        shown.set(
            "lineItems",
            .array(
                cart.lines.map { line in
                    // A cart is no order, so there is none to refer to.
                    var line = line
                    line.remove("orderRef")
                    return line
                }))
        return Answer(
            status: 200,
            json: .object([
                ("orderCart", shown), ("total", .integer(cart.sum.total)), ("subtotal", .integer(cart.sum.subtotal)),
                ("totalTaxAmount", .integer(cart.sum.tax)),
                (
                    "taxSummaries",
                    .array(
                        cart.sum.taxes.map { tax in
                            .object([
                                ("id", tax.rate["id"] ?? .string("")), ("name", tax.rate["name"] ?? .string("")),
                                ("amount", .integer(tax.amount)),
                            ])
                        })
                ), ("isVat", .boolean(false)),
            ]))
    }

    private mutating func cart(
        _ call: WriteCall
    ) throws(APIError) -> (body: JSONValue, lines: [JSONValue], discounts: [JSONValue], sum: Sum) {
        let body = try RequestBody.value(of: call.request)
        guard let cart = body["orderCart"], case .object = cart else { throw .badRequest("Missing field: orderCart") }
        guard let list = cart["lineItems"]?.list, !list.isEmpty else { throw .badRequest("Missing field: lineItems") }
        var lines: [JSONValue] = []
        for value in list {
            lines.append(
                try makeLine(try RequestBody.object(value, "order.LineItem"), order: "", clientCreated: nil))
        }
        var discounts: [JSONValue] = []
        for value in cart["discounts"]?.elements ?? [] {
            discounts.append(try discount(value, owner: ("orderRef", "")))
        }
        return (cart, lines, discounts, try sum(lines, discounts))
    }

    /// Lines, then the order's discounts spread over them, then tax by rate, rounded half up.
    private func sum(_ lines: [JSONValue], _ discounts: [JSONValue]) throws(APIError) -> Sum {
        var sum = Sum()
        let nets = lines.map { net($0) }
        sum.subtotal = nets.reduce(0, +)
        sum.discount = min(discounts.map { off($0, sum.subtotal) }.reduce(0, +), sum.subtotal)
        var taxable: [String: (rate: JSONValue, cents: Int)] = [:]
        var running = 0
        for (line, net) in zip(lines, nets) {
            let before = sum.discount * running / max(sum.subtotal, 1)
            running += net
            let share = sum.discount * running / max(sum.subtotal, 1) - before
            for rate in line["taxRates"]?.elements ?? [] {
                taxable[rate.id ?? "", default: (rate, 0)].cents += net - share
            }
        }
        sum.taxes = taxable.sorted { $0.key < $1.key }.map { _, entry in
            (entry.rate, (entry.cents * (entry.rate["rate"]?.integer ?? 0) + 5_000_000) / 10_000_000)
        }
        return sum
    }

    private func net(_ line: JSONValue) -> Int {
        // Far more than any till takes, and far from what the arithmetic holds.
        let price = min(line["price"]?.integer ?? 0, 1_000_000_000)
        let quantity = min(max(line["unitQty"]?.integer ?? 1000, 0), 1_000_000)
        var cents = (price * quantity + 500) / 1000
        for modification in line["modifications"]?.elements ?? [] {
            cents += min(modification["amount"]?.integer ?? 0, 1_000_000_000)
        }
        for discount in line["discounts"]?.elements ?? [] { cents -= off(discount, cents) }
        return max(cents, 0)
    }

    private func off(_ discount: JSONValue, _ cents: Int) -> Int {
        if let percentage = discount["percentage"]?.integer { return (cents * percentage + 50) / 100 }
        return min(-(max(discount["amount"]?.integer ?? 0, -1_000_000_000)), cents)
    }
}
