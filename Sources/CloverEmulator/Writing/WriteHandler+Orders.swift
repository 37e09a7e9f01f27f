extension WriteHandler {
    private static let model = "order.Order"
    /// Members of a body that are set by other paths or by the service.
    private static let made = [
        "lineItems", "payments", "refunds", "credits", "voids", "discounts", "createdTime", "modifiedTime",
        "paymentState", "taxRates", "orderFulfillmentEvent", "authorizations", "preAuths", "printGroups",
    ]

    /// Nil for other calls.
    mutating func orderAnswer(_ call: WriteCall) throws(APIError) -> EmulatorResponse? {
        switch call.name {
        case "POST orders":
            return shown(try insertOrder(try RequestBody.object(call.request, Self.model)), .order, call)
        case "POST atomic_order/orders": return try submit(call)
        case "POST atomic_order/checkouts": return try checkOut(call)
        case "POST payments/{}": return try changePayment(call)
        default: break
        }
        let words = call.match.route.key.split(separator: "/").map(String.init)
        guard words.first == "orders" || words.first == "orders_v2" else { return nil }
        guard var order = view.orderDocument(call.parameter(0)) else { throw .notFound(details: "Order not found") }
        switch call.name {
        case "DELETE orders/{}", "DELETE orders_v2/{}":
            view.state.orders.remove(order.id)
            return Self.nothing
        case "POST orders/{}":
            try apply(try RequestBody.object(call.request, Self.model), to: &order)
            touch(&order)
            return shown(order, .order, call)
        case "POST orders/{}/payments": return try pay(&order, call)
        case "POST orders/{}/voided_line_items": return try void(&order, call)
        default: return try linesAnswer(&order, call)
        }
    }

    /// Stores an order with a new modification time.
    mutating func touch(_ order: inout TableRow) {
        order.json.set("modifiedTime", .integer(now))
        view.state.orders.put(order)
    }

    /// Inserts a new order at the front. The total is taken from the client: the service computes totals only for
    /// atomic orders.
    mutating func insertOrder(_ body: JSONValue, id given: String? = nil) throws(APIError) -> TableRow {
        let id = given ?? newID()
        var order = TableRow(
            id: id,
            json: [
                "href": .string(view.shop.catalogue.webAddress("orders/\(id)")), "id": .string(id), "currency": "USD",
                "total": 0, "taxRemoved": false, "isVat": false, "manualTransaction": false, "groupLineItems": true,
                "testMode": false, "createdTime": .integer(now), "clientCreatedTime": .integer(now),
                "modifiedTime": .integer(now), "paymentState": "OPEN",
            ])
        try apply(body, to: &order)
        view.state.orders.add(order)
        return order
    }

    private func apply(_ body: JSONValue, to order: inout TableRow) throws(APIError) {
        var body = body
        for name in Self.made { body.remove(name) }
        try checkReference(body, "employee", .employees)
        try checkReference(body, "orderType", .orderTypes)
        try checkReference(body, "device", .devices)
        for customer in body["customers"]?.elements ?? [] {
            guard let id = customer.id, view.hasCustomer(id) else { throw Self.invalidReference("customers") }
        }
        if let list = body["customers"]?.list { body.set("customers", .kept(list.map { .reference($0.id ?? "") })) }
        for name in ["employee", "orderType", "device"] {
            if let id = body[name]?.id { body.set(name, .reference(id)) }
        }
        try checkNotNegative("total", in: body)
        order.json.merge(body)
    }

    // MARK: Payments

    /// Records a payment; no money moves (Clover documentation, orders).
    private mutating func pay(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse {
        var body = try RequestBody.object(call.request, "payments.Payment")
        for name in ["createdTime", "modifiedTime", "order", "result", "refunds", "cardTransaction"] {
            body.remove(name)
        }
        try require(["tender", "amount"], in: body)
        try checkReference(body, "tender", .tenders)
        try checkReference(body, "employee", .employees)
        try checkNotNegative("amount", "tipAmount", "taxAmount", in: body)
        let id = newID()
        var json: JSONValue = [
            "id": .string(id), "order": .reference(order.id), "tender": [:], "amount": 0, "tipAmount": 0,
            "taxAmount": 0, "cashbackAmount": 0, "createdTime": .integer(now), "clientCreatedTime": .integer(now),
            "modifiedTime": .integer(now), "offline": false, "result": "SUCCESS",
        ]
        if body["employee"] == nil, let employee = order.json["employee"] { json.append("employee", employee) }
        json.merge(body)
        view.state.payments.add(TableRow(id: id, json: json))
        order.json.add(.reference(id), to: "payments")
        let payments = order.json["payments"]?.elements.compactMap(\.id) ?? []
        settle(&order, payments)
        return shown(TableRow(id: id, json: json), .payment, call)
    }

    private mutating func settle(_ order: inout TableRow, _ payments: [String]) {
        let paid = payments.compactMap { view.paymentJSON($0) }.filter { $0["result"]?.text == "SUCCESS" }
            .compactMap { $0["amount"]?.integer }.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        let total = order.json["total"]?.integer ?? 0
        order.json.set("paymentState", paid >= total ? "PAID" : "PARTIALLY_PAID")
        if paid >= total { order.json.set("state", "locked") }
        order.json.set("payType", payments.count > 1 ? "SPLIT_CUSTOM" : "FULL")
        touch(&order)
    }

    private mutating func changePayment(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        guard var payment = view.paymentDocument(call.parameter(0)) else {
            throw .notFound(details: "Payment not found")
        }
        let body = try RequestBody.object(call.request, "payments.Payment")
        for name in ["amount", "order", "tender", "result"] where body[name] != nil {
            // An unchanged value is accepted.
            if body[name]?.encoded == payment.json[name]?.encoded { continue }
            throw .badRequest("Field cannot be changed: \(name)")
        }
        try checkNotNegative("tipAmount", in: body)
        payment.json.merge(body)
        payment.json.set("modifiedTime", .integer(now))
        view.state.payments.put(payment)
        return shown(payment, .payment, call)
    }
}

/// Atomic orders: complete with lines and discounts; the service computes the totals.
extension WriteHandler {
    /// Cents of a cart.
    private struct Sum {
        var subtotal = 0
        var discount = 0
        /// Tax by rate, in the order of the rates.
        var taxes: [(rate: JSONValue, amount: Int)] = []

        var tax: Int { taxes.map(\.amount).reduce(0, +) }
        var total: Int { subtotal - discount + tax }
    }

    mutating func submit(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let cart = try cart(call)
        var order = try insertOrder(try RequestBody.object(cart.body, "order.Order"))
        order.json.set("lineItems", .kept(cart.lines.map { $0.with("orderRef", .reference(order.id)) }))
        if !cart.discounts.isEmpty {
            order.json.set("discounts", .kept(cart.discounts.map { $0.with("orderRef", .reference(order.id)) }))
        }
        order.json.set("total", .integer(cart.sum.total))
        if order.json["state"] == nil { order.json.set("state", .string("open")) }
        touch(&order)
        var tree = call.tree
        tree.add("lineItems,discounts")
        return EmulatorResponse(json: view.shown(order, .order, tree))
    }

    mutating func checkOut(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let cart = try cart(call)
        // A cart is not an order: it and its lines have no id, and nothing to refer to.
        let lines = cart.lines.map { line in
            var line = line.with("orderRef", nil).with("id", nil)
            for name in ["discounts", "modifications"] where line[name] == nil { line.append(name, .elements([])) }
            return line
        }
        let discounts = cart.discounts.map { $0.with("orderRef", nil).with("id", nil) }
        let body = cart.body.with("discounts", .elements(discounts)).with("lineItems", .elements(lines))
        return EmulatorResponse(json: [
            "orderCart": body.with("merchant", [:]), "total": .integer(cart.sum.total),
            "subtotal": .integer(cart.sum.subtotal),
            "totalTaxAmount": .integer(cart.sum.tax),
            "taxSummaries": .array(
                cart.sum.taxes.map { tax in
                    [
                        "id": tax.rate["id"] ?? "", "name": tax.rate["name"] ?? "", "amount": .integer(tax.amount),
                        "rate": tax.rate["rate"] ?? 0,
                    ]
                }), "isVat": false,
        ])
    }

    private mutating func cart(
        _ call: WriteCall
    ) throws(APIError) -> (body: JSONValue, lines: [JSONValue], discounts: [JSONValue], sum: Sum) {
        let body = try RequestBody.value(of: call.request)
        guard let cart = body["orderCart"], case .object = cart else { throw .badRequest("Missing field: orderCart") }
        guard let list = cart["lineItems"]?.list, !list.isEmpty else { throw .badRequest("Missing field: lineItems") }
        let lines = try list.map { value throws(APIError) in
            try makeLine(try RequestBody.object(value, "order.LineItem"), order: "", clientCreated: nil)
        }
        let discounts = try (cart["discounts"]?.elements ?? []).map { value throws(APIError) in
            try discount(value, owner: ("orderRef", ""))
        }
        return (cart, lines, discounts, try sum(lines, discounts))
    }

    /// Sums the lines, distributes the order's discounts over them, and computes tax by rate, rounded half up.
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
        // Far above any realistic amount, and far from an overflow.
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
