/// Plans and subscriptions (Clover: working with recurring payments and subscriptions). No idempotency key is documented, so
/// none is looked at. Times are ISO 8601 text here, unlike everywhere else, and those of the `Date` header, not of the shop's
/// history: they tell what was made after a request.
struct RecurringAPI {
    let ledger: ShopStore
    let clock: EmulatorClock

    private static let limits = 10...1000

    func answer(to call: PaymentCall) throws(PaymentRefusal) -> EmulatorResponse {
        guard call.isAuthorized else { throw .unauthorized }
        guard call.header("x-clover-merchant-id") == ledger.shop.identity.merchantID.description else {
            throw .unauthorized
        }
        let path = Array(call.path.dropFirst(2))
        guard call.path.dropFirst().first == "v1", let family = path.first else { throw Self.notFound }
        switch (call.method, family, path.count) {
        case ("GET", "plans", 1): return try list(.plan, call) { _ in true }
        case ("GET", "subscriptions", 1): return try list(.subscription, call) { _ in true }
        case ("GET", "plans", 3) where path[2] == "subscriptions":
            return try list(.subscription, call) { $0[path: "plan", "id"]?.text == path[1] }
        case ("GET", "plans", 2), ("GET", "subscriptions", 2):
            guard let row = ledger.view.state.money[Self.table(family), path[1]] else { throw Self.notFound }
            return EmulatorResponse(json: row)
        case ("POST", "plans", 1):
            return try change(call) { handler, body throws(PaymentRefusal) in
                try handler.makePlan(body, at: clock.now())
            }
        case ("POST", "plans", 3) where path[2] == "subscriptions":
            return try change(call) { handler, body throws(PaymentRefusal) in
                try handler.makeSubscription(of: path[1], body, at: clock.now())
            }
        case ("PUT", "plans", 2), ("PUT", "subscriptions", 2):
            return try change(call) { handler, body throws(PaymentRefusal) in
                try handler.changeRecurring(Self.table(family), path[1], body, at: clock.now())
            }
        case ("DELETE", "plans", 2), ("DELETE", "subscriptions", 2):
            return try change(call) { handler, _ throws(PaymentRefusal) in
                try handler.endRecurring(Self.table(family), path[1], at: clock.now())
            }
        default: throw Self.notFound
        }
    }

    private static func table(_ family: String) -> PaymentTable { family == "plans" ? .plan : .subscription }

    static func refusal(_ message: String) -> PaymentRefusal { CheckoutAPI.refusal(400, message) }
    static let notFound = CheckoutAPI.refusal(404, "Not Found")

    /// Newest first.
    private func list(
        _ table: PaymentTable, _ call: PaymentCall, where isMeant: (JSONValue) -> Bool
    ) throws(PaymentRefusal) -> EmulatorResponse {
        func number(_ name: String) throws(PaymentRefusal) -> Int? {
            guard let text = call.query.values(name).last else { return nil }
            guard let number = Int(text), number >= 0 else { throw Self.refusal("Invalid \(name)") }
            return number
        }
        let limit = try number("limit") ?? Self.limits.lowerBound
        guard Self.limits.contains(limit) else { throw Self.refusal("limit must be at least 10") }
        var rows = ledger.view.state.money.documents(table).reversed().filter { $0["deletedTime"] == nil }
        rows = rows.filter(isMeant)
        if let isActive = call.query.values("active").last {
            rows = rows.filter { "\($0["active"]?.boolean ?? false)" == isActive }
        }
        let page = rows.dropFirst(try number("offset") ?? 0).prefix(limit)
        return EmulatorResponse(json: ["elements": .array(Array(page))])
    }

    private func change(
        _ call: PaymentCall,
        _ work: (inout PaymentHandler, JSONValue) throws(PaymentRefusal) -> EmulatorResponse
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard call.isJSON else { throw CheckoutAPI.refusal(415, "415 Unsupported Media Type") }
        guard let body = call.members else { throw Self.refusal("Malformed JSON") }
        return ledger.exchange { handler throws(PaymentRefusal) in try work(&handler, body) }
    }
}

