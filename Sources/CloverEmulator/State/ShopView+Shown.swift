/// Presentation of records stored as JSON.
extension ShopView {
    /// A record with its expansions. Unknown names are silently ignored (live sandbox notes).
    func shown(_ row: TableRow, _ kind: DocumentKind, _ tree: ExpandTree) -> JSONValue {
        shown(row.json, id: row.id, kind, tree)
    }

    private func shown(_ json: JSONValue, id: String, _ kind: DocumentKind, _ tree: ExpandTree) -> JSONValue {
        let hidden = kind.hidden
        let tree = kind == .order ? tree.renaming("payment", to: "payments") : tree
        if tree.isEmpty, hidden.isEmpty { return json }
        var result: [(key: String, value: JSONValue)] = []
        var left = Set(tree.names)
        for (name, value) in json.members {
            let isAsked = left.remove(name) != nil
            if isAsked, let made = expansion(name, of: id, json, kind, tree.inside(name)) {
                result.append((name, made))
            } else if isAsked {
                result.append((name, expanded(value, name, kind, tree.inside(name))))
            } else if !hidden.contains(name) {
                result.append((name, value))
            }
        }
        for name in tree.names where left.contains(name) {
            if let made = expansion(name, of: id, json, kind, tree.inside(name)) { result.append((name, made)) }
        }
        return .object(result)
    }

    private func expanded(_ value: JSONValue, _ name: String, _ kind: DocumentKind, _ inner: ExpandTree) -> JSONValue {
        if let list = value.list {
            let entries = list.prefix(NestedCollection.cap)
            if let inside = kind.inside(name) {
                return .elements(entries.map { shown($0, id: $0.id ?? "", inside, inner) })
            }
            guard let other = kind.referenced(name) else { return .elements(Array(entries)) }
            return .elements(entries.map { entry in entry.id.flatMap { record(other, $0, inner) } ?? entry })
        }
        guard let other = kind.referenced(name), let id = value.id else { return value }
        return record(other, id, inner) ?? value
    }

    /// A record of any kind as the service shows it; nil if the id is unknown.
    func record(_ kind: DocumentKind, _ id: String, _ tree: ExpandTree) -> JSONValue? {
        switch kind {
        case .order: orders().ready(id, tree)
        case .payment: payments().ready(id, tree)
        case .customer: customers().ready(id, tree)
        case .lineItem: nil
        case .refund: refunds().ready(id, tree)
        case .table(let table): row(table, id).map { shown($0, kind, tree) }
        }
    }

    /// Expansions that are not stored inside the record.
    private func expansion(
        _ name: String, of id: String, _ json: JSONValue, _ kind: DocumentKind, _ inner: ExpandTree
    ) -> JSONValue? {
        switch (kind, name) {
        case (.order, "credits"): return credits(ofOrder: id, inner)
        case (.customer, "cards") where json["cards"] == nil: return .kept([])
        case (.customer, "orders"): return .ready(PageWriter.nested(orders(ofCustomer: id), expanding: inner))
        case (.table(.employees), "orders"):
            return .ready(PageWriter.nested(orders(ofEmployee: id), expanding: inner))
        case (.table(.employees), "payments"):
            return .ready(PageWriter.nested(payments(ofEmployee: id), expanding: inner))
        case (.table(.items), "itemStock"): return row(.itemStocks, id)?.json
        case (.table(.items), "ageRestricted"):
            var part: JSONValue = ["isAgeRestricted": json["isAgeRestricted"] ?? false]
            if let row = row(.items, id), case .text(let type)? = row.fields["ageRestrictedType"],
                case .integer(let age)? = row.fields["minimumAge"]
            {
                part.append("ageRestrictedType", .string(type))
                part.append("minimumAge", .integer(age))
            }
            return part
        case (.table(.items), "taxRates") where json["taxRates"] != nil: return nil
        case (.table(.orderTypes), "hours"): return rows(.openingHours).list.first?.json
        case (.table(.orderTypes), "attributes"):
            // No source documents their content; this is the minimum.
            return .elements([["name": "channel", "value": json["labelKey"] ?? ""]])
        case (.table(.orderTypes), "categories"):
            let chosen = state.orderTypeCategories[id] ?? rows(.categories).ids
            return .elements(chosen.compactMap { record(.table(.categories), $0, inner) })
        case (.table(.orderFeeLines), "payments"):
            return json[path: "orderRef", "id"]?.text.flatMap { payments(ofFeeLine: id, order: $0) }
        case (.table(.tags), "printers"): return .elements(Array(rows(.printers).list.map(\.json).prefix(1)))
        case (.table(let table), _):
            if let related = related(table, id, name) {
                return .elements(
                    related.list.prefix(NestedCollection.cap).map { shown($0, .table(related.table), inner) })
            }
            guard table == .credits || table == .creditRefunds || table == .authorizations else { return nil }
            return transactionPart(name, of: id, json, table)
        default: return nil
        }
    }

