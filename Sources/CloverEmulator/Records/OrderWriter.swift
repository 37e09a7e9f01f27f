/// Writes generated orders, their lines and discounts as the service shows them (recorded responses; Clover SDK models):
/// the members of an object, without its braces. Optional members without a value and empty nested collections are
/// omitted.
struct OrderWriter {
    let view: ShopView

    var shop: Shop { view.shop }
    var ids: IdentifierScheme { view.shop.ids }

    /// - Parameter tree: the expansions, with `payments` as the name of the payments.
    func order(_ order: OrderRecord, _ tree: ExpandTree, to writer: inout JSONWriter) {
        writer.put("href", shop.catalogue.webAddress("orders/\(order.id)"))
        writer.put("id", order.id)
        writer.put("currency", "USD")
        put(.employees, .employee, order.employee, as: "employee", tree, to: &writer)
        writer.put("total", order.total)
        writer.put("externalReferenceId", order.externalReference)
        writer.put("title", title(of: order))
        writer.put("note", order.note.map { MenuText.notes[$0] })
        put(.orderTypes, .orderType, order.orderType, as: "orderType", tree, to: &writer)
        writer.put("taxRemoved", order.isTaxRemoved)
        writer.put("isVat", false)
        writer.put("state", order.state.rawValue)
        writer.put("manualTransaction", order.isManual)
        writer.put("groupLineItems", true)
        writer.put("testMode", false)
        writer.put("payType", order.payType?.rawValue)
        writer.put("createdTime", order.createdTime)
        writer.put("clientCreatedTime", order.clientCreatedTime)
        writer.put("modifiedTime", order.modifiedTime)
        writer.put("paymentState", order.paymentState.rawValue)
        writer.put("device", reference: shop.catalogue.deviceIDs[order.device])
        if !tree.isEmpty { parts(of: order, tree, to: &writer) }
    }

    private func parts(of order: OrderRecord, _ tree: ExpandTree, to writer: inout JSONWriter) {
        if tree.contains("customers"), let customer = order.customer {
            writer.put("customers", elements: [shop.customers.customer(customer)]) {
                CustomerSource(view: view).write($0, tree.inside("customers"), orders: nil, to: &$1)
            }
        }
        if tree.contains("lineItems") {
            let inner = tree.inside("lineItems")
            writer.put("lineItems", elements: order.lines.indices.prefix(NestedCollection.cap)) {
                line($0, of: order, inner, to: &$1)
            }
        }
        if tree.contains("discounts") {
            writer.put("discounts", elements: order.discounts.indices) {
                discount(order.discounts[$0], line: nil, part: $0, of: order, to: &$1)
            }
        }
        if tree.contains("payments") {
            let inner = tree.inside("payments")
            writer.put("payments", elements: order.payments.indices) { payment($0, of: order, inner, to: &$1) }
        }
        if tree.contains("refunds"), let refund = order.refund {
            let inner = tree.inside("refunds")
            writer.put("refunds", elements: [refund]) { self.refund($0, of: order, inner, to: &$1) }
        }
    }

    /// Writes a reference to a record of the catalogue, or the record if it is expanded.
    func put(
        _ table: Table, _ kind: RecordKind, _ place: Int, as name: String, _ tree: ExpandTree,
        to writer: inout JSONWriter
    ) {
        if tree.contains(name), let records = view.state.pieces[table] {
            writer.put(name, JSONValue.ready(records[place]))
        } else {
            writer.put(name, reference: ids.identifier(kind, place))
        }
    }

    func title(of order: OrderRecord) -> String? {
        switch order.title {
        case .none: nil
        case .table(let number): "Table \(number)"
        case .number(let number): "#\(number)"
        case .customer: order.customer.map { shop.customers.customer($0).firstName }
        }
    }

    // MARK: Lines

