/// The ecommerce API: card tokens, charges, captures, refunds and their lists (Clover documentation, ecommerce API
/// tutorials). Orders can only be read: each charge has one.
struct EcommerceAPI: Sendable {
    let ledger: ShopStore
    let settings: PaymentSettings
    /// That of the `Date` header: charges and refunds are made, and cards expire, by it. At Clover, both come from one clock.
    let clock: EmulatorClock
    private let keyLock = KeyedLock()

    /// - Throws: `PaymentRefusal`; `CancellationError` when the emulator stops during a slow card.
    func answer(to call: PaymentCall) async throws -> EmulatorResponse {
        let path = Array(call.path.dropFirst())
        if path == ["tokens"], call.isWrite { return try makeToken(call) }
        guard call.isAuthorized else { throw PaymentRefusal.unauthorized }
        let fault = call.fault
        switch (call.method, path.first, path.count) {
        case ("POST", "charges", 1):
            let time = settings.authorizationTime + (fault == .slowCard ? settings.slowCardTime : .zero)
            return try await once(call, needsAddress: true, needsKey: true, after: time) {
                handler, body, key throws(PaymentRefusal) in
                try handler.charge(try ChargeRequest(body), at: clock.now(), key: key, fault: fault)
            }
        case ("POST", "charges", 3) where path[2] == "capture":
            return try await once(call, needsAddress: true) { handler, body, key throws(PaymentRefusal) in
                try handler.capture(path[1], body, at: clock.now(), key: key, holdLife: settings.holdLife)
            }
        case ("POST", "refunds", 1):
            return try await once(call) { handler, body, key throws(PaymentRefusal) in
                try handler.refundCharge(body, at: clock.now(), key: key, isPending: fault == .pending)
            }
        case ("POST", "customers", 1):
            return try await once(call) { handler, body, _ throws(PaymentRefusal) in try handler.saveCustomer(body) }
        case ("PUT", "customers", 2), ("POST", "customers", 2):
            return try await once(call) { handler, body, _ throws(PaymentRefusal) in
                try handler.addCard(path[1], body)
            }
        case ("DELETE", "customers", 4) where path[2] == "sources":
            return try await once(call) { handler, _, _ throws(PaymentRefusal) in
                try handler.revokeCard(path[1], path[3])
            }
        case ("GET", "charges", 1): return try list(.charge, call)
        case ("GET", "refunds", 1): return try list(.chargeRefund, call)
        case ("GET", "orders", 1):
            return EmulatorResponse(json: try ChargePage(call.query).json(orders.map(\.json), call))
        case ("GET", "orders", 2):
            guard let order = orders.first(where: { $0.id == path[1] }) else {
                throw PaymentRefusal.ecommerce(404, "invalid_request", "No order with the id \(path[1])")
            }
            return EmulatorResponse(json: order.json)
        case ("GET", "charges", 2):
            guard let charge = ledger.view.state.money[.charge, path[1]] else {
                throw PaymentRefusal.ecommerce(404, "invalid_request", "No charge with the id \(path[1])")
            }
            return EmulatorResponse(json: fault == .noReference ? charge.withoutReference : charge)
        case ("GET", "refunds", 2):
            guard let refund = ledger.view.state.money[.chargeRefund, path[1]] else {
                throw PaymentRefusal.ecommerce(404, "processing_error", "Not Found", type: nil)
            }
            return EmulatorResponse(json: refund)
        case (_, "charges", ...2), (_, "refunds", ...2), (_, "orders", ...2), (_, "tokens", 1):
            throw PaymentRefusal.ecommerce(405, nil, "Method not allowed")
        default: throw PaymentRefusal.ecommerce(404, "invalid_request", "Not Found")
        }
    }

    // MARK: Calls with a key

    /// Performs a call once per key. A concurrent repetition waits for the first call.
    ///
    /// - Parameters:
    ///   - needsAddress: whether the customer's IP address is required (Clover reference, create a charge and capture).
    ///   - time: how long the issuer takes.
    private func once(
        _ call: PaymentCall, needsAddress: Bool = false, needsKey: Bool = false, after time: Duration = .zero,
        work: @escaping @Sendable (inout PaymentHandler, JSONValue, String?) throws(PaymentRefusal) -> EmulatorResponse
    ) async throws -> EmulatorResponse {
        guard call.isJSON else { throw PaymentRefusal.ecommerce(415, nil, "Expected application/json") }
        if needsAddress, call.header("x-forwarded-for") == nil {
            throw PaymentRefusal.parameter("parameter_missing", "x-forwarded-for", "Missing header: x-forwarded-for")
        }
        let text = call.header("idempotency-key")
        if needsKey, text == nil {
            throw PaymentRefusal.parameter("parameter_missing", "idempotency-key", "Missing header: idempotency-key")
        }
        guard let body = call.members else { throw PaymentRefusal.ecommerce(400, "invalid_request", "Malformed JSON") }
        if call.fault == .keyClash { throw PaymentRefusal.keyClash }
        guard let text else {
            if time > .zero { try await Task.sleep(for: time) }
            return ledger.exchange { handler throws(PaymentRefusal) in try work(&handler, body, nil) }
        }
        let key = PaymentKey(text, in: .ecommerce, call: call, body: body)
        return try await keyLock.withLock(key.id) {
            if try PaymentHandler(view: ledger.view, now: 0).firstAnswer(key, clash: .keyClash) == nil, time > .zero {
                try await Task.sleep(for: time)
            }
            return ledger.exchange { handler throws(PaymentRefusal) in
                try handler.once(key, clash: .keyClash) { handler throws(PaymentRefusal) in
                    try work(&handler, body, text)
                }
            }
        }
    }

