/// Orders, newest first: all, or a subset such as those of one employee.
struct OrderSource: RecordSource {
    struct Scratch {
        var order = OrderRecord()
        let expansion: OrderExpansion
        /// Expansions not covered by `expansion`.
        let extras: ExpandTree
    }

    private let shop: Shop
    private let writer: OrderWriter
    private let extras: OrderExtras
    /// Order numbers, oldest first; nil for all.
    private let numbers: [Int]?
    let fields: [FilterField]

    /// - Parameters:
    ///   - numbers: a subset of the shop's orders, oldest first; nil for all.
    ///   - extra: filters in addition to those of all orders; no order has a value for them.
    init(view: ShopView, numbers: [Int]? = nil, extra: [FilterField] = []) {
        shop = view.shop
        self.numbers = numbers
        fields = FilterFields.orders + extra
        writer = OrderWriter(view: view)
        extras = OrderExtras(view: view)
    }

    var count: Int { numbers?.count ?? shop.orders.count }
    var isNewestFirst: Bool { true }
    var historyRule: HistoryRule { .orders }
    var cacheName: String? { numbers == nil ? "orders" : nil }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(expansion: OrderExpansion(tree), extras: OrderExtras.names(in: tree))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        shop.orders.load(number(at: position), into: &scratch.order)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        self.writer.write(scratch.order, scratch.expansion, to: &writer)
        if !scratch.extras.isEmpty { extras.add(scratch.extras, of: scratch.order, to: &writer) }
    }

    func position(ofID id: String) -> Int? {
        guard let number = shop.ids.place(of: id, kind: .order), number < shop.orders.count else { return nil }
        guard let numbers else { return count - 1 - number }
        return numbers.firstIndex(of: number).map { count - 1 - $0 }
    }

    func createdTime(at position: Int) -> Int {
        shop.orders.calendar.time(of: number(at: position))
    }

    private func number(at position: Int) -> Int {
        if let numbers { numbers[count - 1 - position] } else { count - 1 - position }
    }

    /// The cases follow the order of `FilterFields.orders`.
    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        let order = scratch.order
        switch field {
        case 0: return .text(shop.ids.identifier(.employee, order.employee).description)
        case 1: return .text(PeopleText.staff[order.employee].name)
        case 2: return order.note.map { .text(MenuText.notes[$0]) } ?? .absent
        case 3: return .integer(order.modifiedTime)
        case 4: return .integer(order.createdTime)
        case 5: return .integer(order.clientCreatedTime)
        case 7: return .text(shop.ids.identifier(.orderType, order.orderType).description)
        // No source defines `touched`; here it is an order with at least one line.
        case 8: return .boolean(!order.lines.isEmpty)
        case 9: return .many(order.payments.compactMap { $0.card.map { .text($0.last4.digits(4)) } })
        case 10: return .boolean(order.isManual)
        case 11: return writer.title(of: order).map { .text($0) } ?? .absent
        case 12: return .text(shop.catalogue.deviceID(order.device))
        case 13: return order.hasExternalReference ? .text("WEB-\(order.number)") : .absent
        case 14: return .integer(order.total)
        case 15: return order.payType.map { .text(Self.name($0)) } ?? .absent
        case 16: return .boolean(false)
        case 17: return .text(order.id.description)
        case 18: return .text(order.state == .open ? "open" : order.state == .locked ? "locked" : "paid")
        case 19: return order.customer.map { .text(shop.ids.identifier(.customer, $0).description) } ?? .absent
        default: return .absent
        }
    }

    private static func name(_ payType: OrderRecord.PayType) -> String {
        switch payType {
        case .full: "FULL"
        case .splitGuest: "SPLIT_GUEST"
        case .splitCustom: "SPLIT_CUSTOM"
        }
    }
}

/// All lines of one order, oldest first, including those that the nested collection cuts off.
struct LineSource: RecordSource {
    struct Scratch {
        var place = 0
        let expansion: LineExpansion
        let expandsPayments: Bool
    }

    private let shop: Shop
    private let writer: OrderWriter
    private let extras: PaymentExtras
    private let order: OrderRecord

    init(view: ShopView, order number: Int) {
        var order = OrderRecord()
        view.shop.orders.load(number, into: &order)
        shop = view.shop
        self.order = order
        writer = OrderWriter(view: view)
        extras = PaymentExtras(view: view)
    }

    var count: Int { order.lines.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(expansion: LineExpansion(tree), expandsPayments: tree.contains("payments"))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.place = position
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        self.writer.writeLine(scratch.place, of: order, scratch.expansion, to: &writer)
        if scratch.expandsPayments { extras.addPayments(ofLine: scratch.place, in: order, to: &writer) }
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .lineItem) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        return number == order.number && part < count ? part : nil
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        .absent
    }
}

/// The discounts on a whole order; discounts on lines belong to the lines.
struct DiscountSource: RecordSource {
    private let shop: Shop
    private let writer: OrderWriter
    private let order: OrderRecord

    init(view: ShopView, order number: Int) {
        var order = OrderRecord()
        view.shop.orders.load(number, into: &order)
        shop = view.shop
        self.order = order
        writer = OrderWriter(view: view)
    }

    var count: Int { order.discounts.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Int { 0 }

    func load(_ position: Int, into scratch: inout Int) {
        scratch = position
    }

    func write(_ scratch: inout Int, to writer: inout JSONWriter) {
        self.writer.writeDiscount(order.discounts[scratch], line: nil, place: scratch, of: order, to: &writer)
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .discount) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        return number == order.number && part < count ? part : nil
    }

    func value(of field: Int, in scratch: Int) -> FieldValue {
        .absent
    }
}
