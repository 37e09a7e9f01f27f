/// Filter and sort values of records stored as JSON.
extension ShopView {
    /// The value of a filter field, by its name.
    func value(of name: String, in row: TableRow, _ kind: DocumentKind) -> FieldValue {
        let json = row.json
        switch kind {
        case .table(.items): if let value = itemValue(name, row) { return value }
        case .table(.modifierGroups): if let value = groupValue(name, row) { return value }
        case .table(.taxRates) where name == "items.id", .table(.options) where name == "item.id":
            guard case .table(let table) = kind else { break }
            return .many(related(table, row.id, "items")?.list.map { .text($0.id) } ?? [])
        case .table(.tipSuggestions) where name == "enabled":
            return json["isEnabled"]?.fieldValue ?? .absent
        case .table(.shifts): if let value = shiftValue(name, json) { return value }
        case .table(.credits) where name == "cardType", .payment where name == "cardType":
            return json[path: "cardTransaction", "cardType"]?.fieldValue ?? row.fields[name] ?? .absent
        case .payment where name == "voided": return .boolean(json["result"]?.text == "VOIDED")
        case .payment where name == "externalReferenceId":
            return json[name]?.fieldValue ?? order(of: json)?[name]?.fieldValue ?? .absent
        case .payment where name == "order.modifiedTime":
            return order(of: json)?["modifiedTime"]?.fieldValue ?? .absent
        case .order: if let value = orderValue(name, json) { return value }
        case .customer: if let value = customerValue(name, json) { return value }
        default: break
        }
        if let value = at(name.split(separator: "."), in: json, kind) { return value }
        return row.fields[name] ?? .absent
    }

    private func order(of payment: JSONValue) -> JSONValue? {
        payment["order"]?.id.flatMap { orderJSON($0) }
    }

    /// The value at a path; references along the path are followed.
    private func at(_ path: [Substring], in json: JSONValue, _ kind: DocumentKind) -> FieldValue? {
        guard let first = path.first, let value = json[String(first)] else { return nil }
        let rest = Array(path.dropFirst())
        if rest.isEmpty { return value.list.map { .many($0.map(\.fieldValue)) } ?? value.fieldValue }
        if let list = value.list { return .many(list.compactMap { at(rest, in: $0, kind) }) }
        if let direct = at(rest, in: value, kind) { return direct }
        guard case .table(let table)? = kind.referenced(String(first)), let id = value.id, let other = row(table, id)
        else { return nil }
        return at(rest, in: other.json, .table(table))
    }

    private func itemValue(_ name: String, _ row: TableRow) -> FieldValue? {
        func ids(_ association: Association) -> FieldValue {
            .many(links(association, of: row.id).map { .text($0) })
        }
        switch name {
        case "item.id": return .text(row.id)
        case "itemCode": return row.json["code"]?.fieldValue ?? .absent
        case "categoryId": return ids(.categories)
        case "tags.id": return ids(.tags)
        case "modifierGroup.id": return ids(.modifierGroups)
        case "option.id": return ids(.options)
        case "tags.name":
            return .many(links(.tags, of: row.id).compactMap { self.row(.tags, $0)?.json["name"]?.fieldValue })
        case "itemStock.quantity": return self.row(.itemStocks, row.id)?.json["quantity"]?.fieldValue ?? .absent
        case "lowStock":
            guard let quantity = self.row(.itemStocks, row.id)?.json["quantity"]?.integer else { return .absent }
            return .boolean(quantity < 15)
        case "itemGroup.id":
            let groups = rows(.itemGroups).ids.filter { group in
                related(.itemGroups, group, "items")?.list.contains { $0.id == row.id } ?? false
            }
            return .many(groups.map { .text($0) })
        default: return nil
        }
    }

    private func groupValue(_ name: String, _ row: TableRow) -> FieldValue? {
        let items = { related(.modifierGroups, row.id, "items")?.list ?? [] }
        switch name {
        case "item.id": return .many(items().map { .text($0.id) })
        case "category.id": return .many(items().flatMap { links(.categories, of: $0.id) }.map { .text($0) })
        case "negativeSortOrder": return (row.json["sortOrder"]?.integer).map { .integer(-$0) } ?? .absent
        default: return nil
        }
    }

    /// The filter names of shifts are spelled differently from their members (documentation of the endpoint).
    private static let shiftMembers = [
        "in_time": ["inTime"], "out_time": ["outTime"], "override_in_time": ["overrideInTime"],
        "in_and_override_time": ["overrideInTime", "inTime"], "server_banking": ["serverBanking"],
        "out_and_override_time": ["overrideOutTime", "outTime"],
    ]

    private func shiftValue(_ name: String, _ json: JSONValue) -> FieldValue? {
        if name == "has_in_time" { return .boolean(json["inTime"] != nil) }
        guard let members = Self.shiftMembers[name] else { return nil }
        return members.lazy.compactMap { json[$0]?.fieldValue }.first ?? .absent
    }

