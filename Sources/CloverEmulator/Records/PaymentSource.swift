/// Payments, newest first: all, or those of one employee or order.
struct PaymentSource: RecordSource {
    struct Scratch {
        var order = OrderRecord()
        var part = 0
        let expansion: PaymentExpansion
        let orderExpansion: OrderExpansion
        /// Expansions not covered by `expansion`.
        let extras: ExpandTree
    }

    private let shop: Shop
    private let writer: PaymentWriter
    private let orderWriter: OrderWriter
    private let extras: PaymentExtras
    /// Oldest first.
    private let entries: [ShopIndex.Entry]
    private let isEverything: Bool

    /// - Parameter entries: a subset of the shop's payments, oldest first; nil for all.
    init(view: ShopView, entries: [ShopIndex.Entry]? = nil) {
        shop = view.shop
        writer = PaymentWriter(view: view)
        orderWriter = OrderWriter(view: view)
        extras = PaymentExtras(view: view)
        self.entries = entries ?? shop.records.payments
        isEverything = entries == nil
    }

    /// The payments of one order.
    static func entries(ofOrder number: Int, shop: Shop) -> [ShopIndex.Entry] {
        var order = OrderRecord()
        shop.orders.load(number, into: &order)
        return order.payments.enumerated().map { place, payment in
            .init(time: payment.createdTime, order: UInt32(number), part: UInt32(place))
        }
    }

    var count: Int { entries.count }
    var fields: [FilterField] { FilterFields.payments }
    var isNewestFirst: Bool { true }
    var historyRule: HistoryRule { .always }
    var cacheName: String? { isEverything ? "payments" : nil }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(
            expansion: PaymentExpansion(tree), orderExpansion: OrderExpansion(tree.inside("order")),
            extras: PaymentExtras.names(in: tree))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        let entry = entries[count - 1 - position]
        shop.orders.load(Int(entry.order), into: &scratch.order)
        scratch.part = Int(entry.part)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        let order = scratch.order
        let expansion = scratch.orderExpansion
        self.writer.write(scratch.part, of: order, scratch.expansion, to: &writer) { inner in
            orderWriter.write(order, expansion, to: &inner)
        }
        if !scratch.extras.isEmpty { extras.add(scratch.extras, of: scratch.part, in: order, to: &writer) }
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .payment) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        guard number < shop.orders.count else { return nil }
        var order = OrderRecord()
        shop.orders.load(number, into: &order)
        guard part < order.payments.count else { return nil }
        let entry = ShopIndex.Entry(
            time: order.payments[part].createdTime, order: UInt32(number), part: UInt32(part))
        return ShopIndex.place(of: entry, in: entries).map { count - 1 - $0 }
    }

    func createdTime(at position: Int) -> Int {
        entries[count - 1 - position].time
    }

    /// The cases follow the order of `FilterFields.payments`.
    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        let order = scratch.order
        let payment = order.payments[scratch.part]
        switch field {
        case 0: return .integer(payment.modifiedTime)
        case 1, 2: return .integer(payment.createdTime)
        case 3: return .text(shop.catalogue.deviceID(order.device))
        case 4: return order.hasExternalReference ? .text("WEB-\(order.number)") : .absent
        case 5: return order.hasExternalReference ? .text("WEBPAY-\(order.number * 8 + scratch.part)") : .absent
        case 6: return .text("SUCCESS")
        case 7, 8: return .boolean(false)
        case 9: return .text(writer.id(scratch.part, of: order).description)
        case 10: return .text(shop.ids.identifier(.tender, payment.tender).description)
        case 11: return .text(shop.ids.identifier(.employee, order.employee).description)
        case 12: return .integer(order.modifiedTime)
        case 13: return .integer(payment.amount)
        case 14: return payment.card.map { .text(CardText.types[$0.type].name.description) } ?? .absent
        default: return .absent
        }
    }
}

/// The shop's refunds, newest first. No source lists filter fields for them, so the endpoint announces none.
struct RefundSource: RecordSource {
    struct Scratch {
        var order = OrderRecord()
        let expansion: RefundExpansion
        /// Expansions not covered by `expansion`.
        let extras: ExpandTree
    }

    private let shop: Shop
    private let writer: PaymentWriter
    private let orderWriter: OrderWriter
    private let extras: PaymentExtras
    /// Oldest first.
    private let entries: [ShopIndex.Entry]

    init(view: ShopView) {
        shop = view.shop
        writer = PaymentWriter(view: view)
        orderWriter = OrderWriter(view: view)
        extras = PaymentExtras(view: view)
        entries = shop.records.refunds
    }

    var count: Int { entries.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(expansion: RefundExpansion(tree), extras: PaymentExtras.names(in: tree))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        shop.orders.load(Int(entries[count - 1 - position].order), into: &scratch.order)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        guard let refund = scratch.order.refund else { return }
        self.writer.write(refund, of: scratch.order, scratch.expansion, orders: orderWriter, to: &writer)
        if !scratch.extras.isEmpty { extras.add(scratch.extras, of: refund, in: scratch.order, to: &writer) }
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .refund) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        guard part == 0, number < shop.orders.count else { return nil }
        var order = OrderRecord()
        shop.orders.load(number, into: &order)
        guard let refund = order.refund else { return nil }
        let entry = ShopIndex.Entry(time: refund.createdTime, order: UInt32(number), part: 0)
        return ShopIndex.place(of: entry, in: entries).map { count - 1 - $0 }
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        .absent
    }
}
