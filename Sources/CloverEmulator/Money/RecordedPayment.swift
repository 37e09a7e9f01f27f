/// A payment as V3 keeps it (Clover SDK models).
struct RecordedPayment {
    let id: String
    let orderID: String
    /// Of the device that took it; nil without one.
    var deviceID: String?
    /// Cents that were asked for.
    let total: Int
    /// Cents, tax included, tip not included.
    let amount: Int
    var tipAmount = 0
    var taxAmount = 0
    var externalPaymentID: String?
    var externalReferenceID: String?
    /// `SUCCESS`, `FAIL`, or `AUTH` for what is held only.
    let result: String
    var isOffline = false
    let card: CardFacts
    var entryType = "KEYED"
    /// Whether it is closed for tips.
    var isClosed = true

    func json(at now: Int, employee: Identifier, desk: MoneyDesk) -> JSONValue {
        let isHeld = result == "AUTH"
        let tenders = desk.view.rows(.tenders).list
        let tender = tenders.first { $0.json["labelKey"]?.text == "com.clover.tender.credit_card" } ?? tenders.first
        var json: JSONValue = .object([("id", .string(id)), ("order", .reference(orderID))])
        if let deviceID { json.append("device", .reference(deviceID)) }
        if let tender { json.append("tender", .reference(tender.id)) }
        for (name, cents) in [("amount", amount), ("tipAmount", tipAmount), ("taxAmount", taxAmount)] {
            json.append(name, .integer(cents))
        }
        json.append("cashbackAmount", .integer(0))
        if let externalPaymentID { json.append("externalPaymentId", .string(externalPaymentID)) }
        if let externalReferenceID { json.append("externalReferenceId", .string(externalReferenceID)) }
        json.append("employee", .reference(employee))
        for name in ["createdTime", "clientCreatedTime", "modifiedTime"] { json.append(name, .integer(now)) }
        json.append("offline", .boolean(isOffline))
        json.append("result", .string(result))
        var transaction: JSONValue = .object([
            ("paymentRef", .reference(id)), ("cardType", .string(card.brand)), ("entryType", .string(entryType)),
            ("first6", .string(card.first6)), ("last4", .string(card.last4)),
            ("type", .string(isHeld ? "PREAUTH" : "AUTH")), ("referenceId", .string(card.reference)),
            ("transactionNo", .string(card.transactionNumber)),
            ("state", .string(isClosed && !isHeld ? "CLOSED" : "PENDING")),
            ("extra", .object([("cvmResult", .string("NO_CVM_REQUIRED"))])),
            ("currency", .string(MoneyDesk.currency)), ("captured", .boolean(!isHeld && result != "FAIL")),
        ])
        if result != "FAIL" { transaction.append("authCode", .string(card.authCode)) }
        json.append("cardTransaction", transaction)
        return json
    }
}
