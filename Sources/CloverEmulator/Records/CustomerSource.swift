/// The shop's customers, in the order in which they signed up. Email addresses, phone numbers, addresses and metadata are
/// included only when expanded (live sandbox notes).
struct CustomerSource: RecordSource {
    struct Scratch {
        var customer: CustomerRecord
        let tree: ExpandTree
        /// The expansions of the customer's orders.
        let orders: ExpandTree
    }

    let view: ShopView

    private var shop: Shop { view.shop }

    var count: Int { shop.customers.count }
    var fields: [FilterField] { FilterField.customers }
    var cacheName: String? { "customers" }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(
            customer: shop.customers.customer(0), tree: tree,
            orders: tree.inside("orders").renaming("payment", to: "payments"))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.customer = shop.customers.customer(position)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        writer.object { write(scratch.customer, scratch.tree, orders: scratch.orders, to: &$0) }
    }

    /// Writes the members of a customer.
    ///
    /// - Parameter orders: the expansions of the customer's orders; nil to leave them out, inside an order.
    func write(
        _ customer: CustomerRecord, _ tree: ExpandTree, orders: ExpandTree?, to writer: inout JSONWriter
    ) {
        let id = shop.ids.identifier(.customer, customer.number)
        writer.put("href", shop.catalogue.webAddress("customers/\(id)"))
        writer.put("id", id)
        writer.put("firstName", customer.firstName)
        writer.put("lastName", customer.lastName)
        writer.put("marketingAllowed", customer.marketingAllowed)
        writer.put("customerSince", customer.customerSince)
        // A customer without a card has an empty list: that there is none is not shown otherwise.
        for (name, list) in parts(of: customer, tree, owner: .reference(id)) where !list.isEmpty || name == "cards" {
            writer.put(name, JSONValue.elements(list))
        }
        // `orders` works (live sandbox notes).
        if tree.contains("orders"), let orders {
            writer.key("orders")
            writer.raw("{\"elements\":[")
            var order = OrderRecord()
            for entry in shop.records.orders(ofCustomer: customer.number).reversed().prefix(NestedCollection.cap) {
                shop.orders.load(Int(entry.order), into: &order)
                writer.object { OrderWriter(view: view).order(order, orders, to: &$0) }
            }
            writer.raw("]}")
        }
        if tree.contains("metadata"), customer.businessName != nil || customer.note != nil {
            let metadata: JSONValue = [
                "businessName": customer.businessName.map { .string($0) }, "note": customer.note.map { .string($0) },
                "customer": .reference(id),
            ]
            writer.put("metadata", metadata)
        }
    }

    private func parts(
        of customer: CustomerRecord, _ tree: ExpandTree, owner: JSONValue
    ) -> [(name: String, list: [JSONValue])] {
        func id(_ kind: RecordKind, _ entry: Int) -> JSONValue {
            .string(shop.ids.identifier(kind, customer.number << 8 | entry).description)
        }
        var parts: [(name: String, list: [JSONValue])] = []
        if tree.contains("addresses") {
            let list = customer.addresses.enumerated().map { place, address -> JSONValue in
                [
                    "id": id(.address, place), "address1": .string(address.street),
                    "address2": address.second.map { .string($0) }, "city": .string(address.city), "country": "US",
                    "state": .string(address.state), "zip": .string(address.zip), "customer": owner,
                ]
            }
            parts.append(("addresses", list))
        }
        if tree.contains("emailAddresses") {
            let list = customer.emailAddresses.enumerated().map { place, address -> JSONValue in
                [
                    "id": id(.emailAddress, place), "emailAddress": .string(address),
                    "primaryEmail": .boolean(place == 0), "customer": owner,
                ]
            }
            parts.append(("emailAddresses", list))
        }
        if tree.contains("phoneNumbers") {
            let list = customer.phoneNumbers.enumerated().map { place, number -> JSONValue in
                ["id": id(.phoneNumber, place), "phoneNumber": .string(number), "customer": owner]
            }
            parts.append(("phoneNumbers", list))
        }
        // Some customers have a card on file.
        if tree.contains("cards") {
            parts.append(("cards", customer.number % 6 == 2 ? [card(of: customer, owner)] : []))
        }
        return parts
    }

    private func card(of customer: CustomerRecord, _ owner: JSONValue) -> JSONValue {
        let type = CardRecord.types[customer.number % CardRecord.types.count]
        return [
            "id": .string(shop.ids.identifier(.card, customer.number).description), "first6": .string(type.1),
            "last4": "\(1000 + customer.number % 9000)", "firstName": .string(customer.firstName),
            "lastName": customer.lastName.map { .string($0) }, "expirationDate": "1229", "cardType": .string(type.0),
            "token": "\(4_000_000_000_000_000 + customer.number)", "tokenType": "MULTIPAY",
            "modifiedTime": .integer(customer.customerSince), "customer": owner,
        ]
    }

    func position(ofID id: String) -> Int? {
        shop.ids.place(of: id, kind: .customer).flatMap { $0 < count ? $0 : nil }
    }

    /// The cases follow the order of `FilterField.customers`.
    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        let customer = scratch.customer
        return switch field {
        case 0: .integer(customer.customerSince)
        case 2: .many(customer.emailAddresses.map { .text($0) })
        case 3: .text(customer.firstName)
        case 4: .text(customer.fullName)
        case 5: .text(shop.ids.identifier(.customer, customer.number).description)
        case 6: customer.lastName.map { .text($0) } ?? .absent
        case 7: .boolean(customer.marketingAllowed)
        case 8: .many(customer.phoneNumbers.map { .text($0) })
        default: .absent
        }
    }
}