    // MARK: Tokens

    private func makeToken(_ call: PaymentCall) throws(PaymentRefusal) -> EmulatorResponse {
        guard call.header("apikey") == ledger.shop.identity.apiAccessKey else { throw .unauthorized }
        guard call.isJSON else { throw .ecommerce(415, nil, "Expected application/json") }
        guard let body = call.members else { throw .ecommerce(400, "invalid_request", "Malformed JSON") }
        let card = try CardRequest(body, now: clock.now())
        return ledger.exchange { handler in handler.keepCard(card) }
    }

    // MARK: Lists

    private func list(_ table: PaymentTable, _ call: PaymentCall) throws(PaymentRefusal) -> EmulatorResponse {
        let all = Array(ledger.view.state.money.documents(table).reversed())
        return EmulatorResponse(json: try ChargePage(call.query).json(all, call))
    }

    /// The orders that the charges are for, newest first.
    private var orders: [(id: String?, json: JSONValue)] {
        ledger.view.state.money.documents(.charge).reversed().map { charge in
            var order: JSONValue = ["id": charge["order"] ?? .null, "object": "order"]
            for name in ["amount", "currency", "created", "ref_num", "auth_code"] {
                if let value = charge[name] { order.append(name, value) }
            }
            let isPaid = charge["paid"]?.boolean == true
            order.merge([
                "amount_paid": isPaid ? charge["amount"] ?? 0 : 0, "charge": charge["id"] ?? .null,
                "amount_returned": charge["amount_refunded"] ?? 0, "status": isPaid ? "paid" : "created",
            ])
            if isPaid, let created = charge["created"] { order.append("status_transitions", ["paid": created]) }
            if let source = charge["source"] {
                let names = ["brand", "exp_month", "exp_year", "first6", "last4"]
                order.append("source", .object(source.members.filter { names.contains($0.0) }))
            }
            return (order.id, order)
        }
    }
}

/// The errors of the ecommerce API (recorded by third parties; types and codes as listed in Clover's documentation of
/// responses).
extension PaymentRefusal {
    enum ErrorType: String {
        case invalidRequest = "invalid_request_error"
        case card = "card_error"
        case idempotency = "idempotency_error"
    }

    /// - Parameters:
    ///   - type: nil where the service omits it.
    ///   - charge: the id of the failed charge.
    static func ecommerce(
        _ status: Int, _ code: String?, _ message: String, type: ErrorType? = .invalidRequest, parameter: String? = nil,
        declineCode: String? = nil, charge: String? = nil
    ) -> PaymentRefusal {
        var error: JSONValue = [:]
        for (name, value) in [
            ("type", type?.rawValue), ("code", code), ("message", message), ("param", parameter),
            ("decline_code", declineCode), ("charge", charge),
        ] {
            if let value { error.append(name, .string(value)) }
        }
        return PaymentRefusal(status: status, body: ["message": "\(status) \(title(status))", "error": error])
    }

    static func parameter(_ code: String, _ name: String, _ message: String) -> PaymentRefusal {
        .ecommerce(400, code, message, parameter: name)
    }

    static func missing(_ name: String) -> PaymentRefusal {
        .parameter("parameter_missing", name, "Missing parameter: \(name)")
    }

    static func card(_ code: String, _ name: String, _ message: String) -> PaymentRefusal {
        .ecommerce(400, code, message, type: .card, parameter: name)
    }

    static let keyClash = PaymentRefusal.ecommerce(
        409, nil, "The idempotency key was used for another request", type: .idempotency)

    /// Without a type, as recorded.
    static let tokenUsed = PaymentRefusal.ecommerce(
        400, "token_already_used", "The card token has been used already", type: nil)

    private static func title(_ status: Int) -> String {
        switch status {
        case 402: "Payment Required"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 415: "Unsupported Media Type"
        case 500: "Internal Server Error"
        default: "Bad Request"
        }
    }
}

/// Serializes calls with the same key: a repetition waits for the call that it repeats.
actor KeyedLock {
    /// Callers waiting for a key that is in use.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func withLock<Result: Sendable>(
        _ key: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if waiting[key] == nil {
            waiting[key] = []
        } else {
            await withCheckedContinuation { waiting[key]?.append($0) }
        }
        defer { leave(key) }
        return try await body()
    }

    private func leave(_ key: String) {
        guard var line = waiting[key], !line.isEmpty else {
            waiting[key] = nil
            return
        }
        let next = line.removeFirst()
        waiting[key] = line
        next.resume()
    }
}
