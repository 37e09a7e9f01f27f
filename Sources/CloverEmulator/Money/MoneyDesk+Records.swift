/// The V3 records of money that moved: an order, the payment on it, and refunds.
extension MoneyDesk {
    /// Puts a payment and an order for it. A payment without money leaves its order open.
    mutating func record(_ payment: RecordedPayment) {
        let isPaid = payment.result != "FAIL"
        var order: JSONValue = .object([
            ("href", .string(view.shop.catalogue.webAddress("orders/\(payment.orderID)"))),
            ("id", .string(payment.orderID)), ("currency", .string(Self.currency)),
            ("employee", .reference(view.shop.ids.identifier(.employee, 0))), ("total", .integer(payment.total)),
            ("taxRemoved", .boolean(false)), ("isVat", .boolean(false)),
            ("state", .string(isPaid ? "locked" : "open")), ("manualTransaction", .boolean(false)),
            ("groupLineItems", .boolean(true)), ("testMode", .boolean(false)), ("payType", .string("FULL")),
            ("createdTime", .integer(now)), ("clientCreatedTime", .integer(now)), ("modifiedTime", .integer(now)),
            ("paymentState", .string(isPaid ? (payment.amount < payment.total ? "PARTIALLY_PAID" : "PAID") : "OPEN")),
            ("payments", .kept([.reference(payment.id)])),
        ])
        if let reference = payment.externalReferenceID { order.append("externalReferenceId", .string(reference)) }
        if let device = payment.deviceID { order.append("device", .reference(device)) }
        put(.order, payment.orderID, order)
        put(.payment, payment.id, payment.json(at: now, employee: view.shop.ids.identifier(.employee, 0), desk: self))
    }

    /// Changes members of a payment's record.
    mutating func changePayment(_ id: String, _ change: (inout JSONValue) -> Void) {
        guard var payment = document(.payment, id) else { return }
        change(&payment)
        payment.set("modifiedTime", .integer(now))
        put(.payment, id, payment)
    }

    /// Puts a refund of a payment; the order is then refunded in part or whole.
    mutating func recordRefund(_ id: String, of paymentID: String, amount: Int, isWhole: Bool) {
        guard let payment = document(.payment, paymentID) else { return }
        let orderID = payment[path: "order", "id"]?.text ?? ""
        var refund: JSONValue = .object([
            ("id", .string(id)), ("orderRef", .reference(orderID)), ("amount", .integer(amount)),
            ("taxAmount", .integer(0)), ("tipAmount", .integer(0)), ("createdTime", .integer(now)),
            ("clientCreatedTime", .integer(now)), ("payment", .reference(paymentID)),
            ("employee", .reference(view.shop.ids.identifier(.employee, 0))), ("voided", .boolean(false)),
        ])
        if let device = payment["device"] { refund.append("device", device) }
        put(.refund, id, refund)
        changePayment(paymentID) { payment in
            payment.set("refunds", .kept((payment["refunds"]?.elements ?? []) + [refund]))
        }
        guard var order = document(.order, orderID) else { return }
        order.set("refunds", .kept((order["refunds"]?.elements ?? []) + [refund]))
        order.set("paymentState", .string(isWhole ? "REFUNDED" : "PARTIALLY_REFUNDED"))
        order.set("modifiedTime", .integer(now))
        put(.order, orderID, order)
    }
}