    /// Parts that credits, credit refunds and authorizations share with payments.
    private func transactionPart(_ name: String, of id: String, _ json: JSONValue, _ table: Table) -> JSONValue? {
        let owner =
            table == .credits ? "creditRef" : table == .creditRefunds ? "creditRefundRef" : "authorizationRef"
        if name == "dccInfo", table == .credits {
            return ["dccApplied": false, owner: .reference(id)]
        }
        // An authorization shows the data of its payment.
        if table == .authorizations, let payment = json[path: "payment", "id"]?.text {
            return paymentMember(name, of: payment)
        }
        if name == "order" { return json[path: "orderRef", "id"]?.text.flatMap { record(.order, $0, .none) } }
        let number = (json["createdTime"]?.integer ?? 0) / 1000
        return paymentInformation(name, number: number, owner: (owner, .reference(id)))
    }

    func paymentMember(_ name: String, of id: String) -> JSONValue? {
        guard case .ready(let bytes)? = record(.payment, id, ExpandTree([name])) else { return nil }
        return JSONParser.value(of: bytes)?[name]
    }

    func credits(ofOrder id: String, _ inner: ExpandTree) -> JSONValue? {
        let credits = rows(.credits).list.filter { $0.json[path: "orderRef", "id"]?.text == id }
        return credits.isEmpty ? nil : .elements(credits.map { shown($0, .table(.credits), inner) })
    }

    /// The payments that paid an order fee, each with its share.
    private func payments(ofFeeLine id: String, order: String) -> JSONValue? {
        let paid = payments(ofOrder: order).everything(.none)
        guard !paid.isEmpty else { return nil }
        return .elements(
            paid.map { payment in
                [
                    "lineItemRef": .reference(id), "paymentRef": .reference(payment.id ?? ""),
                    "percentage": .integer(10_000_000 / paid.count), "refunded": false,
                ]
            })
    }

    // MARK: Relations

    /// The related records of another table, as `/{table}/{id}/{name}` lists them; nil if the name is not a relation.
    func related(_ table: Table, _ id: String, _ name: String) -> (table: Table, list: [TableRow])? {
        switch (table, name) {
        case (.items, _):
            guard let association = Association(rawValue: name) else { return nil }
            let chosen = links(association, of: id)
            return (association.table, chosen.compactMap { row(association.table, $0) })
        case (.modifierGroups, "modifiers"):
            return (.modifiers, belonging(.modifiers, to: id, through: "modifierGroup"))
        case (.attributes, "options"): return (.options, belonging(.options, to: id, through: "attribute"))
        case (.itemGroups, "attributes"): return (.attributes, belonging(.attributes, to: id, through: "itemGroup"))
        case (.itemGroups, "items"):
            // A group's items are those with options of its attributes.
            let attributes = Set(belonging(.attributes, to: id, through: "itemGroup").map(\.id))
            let options = rows(.options).list.filter {
                attributes.contains($0.json[path: "attribute", "id"]?.text ?? "")
            }
            let chosen = Set(options.map(\.id))
            return (
                .items,
                rows(.items).list.filter { item in
                    item.json[path: "itemGroup", "id"]?.text == id
                        || links(.options, of: item.id).contains { chosen.contains($0) }
                }
            )
        case (.roles, "employees"):
            return (.employees, rows(.employees).list.filter { $0.fields["role.id"] == .text(id) })
        case (.employees, "roles"):
            guard case .text(let role)? = row(.employees, id)?.fields["role.id"] else { return (.roles, []) }
            return (.roles, row(.roles, role).map { [$0] } ?? [])
        case (.employees, "shifts"): return (.shifts, belonging(.shifts, to: id, through: "employee"))
        case (_, "items"):
            guard let association = Association.allCases.first(where: { $0.table == table }) else { return nil }
            return (.items, rows(.items).list.filter { links(association, of: $0.id).contains(id) })
        default: return nil
        }
    }

