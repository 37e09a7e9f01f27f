import NIOCore

/// Performs one payment call on a view of the shop and collects the changes. The ledger applies all of them or none.
package struct PaymentHandler {
    static let currency = "USD"

    let view: ShopView
    /// The time of the call, in milliseconds since 1970.
    let now: Int
    private(set) var changes: [PaymentChange] = []
    private(set) var identifiers: Int
    private var changed: [PaymentTable: [String: JSONValue]] = [:]

    init(view: ShopView, now: Int) {
        self.view = view
        self.now = now
        identifiers = view.state.money.identifiers
    }

    var employee: JSONValue { .reference(view.shop.ids.identifier(.employee, 0)) }

    mutating func newID() -> String {
        identifiers += 1
        return view.shop.ids.identifier(.money, identifiers).description
    }

    /// A document with the changes so far applied.
    func document(_ table: PaymentTable, _ id: String) -> JSONValue? {
        if let document = changed[table]?[id] { return document }
        return switch table {
        case .order: view.state.orders[id]?.json
        case .payment: view.state.payments[id]?.json
        case .refund: view.state.refunds[id]?.json
        case .credit: view.row(.credits, id)?.json
        case .customer: view.customerDocument(id)?.json
        default: view.state.money[table, id]
        }
    }

    mutating func put(_ table: PaymentTable, _ id: String, _ document: JSONValue) {
        changed[table, default: [:]][id] = document
        changes.append(PaymentChange(table: table, id: id, document: document))
    }
}

/// Idempotency: a repetition of a call with the same key gets the first response; another call with that key is
/// refused.
///
/// The service documents this for devices (REST Pay Display, idempotency). For the ecommerce API there is only the type
/// `idempotency_error`; the same behaviour is assumed. How long a key is stored is not documented: here, as long as the
/// emulator runs.
extension PaymentHandler {
    /// The first response to a call; nil if there was none yet.
    ///
    /// - Throws: `clash` if the key belongs to another call.
    func firstAnswer(_ key: PaymentKey, clash: PaymentRefusal) throws(PaymentRefusal) -> EmulatorResponse? {
        guard let kept = document(.answer, key.id) else { return nil }
        guard kept["fingerprint"]?.text == key.fingerprint else { throw clash }
        return EmulatorResponse(
            status: kept["status"]?.integer ?? 200, body: ByteBuffer(string: kept["body"]?.text ?? ""))
    }

    /// Performs the work, or returns the first response to it. Refusals are not stored: nothing has happened, and a
    /// corrected call may follow.
    mutating func once(
        _ key: PaymentKey?, clash: PaymentRefusal,
        _ work: (inout PaymentHandler) throws(PaymentRefusal) -> EmulatorResponse
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard let key else { return try work(&self) }
        if let answer = try firstAnswer(key, clash: clash) { return answer }
        let answer = try work(&self)
        guard key.isRemembered else { return answer }
        put(
            .answer, key.id,
            [
                "fingerprint": .string(key.fingerprint), "status": .integer(answer.status),
                "body": .string(String(buffer: answer.body)),
            ])
        return answer
    }
}

/// The V3 records of a payment: its order, the payment itself, and refunds.
extension PaymentHandler {
    /// Creates a payment and an order for it. A failed payment leaves its order open.
    mutating func record(_ payment: RecordedPayment) {
        let isPaid = payment.result != "FAIL"
        var order: JSONValue = [
            "href": .string(view.shop.catalogue.webAddress("orders/\(payment.orderID)")),
            "id": .string(payment.orderID), "currency": .string(Self.currency),
            "employee": employee, "total": .integer(payment.total),
            "taxRemoved": false, "isVat": false, "state": .string(isPaid ? "locked" : "open"),
            "manualTransaction": false, "groupLineItems": true, "testMode": false, "payType": "FULL",
            "createdTime": .integer(now), "clientCreatedTime": .integer(now), "modifiedTime": .integer(now),
            "paymentState": .string(isPaid ? (payment.amount < payment.total ? "PARTIALLY_PAID" : "PAID") : "OPEN"),
            "payments": .kept([.reference(payment.id)]),
        ]
        if let reference = payment.externalReferenceID { order.append("externalReferenceId", .string(reference)) }
        if let device = payment.deviceID { order.append("device", .reference(device)) }
        put(.order, payment.orderID, order)
        put(.payment, payment.id, document(of: payment))
    }

    /// A payment as V3 stores it (Clover SDK models).
    private func document(of payment: RecordedPayment) -> JSONValue {
        let isHeld = payment.result == "AUTH"
        let tenders = view.rows(.tenders).list
        let tender = tenders.first { $0.json["labelKey"]?.text == "com.clover.tender.credit_card" } ?? tenders.first
        var json: JSONValue = ["id": .string(payment.id), "order": .reference(payment.orderID)]
        if let device = payment.deviceID { json.append("device", .reference(device)) }
        if let tender { json.append("tender", .reference(tender.id)) }
        json.merge([
            "amount": .integer(payment.amount), "tipAmount": .integer(payment.tipAmount),
            "taxAmount": .integer(payment.taxAmount), "cashbackAmount": 0,
        ])
        if let id = payment.externalPaymentID { json.append("externalPaymentId", .string(id)) }
        if let id = payment.externalReferenceID { json.append("externalReferenceId", .string(id)) }
        json.merge([
            "employee": employee, "createdTime": .integer(now), "clientCreatedTime": .integer(now),
            "modifiedTime": .integer(now), "offline": .boolean(payment.isOffline), "result": .string(payment.result),
        ])
        let card = payment.card
        var transaction: JSONValue = [
            "paymentRef": .reference(payment.id), "cardType": .string(card.brand),
            "entryType": .string(payment.entryType), "first6": .string(card.first6), "last4": .string(card.last4),
            "type": isHeld ? "PREAUTH" : "AUTH", "referenceId": .string(card.reference),
            "transactionNo": .string(card.transactionNumber),
            "state": payment.isClosed && !isHeld ? "CLOSED" : "PENDING", "extra": ["cvmResult": "NO_CVM_REQUIRED"],
            "currency": .string(Self.currency), "captured": .boolean(!isHeld && payment.result != "FAIL"),
        ]
        if payment.result != "FAIL" { transaction.append("authCode", .string(card.authCode)) }
        json.append("cardTransaction", transaction)
        return json
    }

