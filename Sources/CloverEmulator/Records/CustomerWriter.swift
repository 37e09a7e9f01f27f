/// Writes customers as the service shows them. Mail addresses, phones, addresses and metadata come only when expanded
/// (live sandbox notes).
struct CustomerWriter {
    private let ids: IdentifierScheme
    private let catalogue: Catalogue

    init(shop: Shop) {
        ids = shop.ids
        catalogue = shop.catalogue
    }

    /// - Parameter orders: writes the elements of `orders` when that is expanded; nil inside an order.
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

    /// Some regulars have a card on file.
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
