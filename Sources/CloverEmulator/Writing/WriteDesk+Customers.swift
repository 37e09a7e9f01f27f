/// Customers and what belongs to them.
extension WriteDesk {
    private static let model = "customers.Customer"

    /// The collections inside a customer by their paths: member and model.
    private static let parts: [String: (member: String, model: String)] = [
        "addresses": ("addresses", "customers.Address"), "cards": ("cards", "customers.Card"),
        "email_addresses": ("emailAddresses", "customers.EmailAddress"),
        "phone_numbers": ("phoneNumbers", "customers.PhoneNumber"),
    ]

    /// Nil for other calls.
    mutating func customerAnswer(_ call: WriteCall) throws(APIError) -> Answer? {
        let words = call.match.route.key.split(separator: "/").map(String.init)
        guard words.first == "customers" else { return nil }
        if words.count == 1 {
            let body = try RequestBody.object(call.request, Self.model)
            return shown(try insertCustomer(body), .customer, call)
        }
        guard var row = view.customerDocument(call.parameter(0)) else { throw .notFound(details: "Customer not found") }
        if words.count == 2 {
            if call.method == "DELETE" {
                view.state.customers.remove(row.id)
                return Self.nothing
            }
            let body = try RequestBody.object(call.request, Self.model)
            Self.merge(try withParts(body, of: row.id), into: &row.json)
            view.state.customers.put(row)
            return shown(row, .customer, call)
        }
        if words[2] == "metadata" { return try setMetadata(&row, call) }
        guard let part = Self.parts[words[2]] else { return nil }
        return try changePart(&row, part, call)
    }

    /// Puts a new customer in front of the others.
    mutating func insertCustomer(_ body: JSONValue, id given: String? = nil) throws(APIError) -> TableRow {
        guard !body.members.isEmpty else { throw .badRequest("Missing field: firstName") }
        let id = given ?? newID()
        var json: JSONValue = .object([
            ("href", .string(view.shop.catalogue.webAddress("customers/\(id)"))), ("id", .string(id)),
        ])
        Self.merge(try withParts(body, of: id), into: &json)
        if json["marketingAllowed"] == nil { json.append("marketingAllowed", .boolean(false)) }
        json.set("customerSince", .integer(now))
        let row = TableRow(id: id, json: json)
        view.state.customers.add(row)
        return row
    }

    /// A body with ids for the entries of its collections. Addresses and numbers in one text were dropped before.
    private mutating func withParts(_ body: JSONValue, of customer: String) throws(APIError) -> JSONValue {
        var body = body
        body.remove("orders")
        body.remove("customerSince")
        for (member, model) in Self.parts.values.sorted(by: { $0.member < $1.member }) {
            guard let list = body[member]?.list else { continue }
            var entries: [JSONValue] = []
            for value in list { entries.append(try entry(try RequestBody.object(value, model), of: customer)) }
            body.set(member, .kept(entries))
        }
        if var metadata = body["metadata"], case .object = metadata {
            metadata.set("customer", .reference(customer))
            body.set("metadata", metadata)
        }
        return body
    }

    private mutating func entry(_ body: JSONValue, of customer: String) throws(APIError) -> JSONValue {
        guard !body.members.isEmpty else { throw .badRequest("Expected fields") }
        var entry: JSONValue = .object([("id", .string(newID()))])
        Self.merge(body, into: &entry)
        entry.set("customer", .reference(customer))
        return entry
    }

    private mutating func setMetadata(_ row: inout TableRow, _ call: WriteCall) throws(APIError) -> Answer {
        var metadata = row.json["metadata"] ?? .object([])
        Self.merge(try RequestBody.object(call.request, "customers.CustomerMetadata"), into: &metadata)
        metadata.set("modifiedTime", .integer(now))
        metadata.set("customer", .reference(row.id))
        row.json.set("metadata", metadata)
        view.state.customers.put(row)
        return Answer(status: 200, json: metadata)
    }

    private mutating func changePart(
        _ row: inout TableRow, _ part: (member: String, model: String), _ call: WriteCall
    ) throws(APIError) -> Answer {
        var list = row.json[part.member]?.elements ?? []
        var answer = Self.nothing
        if call.match.parameters.count == 1 {
            let entry = try entry(try RequestBody.object(call.request, part.model), of: row.id)
            list.append(entry)
            answer = Answer(status: 200, json: entry)
        } else {
            guard let place = list.firstIndex(where: { $0.id == call.parameter(1) }) else {
                throw .notFound(details: "Not found in \(part.member)")
            }
            if call.method == "DELETE" {
                list.remove(at: place)
            } else {
                Self.merge(try RequestBody.object(call.request, part.model), into: &list[place])
                answer = Answer(status: 200, json: list[place])
            }
        }
        row.json.set(part.member, .kept(list))
        view.state.customers.put(row)
        return answer
    }
}
