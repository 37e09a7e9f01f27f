/// Writes orders and their lines as the service shows them (recorded responses; Clover SDK models). Optional fields
/// without a value and empty nested collections are omitted.
struct OrderWriter {
    private let ids: IdentifierScheme
    private let pieces: OrderPieces
    private let payments: PaymentWriter
    private let customers: CustomerWriter
    private let customerBook: CustomerGenerator

    init(view: ShopView) {
        ids = view.shop.ids
        pieces = view.state.pieces
        payments = PaymentWriter(view: view)
        customers = CustomerWriter(shop: view.shop)
        customerBook = view.shop.customers
    }

    func write(_ order: OrderRecord, _ expansion: OrderExpansion, to writer: inout JSONWriter) {
        writeHead(order, expansion, to: &writer)
        if expansion.customers, let customer = order.customer {
            writer.raw(",\"customers\":{\"elements\":[")
            customers.write(customerBook.customer(customer), expansion.customerTree, orders: nil, to: &writer)
            writer.raw("]}")
        }
        if expansion.lineItems, !order.lines.isEmpty {
            writer.raw(",\"lineItems\":{\"elements\":[")
            for line in 0..<min(order.lines.count, NestedCollection.cap) {
                if line > 0 { writer.byte(UInt8(ascii: ",")) }
                writeLine(line, of: order, expansion.lines, to: &writer)
            }
            writer.raw("]}")
        }
        if expansion.discounts, !order.discounts.isEmpty {
            writer.raw(",\"discounts\":{\"elements\":[")
            for (place, discount) in order.discounts.enumerated() {
                if place > 0 { writer.byte(UInt8(ascii: ",")) }
                writeDiscount(discount, line: nil, place: place, of: order, to: &writer)
            }
            writer.raw("]}")
        }
        if expansion.payments, !order.payments.isEmpty {
            writer.raw(",\"payments\":{\"elements\":[")
            for place in order.payments.indices {
                if place > 0 { writer.byte(UInt8(ascii: ",")) }
                payments.write(place, of: order, expansion.payment, to: &writer)
            }
            writer.raw("]}")
        }
        if expansion.refunds, let refund = order.refund {
            writer.raw(",\"refunds\":{\"elements\":[")
            payments.write(refund, of: order, expansion.refund, orders: self, to: &writer)
            writer.raw("]}")
        }
        writer.byte(UInt8(ascii: "}"))
    }

    private func writeHead(_ order: OrderRecord, _ expansion: OrderExpansion, to writer: inout JSONWriter) {
        writer.raw(pieces.orderStart)
        writer.identifier(order.id)
        writer.raw("\",\"id\":\"")
        writer.identifier(order.id)
        writer.raw("\",\"currency\":\"USD\",\"employee\":")
        writer.raw((expansion.employee ? pieces.employees : pieces.employeeReferences)[order.employee])
        writer.raw(",\"total\":")
        writer.integer(order.total)
        if order.hasExternalReference {
            writer.raw(",\"externalReferenceId\":\"WEB-")
            writer.integer(order.number)
            writer.byte(UInt8(ascii: "\""))
        }
        writeTitle(order, to: &writer)
        if let note = order.note {
            writer.raw(",\"note\":")
            writer.raw(pieces.notes[note])
        }
        writer.raw(",\"orderType\":")
        writer.raw((expansion.orderType ? pieces.orderTypes : pieces.orderTypeReferences)[order.orderType])
        writer.raw(order.isTaxRemoved ? ",\"taxRemoved\":true" : ",\"taxRemoved\":false")
        writer.raw(",\"isVat\":false,\"state\":\"")
        switch order.state {
        case .open: writer.raw("open")
        case .locked: writer.raw("locked")
        case .paid: writer.raw("paid")
        case .paidInCapitals: writer.raw("PAID")
        }
        writer.raw(order.isManual ? "\",\"manualTransaction\":true" : "\",\"manualTransaction\":false")
        writer.raw(",\"groupLineItems\":true,\"testMode\":false")
        switch order.payType {
        case .full: writer.raw(",\"payType\":\"FULL\"")
        case .splitGuest: writer.raw(",\"payType\":\"SPLIT_GUEST\"")
        case .splitCustom: writer.raw(",\"payType\":\"SPLIT_CUSTOM\"")
        case nil: break
        }
        writer.raw(",\"createdTime\":")
        writer.integer(order.createdTime)
        writer.raw(",\"clientCreatedTime\":")
        writer.integer(order.clientCreatedTime)
        writer.raw(",\"modifiedTime\":")
        writer.integer(order.modifiedTime)
        switch order.paymentState {
        case .open: writer.raw(",\"paymentState\":\"OPEN\"")
        case .paid: writer.raw(",\"paymentState\":\"PAID\"")
        case .partiallyPaid: writer.raw(",\"paymentState\":\"PARTIALLY_PAID\"")
        case .refunded: writer.raw(",\"paymentState\":\"REFUNDED\"")
        case .partiallyRefunded: writer.raw(",\"paymentState\":\"PARTIALLY_REFUNDED\"")
        }
        writer.raw(",\"device\":")
        writer.raw(pieces.devices[order.device])
    }

