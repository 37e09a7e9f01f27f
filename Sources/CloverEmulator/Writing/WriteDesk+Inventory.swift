/// Writes to the inventory that are more than one record of a table.
extension WriteDesk {
    private static let mostGroupsToSort = 200
    private static let mostCategoriesToSort = 1000

    /// Nil for other calls.
    mutating func inventoryAnswer(_ call: WriteCall) throws(APIError) -> Answer? {
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
        case "POST modifier_groups/{}/modifiers":
            let group = try view.existing(.modifierGroups, call.parameter(0))
            return try create(.modifiers, call, owner: ("modifierGroup", .reference(group.id)))
        case "POST modifier_groups/{}/modifiers/{}", "DELETE modifier_groups/{}/modifiers/{}":
            return try change(.modifiers, call.parameter(1), call, owner: ("modifierGroup", call.parameter(0)))
        case "POST attributes/{}/options":
            let attribute = try view.existing(.attributes, call.parameter(0))
            return try create(.options, call, owner: ("attribute", .reference(attribute.id)))
        case "POST attributes/{}/options/{}", "DELETE attributes/{}/options/{}":
            return try change(.options, call.parameter(1), call, owner: ("attribute", call.parameter(0)))
        case "POST item_stocks/{}", "PUT item_stocks/{}": return try stock(call)
        case "DELETE item_stocks/{}":
            let item = try view.existing(.items, call.parameter(0))
            let row = TableRow(id: item.id, json: .object([("item", .reference(item.id))]))
            change(.itemStocks) { $0.put(row) }
            return Self.nothing
        default: return nil
        }
    }

    /// All or nothing.
    private mutating func deleteMany(_ table: Table, _ ids: [String]) throws(APIError) -> Answer {
        for id in ids { _ = try view.existing(table, id) }
        for id in ids { delete(table, id) }
        return Self.nothing
    }

    private mutating func bulkItems(_ call: WriteCall) throws(APIError) -> Answer {
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
        return Answer(status: 200, json: .array(rows.map { view.shown($0, .table(.items), call.tree) }))
    }

    /// Pairs of an item and what it belongs to; `delete=true` takes them apart.
    private mutating func associate(_ association: Association, _ call: WriteCall) throws(APIError) -> Answer {
        let pairs = try RequestBody.list(call.request, "elements")
        for pair in pairs {
            guard let item = pair[path: "item", "id"]?.text, view.row(.items, item) != nil else {
                throw .badRequest("Invalid reference in field: item")
            }
            guard let other = pair[path: association.member, "id"]?.text, view.row(association.table, other) != nil
            else { throw .badRequest("Invalid reference in field: \(association.member)") }
            var links = view.links(association, of: item).filter { $0 != other }
            if !call.isRemoving { links.append(other) }
            setLinks(association, of: item, links)
            guard var row = view.row(.items, item) else { continue }
            row.json.set("modifiedTime", .integer(now))
            let changed = row
            change(.items) { $0.put(changed) }
        }
        if call.isRemoving { return Self.nothing }
        return Answer(status: 200, json: .kept(pairs))
    }

    /// New places of many records at once.
    private mutating func sort(_ table: Table, _ call: WriteCall, most: Int, _ name: String) throws(APIError) -> Answer
    {
        let list = try RequestBody.list(call.request, name, "elements")
        guard list.count <= most else { throw .badRequest("At most \(most) elements") }
        for value in list {
            guard let id = value.id, let order = value["sortOrder"]?.integer else {
                throw .badRequest("Expected id and sortOrder")
            }
            let row = try view.existing(table, id)
            _ = try update(table, row, .object([("sortOrder", .integer(order))]))
        }
        return Self.nothing
    }

    /// Replaces the modifiers of a group and their order.
    private mutating func layOut(_ call: WriteCall) throws(APIError) -> Answer {
        let group = try view.existing(.modifierGroups, call.parameter(0))
        let ids = try RequestBody.list(call.request, "ids").compactMap { $0.id ?? $0.text }
        for id in ids { _ = try view.existing(.modifiers, id) }
        for old in view.belonging(.modifiers, to: group.id, through: "modifierGroup") where !ids.contains(old.id) {
            delete(.modifiers, old.id)
        }
        for id in ids {
            guard var row = view.row(.modifiers, id) else { continue }
            row.json.set("modifierGroup", .reference(group.id))
            let moved = row
            change(.modifiers) { $0.put(moved) }
        }
        change(.modifiers) { $0.reorder(ids) }
        listModifiers(of: group.id)
        return Answer(status: 200, json: .reference(group.id))
    }

    /// The quantity is the whole stock, not a change of it (live sandbox notes).
    private mutating func stock(_ call: WriteCall) throws(APIError) -> Answer {
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
            json: .object([
                ("item", .reference(item.id)), ("stockCount", .integer(Int(quantity.rounded(.down)))),
                ("quantity", .number("\(quantity)")), ("modifiedTime", .integer(now)),
            ]))
        change(.itemStocks) { $0.put(row) }
        return Answer(status: 200, json: row.json)
    }
}
