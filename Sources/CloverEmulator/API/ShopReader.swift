import NIOCore

/// Answers one GET request from a view of the shop.
struct ShopReader {
    /// Maximum page size for cash events; a larger limit is refused (live sandbox notes).
    private static let mostCashEvents = 500

    let api: ShopAPI
    private(set) var view: ShopView
    let match: RouteTable.Match
    let query: QueryString

    private var key: String { match.route.key }
    private var shop: Shop { view.shop }

    private func parameter(_ place: Int) -> String {
        match.parameters.indices.contains(place) ? match.parameters[place] : ""
    }

    private var tree: ExpandTree { ExpandTree(query.values("expand")) }

    func answer() throws(APIError) -> EmulatorResponse {
        guard ShopView.asksForDeleted(query), match.route.shape != .one else { return try read() }
        var reader = self
        reader.view = view.withDeleted()
        return try reader.read()
    }

    private func read() throws(APIError) -> EmulatorResponse {
        if match.route.shape == .csv {
            return key == "customers.csv"
                ? try csv(view.customers(), PageWriter.customerColumns)
                : try csv(table(.shifts), PageWriter.shiftColumns)
        }
        if let answer = try records() { return answer }
        if let answer = try part() { return answer }
        if let answer = try related() { return answer }
        return EmulatorResponse(json: try object())
    }

    // MARK: Lists and their records

    /// Orders, payments, refunds, customers and tables; nil for other paths.
    private func records() throws(APIError) -> EmulatorResponse? {
        switch key {
        case "orders", "orders/{}": return try made(view.orders(), "Order")
        case "payments", "payments/{}": return try made(view.payments(), "Payment")
        case "refunds", "refunds/{}": return try made(view.refunds(), "Refund")
        case "customers", "customers/{}":
            return try answer(view.customers(), orElse: .notFound(details: "Customer not found"))
        case "items_no_revenue_class": return try list(table(.items))
        default: break
        }
        let words = key.split(separator: "/")
        guard let name = words.first, let table = Table(rawValue: String(name)) else { return nil }
        guard words.count == 1 || words.count == 2 && words[1] == "{}" else { return nil }
        return try answer(table, view.rows(table).list)
    }

    private func table(_ table: Table) -> DocumentSource {
        source(table, view.rows(table).list)
    }

    /// Rows of a table, with the filters common to all its lists and those documented for this one.
    private func source(_ table: Table, _ rows: [TableRow]) -> DocumentSource {
        let extra = match.route.filters.filter { field in !table.fields.contains { $0.name == field.name } }
        return DocumentSource(
            list: rows, kind: .table(table), view: view, fields: table.fields + extra,
            historyRule: table == .authorizations ? .always : .none)
    }

    private func answer(_ table: Table, _ rows: [TableRow]) throws(APIError) -> EmulatorResponse {
        try answer(source(table, rows), orElse: table.notFound)
    }

    /// Lists inside a record, and their records; nil for other paths.
    private func part() throws(APIError) -> EmulatorResponse? {
        let owner = parameter(0)
        switch key {
        case "orders/{}/line_items", "orders/{}/line_items/{}":
            if let number = view.madeOrder(owner) {
                return try made(OrderSource(.lineItem, view: view, order: number), "Line item")
            }
            let lines = DocumentSource(partsOf: try order(owner), "lineItems", .lineItem, view: view)
            return try answer(lines, orElse: .notFound(details: "Line item not found"))
        case "orders/{}/payments":
            try checkOrder(owner)
            return try made(view.payments(ofOrder: owner), "Payment")
        case "orders/{}/discounts":
            if let number = view.madeOrder(owner) {
                return try list(OrderSource(.discount, view: view, order: number))
            }
            return try list(DocumentSource(partsOf: try order(owner), "discounts", .table(.discounts), view: view))
        case "orders/{}/order_fee_line_items", "orders/{}/order_fee_line_items/{}":
            try checkOrder(owner)
            return try answer(.orderFeeLines, view.belonging(.orderFeeLines, to: owner, through: "orderRef"))
        case "employees/{}/orders":
            _ = try view.existing(.employees, owner)
            let known = Set(FilterField.orders.map(\.name))
            let extra = match.route.filters.filter { !known.contains($0.name) }
            return try made(view.orders(ofEmployee: owner, extra: extra), "Order")
        case "employees/{}/payments":
            _ = try view.existing(.employees, owner)
            return try made(view.payments(ofEmployee: owner), "Payment")
        case "employees/{}/cash_events": return try belonging(.cashEvents, to: .employees, through: "employee")
        case "devices/{}/cash_events": return try belonging(.cashEvents, to: .devices, through: "device")
        case "tag_items":
            return try list(DocumentSource(list: pairs(.tags), kind: .table(.orderFees), view: view))
        case "/apps/{}/merchants/{}/metereds/{}", "/apps/{}/merchants/{}/metereds/{}/events/{}":
            try checkApp()
            return try answer(.meteredEvents, events())
        case "/accounts/current/merchants":
            let merchant = TableRow(id: shop.identity.merchantID.description, json: view.merchant(.none))
            return try list(DocumentSource(list: [merchant], kind: .table(.merchantPlans), view: view))
        default: return nil
        }
    }