    /// Changes members of a payment record and of its card transaction.
    mutating func changePayment(_ id: String, _ members: JSONValue = [:], card: JSONValue = [:]) {
        guard var payment = document(.payment, id) else { return }
        payment.merge(members)
        if var transaction = payment["cardTransaction"] {
            transaction.merge(card)
            payment.set("cardTransaction", transaction)
        }
        payment.set("modifiedTime", .integer(now))
        put(.payment, id, payment)
    }

    /// Creates a refund of a payment and updates the payment state of the order.
    mutating func recordRefund(_ id: String, of paymentID: String, amount: Int, isWhole: Bool) {
        guard let payment = document(.payment, paymentID) else { return }
        let orderID = payment[path: "order", "id"]?.text ?? ""
        var refund: JSONValue = [
            "id": .string(id), "orderRef": .reference(orderID), "amount": .integer(amount), "taxAmount": 0,
            "tipAmount": 0, "createdTime": .integer(now), "clientCreatedTime": .integer(now),
            "payment": .reference(paymentID), "employee": employee,
            "voided": false,
        ]
        if let device = payment["device"] { refund.append("device", device) }
        put(.refund, id, refund)
        changePayment(paymentID, ["refunds": .kept((payment["refunds"]?.elements ?? []) + [refund])])
        guard var order = document(.order, orderID) else { return }
        order.add(refund, to: "refunds")
        order.merge([
            "paymentState": isWhole ? "REFUNDED" : "PARTIALLY_REFUNDED", "modifiedTime": .integer(now),
        ])
        put(.order, orderID, order)
    }
}

/// Closeout: settles card payments at the end of the day.
extension PaymentHandler {
    /// Closes every captured payment; holds stay open. Afterwards tips can no longer be changed, and a void becomes a
    /// refund.
    package mutating func closeOut() -> EmulatorResponse {
        var closed = 0
        for id in view.state.money.documents(.devicePayment).compactMap(\.id) {
            guard var facts = document(.devicePayment, id), facts["isClosedOut"]?.boolean != true,
                let payment = document(.payment, id), payment["result"]?.text == "SUCCESS"
            else { continue }
            facts.set("isClosedOut", .boolean(true))
            put(.devicePayment, id, facts)
            changePayment(id, card: ["state": "CLOSED"])
            closed += 1
        }
        return EmulatorResponse(json: ["closed": .integer(closed)])
    }
}

/// The kind of a movement of money.
enum MovementKind: String {
    case charge, auth, preauth, capture, increment, tip, void, refund, credit

    /// Charges a card or places a hold for the first time.
    var isCharge: Bool { self == .charge || self == .auth || self == .preauth }
}

extension PaymentHandler {
    /// Records a movement of money for the report.
    ///
    /// - Parameters:
    ///   - scope: the interface, by its name in the report.
    ///   - amount: the requested amount, in cents.
    ///   - id: the id of the charge, payment, refund or credit.
    ///   - result: `approved`, `declined` or `cancelled`.
    ///   - moved: cents that the cardholder pays through this call, negative for money returned. Holds count as paid.
    mutating func note(
        _ kind: MovementKind, _ scope: KeyScope, key: String?, amount: Int, externalID: String?, id: String,
        result: String = "approved", moved: Int
    ) {
        put(
            .movement, newID(),
            [
                "key": key.map { .string($0) } ?? .null, "kind": .string(kind.rawValue),
                "rail": .string(scope.rawValue),
                "amount": .integer(amount), "currency": .string(Self.currency),
                "externalId": externalID.map { .string($0) } ?? .null, "id": .string(id), "at": .integer(now),
                "result": .string(result), "moved": .integer(moved),
            ])
    }
}

/// The card data that may be stored, and the issuer's data.
struct CardDetails {
    /// The V3 card type, such as `VISA` or `MC`.
    let brand: String
    let first6: String
    let last4: String
    let authCode: String
    let reference: String
    let transactionNumber: String
}

extension PaymentHandler {
    /// The details of one use of a card.
    mutating func use(brand: String, first6: String, last4: String) -> CardDetails {
        let reference = newID()
        let number = identifiers % 1_000_000
        return CardDetails(
            brand: brand, first6: first6, last4: last4,
            authCode: "OK" + (number % 10_000).digits(4),
            reference: reference, transactionNumber: number.digits(6))
    }
}

struct RecordedPayment {
    let id: String
    let orderID: String
    /// The device that took the payment, if any.
    var deviceID: String?
    /// Cents, as requested.
    let total: Int
    /// Cents, including tax, excluding the tip.
    let amount: Int
    var tipAmount = 0
    var taxAmount = 0
    var externalPaymentID: String?
    var externalReferenceID: String?
    /// `SUCCESS`, `FAIL`, or `AUTH` for a hold.
    let result: String
    var isOffline = false
    let card: CardDetails
    var entryType = "KEYED"
    /// Whether tips can no longer be added.
    var isClosed = true
}