    private func writeTitle(_ order: OrderRecord, to writer: inout JSONWriter) {
        guard let title = title(of: order) else { return }
        writer.raw(",\"title\":")
        writer.string(title)
    }

    /// The title; nil for most orders.
    func title(of order: OrderRecord) -> String? {
        switch order.title {
        case .none: nil
        case .table(let number): "Table \(number)"
        case .number(let number): "#\(number)"
        case .customer: order.customer.map { customerBook.customer($0).firstName }
        }
    }

    // MARK: Lines

    /// Writes one line of an order.
    func writeLine(_ place: Int, of order: OrderRecord, _ expansion: LineExpansion, to writer: inout JSONWriter) {
        order.lines.withUnsafeBufferPointer { lines in
            let line = lines[place]
            let id = ids.identifier(.lineItem, OrderPlaces.place(order: order.number, part: place))
            writer.raw("{\"id\":\"")
            writer.identifier(id)
            writer.raw("\",\"orderRef\":{\"id\":\"")
            writer.identifier(order.id)
            writer.raw("\"},")
            if let item = line.item {
                writer.raw(pieces.items[item])
            } else {
                writer.raw(pieces.customNames[line.customName])
                writer.raw(",\"price\":")
                writer.integer(line.price)
            }
            if let quantity = line.unitQuantity {
                writer.raw(",\"unitQty\":")
                writer.integer(quantity)
            }
            writer.raw(line.isPrinted ? ",\"printed\":true" : ",\"printed\":false")
            writer.raw(",\"createdTime\":")
            writer.integer(order.createdTime + line.delay)
            writer.raw(",\"orderClientCreatedTime\":")
            writer.integer(order.clientCreatedTime)
            writer.raw(
                line.isRefunded ? ",\"exchanged\":false,\"refunded\":true" : ",\"exchanged\":false,\"refunded\":false")
            writer.raw(",\"isRevenue\":true")
            if !expansion.isEmpty { writeInside(line, place, id, of: order, expansion, to: &writer) }
            writer.byte(UInt8(ascii: "}"))
        }
    }

