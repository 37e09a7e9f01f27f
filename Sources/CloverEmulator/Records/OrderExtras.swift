/// Rarely requested parts of an order, not optimized for speed.
struct OrderExtras {
    private static let all: Set<String> = ["credits", "voids", "serviceCharge", "orderFulfillmentEvent"]

    private let view: ShopView

    init(view: ShopView) {
        self.view = view
    }

    /// The part of an expansion that is written here.
    static func names(in tree: ExpandTree) -> ExpandTree {
        tree.filtered(to: all)
    }

    /// Adds members to the order that was just written.
    func add(_ tree: ExpandTree, of order: OrderRecord, to writer: inout JSONWriter) {
        for name in tree.names {
            guard let value = value(name, of: order, tree.inside(name)) else { continue }
            writer.append(name, value)
        }
    }

    private func value(_ name: String, of order: OrderRecord, _ inner: ExpandTree) -> JSONValue? {
        let ids = view.shop.ids
        switch name {
        case "credits": return view.credits(ofOrder: order.id.description, inner)
        case "serviceCharge":
            // A percentage; the service gives no amount for it (live sandbox notes).
            guard order.lines.count >= 8 else { return nil }
            return .object([
                ("id", .string(ids.identifier(.serviceCharge, 0).description)), ("orderRef", .reference(order.id)),
                ("name", .string("Large party")), ("enabled", .boolean(true)), ("percentage", .integer(18)),
                ("percentageDecimal", .integer(180_000)),
            ])
        case "orderFulfillmentEvent":
            guard order.orderType >= 2 else { return nil }
            let id = ids.identifier(.fulfilment, order.number)
            return .object([
                ("id", .string(id.description)), ("orderRef", .reference(order.id)),
                ("fulfillmentTime", .integer(order.createdTime + 1_800_000)),
            ])
        default:
            // A failed payment before the successful one.
            guard [37, 43, 46, 47].contains(order.number % 80), let payment = order.payments.first else { return nil }
            let id = ids.identifier(.payment, OrderPlaces.place(order: order.number, part: OrderExtras.voidPart))
            return .elements([
                .object([
                    ("id", .string(id.description)), ("order", .reference(order.id)),
                    ("amount", .integer(payment.amount)), ("taxAmount", .integer(payment.taxAmount)),
                    ("createdTime", .integer(payment.createdTime - 5000)), ("result", .string("FAIL")),
                    ("voidReason", .string("USER_CANCEL")),
                ])
            ])
        }
    }

    /// Successful payments count from 0 within their order.
    private static let voidPart = 255
}

extension JSONWriter {
    /// Adds a member to the object that was just written.
    mutating func append(_ name: String, _ value: JSONValue) {
        guard last == UInt8(ascii: "}") else { return }
        removeLast()
        if last != UInt8(ascii: "{") { byte(UInt8(ascii: ",")) }
        string(name)
        byte(UInt8(ascii: ":"))
        value.write(to: &self)
        byte(UInt8(ascii: "}"))
    }
}

/// Rarely requested parts of payments and refunds, not optimized for speed.
struct PaymentExtras {
    private static let all: Set<String> = [
        "germanInfo", "dccInfo", "transactionInfo", "externalReferenceId", "oceanGatewayInfo", "additionalCharges",
        "appTracking", "paymentAttributes", "lineItemPayments", "overrideMerchantTender", "serviceCharge",
    ]

    private let view: ShopView

    init(view: ShopView) {
        self.view = view
    }

    /// The part of an expansion that is written here.
    static func names(in tree: ExpandTree) -> ExpandTree {
        tree.filtered(to: all)
    }

    /// Adds members to the payment that was just written.
    func add(_ tree: ExpandTree, of part: Int, in order: OrderRecord, to writer: inout JSONWriter) {
        let place = OrderPlaces.place(order: order.number, part: part)
        let id = view.shop.ids.identifier(.payment, place)
        let payment = order.payments[part]
        for name in tree.names {
            if let value = value(name, of: payment, place, .reference(id), in: order) { writer.append(name, value) }
        }
    }

    /// Adds members to the refund that was just written.
    func add(_ tree: ExpandTree, of refund: RefundRecord, in order: OrderRecord, to writer: inout JSONWriter) {
        let ids = view.shop.ids
        let owner: JSONValue = .reference(ids.identifier(.refund, OrderPlaces.place(order: order.number, part: 0)))
        for name in tree.names {
            switch name {
            case "overrideMerchantTender":
                // Refunded in cash, whatever the payment's tender.
                guard order.number % 5 == 0, let tender = view.rows(.tenders).list.last else { continue }
                writer.append(name, tender.json)
            case "serviceCharge":
                guard order.lines.count >= 3 else { continue }
                writer.append(
                    name,
                    .object([
                        ("id", .string(ids.identifier(.serviceCharge, 0).description)),
                        ("name", .string("Large party")), ("amount", .integer(0)), ("percentage", .integer(18)),
                        ("refundRef", owner),
                    ]))
            case "paymentAttributes", "lineItemPayments", "dccInfo", "externalReferenceId", "additionalCharges":
                continue
            default:
                if let value = information(name, order.number, owner: ("refundRef", owner)) {
                    writer.append(name, value)
                }
            }
        }
    }

