import NIOCore

/// Does one call about money: sees the shop as it is, and collects what changes. The ledger makes all changes or none.
package struct MoneyDesk {
    /// The currency of the merchant.
    static let currency = "USD"

    /// The shop before the call.
    let view: ShopView
    /// When the call happens, in milliseconds since 1970.
    let now: Int
    private(set) var changes: [MoneyChange] = []
    private(set) var identifiers: Int
    private var changed: [MoneyTable: [String: JSONValue]] = [:]

    init(view: ShopView, now: Int) {
        self.view = view
        self.now = now
        identifiers = view.state.money.identifiers
    }

    /// A new id of the service's form.
    mutating func newID() -> String {
        identifiers += 1
        return view.shop.ids.identifier(.money, identifiers).description
    }

    /// A document as it is after the changes so far.
    func document(_ table: MoneyTable, _ id: String) -> JSONValue? {
        if let document = changed[table]?[id] { return document }
        return switch table {
        case .order: view.state.orders[id]?.json
        case .payment: view.state.payments[id]?.json
        case .refund: view.state.refunds[id]?.json
        case .credit: view.row(.credits, id)?.json
        default: view.state.money[table, id]
        }
    }

    mutating func put(_ table: MoneyTable, _ id: String, _ document: JSONValue) {
        changed[table, default: [:]][id] = document
        changes.append(MoneyChange(table: table, id: id, document: document))
    }
}

/// A call with a key is done once: the same call again gets the first answer, another call with its key none.
///
/// The service says so for devices (REST Pay Display, idempotency); for the ecommerce interface there is only the type
/// `idempotency_error`, and the rest is taken over. How long a key lives is not told: here, as long as the emulator.
extension MoneyDesk {
    /// The first answer to a call; nil when it was not answered before.
    ///
    /// - Throws: `clash` when the key belongs to another call.
    func firstAnswer(_ key: PaymentKey, clash: PaymentRefusal) throws(PaymentRefusal) -> Answer? {
        guard let kept = document(.answer, key.id) else { return nil }
        guard kept["fingerprint"]?.text == key.fingerprint else { throw clash }
        return Answer(
            status: kept["status"]?.integer ?? 200, body: ByteBuffer(string: kept["body"]?.text ?? ""))
    }

    /// Does the work, or gives the first answer to it. A refusal is not kept: nothing has been done, and the call may
    /// come again in a better form.
    mutating func once(
        _ key: PaymentKey?, clash: PaymentRefusal, _ work: (inout MoneyDesk) throws(PaymentRefusal) -> Answer
    ) throws(PaymentRefusal) -> Answer {
        guard let key else { return try work(&self) }
        if let answer = try firstAnswer(key, clash: clash) { return answer }
        let answer = try work(&self)
        guard key.isRemembered else { return answer }
        put(
            .answer, key.id,
            .object([
                ("fingerprint", .string(key.fingerprint)), ("status", .integer(answer.status)),
                ("body", .string(String(buffer: answer.body))),
            ]))
        return answer
    }
}

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

/// The end of the day: what was taken by card is settled.
extension MoneyDesk {
    /// Closes every payment that was captured; what is only held stays open. Tips can be changed no longer, and a void
    /// becomes a refund.
    package mutating func closeOut() -> Answer {
        var closed = 0
        for id in view.state.money.documents(.devicePayment).compactMap(\.id) {
            guard var facts = document(.devicePayment, id), facts["isClosedOut"]?.boolean != true,
                let payment = document(.payment, id), payment["result"]?.text == "SUCCESS"
            else { continue }
            facts.set("isClosedOut", .boolean(true))
            put(.devicePayment, id, facts)
            changePayment(id) { payment in
                guard var card = payment["cardTransaction"] else { return }
                card.set("state", .string("CLOSED"))
                payment.set("cardTransaction", card)
            }
            closed += 1
        }
        return Answer(status: 200, json: .object([("closed", .integer(closed))]))
    }
}

/// What a call did to money.
struct Movement {
    enum Kind: String {
        case charge, auth, preauth, capture, increment, tip, void, refund, credit

        /// Takes money, or a hold on it, for the first time.
        var isCharge: Bool { self == .charge || self == .auth || self == .preauth }
    }

    let key: String?
    let kind: Kind
    let rail: PaymentRail
    /// What was asked for, in cents.
    let amount: Int
    let externalID: String?
    /// Of the charge, payment, refund or credit.
    let id: String
    /// `approved`, `declined` or `cancelled`.
    let result: String
    /// Cents that the card's owner pays more through it, or less when negative. What is held counts as paid.
    let moved: Int
}

extension MoneyDesk {
    /// Keeps a movement for the report.
    mutating func note(_ movement: Movement) {
        func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        put(
            .movement, newID(),
            .object([
                ("key", optional(movement.key)), ("kind", .string(movement.kind.rawValue)),
                ("rail", .string(movement.rail.rawValue)), ("amount", .integer(movement.amount)),
                ("currency", .string(Self.currency)), ("externalId", optional(movement.externalID)),
                ("id", .string(movement.id)), ("at", .integer(now)), ("result", .string(movement.result)),
                ("moved", .integer(movement.moved)),
            ]))
    }
}

/// What may be known of a card, and what its issuer gave.
struct CardFacts {
    /// As in V3, such as `VISA` or `MC`.
    let brand: String
    let first6: String
    let last4: String
    let authCode: String
    let reference: String
    let transactionNumber: String
}

extension MoneyDesk {
    /// The facts of one use of a card.
    mutating func use(brand: String, first6: String, last4: String) -> CardFacts {
        let reference = newID()
        let number = identifiers % 1_000_000
        return CardFacts(
            brand: brand, first6: first6, last4: last4,
            authCode: "OK" + String(String(10_000 + number % 10_000).dropFirst()),
            reference: reference, transactionNumber: String(String(1_000_000 + number).dropFirst()))
    }
}

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
