/// Answers GET requests under `/v3/merchants/{mId}` from the shop. It knows nothing of HTTP connections, limits or
/// faults.
package struct ShopAPI: Sendable {
    /// Collections this shop truthfully has nothing in.
    private static let emptyCollections: Set<String> = [
        "credits", "credit_refunds", "authorizations", "item_groups", "attributes", "options", "order_fees",
        "voided_line_items", "cash_events",
    ]

    /// What comes after the merchant in a path, and `merchant` for the merchant itself.
    package static let families = Set(Table.allCases.map(\.rawValue)).union(emptyCollections).union([
        "merchant", "orders", "payments", "refunds", "customers", "address", "properties", "item_stocks",
    ])

    package let shop: Shop
    private let selector: Selector
    private let memory = PageMemory()

    package init(shop: Shop) {
        self.shop = shop
        selector = Selector(now: shop.settings.now, cache: SelectionCache())
    }

    /// - Parameters:
    ///   - path: path segments after `/v3/merchants`, percent-decoded; the first is the merchant.
    ///   - query: the request's query.
    package func answer(path: [String], query: QueryString) throws(APIError) -> Answer {
        guard let merchant = path.first else { throw .unknownPath }
        guard merchant == shop.identity.merchantID.description else { throw .unauthorized }
        let rest = Array(path.dropFirst())
        switch rest.count {
        case 0: return try merchantAnswer(query)
        case 1: return try collection(rest[0], query)
        case 2: return try record(rest[0], id: rest[1], query)
        case 3: return try part(of: rest[0], id: rest[1], named: rest[2], query)
        case 4 where rest[0] == "orders" && rest[2] == "line_items":
            return try one(
                LineSource(shop: shop, order: try orderNumber(rest[1])), id: rest[3], notFound: "Line item not found",
                query)
        default: throw .unknownPath
        }
    }

    // MARK: Lists

    private func collection(_ name: String, _ query: QueryString) throws(APIError) -> Answer {
        switch name {
        case "orders": return try list(OrderSource(shop: shop), name, query)
        case "payments": return try list(PaymentSource(shop: shop), name, query)
        case "refunds": return try list(RefundSource(shop: shop), name, query)
        case "customers": return try list(CustomerSource(shop: shop), name, query)
        case "address": return Answer(status: 200, json: shop.catalogue.address)
        case "properties": return Answer(status: 200, json: shop.catalogue.properties)
        case "item_stocks":
            let stocks = (0..<shop.catalogue.count(.items)).map { place in
                TableRow(id: shop.ids.identifier(.item, place).description, json: shop.catalogue.itemStock(place))
            }
            return try list(RowSource(rows: stocks), name, query)
        default:
            if let table = Table(rawValue: name) { return try list(TableSource(shop: shop, table: table), name, query) }
            guard Self.emptyCollections.contains(name) else { throw .unknownPath }
            return try list(RowSource(rows: []), name, query)
        }
    }

    private func part(
        of name: String, id: String, named part: String, _ query: QueryString
    ) throws(APIError) -> Answer {
        let path = "\(name)/\(id)/\(part)"
        switch (name, part) {
        case ("orders", "line_items"):
            return try list(LineSource(shop: shop, order: try orderNumber(id)), path, query)
        case ("orders", "payments"):
            return try list(PaymentSource(shop: shop, order: try orderNumber(id)), path, query)
        case ("orders", "discounts"):
            return try list(DiscountSource(shop: shop, order: try orderNumber(id)), path, query)
        case ("employees", "orders"):
            let numbers = shop.records.orders(ofEmployee: try place(.employees, id))
            return try list(OrderSource(shop: shop, numbers: numbers), path, query)
        case ("employees", "payments"):
            let entries = shop.records.payments(ofEmployee: try place(.employees, id))
            return try list(PaymentSource(shop: shop, entries: entries), path, query)
        default:
            guard let table = Table(rawValue: name) else { throw .unknownPath }
            let served: Set<String> = ["items", "categories", "tags", "modifiers"]
            guard served.contains(part), let related = shop.catalogue.related(table, try place(table, id), part) else {
                throw .unknownPath
            }
            return try list(TableSource(shop: shop, table: related.table, places: related.places), path, query)
        }
    }

    private func list<Source: RecordSource>(
        _ source: Source, _ path: String, _ query: QueryString
    ) throws(APIError) -> Answer {
        let list = try ListQuery(query)
        let selection = try selector.select(list, from: source)
        let href = "http://api.clover.com/v3/merchants/\(shop.identity.merchantID)/\(path)"
        let body = memory.render { PageWriter.page(source, selection, list, href: href, to: &$0) }
        let names = source.fields.map(\.name).joined(separator: ", ")
        return Answer(status: 200, body: body, filterFields: names.isEmpty ? nil : names)
    }

    // MARK: Single records

    private func record(_ name: String, id: String, _ query: QueryString) throws(APIError) -> Answer {
        switch name {
        case "orders": return try one(OrderSource(shop: shop), id: id, notFound: "Order not found", query)
        case "payments": return try one(PaymentSource(shop: shop), id: id, notFound: "Payment not found", query)
        case "refunds": return try one(RefundSource(shop: shop), id: id, notFound: "Refund not found", query)
        case "customers": return try one(CustomerSource(shop: shop), id: id, notFound: "Customer not found", query)
        case "item_stocks": return Answer(status: 200, json: shop.catalogue.itemStock(try place(.items, id)))
        default:
            guard let table = Table(rawValue: name) else { throw .unknownPath }
            return try one(TableSource(shop: shop, table: table), id: id, notFound: table.notFoundDetails, query)
        }
    }

    private func one<Source: RecordSource>(
        _ source: Source, id: String, notFound details: String?, _ query: QueryString
    ) throws(APIError) -> Answer {
        guard let position = source.position(ofID: id) else {
            if let details { throw .notFound(details: details) }
            throw .invalidID
        }
        var scratch = source.makeScratch(expanding: Self.expansion(query))
        source.load(position, into: &scratch)
        var writer = JSONWriter(capacity: 8192)
        source.write(&scratch, to: &writer)
        return Answer(status: 200, body: writer.buffer())
    }

    private func merchantAnswer(_ query: QueryString) throws(APIError) -> Answer {
        var json = shop.catalogue.merchant
        let tree = Self.expansion(query)
        for name in tree.names {
            let inner = tree.inside(name)
            switch name {
            case "address": json.set(name, shop.catalogue.address)
            case "properties": json.set(name, shop.catalogue.properties)
            case "owner": json.set(name, shop.catalogue.expanded(.employees, 0, inner))
            case "employees", "items", "tags", "tenders":
                guard let table = Table(rawValue: name) else { continue }
                json.set(name, .ready(PageWriter.nested(TableSource(shop: shop, table: table), expanding: inner)))
            case "modifierGroups":
                let source = TableSource(shop: shop, table: .modifierGroups)
                json.set(name, .ready(PageWriter.nested(source, expanding: inner)))
            case "tipSuggestions", "openingHours":
                let source = TableSource(shop: shop, table: name == "openingHours" ? .openingHours : .tipSuggestions)
                json.set(name, .ready(PageWriter.nested(source, expanding: inner)))
            case "orders": json.set(name, .ready(PageWriter.nested(OrderSource(shop: shop), expanding: inner)))
            case "payments": json.set(name, .ready(PageWriter.nested(PaymentSource(shop: shop), expanding: inner)))
            default: continue
            }
        }
        return Answer(status: 200, json: json)
    }

    private static func expansion(_ query: QueryString) -> ExpandTree {
        var tree = ExpandTree()
        for text in query.values("expand") { tree.add(text) }
        return tree
    }

    private func orderNumber(_ id: String) throws(APIError) -> Int {
        guard let number = shop.ids.place(of: id, kind: .order), number < shop.orders.count else {
            throw .notFound(details: "Order not found")
        }
        return number
    }

    private func place(_ table: Table, _ id: String) throws(APIError) -> Int {
        if let place = shop.catalogue.place(table, id: id) { return place }
        if let details = table.notFoundDetails { throw .notFound(details: details) }
        throw .invalidID
    }
}
