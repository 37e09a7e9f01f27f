/// Writes payments and refunds as the service shows them (Clover SDK models).
struct PaymentWriter {
    private let ids: IdentifierScheme
    private let pieces: OrderPieces

    init(view: ShopView) {
        ids = view.shop.ids
        pieces = view.state.pieces
    }

    /// The id of a payment of an order.
    func id(_ place: Int, of order: OrderRecord) -> Identifier {
        ids.identifier(.payment, OrderPlaces.place(order: order.number, part: place))
    }

    /// Writes payment `place` of an order. If the order is expanded, the caller's closure writes it.
    func write(
        _ place: Int, of order: OrderRecord, _ expansion: PaymentExpansion, to writer: inout JSONWriter,
        expandOrder: ((inout JSONWriter) -> Void)? = nil
    ) {
        let payment = order.payments[place]
        writer.raw("{\"id\":\"")
        writer.identifier(id(place, of: order))
        writer.raw("\",\"order\":")
        if expansion.contains(.order), let expandOrder {
            expandOrder(&writer)
        } else {
            reference(order.id, to: &writer)
        }
        writer.raw(",\"device\":")
        writer.raw(pieces.devices[order.device])
        writer.raw(",\"tender\":")
        writer.raw((expansion.contains(.tender) ? pieces.tenders : pieces.tenderReferences)[payment.tender])
        writer.raw(",\"amount\":")
        writer.integer(payment.amount)
        writer.raw(",\"tipAmount\":")
        writer.integer(payment.tipAmount)
        writer.raw(",\"taxAmount\":")
        writer.integer(payment.taxAmount)
        writer.raw(",\"cashbackAmount\":0")
        if let cash = payment.cashTendered {
            writer.raw(",\"cashTendered\":")
            writer.integer(cash)
        }
        if order.hasExternalReference {
            writer.raw(",\"externalPaymentId\":\"WEBPAY-")
            writer.integer(order.number * 8 + place)
            writer.byte(UInt8(ascii: "\""))
        }
        writer.raw(",\"employee\":")
        writer.raw((expansion.contains(.employee) ? pieces.employees : pieces.employeeReferences)[order.employee])
        writer.raw(",\"createdTime\":")
        writer.integer(payment.createdTime)
        writer.raw(",\"clientCreatedTime\":")
        writer.integer(payment.createdTime)
        writer.raw(",\"modifiedTime\":")
        writer.integer(payment.modifiedTime)
        writer.raw(",\"offline\":false,\"result\":\"SUCCESS\"")
        if expansion.contains(.cardTransaction), let card = payment.card {
            writeCard(card, place, of: order, to: &writer)
        }
        if expansion.contains(.taxRates) { writeTaxes(place, of: order, to: &writer) }
        if expansion.contains(.refunds), place == 0, let refund = order.refund {
            writer.raw(",\"refunds\":{\"elements\":[")
            write(refund, of: order, [], orders: nil, to: &writer)
            writer.raw("]}")
        }
        writer.byte(UInt8(ascii: "}"))
    }

    /// Card data is included only when expanded (Clover documentation, payments and refunds questions).
    private func writeCard(_ card: CardRecord, _ place: Int, of order: OrderRecord, to writer: inout JSONWriter) {
        let type = CardText.types[card.type]
        writer.raw(",\"cardTransaction\":{\"paymentRef\":")
        reference(id(place, of: order), to: &writer)
        writer.raw(",\"cardType\":\"")
        writer.raw(type.name)
        writer.raw("\",\"entryType\":\"")
        writer.raw(CardText.entries[card.entry])
        writer.raw("\",\"first6\":\"")
        writer.raw(type.first6)
        writer.raw("\",\"last4\":\"")
        writeDigits(card.last4, count: 4, to: &writer)
        writer.raw("\",\"type\":\"AUTH\",\"authCode\":\"")
        writeDigits(card.authCode, count: 6, to: &writer)
        writer.raw("\",\"referenceId\":\"")
        writer.identifier(
            ids.identifier(.cardReference, OrderPlaces.place(order: order.number, part: place)))
        writer.raw("\",\"transactionNo\":\"")
        writeDigits(order.number % 1_000_000, count: 6, to: &writer)
        writer.raw("\",\"state\":\"")
        writer.raw(card.isClosed ? "CLOSED" : "PENDING")
        writer.raw("\",\"extra\":{\"cvmResult\":\"NO_CVM_REQUIRED\"},\"currency\":\"USD\",\"captured\":true}")
    }

