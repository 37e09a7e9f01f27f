import NIOCore

/// Sessions of Hosted Checkout (Clover: creating a Hosted Checkout session). There is no request that reads one: what became
/// of it comes by a webhook, and as an order and a payment.
struct CheckoutAPI {
    let ledger: ShopStore
    let settings: PaymentSettings

    func answer(to call: PaymentCall) throws(PaymentRefusal) -> EmulatorResponse {
        guard call.isAuthorized else { throw .unauthorized }
        guard call.path.dropFirst() == ["v1", "checkouts"] else { throw Self.refusal(404, "Not Found") }
        guard call.method == "POST" else { throw Self.refusal(405, "405 Method Not Allowed") }
        guard call.isJSON else { throw Self.refusal(415, "415 Unsupported Media Type") }
        guard call.header("x-clover-merchant-id") == ledger.shop.identity.merchantID.description else {
            throw .unauthorized
        }
        guard let body = call.members else { throw Self.refusal(400, "Malformed JSON") }
        let host = call.header("host") ?? "127.0.0.1"
        let hidesNotes = call.fault == .noReference
        return ledger.exchange { handler throws(PaymentRefusal) in
            try handler.makeCheckout(body, host: host, life: settings.checkoutLife, hidesNotes: hidesNotes)
        }
    }

    static func refusal(_ status: Int, _ message: String) -> PaymentRefusal {
        .ecommerce(status, status == 404 ? "resource_missing" : "invalid_request", message)
    }

    /// The page that a session's address leads to.
    static func page(of id: String, in view: ShopView) -> EmulatorResponse {
        guard let session = view.state.money[.checkout, id] else { return EmulatorResponse(.unknownPath) }
        let total = session["total"]?.integer ?? 0
        let text = """
            <!doctype html><title>Checkout</title><p>\(total) cents
            <form method="post"><button>Pay</button></form>
            <form method="post" action="?card=decline"><button>Pay with a card that is declined</button></form>

            """
        return EmulatorResponse(contentType: "text/html", body: ByteBuffer(string: text))
    }
}

extension PaymentHandler {
    mutating func makeCheckout(
        _ body: JSONValue, host: String, life: Duration, hidesNotes: Bool
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard let customer = body["customer"], case .object = customer else {
            throw CheckoutAPI.refusal(400, "customer is required")
        }
        let items = body[path: "shoppingCart", "lineItems"]?.list ?? []
        guard !items.isEmpty else { throw CheckoutAPI.refusal(400, "shoppingCart.lineItems is required") }
        var total = 0
        var tax = 0
        var lines: [JSONValue] = []
        for item in items {
            guard let name = item["name"]?.text, !name.isEmpty, let price = item["price"]?.integer, price > 0,
                let quantity = item["unitQty"]?.integer, (1...9999).contains(quantity)
            else { throw CheckoutAPI.refusal(400, "invalid line item") }
            let rate = item["taxRates"]?.list?.reduce(0) { $0 + ($1["rate"]?.integer ?? 0) } ?? 0
            let part = price * quantity
            tax += (part * rate + 5_000_000) / 10_000_000
            total += part
            for _ in 0..<quantity {
                var line: JSONValue = ["name": .string(name), "price": .integer(price)]
                if let note = item["note"], !hidesNotes { line.append("note", note) }
                lines.append(line)
            }
        }
        let digits = (0..<4).map { _ in newID().lowercased() }.joined()
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(Array(digits)[$0]) }
        let id = parts.joined(separator: "-")
        put(
            .checkout, id,
            [
                "id": .string(id), "total": .integer(total + tax), "tax": .integer(tax), "lines": .array(lines),
                "payments": [],
                // The page lives by the system's time, and the shop has its own.
                "made": .integer(EmulatorClock().now()),
            ])
        return EmulatorResponse(json: [
            "href": .string("http://\(host)/emulator/checkouts/\(id)"), "checkoutSessionId": .string(id),
            "createdTime": .integer(now), "expirationTime": .integer(now + life.milliseconds),
        ])
    }

    /// Pays on the page of a session. The response is the body of the webhook.
    mutating func payCheckout(
        _ id: String, isApproved: Bool, life: Duration
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard var session = document(.checkout, id) else { throw CheckoutAPI.refusal(404, "Not Found") }
        let age = EmulatorClock().now() - (session["made"]?.integer ?? 0)
        guard age < life.milliseconds else { throw CheckoutAPI.refusal(410, "The session has expired") }
        let total = session["total"]?.integer ?? 0
        let payment = newID()
        if isApproved {
            let order = newID()
            record(
                RecordedPayment(
                    id: payment, orderID: order, total: total, amount: total,
                    taxAmount: session["tax"]?.integer ?? 0, result: "SUCCESS",
                    card: use(brand: "VISA", first6: "424242", last4: "4242")))
            if var document = document(.order, order) {
                let lines = (session["lines"]?.list ?? []).map { line in
                    var line = line
                    line.append("id", .string(newID()))
                    line.append("orderRef", .reference(order))
                    return line
                }
                document.append("lineItems", .kept(lines))
                put(.order, order, document)
            }
            note(.charge, .ecommerce, key: nil, amount: total, externalID: id, id: payment, moved: total)
        }
        session.set("payments", .array((session["payments"]?.list ?? []) + [.string(payment)]))
        put(.checkout, id, session)
        return EmulatorResponse(json: [
            "createdTime": .integer(now),
            "message": .string("\(isApproved ? "Approved" : "Decline") for \(total)"),
            "status": .string(isApproved ? "APPROVED" : "DECLINED"), "type": "PAYMENT", "id": .string(payment),
            "merchantId": .string(view.shop.identity.merchantID.description), "data": .string(id),
        ])
    }
}
