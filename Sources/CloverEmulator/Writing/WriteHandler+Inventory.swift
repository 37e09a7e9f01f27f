/// Inventory writes beyond single records.
extension WriteHandler {
    private static let mostGroupsToSort = 200
    private static let mostCategoriesToSort = 1000

    /// Nil for other calls.
    mutating func inventoryAnswer(_ call: WriteCall) throws(APIError) -> EmulatorResponse? {
        switch call.name {
        case "DELETE items": return try deleteMany(.items, call.ids("itemIds"))
        case "DELETE tags": return try deleteMany(.tags, call.ids("tagIds"))
        case "DELETE categories": return try deleteMany(.categories, call.ids("categoryIds"))
        case "DELETE modifier_groups": return try deleteMany(.modifierGroups, call.ids("modifierGroupIds"))
        case "POST bulk_items", "PUT bulk_items": return try bulkItems(call)
        case "POST category_items": return try associate(.categories, call)
        case "POST tag_items": return try associate(.tags, call)
        case "POST tax_rate_items": return try associate(.taxRates, call)
        case "POST item_modifier_groups": return try associate(.modifierGroups, call)
        case "POST option_items": return try associate(.options, call)
        case "POST categories/bulk_sort_orders":
            return try sort(.categories, call, most: Self.mostCategoriesToSort, "categories")
        case "POST modifier_group_sort_orders":
            return try sort(.modifierGroups, call, most: Self.mostGroupsToSort, "modifierGroups")
        case "PUT modifier_groups/{}/layout": return try layOut(call)
        case "POST item_stocks/{}", "PUT item_stocks/{}": return try stock(call)
        case "DELETE item_stocks/{}":
            let item = try view.existing(.items, call.parameter(0))
            store(TableRow(id: item.id, json: ["item": .reference(item.id)]), in: .itemStocks)
            return Self.nothing
        default: return nil
        }
    }

    /// All or nothing.
    private mutating func deleteMany(_ table: Table, _ ids: [String]) throws(APIError) -> EmulatorResponse {
        for id in ids { _ = try view.existing(table, id) }
        for id in ids { delete(table, id) }
        return Self.nothing
    }

    private mutating func bulkItems(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let isNew = call.method == "POST"
        var rows: [TableRow] = []
        for value in try RequestBody.list(call.request, "items") {
            let body = try RequestBody.object(value, "inventory.Item")
            if isNew {
                rows.append(try insert(.items, body))
            } else {
                guard let id = value.id else { throw .badRequest("Missing field: id") }
                rows.append(try update(.items, try view.existing(.items, id), body))
            }
        }
        return EmulatorResponse(json: .array(rows.map { view.shown($0, .table(.items), call.tree) }))
    }

    /// Adds pairs of an item and an associated record; `delete=true` removes them.
    private mutating func associate(_ association: Association, _ call: WriteCall) throws(APIError) -> EmulatorResponse
    {
        let pairs = try RequestBody.list(call.request, "elements")
        for pair in pairs {
            var item = try referenced(pair, "item", .items)
            let other = try referenced(pair, association.member, association.table).id
            var links = view.links(association, of: item.id).filter { $0 != other }
            if !call.isRemoving { links.append(other) }
            setLinks(association, of: item.id, links)
            item.json.set("modifiedTime", .integer(now))
            store(item, in: .items)
        }
        if call.isRemoving { return Self.nothing }
        return EmulatorResponse(json: .kept(pairs))
    }

    private mutating func sort(_ table: Table, _ call: WriteCall, most: Int, _ name: String) throws(APIError)
        -> EmulatorResponse
    {
        let list = try RequestBody.list(call.request, name, "elements")
        guard list.count <= most else { throw .badRequest("At most \(most) elements") }
        for value in list {
            guard let id = value.id, let order = value["sortOrder"]?.integer else {
                throw .badRequest("Expected id and sortOrder")
            }
            let row = try view.existing(table, id)
            _ = try update(table, row, ["sortOrder": .integer(order)])
        }
        return Self.nothing
    }

    /// Replaces the modifiers of a group and their order.
    private mutating func layOut(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let group = try view.existing(.modifierGroups, call.parameter(0))
        let ids = try RequestBody.list(call.request, "ids").compactMap { $0.id ?? $0.text }
        for id in ids { _ = try view.existing(.modifiers, id) }
        for old in view.belonging(.modifiers, to: group.id, through: "modifierGroup") where !ids.contains(old.id) {
            delete(.modifiers, old.id)
        }
        for id in ids {
            guard var row = view.row(.modifiers, id) else { continue }
            row.json.set("modifierGroup", .reference(group.id))
            store(row, in: .modifiers)
        }
        change(.modifiers) { $0.reorder(ids) }
        listModifiers(of: group.id)
        return EmulatorResponse(json: .reference(group.id))
    }