    func line(_ place: Int, of order: OrderRecord, _ tree: ExpandTree, to writer: inout JSONWriter) {
        let line = order.lines[place]
        let id = ids.identifier(.lineItem, order.place(place))
        writer.put("id", id)
        writer.put("orderRef", reference: order.id)
        if let item = line.item { writer.put("item", reference: ids.identifier(.item, item)) }
        writer.put("name", line.name)
        writer.put("price", line.price)
        writer.put("unitName", line.item.flatMap { MenuText.items[$0].unit })
        writer.put("unitQty", line.unitQuantity)
        writer.put("printed", line.isPrinted)
        writer.put("createdTime", order.createdTime + line.delay)
        writer.put("orderClientCreatedTime", order.clientCreatedTime)
        writer.put("exchanged", false)
        writer.put("refunded", line.isRefunded)
        writer.put("isRevenue", true)
        guard !tree.isEmpty else { return }
        if tree.contains("employee") {
            put(.employees, .employee, order.employee, as: "employee", tree, to: &writer)
        }
        if tree.contains("orderType") {
            put(.orderTypes, .orderType, order.orderType, as: "orderType", tree, to: &writer)
        }
        if tree.contains("discounts"), let discount = line.discount {
            writer.put("discounts", elements: [discount]) {
                self.discount($0, line: place, part: 0, of: order, to: &$1)
            }
        }
        if tree.contains("modifications") {
            writer.put("modifications", elements: line.modifications) { entry, writer in
                let (group, index) = order.modifications[entry]
                let modifier = MenuText.modifierGroups[group].modifiers[index]
                let part = OrderRecord.part(line: place, entry: 1 + entry - line.modifications.lowerBound)
                writer.put("id", ids.identifier(.modification, order.place(part)))
                writer.put("lineItemRef", reference: id)
                writer.put("name", modifier.name)
                writer.put("amount", modifier.price)
                writer.put(
                    "modifier", reference: ids.identifier(.modifier, MenuText.place(ofModifier: index, in: group)))
            }
        }
        if tree.contains("taxRates"), !order.isTaxRemoved {
            writer.put("taxRates", shop.lineTaxRates[line.taxRate])
        }
    }

    /// A discount on the order or on one of its lines.
    func discount(
        _ discount: DiscountRecord, line: Int?, part: Int, of order: OrderRecord, to writer: inout JSONWriter
    ) {
        let part = line.map { OrderRecord.part(line: $0, entry: part) } ?? part
        writer.put("id", ids.identifier(.discount, order.place(part)))
        if let line {
            writer.put("lineItemRef", reference: ids.identifier(.lineItem, order.place(line)))
        } else {
            writer.put("orderRef", reference: order.id)
        }
        let text = MenuText.discounts[discount.catalogue]
        writer.put("name", text.name)
        writer.put("discount", reference: ids.identifier(.catalogueDiscount, discount.catalogue))
        writer.put("percentage", text.percentage)
        // Negative; the service refuses positive amounts (live sandbox notes).
        writer.put("amount", text.percentage == nil ? -discount.value : nil)
    }

    // MARK: Parts that are shown only in lists of their own kind

    /// A rarely requested part of an order; nil for other names, and if the order has none.
    func extra(_ name: String, of order: OrderRecord, _ inner: ExpandTree) -> JSONValue? {
        switch name {
        case "credits": return view.credits(ofOrder: order.id.description, inner)
        case "serviceCharge":
            // A percentage; the service gives no amount for it (live sandbox notes).
            guard order.hasServiceCharge else { return nil }
            return [
                "id": .string(ids.identifier(.serviceCharge, 0).description), "orderRef": .reference(order.id),
                "name": "Large party", "enabled": true, "percentage": 18, "percentageDecimal": 180_000,
            ]
        case "orderFulfillmentEvent":
            guard order.orderType >= 2 else { return nil }
            return [
                "id": .string(ids.identifier(.fulfilment, order.number).description),
                "orderRef": .reference(order.id), "fulfillmentTime": .integer(order.createdTime + 1_800_000),
            ]
        case "voids":
            // A failed payment before the successful one; successful payments count from 0.
            guard [37, 43, 46, 47].contains(order.number % 80), let payment = order.payments.first else { return nil }
            return .elements([
                [
                    "id": .string(ids.identifier(.payment, order.place(255)).description),
                    "order": .reference(order.id), "amount": .integer(payment.amount),
                    "taxAmount": .integer(payment.taxAmount), "createdTime": .integer(payment.createdTime - 5000),
                    "result": "FAIL", "voidReason": "USER_CANCEL",
                ]
            ])
        default: return nil
        }
    }

    /// The payments' shares of a line, for orders split among guests.
    func payments(ofLine line: Int, in order: OrderRecord) -> JSONValue? {
        guard order.payType == .splitGuest else { return nil }
        return .elements(order.payments.indices.map { share(ofLine: line, part: $0, in: order) })
    }

    func share(ofLine line: Int, part: Int, in order: OrderRecord) -> JSONValue {
        let place = order.place(OrderRecord.part(line: line, entry: part))
        return [
            "id": .string(ids.identifier(.lineItemPayment, place).description),
            "lineItemRef": .reference(ids.identifier(.lineItem, order.place(line))),
            "paymentRef": .reference(ids.identifier(.payment, order.place(part))),
            "percentage": .integer(10_000_000 / order.payments.count), "refunded": false,
        ]
    }
}