extension PaymentHandler {
    private static let intervals = ["DAY", "WEEK", "MONTH", "YEAR"]

    mutating func makePlan(_ body: JSONValue, at now: Int) throws(PaymentRefusal) -> EmulatorResponse {
        guard let name = body["name"]?.text, (3...127).contains(name.count) else {
            throw RecurringAPI.refusal("name must have 3 to 127 characters")
        }
        guard let amount = body["amount"]?.integer, amount > 0 else { throw RecurringAPI.refusal("amount is required") }
        guard let interval = body["interval"]?.text, Self.intervals.contains(interval),
            let count = body["intervalCount"]?.integer, count > 0
        else { throw RecurringAPI.refusal("interval and intervalCount are required") }
        let id = newID()
        var plan: JSONValue = [
            "id": .string(id), "object": "plan", "name": .string(name), "amount": .integer(amount),
            "interval": .string(interval), "intervalCount": .integer(count), "active": true, "subscriptionCount": 0,
            "subscriptionPaidTotalAmount": 0, "merchantId": .string(view.shop.identity.merchantID.description),
            "createdTime": .string(InstantText.utc(now)), "modifiedTime": .string(InstantText.utc(now)),
        ]
        for (key, value) in body.members where ["tipAmount", "note", "taxRateUuids"].contains(key) {
            plan.append(key, value)
        }
        put(.plan, id, plan)
        return EmulatorResponse(json: plan)
    }

    mutating func makeSubscription(
        of id: String, _ body: JSONValue, at now: Int
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard var plan = document(.plan, id), plan["active"]?.boolean == true else { throw RecurringAPI.notFound }
        guard let customer = body["customerId"]?.text else { throw RecurringAPI.refusal("customerId is required") }
        guard body["collectionMethod"]?.text == "CHARGE_AUTOMATICALLY" else {
            throw RecurringAPI.refusal("collectionMethod is required")
        }
        guard document(.customer, customer) != nil, cardToken(of: customer) != customer else {
            throw RecurringAPI.refusal("the customer has no card on file")
        }
        let subscription = newID()
        var json: JSONValue = [
            "id": .string(subscription), "object": "subscription", "plan": plan, "customerUuid": .string(customer),
            "collectionMethod": "CHARGE_AUTOMATICALLY", "amount": body["amount"] ?? plan["amount"] ?? 0, "active": true,
            "merchantId": plan["merchantId"] ?? .null, "createdTime": .string(InstantText.utc(now)),
            "modifiedTime": .string(InstantText.utc(now)),
            "startDate": body["startDate"] ?? .string(InstantText.utc(now + 86_400_000)),
        ]
        for (key, value) in body.members where ["tipAmount", "endDate", "taxRateUuids"].contains(key) {
            json.append(key, value)
        }
        put(.subscription, subscription, json)
        plan.set("subscriptionCount", .integer((plan["subscriptionCount"]?.integer ?? 0) + 1))
        put(.plan, id, plan)
        return EmulatorResponse(json: json)
    }

    mutating func changeRecurring(
        _ table: PaymentTable, _ id: String, _ body: JSONValue, at now: Int
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard var row = document(table, id), row["deletedTime"] == nil else { throw RecurringAPI.notFound }
        let names =
            table == .plan ? ["name", "amount", "note", "tipAmount", "active"] : ["amount", "tipAmount", "endDate"]
        for (key, value) in body.members where names.contains(key) { row.set(key, value) }
        row.set("modifiedTime", .string(InstantText.utc(now)))
        put(table, id, row)
        return EmulatorResponse(json: row)
    }

    /// A subscription that is cancelled stays in the list, not active; a plan is deleted.
    mutating func endRecurring(
        _ table: PaymentTable, _ id: String, at now: Int
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard var row = document(table, id), row["deletedTime"] == nil else { throw RecurringAPI.notFound }
        row.set("active", false)
        row.set("modifiedTime", .string(InstantText.utc(now)))
        if table == .plan { row.append("deletedTime", .string(InstantText.utc(now))) }
        put(table, id, row)
        return EmulatorResponse(json: row)
    }
}
