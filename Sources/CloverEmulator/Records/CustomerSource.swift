/// The shop's customers, in the order in which they signed up.
struct CustomerSource: RecordSource {
    struct Scratch {
        var customer: CustomerRecord
        let tree: ExpandTree
    }

    private let shop: Shop
    private let writer: CustomerWriter
    private let orderWriter: OrderWriter

    init(view: ShopView) {
        shop = view.shop
        writer = CustomerWriter(shop: view.shop)
        orderWriter = OrderWriter(view: view)
    }

    var count: Int { shop.customers.count }
    var fields: [FilterField] { FilterFields.customers }
    var cacheName: String? { "customers" }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(customer: shop.customers.customer(0), tree: tree)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.customer = shop.customers.customer(position)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        let customer = scratch.customer
        let expansion = OrderExpansion(scratch.tree.inside("orders"))
        self.writer.write(
            customer, scratch.tree, orders: { writeOrders(of: customer, expansion, to: &$0) }, to: &writer)
    }

    /// The customer's orders, newest first, up to the size of a nested collection (live sandbox notes: `orders` works).
    private func writeOrders(of customer: CustomerRecord, _ expansion: OrderExpansion, to writer: inout JSONWriter) {
        var order = OrderRecord()
        let numbers = shop.records.orders(ofCustomer: customer.number).reversed().prefix(NestedCollection.cap)
        for (place, number) in numbers.enumerated() {
            if place > 0 { writer.byte(UInt8(ascii: ",")) }
            shop.orders.load(number, into: &order)
            orderWriter.write(order, expansion, to: &writer)
        }
    }

    func position(ofID id: String) -> Int? {
        guard let number = shop.ids.place(of: id, kind: .customer), number < count else { return nil }
        return number
    }

    /// The cases follow the order of `FilterFields.customers`.
    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        let customer = scratch.customer
        switch field {
        case 0: return .integer(customer.customerSince)
        case 2: return .many(customer.emailAddresses.map { .text($0) })
        case 3: return .text(customer.firstName)
        case 4: return .text(customer.fullName)
        case 5: return .text(shop.ids.identifier(.customer, customer.number).description)
        case 6: return customer.lastName.map { .text($0) } ?? .absent
        case 7: return .boolean(customer.marketingAllowed)
        case 8: return .many(customer.phoneNumbers.map { .text($0) })
        default: return .absent
        }
    }
}

/// Writes customers as the service shows them. Email addresses, phone numbers, addresses and metadata are included only
/// when expanded (live sandbox notes).
struct CustomerWriter {
    private let ids: IdentifierScheme
    private let catalogue: Catalogue

    init(shop: Shop) {
        ids = shop.ids
        catalogue = shop.catalogue
    }

    /// - Parameter orders: writes the elements of `orders` when it is expanded; nil inside an order.
    func write(
        _ customer: CustomerRecord, _ tree: ExpandTree, orders: ((inout JSONWriter) -> Void)?,
        to writer: inout JSONWriter
    ) {
        let id = ids.identifier(.customer, customer.number)
        writer.raw("{\"href\":")
        writer.string(catalogue.webAddress("customers/\(id)"))
        writer.raw(",\"id\":\"")
        writer.identifier(id)
        writer.raw("\",\"firstName\":")
        writer.string(customer.firstName)
        if let lastName = customer.lastName {
            writer.raw(",\"lastName\":")
            writer.string(lastName)
        }
        writer.raw(customer.marketingAllowed ? ",\"marketingAllowed\":true" : ",\"marketingAllowed\":false")
        writer.raw(",\"customerSince\":")
        writer.integer(customer.customerSince)
        if !tree.isEmpty { writeInside(customer, id, tree, orders, to: &writer) }
        writer.byte(UInt8(ascii: "}"))
    }

    private func writeInside(
        _ customer: CustomerRecord, _ id: Identifier, _ tree: ExpandTree, _ orders: ((inout JSONWriter) -> Void)?,
        to writer: inout JSONWriter
    ) {
        let owner: JSONValue = .reference(id)
        func part(_ kind: RecordKind, _ entry: Int) -> JSONValue {
            .string(ids.identifier(kind, customer.number << 8 | entry).description)
        }
        func put(_ name: String, _ elements: [JSONValue]) {
            guard tree.contains(name), !elements.isEmpty else { return }
            writer.byte(UInt8(ascii: ","))
            writer.string(name)
            writer.byte(UInt8(ascii: ":"))
            JSONValue.elements(elements).write(to: &writer)
        }
        put(
            "addresses",
            customer.addresses.enumerated().map { place, address in
                var json: JSONValue = .object([
                    ("id", part(.address, place)), ("address1", .string(address.street)),
                ])
                if let second = address.second { json.append("address2", .string(second)) }
                json.append("city", .string(address.city))
                json.append("country", .string("US"))
                json.append("state", .string(address.state))
                json.append("zip", .string(address.zip))
                json.append("customer", owner)
                return json
            })
        put(
            "emailAddresses",
            customer.emailAddresses.enumerated().map { place, address in
                .object([
                    ("id", part(.emailAddress, place)), ("emailAddress", .string(address)),
                    ("primaryEmail", .boolean(place == 0)), ("customer", owner),
                ])
            })
        put(
            "phoneNumbers",
            customer.phoneNumbers.enumerated().map { place, number in
                .object([
                    ("id", part(.phoneNumber, place)), ("phoneNumber", .string(number)), ("customer", owner),
                ])
            })
        put("cards", cards(of: customer, owner: owner))
        if tree.contains("orders"), let orders {
            writer.raw(",\"orders\":{\"elements\":[")
            orders(&writer)
            writer.raw("]}")
        }
        if tree.contains("metadata"), customer.businessName != nil || customer.note != nil {
            var json: JSONValue = .object([])
            if let business = customer.businessName { json.append("businessName", .string(business)) }
            if let note = customer.note { json.append("note", .string(note)) }
            json.append("customer", owner)
            writer.raw(",\"metadata\":")
            json.write(to: &writer)
        }
    }

    /// Some customers have a card on file.
    private func cards(of customer: CustomerRecord, owner: JSONValue) -> [JSONValue] {
        guard customer.number % 6 == 2 else { return [] }
        let type = CardText.types[customer.number % CardText.types.count]
        let id = ids.identifier(.card, customer.number)
        var card: JSONValue = .object([
            ("id", .string(id.description)), ("first6", .string(type.first6.description)),
            ("last4", .string("\(1000 + customer.number % 9000)")), ("firstName", .string(customer.firstName)),
        ])
        if let lastName = customer.lastName { card.append("lastName", .string(lastName)) }
        card.append("expirationDate", .string("1229"))
        card.append("cardType", .string(type.name.description))
        card.append("token", .string("\(4_000_000_000_000_000 + customer.number)"))
        card.append("tokenType", .string("MULTIPAY"))
        card.append("modifiedTime", .integer(customer.customerSince))
        card.append("customer", owner)
        return [card]
    }
}
