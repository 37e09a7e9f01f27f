/// An immutable view of a shop at one point in time: the generated data and the writes since.
package struct ShopView: Sendable {
    package let shop: Shop
    package var state: ShopState

    package func rows(_ table: Table) -> Rows {
        state.tables[table] ?? shop.seeds.rows(table)
    }

    package func row(_ table: Table, _ id: String) -> TableRow? {
        rows(table)[id]
    }

    /// - Throws: the 404 of the table.
    package func existing(_ table: Table, _ id: String) throws(APIError) -> TableRow {
        guard let row = row(table, id) else { throw table.notFound }
        return row
    }

    package func links(_ association: Association, of item: String) -> [String] {
        (state.links[association] ?? shop.seeds.links(association))[item] ?? []
    }

    // MARK: Orders, payments, customers

    /// The number of a generated order that was not written to.
    func madeOrder(_ id: String) -> Int? {
        guard state.orders.changed[id] == nil, !state.orders.removed.contains(id) else { return nil }
        guard let number = shop.ids.place(of: id, kind: .order), number < shop.orders.count else { return nil }
        return number
    }

    func hasOrder(_ id: String) -> Bool {
        madeOrder(id) != nil || state.orders[id] != nil
    }

    func hasCustomer(_ id: String) -> Bool {
        if state.customers[id] != nil { return true }
        guard !state.customers.removed.contains(id), let number = shop.ids.place(of: id, kind: .customer) else {
            return false
        }
        return number < shop.customers.count
    }

    // MARK: Sources

    private func overlay<Base: RecordSource>(
        _ base: Base, _ overlay: Overlay, _ kind: DocumentKind, where belongs: (TableRow) -> Bool = { _ in true }
    ) -> OverlaySource<Base> {
        OverlaySource(base: base, overlay: overlay, kind: kind, view: self, where: belongs)
    }

    /// Orders of the shop, or the subset of an employee or a customer.
    func orders(
        entries: [ShopIndex.Entry]? = nil, extra: [FilterField] = [],
        where belongs: (TableRow) -> Bool = { _ in true }
    ) -> OverlaySource<OrderSource> {
        overlay(OrderSource(.order, view: self, entries: entries, extra: extra), state.orders, .order, where: belongs)
    }

    func payments(
        entries: [ShopIndex.Entry]? = nil, where belongs: (TableRow) -> Bool = { _ in true }
    ) -> OverlaySource<OrderSource> {
        overlay(OrderSource(.payment, view: self, entries: entries), state.payments, .payment, where: belongs)
    }

    func refunds() -> OverlaySource<OrderSource> {
        overlay(OrderSource(.refund, view: self), state.refunds, .refund)
    }

    func customers() -> OverlaySource<CustomerSource> {
        overlay(CustomerSource(view: self), state.customers, .customer)
    }

    func orders(ofEmployee id: String, extra: [FilterField] = []) -> OverlaySource<OrderSource> {
        let entries = shop.seeds.rows(.employees).ids.firstIndex(of: id).map { shop.records.orders(ofEmployee: $0) }
        return orders(entries: entries ?? [], extra: extra) { $0.json[path: "employee", "id"]?.text == id }
    }

    func payments(ofEmployee id: String) -> OverlaySource<OrderSource> {
        let entries = shop.seeds.rows(.employees).ids.firstIndex(of: id).map { shop.records.payments(ofEmployee: $0) }
        return payments(entries: entries ?? []) { $0.json[path: "employee", "id"]?.text == id }
    }

    /// Payments of an order, generated or written.
    func payments(ofOrder id: String) -> OverlaySource<OrderSource> {
        var entries: [ShopIndex.Entry] = []
        if let number = shop.ids.place(of: id, kind: .order), number < shop.orders.count {
            entries = OrderSource.entries(.payment, ofOrder: number, shop: shop)
        }
        return payments(entries: entries) { $0.json[path: "order", "id"]?.text == id }
    }
}

extension ShopView {
    /// A shop without writes.
    init(shop: Shop) {
        self.init(shop: shop, state: ShopState(shop: shop))
    }
}

/// Generated records as editable documents.
extension ShopView {
    /// An order with all its nested parts; nil if there is none.
    func orderDocument(_ id: String) -> TableRow? {
        if let row = state.orders[id] { return row }
        guard let number = madeOrder(id) else { return nil }
        let tree = ExpandTree(["discounts,payments,refunds,customers,serviceCharge,orderFulfillmentEvent,voids"])
        guard var json = orderSource.ready(id, tree)?.parsed else { return nil }
        let lines = ExpandTree(["discounts,modifications,taxRates,payments"])
        json.set("lineItems", .kept(OrderSource(.lineItem, view: self, order: number).everything(lines)))
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
        let tree = ExpandTree(["cardTransaction,taxRates,refunds,lineItemPayments"])
        return OrderSource(.payment, view: self).ready(id, tree)?.parsed.map { TableRow(id: id, json: $0) }
    }

    func paymentJSON(_ id: String) -> JSONValue? {
        paymentDocument(id)?.json
    }

    func customerDocument(_ id: String) -> TableRow? {
        if let row = state.customers[id] { return row }
        guard hasCustomer(id) else { return nil }
        let tree = ExpandTree(["addresses,emailAddresses,phoneNumbers,cards,metadata"])
        return CustomerSource(view: self).ready(id, tree)?.parsed.map { TableRow(id: id, json: $0) }
    }

    private var orderSource: OrderSource { OrderSource(.order, view: self) }
}

extension JSONValue {
    /// The value, parsed if it is encoded text.
    var parsed: JSONValue? {
        if case .ready(let bytes) = self { JSONParser.value(of: bytes) } else { self }
    }
}