    /// `{table}/{id}/{relation}` and one record of it; nil for other paths.
    private func related() throws(APIError) -> EmulatorResponse? {
        let words = key.split(separator: "/").map(String.init)
        guard words.count >= 3, words[1] == "{}", let table = Table(rawValue: words[0]) else { return nil }
        let owner = try view.existing(table, parameter(0))
        guard let related = view.related(table, owner.id, words[2]) else { return nil }
        let source = source(related.table, related.list)
        return words.count == 3 ? try list(source) : try one(source, orElse: related.table.notFound)
    }

    private func belonging(_ table: Table, to owners: Table, through member: String) throws(APIError)
        -> EmulatorResponse
    {
        let owner = try view.existing(owners, parameter(0))
        return try answer(table, view.belonging(table, to: owner.id, through: member))
    }

    private func order(_ id: String) throws(APIError) -> TableRow {
        guard let order = view.orderDocument(id) else { throw .notFound(details: "Order not found") }
        return order
    }

    private func checkOrder(_ id: String) throws(APIError) {
        guard view.hasOrder(id) else { throw .notFound(details: "Order not found") }
    }

    /// Pairs of an item and an associated record.
    private func pairs(_ association: Association) -> [TableRow] {
        view.rows(.items).ids.flatMap { item in
            view.links(association, of: item).map { other in
                let pair: JSONValue = .object([(association.member, .reference(other)), ("item", .reference(item))])
                return TableRow(id: "\(item) \(other)", json: pair)
            }
        }
    }

    /// The events of a metered offer; generated events belong to every offer.
    private func events() -> [TableRow] {
        view.rows(.meteredEvents).list.compactMap { row in
            var row = row
            if let own = row.json[path: "appMetered", "id"]?.text, own != parameter(2) { return nil }
            row.json.set("appMetered", .reference(parameter(2)))
            return row
        }
    }

    private func checkApp() throws(APIError) {
        guard parameter(0) == shop.identity.appID.description else { throw .notFound(details: "App not found") }
    }

    // MARK: Objects

    private func object() throws(APIError) -> JSONValue {
        switch key {
        case "", "/merchants/current": return view.merchant(tree)
        case "address": return shop.catalogue.address
        case "properties": return view.properties
        case "gateway": return view.gateway
        case "default_service_charge": return view.defaultServiceCharge
        case "ecomm_payment_configs":
            return ["enabled": true, "merchantRef": .reference(shop.identity.merchantID)]
        case "employees/current":
            let owner = view.rows(.employees).list.last { $0.json["isOwner"]?.boolean == true }
            guard let owner else { throw Table.employees.notFound }
            return view.shown(owner, .table(.employees), tree)
        case "payments/{}/status":
            guard let payment = view.paymentJSON(parameter(0)) else { throw .notFound(details: "Payment not found") }
            var json: JSONValue = ["id": .string(parameter(0)), "result": payment["result"] ?? "SUCCESS"]
            for name in tree.names {
                if let value = view.paymentMember(name, of: parameter(0)) { json.set(name, value) }
            }
            return json
        case "voided_line_items/totals":
            let source = table(.voidedLines)
            return view.voidedTotals(
                try api.selector.select(try ListQuery(query), from: source).map { source.list[$0] })
        case "sync/{}":
            return ["table": .string(parameter(0)), "modifiedTime": .integer(view.state.time)]
        case "/accounts/current": return view.account
        case "/accounts/current/business-topology":
            return [
                "account": .reference(view.account.id ?? ""),
                "merchants": .elements([.reference(shop.identity.merchantID)]),
            ]
        case "/apps/{}/merchants/{}/billing_info":
            try checkApp()
            return [
                "isInTrial": false, "billingStartTime": .integer(shop.catalogue.openedTime), "status": "ACTIVE",
                "daysLapsed": 0,
            ]
        default: throw .unknownPath
        }
    }

