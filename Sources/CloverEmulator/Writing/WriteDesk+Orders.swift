/// Orders: made, changed, taken away; payments recorded on them.
extension WriteDesk {
    private static let model = "order.Order"
    /// Members of a body that are made by paths of their own, or by the service.
    private static let made = [
        "lineItems", "payments", "refunds", "credits", "voids", "discounts", "createdTime", "modifiedTime",
        "paymentState", "taxRates", "orderFulfillmentEvent", "authorizations", "preAuths", "printGroups",
    ]

    /// Nil for other calls.
    mutating func orderAnswer(_ call: WriteCall) throws(APIError) -> Answer? {
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

    /// Keeps an order with its new time of change.
    mutating func touch(_ order: inout TableRow) {
        order.json.set("modifiedTime", .integer(now))
        view.state.orders.put(order)
    }

    /// Puts a new order in front of the others. The total is what the client says: the service adds up nothing but
    /// atomic orders.
    mutating func insertOrder(_ body: JSONValue, id given: String? = nil) throws(APIError) -> TableRow {
        let id = given ?? newID()
        var order = TableRow(
            id: id,
            json: .object([
                ("href", .string(view.shop.catalogue.webAddress("orders/\(id)"))), ("id", .string(id)),
                ("currency", .string("USD")), ("total", .integer(0)), ("taxRemoved", .boolean(false)),
                ("isVat", .boolean(false)), ("manualTransaction", .boolean(false)),
                ("groupLineItems", .boolean(true)), ("testMode", .boolean(false)), ("createdTime", .integer(now)),
                ("clientCreatedTime", .integer(now)), ("modifiedTime", .integer(now)),
                ("paymentState", .string("OPEN")),
            ]))
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
            guard let id = customer.id, view.hasCustomer(id) else {
                throw .badRequest("Invalid reference in field: customers")
            }
        }
        if let list = body["customers"]?.list { body.set("customers", .kept(list.map { .reference($0.id ?? "") })) }
        for name in ["employee", "orderType", "device"] {
            if let id = body[name]?.id { body.set(name, .reference(id)) }
        }
        if let total = body["total"]?.integer, total < 0 { throw .badRequest("Invalid value for field: total") }
        Self.merge(body, into: &order.json)
    }

    // MARK: Payments

    /// Records a payment; no money moves (Clover documentation, orders).
    private mutating func pay(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> Answer {
        var body = try RequestBody.object(call.request, "payments.Payment")
        for name in ["createdTime", "modifiedTime", "order", "result", "refunds", "cardTransaction"] {
            body.remove(name)
        }
        try require(["tender", "amount"], in: body)
        try checkReference(body, "tender", .tenders)
        try checkReference(body, "employee", .employees)
        for name in ["amount", "tipAmount", "taxAmount"] {
            if let cents = body[name]?.integer, cents < 0 { throw .badRequest("Invalid value for field: \(name)") }
        }
        let id = newID()
        var json: JSONValue = .object([
            ("id", .string(id)), ("order", .reference(order.id)), ("tender", .object([])), ("amount", .integer(0)),
            ("tipAmount", .integer(0)), ("taxAmount", .integer(0)), ("cashbackAmount", .integer(0)),
            ("createdTime", .integer(now)), ("clientCreatedTime", .integer(now)), ("modifiedTime", .integer(now)),
            ("offline", .boolean(false)), ("result", .string("SUCCESS")),
        ])
        if body["employee"] == nil, let employee = order.json["employee"] { json.append("employee", employee) }
        Self.merge(body, into: &json)
        view.state.payments.add(TableRow(id: id, json: json))
        var payments = order.json["payments"]?.elements ?? []
        payments.append(.reference(id))
        order.json.set("payments", .kept(payments))
        settle(&order, payments.compactMap(\.id))
        return shown(TableRow(id: id, json: json), .payment, call)
    }

    /// What the payments make of an order.
    private mutating func settle(_ order: inout TableRow, _ payments: [String]) {
        let paid = payments.compactMap { view.paymentJSON($0) }.filter { $0["result"]?.text == "SUCCESS" }
            .compactMap { $0["amount"]?.integer }.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        let total = order.json["total"]?.integer ?? 0
        order.json.set("paymentState", .string(paid >= total ? "PAID" : "PARTIALLY_PAID"))
        if paid >= total { order.json.set("state", .string("locked")) }
        order.json.set("payType", .string(payments.count > 1 ? "SPLIT_CUSTOM" : "FULL"))
        touch(&order)
    }

    private mutating func changePayment(_ call: WriteCall) throws(APIError) -> Answer {
        guard var payment = view.paymentDocument(call.parameter(0)) else {
            throw .notFound(details: "Payment not found")
        }
        let body = try RequestBody.object(call.request, "payments.Payment")
        for name in ["amount", "order", "tender", "result"] where body[name] != nil {
            // The same value again changes nothing.
            if body[name]?.encoded == payment.json[name]?.encoded { continue }
            throw .badRequest("Field cannot be changed: \(name)")
        }
        if let tip = body["tipAmount"]?.integer, tip < 0 { throw .badRequest("Invalid value for field: tipAmount") }
        Self.merge(body, into: &payment.json)
        payment.json.set("modifiedTime", .integer(now))
        view.state.payments.put(payment)
        return shown(payment, .payment, call)
    }
}
