/// What of an order is rarely asked for, and written without care for speed.
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

    /// Adds members to the object that was written last.
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
            // A definition in percent; the service gives no amount for it (live sandbox notes).
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
            // A payment that went wrong before the order was paid.
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

    /// Payments that succeeded count from 0 within their order.
    private static let voidPart = 255
}

extension JSONWriter {
    /// Adds a member to the object that was written last.
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
