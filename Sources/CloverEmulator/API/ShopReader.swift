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
        if match.route.shape == .csv { return try csv() }
        if let answer = try records() { return answer }
        if let answer = try part() { return answer }
        return try object()
    }

    // MARK: Lists and their records

    /// Orders, payments, refunds, customers and tables; nil for other paths.
    private func records() throws(APIError) -> EmulatorResponse? {
        switch key {
        case "orders": return try madeList(view.orders())
        case "orders/{}": return try madeOne(view.orders(), orElse: .notFound(details: "Order not found"))
        case "payments": return try madeList(view.payments())
        case "payments/{}": return try madeOne(view.payments(), orElse: .notFound(details: "Payment not found"))
        case "refunds": return try madeList(view.refunds())
        case "refunds/{}": return try madeOne(view.refunds(), orElse: .notFound(details: "Refund not found"))
        case "customers": return try list(view.customers())
        case "customers/{}": return try one(view.customers(), orElse: .notFound(details: "Customer not found"))
        case "items_no_revenue_class": return try list(table(.items))
        case "/apps": return try list(table(.apps))
        case "/merchant_plans": return try list(table(.merchantPlans))
        case "/resellers": return try list(table(.resellers))
        default: break
        }
        let words = key.split(separator: "/")
        guard let name = words.first, let table = Table(rawValue: String(name)) else { return nil }
        if words.count == 1 { return try list(self.table(table)) }
        if words.count == 2, words[1] == "{}" {
            return try one(DocumentSource(table, view: view), orElse: table.notFound)
        }
        return nil
    }

    private func table(_ table: Table) -> DocumentSource {
        source(table, view.rows(table).list)
    }

    /// Rows of a table, with the filters common to all its lists and those documented for this one.
    private func source(_ table: Table, _ rows: [TableRow]) -> DocumentSource {
        var fields = table.fields
        for field in match.route.filters where !fields.contains(where: { $0.name == field.name }) {
            fields.append(field)
        }
        return DocumentSource(
            rows, .table(table), view: view, fields: fields, historyRule: table == .authorizations ? .always : .none)
    }

    /// Lists inside a record, and their records; nil for other paths.
    private func part() throws(APIError) -> EmulatorResponse? {
        let owner = parameter(0)
        switch key {
        case "orders/{}/line_items": return try lines(of: owner, one: nil)
        case "orders/{}/line_items/{}": return try lines(of: owner, one: parameter(1))
        case "orders/{}/payments":
            guard view.hasOrder(owner) else { throw .notFound(details: "Order not found") }
            return try madeList(view.payments(ofOrder: owner))
        case "orders/{}/discounts": return try discounts(of: owner)
        case "orders/{}/order_fee_line_items", "orders/{}/order_fee_line_items/{}":
            guard view.hasOrder(owner) else { throw .notFound(details: "Order not found") }
            let lines = source(.orderFeeLines, view.belonging(.orderFeeLines, to: owner, through: "orderRef"))
            return match.route.shape == .list ? try list(lines) : try one(lines, orElse: Table.orderFeeLines.notFound)
        case "employees/{}/orders":
            _ = try view.existing(.employees, owner)
            let known = Set(FilterFields.orders.map(\.name))
            let extra = match.route.filters.filter { !known.contains($0.name) }
            return try madeList(view.orders(ofEmployee: owner, extra: extra))
        case "employees/{}/payments":
            _ = try view.existing(.employees, owner)
            return try madeList(view.payments(ofEmployee: owner))
        case "employees/{}/cash_events": return try belonging(.cashEvents, to: .employees, through: "employee")
        case "devices/{}/cash_events": return try belonging(.cashEvents, to: .devices, through: "device")
        case "employees/{}/shifts", "employees/{}/shifts/{}":
            return try belonging(.shifts, to: .employees, through: "employee")
        case "tag_items": return try list(DocumentSource(pairs(.tags), .table(.orderFees), view: view))
        case "/apps/{}/merchants/{}/metereds/{}", "/apps/{}/merchants/{}/metereds/{}/events/{}":
            try checkApp()
            let events = source(.meteredEvents, events())
            return match.route.shape == .list ? try list(events) : try one(events, orElse: Table.meteredEvents.notFound)
        case "/accounts/current/merchants":
            let merchant = TableRow(
                id: shop.identity.merchantID.description, json: view.merchant(.none))
            return try list(DocumentSource([merchant], .table(.merchantPlans), view: view))
        default: return try related()
        }
    }

    /// `{table}/{id}/{relation}` and one record of it.
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
        let source = source(table, view.belonging(table, to: owner.id, through: member))
        return match.route.shape == .list ? try list(source) : try one(source, orElse: table.notFound)
    }

    private func lines(of id: String, one line: String?) throws(APIError) -> EmulatorResponse {
        let missing = APIError.notFound(details: "Line item not found")
        if let number = view.madeOrder(id) {
            let source = LineSource(view: view, order: number)
            return line == nil ? try madeList(source) : try madeOne(source, orElse: missing)
        }
        guard let order = view.orderDocument(id) else { throw .notFound(details: "Order not found") }
        let rows = (order.json["lineItems"]?.elements ?? []).map { TableRow(id: $0.id ?? "", json: $0) }
        let source = DocumentSource(rows, .lineItem, view: view)
        return line == nil ? try list(source) : try one(source, orElse: missing)
    }

    private func discounts(of id: String) throws(APIError) -> EmulatorResponse {
        if let number = view.madeOrder(id) { return try list(DiscountSource(view: view, order: number)) }
        guard let order = view.orderDocument(id) else { throw .notFound(details: "Order not found") }
        let rows = (order.json["discounts"]?.elements ?? []).map { TableRow(id: $0.id ?? "", json: $0) }
        return try list(DocumentSource(rows, .table(.discounts), view: view))
    }

    /// Pairs of an item and an associated record.
    private func pairs(_ association: Association) -> [TableRow] {
        view.rows(.items).ids.flatMap { item in
            view.links(association, of: item).map { other in
                TableRow(
                    id: "\(item) \(other)",
                    json: .object([(association.member, .reference(other)), ("item", .reference(item))]))
            }
        }
    }

    /// The events of a metered offer; generated events belong to every offer.
    private func events() -> [TableRow] {
        view.rows(.meteredEvents).list.compactMap { row in
            let metered: JSONValue = .reference(parameter(2))
            var row = row
            if let own = row.json[path: "appMetered", "id"]?.text, own != parameter(2) { return nil }
            row.json.set("appMetered", metered)
            return row
        }
    }

    private func checkApp() throws(APIError) {
        guard parameter(0) == shop.identity.appID.description else { throw .notFound(details: "App not found") }
    }

    // MARK: Objects

    private func object() throws(APIError) -> EmulatorResponse {
        switch key {
        case "", "/merchants/current": return EmulatorResponse(status: 200, json: view.merchant(tree))
        case "address": return EmulatorResponse(status: 200, json: shop.catalogue.address)
        case "properties": return EmulatorResponse(status: 200, json: view.properties)
        case "gateway": return EmulatorResponse(status: 200, json: view.gateway)
        case "default_service_charge": return EmulatorResponse(status: 200, json: view.defaultServiceCharge)
        case "ecomm_payment_configs":
            return EmulatorResponse(
                status: 200,
                json: .object([
                    ("enabled", .boolean(true)), ("merchantRef", .reference(shop.identity.merchantID)),
                ]))
        case "employees/current":
            let owner = view.rows(.employees).list.last { $0.json["isOwner"]?.boolean == true }
            guard let owner else { throw Table.employees.notFound }
            return EmulatorResponse(status: 200, json: view.shown(owner, .table(.employees), tree))
        case "payments/{}/status":
            guard let payment = view.paymentJSON(parameter(0)) else { throw .notFound(details: "Payment not found") }
            var json: JSONValue = .object([
                ("id", .string(parameter(0))), ("result", payment["result"] ?? .string("SUCCESS")),
            ])
            for name in tree.names {
                if let value = view.paymentMember(name, of: parameter(0)) { json.set(name, value) }
            }
            return EmulatorResponse(status: 200, json: json)
        case "voided_line_items/totals":
            let source = source(.voidedLines, view.rows(.voidedLines).list)
            let selection = try api.selector.select(try ListQuery(query), from: source)
            var chosen: [TableRow] = []
            let all = view.rows(.voidedLines).list
            selection.forEach(offset: 0, limit: .max) { chosen.append(all[$0]) }
            return EmulatorResponse(status: 200, json: view.voidedTotals(chosen))
        case "sync/{}":
            return EmulatorResponse(
                status: 200,
                json: .object([("table", .string(parameter(0))), ("modifiedTime", .integer(view.state.time))]))
        case "/accounts/current": return EmulatorResponse(status: 200, json: view.account)
        case "/accounts/current/business-topology":
            return EmulatorResponse(
                status: 200,
                json: .object([
                    ("account", .reference(view.account.id ?? "")),
                    ("merchants", .elements([.reference(shop.identity.merchantID)])),
                ]))
        case "/apps/{}/merchants/{}/billing_info":
            try checkApp()
            return EmulatorResponse(
                status: 200,
                json: .object([
                    ("isInTrial", .boolean(false)), ("billingStartTime", .integer(shop.catalogue.openedTime)),
                    ("status", .string("ACTIVE")), ("daysLapsed", .integer(0)),
                ]))
        default: throw .unknownPath
        }
    }

    // MARK: Responses

    /// A list of generated records. The fast writers handle all but second-level expansions.
    private func madeList<Source: RecordSource>(_ source: Source) throws(APIError) -> EmulatorResponse {
        guard ShopView.isIncomplete(tree) else { return try list(source) }
        return try list(CompletedSource(base: source, view: view))
    }

    private func madeOne<Source: RecordSource>(_ source: Source, orElse error: APIError) throws(APIError)
        -> EmulatorResponse
    {
        guard ShopView.isIncomplete(tree) else { return try one(source, orElse: error) }
        return try one(CompletedSource(base: source, view: view), orElse: error)
    }

    private func list<Source: RecordSource>(_ source: Source) throws(APIError) -> EmulatorResponse {
        let list = try self.query(for: key)
        let selection = try api.selector.select(list, from: source)
        let rows = api.rows(of: list, total: selection.count)
        let body = api.memory.render { PageWriter.page(source, selection, list, rows: rows, href: href, to: &$0) }
        let names = source.fields.map(\.name).joined(separator: ", ")
        return EmulatorResponse(status: 200, body: body, filterFields: names.isEmpty ? nil : names)
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
        if key.hasPrefix("/") { return "http://api.clover.com/v3/\(path.joined(separator: "/"))" }
        return "http://api.clover.com/v3/merchants/\(shop.identity.merchantID)/\(path.joined(separator: "/"))"
    }

    /// The record that the last path parameter names.
    private func one<Source: RecordSource>(_ source: Source, orElse error: APIError) throws(APIError)
        -> EmulatorResponse
    {
        guard let position = source.position(ofID: match.parameters.last ?? "") else { throw error }
        var scratch = source.makeScratch(expanding: tree)
        source.load(position, into: &scratch)
        var writer = JSONWriter(capacity: 8192)
        source.write(&scratch, to: &writer)
        return EmulatorResponse(status: 200, body: writer.buffer())
    }

    private func csv() throws(APIError) -> EmulatorResponse {
        if key == "customers.csv" {
            return try CSVWriter.answer(view.customers(), CSVWriter.customers, query, api.selector)
        }
        return try CSVWriter.answer(table(.shifts), CSVWriter.shifts, query, api.selector)
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
        let selection = try api.selector.select(list, from: source)
        let bound = list.offset > 0 ? min(list.offset, selection.count) : selection.count
        guard bound > 1 else { return nil }
        var id: String?
        selection.forEach(offset: drift.place(below: bound), limit: 1) { id = source.id(at: $0) }
        return id
    }
}
