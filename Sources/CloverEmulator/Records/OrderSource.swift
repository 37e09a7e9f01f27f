/// Generated orders, payments or refunds, newest first; all of the shop or a subset. Or the lines of one order, including
/// those that the nested collection cuts off, or its discounts, without those on lines.
struct OrderSource: RecordSource {
    struct Scratch {
        var order = OrderRecord()
        var part = 0
        let tree: ExpandTree
        /// The expansions of the order of a payment.
        var nested: ExpandTree?
        let names: [String]
    }

    private let kind: RecordKind
    private let writer: OrderWriter
    /// Oldest first; nil for all orders.
    private let entries: [ShopIndex.Entry]?
    private let isEverything: Bool
    let fields: [FilterField]

    private var shop: Shop { writer.shop }
    private var ids: IdentifierScheme { writer.ids }

    /// - Parameters:
    ///   - entries: a subset of the shop's records, oldest first; nil for all.
    ///   - extra: filters in addition to those of all orders; no order has a value for them.
    init(_ kind: RecordKind, view: ShopView, entries: [ShopIndex.Entry]? = nil, extra: [FilterField] = []) {
        self.kind = kind
        writer = OrderWriter(view: view)
        isEverything = entries == nil
        let everything: [ShopIndex.Entry]? =
            kind == .payment ? view.shop.records.payments : kind == .refund ? view.shop.records.refunds : nil
        self.entries = entries ?? everything
        // No source lists filter fields for refunds, so the endpoint announces none.
        fields = kind == .order ? FilterField.orders + extra : kind == .payment ? FilterField.payments : []
    }

    /// The lines, discounts or payments of one order.
    init(_ kind: RecordKind, view: ShopView, order number: Int) {
        self.init(kind, view: view, entries: Self.entries(kind, ofOrder: number, shop: view.shop))
    }

    static func entries(_ kind: RecordKind, ofOrder number: Int, shop: Shop) -> [ShopIndex.Entry] {
        var order = OrderRecord()
        shop.orders.load(number, into: &order)
        let times =
            switch kind {
            case .payment: order.payments.map(\.createdTime)
            case .discount: order.discounts.map { _ in 0 }
            default: order.lines.map { _ in 0 }
            }
        return times.enumerated().map { .init(time: $1, order: UInt32(number), part: UInt32($0)) }
    }