    private func orderValue(_ name: String, _ json: JSONValue) -> FieldValue? {
        switch name {
        case "touched": return .boolean(!(json["lineItems"]?.elements ?? []).isEmpty)
        case "deletedTime": return json["deletedTimestamp"]?.fieldValue ?? .absent
        case "customer.id": return .many((json["customers"]?.elements ?? []).compactMap { $0["id"]?.fieldValue })
        case "orderType": return json[path: "orderType", "id"]?.fieldValue ?? .absent
        case "cardTransaction.last4":
            let payments = json["payments"]?.elements.compactMap(\.id) ?? []
            return .many(
                payments.compactMap { paymentJSON($0)?[path: "cardTransaction", "last4"]?.fieldValue })
        default: return nil
        }
    }

    private func customerValue(_ name: String, _ json: JSONValue) -> FieldValue? {
        switch name {
        case "emailAddress":
            return .many((json["emailAddresses"]?.elements ?? []).compactMap { $0["emailAddress"]?.fieldValue })
        case "phoneNumber":
            return .many((json["phoneNumbers"]?.elements ?? []).compactMap { $0["phoneNumber"]?.fieldValue })
        case "fullName":
            return .text([json["firstName"]?.text, json["lastName"]?.text].compactMap(\.self).joined(separator: " "))
        default: return nil
        }
    }
}

/// Records that were deleted before the first write. Lists omit them, except for requests that filter by deletion: no
/// source says what the service does then, and without such a record the filters would have no visible effect.
extension ShopView {
    /// The filters that include deleted records.
    private static let names: Set<String> = ["deletedTime", "deleted_time", "deleted"]

    /// Whether a request asks for deleted records.
    static func asksForDeleted(_ query: QueryString) -> Bool {
        query.values("filter").contains { FilterExpression($0).map { names.contains($0.field) } ?? false }
    }

    /// A view with the deleted records in their lists.
    func withDeleted() -> ShopView {
        var view = self
        for table in DeletedRecords.tables {
            var list = rows(table).list
            guard let last = list.last else { continue }
            list.append(DeletedRecords.record(like: last, of: table, in: shop))
            view.state.tables[table] = Rows(list)
        }
        // Recent enough for the 90-day rule.
        if shop.orders.count > DeletedRecords.age,
            let order = orderDocument(shop.ids.identifier(.order, shop.orders.count - DeletedRecords.age).description)
        {
            view.state.orders = state.orders.showing(DeletedRecords.order(like: order, in: shop))
        }
        if let customer = customerDocument(shop.ids.identifier(.customer, 0).description) {
            view.state.customers = state.customers.showing(DeletedRecords.customer(like: customer, in: shop))
        }
        return view
    }
}

/// One deleted record of each kind that can be filtered by deletion, modelled on an existing record.
enum DeletedRecords {
    /// The tables with a deleted record.
    static let tables: [Table] = [
        .items, .categories, .tags, .tenders, .employees, .roles, .devices, .orderTypes, .itemGroups, .attributes,
        .options, .shifts, .orderFees, .authorizations, .credits,
    ]
    /// Number of orders that are newer than the deleted one.
    static let age = 20

    /// The members that mark a record as deleted; other tables do not show it.
    private static func members(_ table: Table, time: Int) -> [(String, JSONValue)] {
        switch table {
        case .items: [("deleted", .boolean(true)), ("deletedTime", .integer(time))]
        case .categories: [("deleted", .boolean(true))]
        case .employees: [("deletedTime", .integer(time))]
        case .orderTypes: [("isDeleted", .boolean(true))]
        default: []
        }
    }

    static func record(like row: TableRow, of table: Table, in shop: Shop) -> TableRow {
        let time = time(in: shop)
        var copy = copy(of: row, tables.firstIndex(of: table) ?? 0, in: shop)
        for (name, value) in members(table, time: time) { copy.json.set(name, value) }
        copy.fields["id"] = .text(copy.id)
        copy.fields["deletedTime"] = .integer(time)
        copy.fields["deleted_time"] = .integer(time)
        copy.fields["deleted"] = .boolean(true)
        return copy
    }

    static func order(like row: TableRow, in shop: Shop) -> TableRow {
        var copy = copy(of: row, tables.count, path: "orders", in: shop)
        copy.json.set("deletedTimestamp", .integer(time(in: shop)))
        return copy
    }

    static func customer(like row: TableRow, in shop: Shop) -> TableRow {
        var copy = copy(of: row, tables.count + 1, path: "customers", in: shop)
        copy.fields["deletedTime"] = .integer(time(in: shop))
        return copy
    }

    /// - Parameter path: the record's path, for its `href`; nil if it has none.
    private static func copy(of row: TableRow, _ place: Int, path: String? = nil, in shop: Shop) -> TableRow {
        let id = shop.ids.identifier(.deleted, place).description
        var copy = TableRow(id: id, json: row.json, fields: row.fields)
        copy.json.set("id", .string(id))
        if let path { copy.json.set("href", .string(shop.catalogue.webAddress("\(path)/\(id)"))) }
        return copy
    }

    /// An hour before the end of the shop's history.
    private static func time(in shop: Shop) -> Int {
        shop.settings.now - 3_600_000
    }
}