    /// The tax in a payment by rate. Each rate's share is computed by running sums, so that the shares add up.
    private func writeTaxes(_ place: Int, of order: OrderRecord, to writer: inout JSONWriter) {
        let payment = order.payments[place]
        guard order.taxes.total > 0 else { return }
        writer.raw(",\"taxRates\":{\"elements\":[")
        var running = 0
        var isFirst = true
        for rate in pieces.paymentTaxRates.indices {
            let tax = order.taxes.tax(rate)
            let before = payment.taxAmount * running / order.taxes.total
            running += tax
            let share = payment.taxAmount * running / order.taxes.total - before
            guard order.taxes.taxable(rate) > 0 else { continue }
            if !isFirst { writer.byte(UInt8(ascii: ",")) }
            isFirst = false
            writer.raw("{\"id\":\"")
            writer.identifier(
                ids.identifier(
                    .paymentTax,
                    OrderPlaces.place(order: order.number, part: OrderPlaces.part(line: place, entry: rate))))
            writer.raw("\",\"paymentRef\":")
            reference(id(place, of: order), to: &writer)
            writer.byte(UInt8(ascii: ","))
            writer.raw(pieces.paymentTaxRates[rate])
            writer.raw("\"taxableAmount\":")
            writer.integer(order.taxes.taxable(rate) * payment.amount / max(order.total, 1))
            writer.raw(",\"isVat\":false,\"taxAmount\":")
            writer.integer(share)
            writer.byte(UInt8(ascii: "}"))
        }
        writer.raw("]}")
    }

    /// Writes a refund: a separate object with a positive amount (Clover SDK models, live sandbox notes).
    func write(
        _ refund: RefundRecord, of order: OrderRecord, _ expansion: RefundExpansion, orders: OrderWriter?,
        to writer: inout JSONWriter
    ) {
        writer.raw("{\"id\":\"")
        writer.identifier(ids.identifier(.refund, OrderPlaces.place(order: order.number, part: 0)))
        writer.raw("\",\"orderRef\":")
        reference(order.id, to: &writer)
        writer.raw(",\"device\":")
        writer.raw(pieces.devices[order.device])
        writer.raw(",\"amount\":")
        writer.integer(refund.amount)
        writer.raw(",\"taxAmount\":")
        writer.integer(refund.taxAmount)
        writer.raw(",\"createdTime\":")
        writer.integer(refund.createdTime)
        writer.raw(",\"clientCreatedTime\":")
        writer.integer(refund.createdTime)
        writer.raw(",\"payment\":")
        if expansion.contains(.payment) {
            write(0, of: order, [], to: &writer)
        } else {
            reference(id(0, of: order), to: &writer)
        }
        writer.raw(",\"employee\":")
        writer.raw((expansion.contains(.employee) ? pieces.employees : pieces.employeeReferences)[refund.employee])
        if let line = refund.line {
            writer.raw(",\"lineItems\":{\"elements\":[")
            if expansion.contains(.lineItems), let orders {
                orders.writeLine(line, of: order, [], to: &writer)
            } else {
                reference(
                    ids.identifier(.lineItem, OrderPlaces.place(order: order.number, part: line)), to: &writer)
            }
            writer.raw("]}")
        }
        writer.raw(",\"voided\":false}")
    }

    private func reference(_ id: Identifier, to writer: inout JSONWriter) {
        writer.raw("{\"id\":\"")
        writer.identifier(id)
        writer.raw("\"}")
    }

    private func writeDigits(_ number: Int, count: Int, to writer: inout JSONWriter) {
        var bound = 1
        for _ in 1..<count { bound *= 10 }
        while bound > number, bound > 1 {
            writer.byte(UInt8(ascii: "0"))
            bound /= 10
        }
        writer.integer(number)
    }
}

/// The expansions of a payment.
struct PaymentExpansion: OptionSet {
    let rawValue: Int
    static let tender = PaymentExpansion(rawValue: 1)
    static let cardTransaction = PaymentExpansion(rawValue: 2)
    static let refunds = PaymentExpansion(rawValue: 4)
    static let taxRates = PaymentExpansion(rawValue: 8)
    static let order = PaymentExpansion(rawValue: 16)
    static let employee = PaymentExpansion(rawValue: 32)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ tree: ExpandTree) {
        var set: PaymentExpansion = []
        if tree.contains("tender") { set.insert(.tender) }
        if tree.contains("cardTransaction") { set.insert(.cardTransaction) }
        if tree.contains("refunds") { set.insert(.refunds) }
        if tree.contains("taxRates") { set.insert(.taxRates) }
        if tree.contains("order") { set.insert(.order) }
        if tree.contains("employee") { set.insert(.employee) }
        self = set
    }
}

/// The expansions of a refund.
struct RefundExpansion: OptionSet {
    let rawValue: Int
    static let payment = RefundExpansion(rawValue: 1)
    static let employee = RefundExpansion(rawValue: 2)
    static let lineItems = RefundExpansion(rawValue: 4)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ tree: ExpandTree) {
        var set: RefundExpansion = []
        if tree.contains("payment") { set.insert(.payment) }
        if tree.contains("employee") { set.insert(.employee) }
        if tree.contains("lineItems") { set.insert(.lineItems) }
        self = set
    }
}