    /// The payments' shares of a line, for orders split among guests.
    func addPayments(ofLine line: Int, in order: OrderRecord, to writer: inout JSONWriter) {
        guard order.payType == .splitGuest else { return }
        let shares = order.payments.indices.map { share(ofLine: line, part: $0, in: order) }
        writer.append("payments", .elements(shares))
    }

    private func share(ofLine line: Int, part: Int, in order: OrderRecord) -> JSONValue {
        let ids = view.shop.ids
        let id = ids.identifier(
            .lineItemPayment,
            OrderPlaces.place(order: order.number, part: OrderPlaces.part(line: line, entry: part)))
        return .object([
            ("id", .string(id.description)),
            (
                "lineItemRef",
                .reference(ids.identifier(.lineItem, OrderPlaces.place(order: order.number, part: line)))
            ),
            (
                "paymentRef",
                .reference(ids.identifier(.payment, OrderPlaces.place(order: order.number, part: part)))
            ),
            ("percentage", .integer(10_000_000 / order.payments.count)), ("refunded", .boolean(false)),
        ])
    }

    private func value(
        _ name: String, of payment: PaymentRecord, _ place: Int, _ owner: JSONValue, in order: OrderRecord
    ) -> JSONValue? {
        let ids = view.shop.ids
        switch name {
        case "lineItemPayments":
            guard order.payType == .splitGuest else { return nil }
            let (_, part) = OrderPlaces.split(place)
            return .elements(order.lines.indices.map { share(ofLine: $0, part: part, in: order) })
        case "externalReferenceId":
            return order.hasExternalReference ? .string("WEB-\(order.number)") : nil
        case "dccInfo":
            guard payment.card != nil, order.number % 20 == 7 else { return nil }
            return .object([
                ("dccApplied", .boolean(true)), ("foreignCurrencyCode", .string("EUR")),
                ("foreignAmount", .integer(payment.amount * 92 / 100)), ("exchangeRate", .number("0.92")),
                ("paymentRef", owner),
            ])
        case "additionalCharges":
            guard payment.card != nil, order.number % 16 == 5 else { return nil }
            return .elements([
                .object([
                    ("id", .string(ids.identifier(.additionalCharge, place).description)), ("amount", .integer(0)),
                    ("rate", .integer(0)), ("type", .string("CREDIT_SURCHARGE")), ("payment", owner),
                ])
            ])
        case "paymentAttributes":
            guard order.hasExternalReference else { return nil }
            return .elements([
                .object([
                    ("id", .string(ids.identifier(.attributeOfPayment, place).description)),
                    ("name", .string("channel")), ("value", .string("web")), ("payment", owner),
                ])
            ])
        case "transactionInfo" where payment.card == nil: return nil
        case "overrideMerchantTender", "serviceCharge": return nil
        default: return information(name, order.number, owner: ("paymentRef", owner))
        }
    }

    /// Information that payments, refunds and credits share.
    private func information(_ name: String, _ number: Int, owner: (key: String, value: JSONValue)) -> JSONValue? {
        view.paymentInformation(name, number: number, owner: owner)
    }
}

extension ShopView {
    /// Transaction information that payments, refunds and credits share; nil for other names, and if the transaction
    /// has none.
    func paymentInformation(
        _ name: String, number: Int, owner: (key: String, value: JSONValue)
    ) -> JSONValue? {
        switch name {
        case "transactionInfo":
            .object([("transactionLocale", .string("en-US")), ("isTokenBasedTx", .boolean(false)), owner])
        case "appTracking":
            .object([
                ("developerAppId", .string(shop.identity.appID.description)),
                ("applicationName", .string(shop.identity.appName)), ("applicationVersion", .string("1.0.0")),
                ("sourceSDK", .string("none")), owner,
            ])
        case "germanInfo" where number % 10 == 3:
            .object([("receiptNumber", .string("\(number % 10_000)")), ("traceNumber", .string("\(number)")), owner])
        case "oceanGatewayInfo" where number % 10 == 6: .object([("source", .string("emulator")), owner])
        default: nil
        }
    }
}