    /// Sets the stock; the quantity is absolute, not a change (live sandbox notes).
    private mutating func stock(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let item = try view.existing(.items, call.parameter(0))
        let body = try RequestBody.object(call.request, "inventory.ItemStock")
        let quantity: Double
        switch body["quantity"] ?? body["stockCount"] {
        case .integer(let number)?: quantity = Double(number)
        case .number(let text)?: quantity = Double(text) ?? 0
        default: throw .badRequest("Missing field: quantity")
        }
        guard abs(quantity) < 1e12 else { throw .badRequest("Invalid value for field: quantity") }
        let row = TableRow(
            id: item.id,
            json: [
                "item": .reference(item.id), "stockCount": .integer(Int(quantity.rounded(.down))),
                "quantity": .number("\(quantity)"), "modifiedTime": .integer(now),
            ])
        store(row, in: .itemStocks)
        return EmulatorResponse(json: row.json)
    }
}

/// Writes of customers and their parts.
extension WriteHandler {
    private static let model = "customers.Customer"

    /// The nested collections of a customer by path: member and model.
    private static let parts: [String: (member: String, model: String)] = [
        "addresses": ("addresses", "customers.Address"), "cards": ("cards", "customers.Card"),
        "email_addresses": ("emailAddresses", "customers.EmailAddress"),
        "phone_numbers": ("phoneNumbers", "customers.PhoneNumber"),
    ]

    /// Nil for other calls.
    mutating func customerAnswer(_ call: WriteCall) throws(APIError) -> EmulatorResponse? {
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
            row.json.merge(try withParts(body, of: row.id))
            view.state.customers.put(row)
            return shown(row, .customer, call)
        }
        if words[2] == "metadata" { return try setMetadata(&row, call) }
        guard let part = Self.parts[words[2]] else { return nil }
        return try changePart(&row, part, call)
    }

    mutating func insertCustomer(_ body: JSONValue, id given: String? = nil) throws(APIError) -> TableRow {
        guard !body.members.isEmpty else { throw .badRequest("Missing field: firstName") }
        let id = given ?? newID()
        var json: JSONValue = ["href": .string(view.shop.catalogue.webAddress("customers/\(id)")), "id": .string(id)]
        json.merge(try withParts(body, of: id))
        if json["marketingAllowed"] == nil { json.append("marketingAllowed", .boolean(false)) }
        json.set("customerSince", .integer(now))
        let row = TableRow(id: id, json: json)
        view.state.customers.add(row)
        return row
    }

    /// A body with ids for the entries of its collections. Addresses and numbers given as one string were dropped
    /// before.
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
        var entry: JSONValue = ["id": .string(newID())]
        entry.merge(body)
        entry.set("customer", .reference(customer))
        return entry
    }

    private mutating func setMetadata(_ row: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse {
        var metadata = row.json["metadata"] ?? [:]
        metadata.merge(try RequestBody.object(call.request, "customers.CustomerMetadata"))
        metadata.set("modifiedTime", .integer(now))
        metadata.set("customer", .reference(row.id))
        row.json.set("metadata", metadata)
        view.state.customers.put(row)
        return EmulatorResponse(json: metadata)
    }

    private mutating func changePart(
        _ row: inout TableRow, _ part: (member: String, model: String), _ call: WriteCall
    ) throws(APIError) -> EmulatorResponse {
        var list = row.json[part.member]?.elements ?? []
        var answer = Self.nothing
        if call.match.parameters.count == 1 {
            let entry = try entry(try RequestBody.object(call.request, part.model), of: row.id)
            list.append(entry)
            answer = EmulatorResponse(json: entry)
        } else {
            guard let place = list.firstIndex(where: { $0.id == call.parameter(1) }) else {
                throw .notFound(details: "Not found in \(part.member)")
            }
            if call.method == "DELETE" {
                list.remove(at: place)
            } else {
                list[place].merge(try RequestBody.object(call.request, part.model))
                answer = EmulatorResponse(json: list[place])
            }
        }
        row.json.set(part.member, .kept(list))
        view.state.customers.put(row)
        return answer
    }
}