    var count: Int { entries?.count ?? shop.orders.count }
    var isNewestFirst: Bool { kind == .order || kind == .payment || kind == .refund }
    var historyRule: HistoryRule { kind == .order ? .orders : kind == .payment ? .always : .none }
    var cacheName: String? {
        guard isEverything else { return nil }
        return kind == .order ? "orders" : kind == .payment ? "payments" : nil
    }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        // The documentation spells the inner names of payments `payment.tender`; here the plural works as well.
        let tree = kind == .order ? tree.renaming("payment", to: "payments") : tree
        var scratch = Scratch(tree: tree, names: tree.names)
        if kind == .payment, tree.contains("order") {
            scratch.nested = tree.inside("order").renaming("payment", to: "payments")
        }
        return scratch
    }

    private func entry(at position: Int) -> ShopIndex.Entry {
        let place = isNewestFirst ? count - 1 - position : position
        return entries?[place] ?? .init(time: 0, order: UInt32(place), part: 0)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        let entry = entry(at: position)
        if scratch.order.number != Int(entry.order) { shop.orders.load(Int(entry.order), into: &scratch.order) }
        scratch.part = Int(entry.part)
    }

    /// The fast writers omit second-level expansions, which are then added to the parsed record.
    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        guard scratch.tree.hasSecondLevel else { return writeFast(&scratch, to: &writer) }
        var inner = JSONWriter(capacity: 8192)
        writeFast(&scratch, to: &inner)
        guard var record = JSONParser.value(of: inner.bytes()) else { return }
        self.writer.view.complete(&record, scratch.tree)
        record.write(to: &writer)
    }

    private func writeFast(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        let (order, part, tree) = (scratch.order, scratch.part, scratch.tree)
        writer.object { members in
            switch kind {
            case .order: self.writer.order(order, tree, to: &members)
            case .payment: self.writer.payment(part, of: order, tree, order: scratch.nested, to: &members)
            case .refund: if let refund = order.refund { self.writer.refund(refund, of: order, tree, to: &members) }
            case .lineItem: self.writer.line(part, of: order, tree, to: &members)
            default:
                self.writer.discount(order.discounts[part], line: nil, part: part, of: order, to: &members)
            }
            for name in scratch.names { members.put(name, extra(name, scratch)) }
        }
    }

    private func extra(_ name: String, _ scratch: Scratch) -> JSONValue? {
        switch kind {
        case .order: writer.extra(name, of: scratch.order, scratch.tree.inside(name))
        case .payment: writer.extra(name, ofPayment: scratch.part, in: scratch.order)
        case .refund: writer.extra(name, ofRefundIn: scratch.order)
        case .lineItem where name == "payments": writer.payments(ofLine: scratch.part, in: scratch.order)
        default: nil
        }
    }

    func position(ofID id: String) -> Int? {
        guard let place = ids.place(of: id, kind: kind) else { return nil }
        let (number, part) = kind == .order ? (place, 0) : OrderRecord.split(place)
        guard number < shop.orders.count else { return nil }
        guard let entries else { return count - 1 - number }
        var order = OrderRecord()
        shop.orders.load(number, into: &order)
        var time = 0
        if kind == .payment { time = order.payments.indices.contains(part) ? order.payments[part].createdTime : 0 }
        if kind == .refund { time = order.refund?.createdTime ?? 0 }
        let entry = ShopIndex.Entry(time: time, order: UInt32(number), part: UInt32(part))
        guard let found = ShopIndex.place(of: entry, in: entries) else { return nil }
        return isNewestFirst ? count - 1 - found : found
    }

    func createdTime(at position: Int) -> Int {
        let entry = entry(at: position)
        return kind == .order ? shop.orders.calendar.time(of: Int(entry.order)) : entry.time
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        switch kind {
        case .order: value(of: field, in: scratch.order)
        case .payment: value(of: field, ofPayment: scratch.part, in: scratch.order)
        default: .absent
        }
    }

    private func id(_ kind: RecordKind, _ place: Int) -> FieldValue {
        .text(ids.identifier(kind, place).description)
    }

    /// The cases follow the order of `FilterField.orders`.
    private func value(of field: Int, in order: OrderRecord) -> FieldValue {
        switch field {
        case 0: id(.employee, order.employee)
        case 1: .text(PeopleText.staff[order.employee].name)
        case 2: order.note.map { .text(MenuText.notes[$0]) } ?? .absent
        case 3: .integer(order.modifiedTime)
        case 4: .integer(order.createdTime)
        case 5: .integer(order.clientCreatedTime)
        case 7: id(.orderType, order.orderType)
        // No source defines `touched`; here it is an order with at least one line.
        case 8: .boolean(!order.lines.isEmpty)
        case 9: .many(order.payments.compactMap { $0.card.map { .text($0.lastDigits) } })
        case 10: .boolean(order.isManual)
        case 11: writer.title(of: order).map { .text($0) } ?? .absent
        case 12: .text(shop.catalogue.deviceIDs[order.device])
        case 13: order.externalReference.map { .text($0) } ?? .absent
        case 14: .integer(order.total)
        case 15: order.payType.map { .text($0.rawValue) } ?? .absent
        case 16: .boolean(false)
        case 17: .text(order.id.description)
        case 18: .text(order.state.rawValue.lowercased())
        case 19: order.customer.map { id(.customer, $0) } ?? .absent
        default: .absent
        }
    }

    /// The cases follow the order of `FilterField.payments`.
    private func value(of field: Int, ofPayment part: Int, in order: OrderRecord) -> FieldValue {
        let payment = order.payments[part]
        return switch field {
        case 0: .integer(payment.modifiedTime)
        case 1, 2: .integer(payment.createdTime)
        case 3: .text(shop.catalogue.deviceIDs[order.device])
        case 4: order.externalReference.map { .text($0) } ?? .absent
        case 5: order.externalPayment(part).map { .text($0) } ?? .absent
        case 6: .text("SUCCESS")
        case 7, 8: .boolean(false)
        case 9: .text(writer.paymentID(part, of: order).description)
        case 10: id(.tender, payment.tender)
        case 11: id(.employee, order.employee)
        case 12: .integer(order.modifiedTime)
        case 13: .integer(payment.amount)
        case 14: payment.card.map { .text($0.typeName) } ?? .absent
        default: .absent
        }
    }
}
