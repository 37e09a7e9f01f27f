/// Customers with a card on file (Clover: save a card for future transactions; create a card-on-file customer).
extension PaymentHandler {
    /// Makes a customer with a card. The card's token may be used again from now on, through the customer.
    mutating func saveCustomer(_ body: JSONValue) throws(PaymentRefusal) -> EmulatorResponse {
        guard let email = body["email"]?.text, !email.isEmpty else { throw .missing("email") }
        let id = newID()
        let card = try keptCard(body, of: id)
        var customer: JSONValue = [
            "href": .string(view.shop.catalogue.webAddress("customers/\(id)")), "id": .string(id),
            "marketingAllowed": false, "customerSince": .integer(now),
            "emailAddresses": .kept([
                [
                    "id": .string(newID()), "emailAddress": .string(email), "primaryEmail": true,
                    "customer": .reference(id),
                ]
            ]), "cards": .kept([card]),
        ]
        for name in ["firstName", "lastName"] {
            if let text = body[name] { customer.append(name, text) }
        }
        put(.customer, id, customer)
        return Self.answer(customer, email: email)
    }

    /// Adds a card to a customer who has none: there is one card at a time.
    mutating func addCard(_ id: String, _ body: JSONValue) throws(PaymentRefusal) -> EmulatorResponse {
        guard var customer = document(.customer, id) else { throw Self.noCustomer }
        if body["source"] != nil {
            guard customer["cards"]?.elements.isEmpty ?? true else {
                throw .parameter("invalid_request", "source", "The customer has a card on file; revoke it first")
            }
            customer.set("cards", .kept([try keptCard(body, of: id)]))
            put(.customer, id, customer)
        }
        return Self.answer(customer, email: nil)
    }

    mutating func revokeCard(_ id: String, _ source: String) throws(PaymentRefusal) -> EmulatorResponse {
        guard var customer = document(.customer, id) else { throw Self.noCustomer }
        let cards = customer["cards"]?.elements ?? []
        guard cards.contains(where: { $0.id == source }) else {
            throw .ecommerce(404, "resource_missing", "no source with this id")
        }
        customer.set("cards", .kept(cards.filter { $0.id != source }))
        put(.customer, id, customer)
        return EmulatorResponse(json: ["id": .string(source), "deleted": true])
    }

    /// The card token that a charge's source stands for: itself, or the card of a customer.
    func cardToken(of source: String) -> String {
        document(.customer, source)?["cards"]?.elements.first?["token"]?.text ?? source
    }

    /// The entry for a token's card, whose token is used up and replaced by a lasting one.
    private mutating func keptCard(_ body: JSONValue, of customer: String) throws(PaymentRefusal) -> JSONValue {
        guard let source = body["source"]?.text else { throw .missing("source") }
        guard var token = document(.cardToken, source), let card = token["card"] else {
            throw .parameter("invalid_request", "source", "No such source")
        }
        guard token["isUsed"]?.boolean != true, token["isKept"]?.boolean != true else { throw .tokenUsed }
        token.set("isUsed", .boolean(true))
        put(.cardToken, source, token)
        let lasting = "clv_1TST" + newID() + String(newID().prefix(7))
        token.set("isUsed", .boolean(false))
        token.append("isKept", .boolean(true))
        put(.cardToken, lasting, token)
        let year = card["exp_year"]?.text ?? ""
        return [
            "id": .string(newID()), "first6": card["first6"] ?? .null, "last4": card["last4"] ?? .null,
            "expirationDate": .string((card["exp_month"]?.text ?? "") + year.suffix(2)),
            "cardType": card["brand"] ?? .null, "token": .string(lasting), "tokenType": "MULTIPAY",
            "modifiedTime": .integer(now), "customer": .reference(customer),
        ]
    }

    private static func answer(_ customer: JSONValue, email: String?) -> EmulatorResponse {
        let sources = (customer["cards"]?.elements ?? []).compactMap(\.id).map { JSONValue.string($0) }
        let address = email ?? customer["emailAddresses"]?.elements.first?["emailAddress"]?.text
        return EmulatorResponse(json: [
            "id": customer["id"] ?? .null, "object": "customer", "created": customer["customerSince"] ?? .null,
            "currency": .string(currency), "email": address.map { .string($0) } ?? .null,
            "sources": ["object": "list", "data": .array(sources)],
        ])
    }

    /// With the type that was recorded.
    private static var noCustomer: PaymentRefusal {
        PaymentRefusal(
            status: 404,
            body: [
                "message": "404 Not Found",
                "error": [
                    "type": "validation_error", "code": "resource_missing", "message": "no customer with this id",
                ],
            ])
    }
}