    // MARK: Responses

    /// A list of generated records, or one of them.
    private func made<Source: RecordSource>(_ source: Source, _ noun: String) throws(APIError) -> EmulatorResponse {
        try answer(source, orElse: .notFound(details: "\(noun) not found"))
    }

    /// A list or one of its records, as the path asks.
    private func answer<Source: RecordSource>(_ source: Source, orElse error: APIError) throws(APIError)
        -> EmulatorResponse
    {
        match.route.shape == .list ? try list(source) : try one(source, orElse: error)
    }

    private func list<Source: RecordSource>(_ source: Source) throws(APIError) -> EmulatorResponse {
        let list = try self.query(for: key)
        let selection = try api.selector.select(list, from: source, sortingBy: match.route.sorts)
        let rows = api.rows(of: list, total: selection.count)
        let page = PageWriter.page(source, selection, list, rows: rows, href: href)
        let names = source.fields.map(\.name).joined(separator: ", ")
        return EmulatorResponse(body: ByteBuffer(bytes: page), filterFields: names.isEmpty ? nil : names)
    }

    private func query(for key: String) throws(APIError) -> ListQuery {
        let most = api.quirks.largestLimit
        guard key.hasSuffix("cash_events") else { return try ListQuery(query, most: most) }
        _ = try ListQuery(query, most: Self.mostCashEvents, isStrict: true)
        return try ListQuery(query, most: min(most, Self.mostCashEvents))
    }

    private var href: String {
        var parameters = match.parameters.makeIterator()
        let path = key.split(separator: "/").map { $0 == "{}" ? parameters.next() ?? "" : String($0) }
        let merchant = key.hasPrefix("/") ? "" : "merchants/\(shop.identity.merchantID)/"
        return "http://api.clover.com/v3/\(merchant)\(path.joined(separator: "/"))"
    }
    private func one<Source: RecordSource>(_ source: Source, orElse error: APIError) throws(APIError)
        -> EmulatorResponse
    {
        guard let json = source.ready(match.parameters.last ?? "", tree) else { throw error }
        return EmulatorResponse(json: json)
    }

    /// The whole list, filtered and sorted; one page of it when the request has a limit.
    private func csv<Source: RecordSource>(
        _ source: Source, _ columns: [(title: String, path: String)]
    ) throws(APIError) -> EmulatorResponse {
        let list = try ListQuery(query)
        let selection = try api.selector.select(list, from: source, sortingBy: match.route.sorts).dropFirst(list.offset)
        let page = query.values("limit").isEmpty ? selection : selection.prefix(list.limit)
        return EmulatorResponse(
            contentType: "text/csv", body: ByteBuffer(string: PageWriter.table(source, page, columns)),
            filterFields: source.fields.map(\.name).joined(separator: ", "))
    }

    // MARK: Drift

    /// The id of a row to delete: one that earlier pages have shown, or any row when this is the first page.
    func victim(_ drift: Drift) throws(APIError) -> String? {
        switch key {
        case "orders": try victim(drift, view.orders())
        case "customers": try victim(drift, view.customers())
        default: try victim(drift, table(.items))
        }
    }

    private func victim<Source: RecordSource>(_ drift: Drift, _ source: Source) throws(APIError) -> String? {
        let list = try query(for: key)
        let selection = try api.selector.select(list, from: source, sortingBy: match.route.sorts)
        let bound = list.offset > 0 ? min(list.offset, selection.count) : selection.count
        guard bound > 1 else { return nil }
        return selection.dropFirst(drift.place(below: bound)).first.flatMap { source.id(at: $0) }
    }
}