extension RecordSource {
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

extension ShopView {
    /// The merchant's settings, a single object (live sandbox notes).
    var properties: JSONValue {
        var json = shop.catalogue.properties
        for (name, value) in state.properties.members { json.set(name, value) }
        return json
    }

    /// The payment processor's settings; the numbers are made up.
    var gateway: JSONValue {
        [
            "paymentProcessorName": "Emulated Processing", "authorizationFrontEnd": "EMULATED",
            "acquiringBackEnd": "EMULATED", "accountName": .string(shop.catalogue.merchantName), "mid": "000000000001",
            "tid": "00000001", "storeId": "0001", "supportsTipping": true, "supportsTipAdjust": true,
            "supportsNakedCredit": true, "closingTime": "02:00", "newBatchCloseEnabled": true, "mcc": "5814",
            "production": false,
        ]
    }

    /// The default service charge for large orders: a percentage, not an amount.
    var defaultServiceCharge: JSONValue {
        [
            "id": .string(shop.ids.identifier(.serviceCharge, 0).description), "name": "Large party", "enabled": true,
            "percentage": 18, "percentageDecimal": 180_000,
        ]
    }

    /// The account behind the token.
    var account: JSONValue {
        [
            "id": .string(shop.ids.identifier(.account, 0).description),
            "name": rows(.employees).list.first?.json["name"] ?? "Owner", "email": "owner@cafe.example",
            "primaryMerchant": .reference(shop.identity.merchantID), "isActive": true,
            "createdTime": .integer(shop.catalogue.openedTime), "claimedTime": .integer(shop.catalogue.openedTime),
            "inviteSent": false, "merchants": .elements([.reference(shop.identity.merchantID)]),
        ]
    }

    func merchant(_ tree: ExpandTree) -> JSONValue {
        var json = shop.catalogue.merchant
        for (name, value) in state.merchant.members { json.set(name, value) }
        for name in tree.names {
            if let value = merchantPart(name, tree.inside(name)) { json.set(name, value) }
        }
        return json
    }

    private func merchantPart(_ name: String, _ inner: ExpandTree) -> JSONValue? {
        func table(_ table: Table) -> JSONValue {
            .ready(PageWriter.nested(DocumentSource(table, view: self), expanding: inner))
        }
        switch name {
        case "address": return shop.catalogue.address
        case "properties": return properties
        case "gateway": return gateway
        case "owner":
            return rows(.employees).list.last { $0.json["isOwner"]?.boolean == true }
                .map { shown($0, .table(.employees), inner) }
        case "employees", "items", "tags", "tenders", "shifts", "printers":
            return Table(rawValue: name).map { table($0) }
        case "modifierGroups": return table(.modifierGroups)
        case "tipSuggestions": return table(.tipSuggestions)
        case "openingHours": return table(.openingHours)
        case "orders": return .ready(PageWriter.nested(orders(), expanding: inner))
        case "payments": return .ready(PageWriter.nested(payments(), expanding: inner))
        default: return boardingPart(name)
        }
    }

    /// Data of the payment processor about the merchant; minimal content.
    private func boardingPart(_ name: String) -> JSONValue? {
        let opened: JSONValue = .integer(shop.catalogue.openedTime)
        let merchant: JSONValue = .reference(shop.identity.merchantID)
        let devices = rows(.devices)
        let parts: JSONValue = [
            "bankProcessing": [
                "bin": "000000", "payCycle": "DAILY", "createdTime": opened, "merchantRef": merchant,
            ],
            "externalMerchant": .elements([
                ["externalMerchantNumber": "000000000001", "createdTime": opened, "merchantRef": merchant]
            ]),
            "merchantBoarding": [
                "accountStatus": "OPEN", "emvAllowed": "Y", "createdTime": opened, "merchantRef": merchant,
            ],
            "merchantL3Prerequisite": ["merchantRef": merchant],
            "deviceBoarding": .elements(
                devices.list.map { device in
                    [
                        "serialNumber": device.json["serial"] ?? "", "status": "ACTIVE", "createdTime": opened,
                        "merchantRef": merchant,
                    ]
                }),
            "programExpress": .elements([["programCode": "STD", "merchantRef": merchant]]),
            "hierarchy": ["mid": "000000000001", "chain": "0001", "dbaName": .string(shop.catalogue.merchantName)],
            "logos": .elements([
                ["logoType": "RECEIPT", "logoFilename": "logo.png", "url": "https://cafe.example/logo.png"]
            ]),
            "partnerApp": .reference(shop.identity.appID),
            "selfBoardingApplication": .reference(shop.ids.identifier(.application, 1)),
            "enterprises": .elements([
                ["id": .string(shop.ids.identifier(.application, 3).description), "name": "Cafés United"]
            ]),
            "equipment": .elements(
                devices.list.map { device in
                    [
                        "merchantId": .string(shop.identity.merchantID.description), "boarded": true,
                        "provisioned": true, "serialNumber": device.json["serial"] ?? "",
                    ]
                }),
            "equipmentSummary": ["count": .integer(devices.count)],
        ]
        return parts[name]
    }

    func voidedTotals(_ lines: [TableRow]) -> JSONValue {
        var printed = 0
        var price = 0
        for line in lines {
            if line.fields["printed"] == .boolean(true) { printed += 1 }
            if case .integer(let cents)? = line.fields["price"] { price += cents }
        }
        return [
            "printed": .integer(printed), "unprinted": .integer(lines.count - printed), "price": .integer(price),
            "priceWithQuantity": .integer(price), "priceWithQuantityAndModifiers": .integer(price), "deletedOrders": 0,
            "deletedItems": .integer(lines.count),
        ]
    }
}
