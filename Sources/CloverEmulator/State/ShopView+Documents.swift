/// Records made from numbers, as documents that can be changed.
extension ShopView {
    /// An order with all that is kept inside it; nil when there is none.
    func orderDocument(_ id: String) -> TableRow? {
        if let row = state.orders[id] { return row }
        guard let number = madeOrder(id) else { return nil }
        var tree = ExpandTree()
        tree.add("discounts,payments,refunds,customers,serviceCharge,orderFulfillmentEvent,voids")
        guard var json = orderSource.ready(id, tree)?.parsed else { return nil }
        var lines = ExpandTree()
        lines.add("discounts,modifications,taxRates,payments")
        json.set("lineItems", .kept(LineSource(view: self, order: number).everything(lines)))
        for name in ["payments", "customers"] {
            guard let list = json[name]?.list else { continue }
            json.set(name, .kept(list.map { .reference($0.id ?? "") }))
        }
        return TableRow(id: id, json: json)
    }

    func orderJSON(_ id: String) -> JSONValue? {
        if let row = state.orders[id] { return row.json }
        return madeOrder(id) == nil ? nil : orderSource.ready(id, .none)?.parsed
    }

    func paymentDocument(_ id: String) -> TableRow? {
        if let row = state.payments[id] { return row }
        guard !state.payments.removed.contains(id) else { return nil }
        var tree = ExpandTree()
        tree.add("cardTransaction,taxRates,refunds,lineItemPayments")
        return PaymentSource(view: self).ready(id, tree)?.parsed.map { TableRow(id: id, json: $0) }
    }

    func paymentJSON(_ id: String) -> JSONValue? {
        paymentDocument(id)?.json
    }

    func customerDocument(_ id: String) -> TableRow? {
        if let row = state.customers[id] { return row }
        guard hasCustomer(id) else { return nil }
        var tree = ExpandTree()
        tree.add("addresses,emailAddresses,phoneNumbers,cards,metadata")
        return CustomerSource(view: self).ready(id, tree)?.parsed.map { TableRow(id: id, json: $0) }
    }

    private var orderSource: OrderSource { OrderSource(view: self) }
}

extension JSONValue {
    /// The value of ready text.
    var parsed: JSONValue? {
        if case .ready(let bytes) = self { JSONParser.value(of: bytes) } else { self }
    }
}

extension RecordSource {
    /// All records as values.
    func everything(_ tree: ExpandTree) -> [JSONValue] {
        var scratch = makeScratch(expanding: tree)
        var values: [JSONValue] = []
        var writer = JSONWriter(capacity: 4096)
        for position in 0..<count {
            load(position, into: &scratch)
            writer.removeAll()
            write(&scratch, to: &writer)
            if let value = JSONParser.value(of: writer.bytes()) { values.append(value) }
        }
        return values
    }
}