    private func writeInside(
        _ line: LineRecord, _ place: Int, _ id: Identifier, of order: OrderRecord, _ expansion: LineExpansion,
        to writer: inout JSONWriter
    ) {
        if expansion.contains(.employee) {
            writer.raw(",\"employee\":")
            writer.raw(pieces.employees[order.employee])
        }
        if expansion.contains(.orderType) {
            writer.raw(",\"orderType\":")
            writer.raw(pieces.orderTypes[order.orderType])
        }
        if expansion.contains(.discounts), let discount = line.discount {
            writer.raw(",\"discounts\":{\"elements\":[")
            writeDiscount(discount, line: place, place: 0, of: order, to: &writer)
            writer.raw("]}")
        }
        if expansion.contains(.modifications), !line.modifications.isEmpty {
            writer.raw(",\"modifications\":{\"elements\":[")
            for entry in line.modifications {
                let modification = order.modifications[entry]
                let part = OrderPlaces.part(line: place, entry: 1 + entry - line.modifications.lowerBound)
                if entry > line.modifications.lowerBound { writer.byte(UInt8(ascii: ",")) }
                writer.raw("{\"id\":\"")
                writer.identifier(ids.identifier(.modification, OrderPlaces.place(order: order.number, part: part)))
                writer.raw("\",\"lineItemRef\":{\"id\":\"")
                writer.identifier(id)
                writer.raw("\"},")
                writer.raw(pieces.modifiers[modification.group][modification.modifier])
            }
            writer.raw("]}")
        }
        if expansion.contains(.taxRates), !order.isTaxRemoved {
            writer.raw(",\"taxRates\":")
            writer.raw(pieces.lineTaxRates[line.taxRate])
        }
    }

    /// Writes a discount of the order or of one of its lines.
    func writeDiscount(
        _ discount: DiscountRecord, line: Int?, place: Int, of order: OrderRecord, to writer: inout JSONWriter
    ) {
        let part = line.map { OrderPlaces.part(line: $0, entry: place) } ?? place
        writer.raw("{\"id\":\"")
        writer.identifier(ids.identifier(.discount, OrderPlaces.place(order: order.number, part: part)))
        if let line {
            writer.raw("\",\"lineItemRef\":{\"id\":\"")
            writer.identifier(ids.identifier(.lineItem, OrderPlaces.place(order: order.number, part: line)))
        } else {
            writer.raw("\",\"orderRef\":{\"id\":\"")
            writer.identifier(order.id)
        }
        writer.raw("\"},")
        writer.raw(pieces.discounts[discount.catalogue])
        if let percentage = discount.percentage {
            writer.raw("\"percentage\":")
            writer.integer(percentage)
        } else {
            writer.raw("\"amount\":")
            writer.integer(discount.amount ?? 0)
        }
        writer.byte(UInt8(ascii: "}"))
    }
}

/// The expansions of an order.
struct OrderExpansion {
    var employee = false
    var orderType = false
    var lineItems = false
    var discounts = false
    var payments = false
    var refunds = false
    var customers = false
    var lines: LineExpansion = []
    var payment: PaymentExpansion = []
    var refund: RefundExpansion = []
    var customerTree = ExpandTree.none

    /// The documentation spells the inner names of payments `payment.tender`; here the plural works as well.
    init(_ tree: ExpandTree) {
        employee = tree.contains("employee")
        orderType = tree.contains("orderType")
        lineItems = tree.contains("lineItems")
        discounts = tree.contains("discounts")
        payments = tree.contains("payments") || tree.contains("payment")
        refunds = tree.contains("refunds")
        customers = tree.contains("customers")
        lines = LineExpansion(tree.inside("lineItems"))
        payment = PaymentExpansion(tree.inside("payments")).union(PaymentExpansion(tree.inside("payment")))
        // An order inside a payment inside an order would be the parent itself.
        payment.remove(.order)
        refund = RefundExpansion(tree.inside("refunds"))
        customerTree = tree.inside("customers")
    }
}

/// The expansions of a line item.
struct LineExpansion: OptionSet {
    let rawValue: Int
    static let discounts = LineExpansion(rawValue: 1)
    static let modifications = LineExpansion(rawValue: 2)
    static let taxRates = LineExpansion(rawValue: 4)
    static let employee = LineExpansion(rawValue: 8)
    static let orderType = LineExpansion(rawValue: 16)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ tree: ExpandTree) {
        var set: LineExpansion = []
        if tree.contains("discounts") { set.insert(.discounts) }
        if tree.contains("modifications") { set.insert(.modifications) }
        if tree.contains("taxRates") { set.insert(.taxRates) }
        if tree.contains("employee") { set.insert(.employee) }
        if tree.contains("orderType") { set.insert(.orderType) }
        self = set
    }
}