    /// The records of a table that refer to another record.
    func belonging(_ table: Table, to id: String, through member: String) -> [TableRow] {
        rows(table).list.filter { $0.json[path: member, "id"]?.text == id }
    }

    private func orders(ofCustomer id: String) -> OverlaySource<OrderSource> {
        let number = shop.ids.place(of: id, kind: .customer).flatMap { $0 < shop.customers.count ? $0 : nil }
        return orders(entries: number.map { shop.records.orders(ofCustomer: $0) } ?? []) { order in
            order.json["customers"]?.elements.contains { $0.id == id } ?? false
        }
    }
}

extension RecordSource {
    /// The record with an id as encoded JSON; nil if the list has none.
    func ready(_ id: String, _ tree: ExpandTree) -> JSONValue? {
        guard let position = position(ofID: id) else { return nil }
        var scratch = makeScratch(expanding: tree)
        load(position, into: &scratch)
        var writer = JSONWriter(capacity: 8192)
        write(&scratch, to: &writer)
        return .ready(writer.bytes())
    }
}

/// Second-level expansions that the fast writers of orders, payments and lines omit: `payments.dccInfo`,
/// `employee.roles`.
extension ShopView {
    /// The members of generated records that have second-level expansions.
    private static let expandable: Set = [
        "payments", "payment", "voids", "refunds", "lineItems", "employee", "orderType", "taxRates",
    ]

    /// Adds the second-level expansions to a record; unknown names are silently ignored.
    func complete(_ record: inout JSONValue, _ tree: ExpandTree) {
        for name in tree.names {
            let inner = tree.inside(name)
            // The documentation spells the inner names of an order's payments `payment.tender`.
            let member = name == "payment" && record[name] == nil ? "payments" : name
            guard !inner.isEmpty, Self.expandable.contains(member), let value = record[member] else { continue }
            if let list = value.list {
                record.set(member, .elements(list.map { completed($0, member, inner, in: record) }))
            } else {
                record.set(member, completed(value, member, inner, in: record))
            }
        }
    }

    private func completed(_ value: JSONValue, _ part: String, _ inner: ExpandTree, in owner: JSONValue) -> JSONValue {
        guard let id = value.id else { return value }
        var value = value
        for name in inner.names {
            if let member = member(name, of: id, part, in: owner) { value.set(name, member) }
        }
        return value
    }

    private func member(_ name: String, of id: String, _ part: String, in owner: JSONValue) -> JSONValue? {
        let tree = ExpandTree([name])
        switch part {
        case "payments", "payment": return paymentMember(name, of: id)
        case "voids": return voidMember(name, of: id, in: owner)
        case "refunds": return OrderSource(.refund, view: self).ready(id, tree)?.parsed?[name]
        case "lineItems":
            guard let order = owner.id, let number = madeOrder(order) else { return nil }
            return OrderSource(.lineItem, view: self, order: number).ready(id, tree)?.parsed?[name]
        case "employee": return record(.table(.employees), id, tree)?[name]
        case "orderType": return record(.table(.orderTypes), id, tree)?[name]
        default: return record(.table(.taxRates), id, tree)?[name]
        }
    }

    /// A failed payment has the data of the successful one after it, but without its results.
    private func voidMember(_ name: String, of id: String, in order: JSONValue) -> JSONValue? {
        guard name != "refunds", name != "lineItemPayments", let number = order.id.flatMap(madeOrder) else {
            return nil
        }
        let succeeded = shop.ids.identifier(.payment, OrderRecord.place(order: number, part: 0)).description
        guard var member = paymentMember(name, of: succeeded) else { return nil }
        if member["paymentRef"] != nil { member.set("paymentRef", .reference(id)) }
        return member
    }
}
