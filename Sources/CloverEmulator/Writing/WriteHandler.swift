import NIOCore

/// Performs one write: changes its own copy of a view; the caller keeps the result if nothing failed.
struct WriteHandler {
    var view: ShopView
    /// The time of the write, in milliseconds since 1970.
    let now: Int

    init(view: ShopView, now: Int) {
        self.view = view
        self.now = now
    }

    /// The shop after the write.
    var finished: ShopState {
        var state = view.state
        state.time = now
        return state
    }

    /// - Throws: the error of a refused request; discard the view then.
    mutating func answer(to request: APIRequest, _ match: RouteTable.Match) throws(APIError) -> EmulatorResponse {
        let call = WriteCall(request: request, match: match)
        if let answer = try orderAnswer(call) { return answer }
        if let answer = try customerAnswer(call) { return answer }
        if let answer = try inventoryAnswer(call) { return answer }
        if let answer = try shopAnswer(call) { return answer }
        if let answer = try tableAnswer(call) { return answer }
        throw .unknownPath
    }

    // MARK: Common parts

    /// A new id.
    mutating func newID() -> String {
        view.state.identifiers += 1
        return view.shop.ids.identifier(.written, view.state.identifiers).description
    }

    /// The response to a call without a result. What the service sends was never recorded.
    static var nothing: EmulatorResponse {
        EmulatorResponse(status: 200, body: ByteBuffer())
    }

    func shown(_ row: TableRow, _ kind: DocumentKind, _ call: WriteCall) -> EmulatorResponse {
        EmulatorResponse(status: 200, json: view.shown(row, kind, call.tree))
    }

    mutating func change(_ table: Table, _ body: (inout Rows) -> Void) {
        var rows = view.rows(table)
        body(&rows)
        view.state.tables[table] = rows
    }

    /// - Throws: 400 that names the member if a reference in a body is invalid.
    func checkReference(_ json: JSONValue, _ member: String, _ table: Table) throws(APIError) {
        guard let value = json[member], !value.isNull else { return }
        guard let id = value.id, view.row(table, id) != nil else {
            throw .badRequest("Invalid reference in field: \(member)")
        }
    }

    /// Sets the members of a body in a record; null removes a member.
    static func merge(_ body: JSONValue, into json: inout JSONValue) {
        for (name, value) in body.members {
            if value.isNull { json.remove(name) } else { json.set(name, value) }
        }
    }
}

/// A write call: operation, parameters and body.
struct WriteCall {
    let request: APIRequest
    let match: RouteTable.Match

    /// Method and path pattern, such as `POST orders/{}/line_items`.
    var name: String { "\(match.route.method) \(match.route.key)" }

    var method: String { match.route.method }

    /// The value of a path parameter.
    func parameter(_ place: Int) -> String {
        match.parameters.indices.contains(place) ? match.parameters[place] : ""
    }

    /// The expansions of the response.
    var tree: ExpandTree { ExpandTree(request.query.values("expand")) }

    /// The comma-separated ids of a query parameter.
    ///
    /// - Throws: 400 if there are none.
    func ids(_ parameter: String) throws(APIError) -> [String] {
        let ids = request.query.values(parameter).flatMap { $0.split(separator: ",").map(String.init) }
        guard !ids.isEmpty else { throw .badRequest("Missing parameter: \(parameter)") }
        return ids
    }

    /// Whether to remove an association.
    var isRemoving: Bool { request.query.values("delete").last?.lowercased() == "true" }
}

/// Generic writes of table records.
extension WriteHandler {
    /// `POST {table}`, `POST|PUT|DELETE {table}/{}`; nil for other calls.
    mutating func tableAnswer(_ call: WriteCall) throws(APIError) -> EmulatorResponse? {
        let words = call.match.route.key.split(separator: "/")
        guard let name = words.first, let table = Table(rawValue: String(name)), words.count <= 2 else { return nil }
        guard words.count == 2 else { return try create(table, call) }
        return try change(table, call.parameter(0), call)
    }

    /// Creates a record from a body. `owner` is a member given by the path.
    mutating func create(
        _ table: Table, _ call: WriteCall, owner: (key: String, value: JSONValue)? = nil
    ) throws(APIError) -> EmulatorResponse {
        guard let rules = TableRules(table) else { throw .unknownPath }
        let body = try RequestBody.object(call.request, rules.model)
        return shown(try insert(table, body, owner: owner), .table(table), call)
    }

    /// `POST` or `PUT` changes a record, `DELETE` removes it. `owner` is the owner given by the path.
    mutating func change(
        _ table: Table, _ id: String, _ call: WriteCall, owner: (key: String, id: String)? = nil
    ) throws(APIError) -> EmulatorResponse {
        let row = try view.existing(table, id)
        if let owner, row.json[path: owner.key, "id"]?.text != owner.id { throw table.notFound }
        if call.method == "DELETE" {
            delete(table, id)
            return Self.nothing
        }
        guard let rules = TableRules(table) else { throw .unknownPath }
        let body = try RequestBody.object(call.request, rules.model)
        // A PUT replaces the record, so it needs the required fields of a new one (live sandbox notes, items).
        if call.method == "PUT" { try require(["name"], in: body) }
        return shown(try update(table, row, body), .table(table), call)
    }

    /// Inserts a new record at the front of its table.
    mutating func insert(
        _ table: Table, _ body: JSONValue, owner: (key: String, value: JSONValue)? = nil, id given: String? = nil
    ) throws(APIError) -> TableRow {
        guard let rules = TableRules(table) else { throw .unknownPath }
        var body = body
        if let owner { body.set(owner.key, owner.value) }
        try require(rules.required, in: body)
        let id = given ?? newID()
        var json: JSONValue = .object([("id", .string(id))])
        if table == .employees {
            json = .object([("href", .string(view.shop.catalogue.webAddress("employees/\(id)")))])
        }
        json.set("id", .string(id))
        for (name, value) in rules.defaults where body[name] == nil { json.append(name, value) }
        if let created = rules.created { json.append(created, .integer(now)) }
        return try put(table, TableRow(id: id, json: json), body, isNew: true)
    }

    mutating func update(_ table: Table, _ row: TableRow, _ body: JSONValue) throws(APIError) -> TableRow {
        guard let rules = TableRules(table) else { throw .unknownPath }
        for name in rules.required where body[name]?.isNull == true { throw .badRequest("Missing field: \(name)") }
        return try put(table, row, body, isNew: false)
    }

    func require(_ names: [String], in body: JSONValue) throws(APIError) {
        for name in names {
            guard let value = body[name], !value.isNull, value.text != "" else {
                throw .badRequest("Missing field: \(name)")
            }
        }
    }

    private mutating func put(
        _ table: Table, _ row: TableRow, _ body: JSONValue, isNew: Bool
    ) throws(APIError) -> TableRow {
        var row = row
        var body = body
        try check(table, body, isNew: isNew)
        try link(table, row.id, &body, isNew: isNew)
        Self.merge(body, into: &row.json)
        complete(table, &row, body, isNew: isNew)
        if let modified = TableRules(table)?.modified { row.json.set(modified, .integer(now)) }
        row.fields["modifiedTime"] = .integer(now)
        row.fields["modifiedtime"] = .integer(now)
        let finished = row
        change(table) { $0.put(finished) }
        refreshPieces(table, finished)
        if table == .modifiers { listModifiers(of: finished.json[path: "modifierGroup", "id"]?.text) }
        return finished
    }

    /// Refuses invalid values.
    private func check(_ table: Table, _ body: JSONValue, isNew: Bool) throws(APIError) {
        for name in ["price", "cost", "rate"] {
            if let number = body[name]?.integer, number < 0 { throw .badRequest("Invalid value for field: \(name)") }
        }
        switch table {
        case .discounts:
            if isNew, body["amount"] == nil, body["percentage"] == nil { throw .badRequest("Missing field: amount") }
            if let amount = body["amount"]?.integer, amount > 0 { throw .badRequest("Invalid value for field: amount") }
        case .shifts, .employeeCards: try checkReference(body, "employee", .employees)
        case .modifiers: try checkReference(body, "modifierGroup", .modifierGroups)
        case .attributes: try checkReference(body, "itemGroup", .itemGroups)
        case .options: try checkReference(body, "attribute", .attributes)
        case .authorizations:
            guard let payment = body["payment"] else { break }
            guard let id = payment.id, view.paymentJSON(id) != nil else {
                throw .badRequest("Invalid reference in field: payment")
            }
        case .printEvents:
            guard let id = body[path: "orderRef", "id"]?.text, view.hasOrder(id) else {
                throw .badRequest("Invalid reference in field: orderRef")
            }
        default: break
        }
    }

    /// Moves the members of an item that are stored elsewhere: its associations and stock.
    private mutating func link(_ table: Table, _ id: String, _ body: inout JSONValue, isNew: Bool) throws(APIError) {
        guard table == .items else { return }
        for association in Association.allCases {
            let value = body[association.rawValue]
            body.remove(association.rawValue)
            guard let list = value?.list else { continue }
            for entry in list {
                guard let other = entry.id, view.row(association.table, other) != nil else {
                    throw .badRequest("Invalid reference in field: \(association.rawValue)")
                }
            }
            setLinks(association, of: id, list.compactMap(\.id))
        }
        if isNew, body["defaultTaxRates"]?.boolean ?? true, view.links(.taxRates, of: id).isEmpty {
            let defaults = view.rows(.taxRates).list.filter { $0.json["isDefault"]?.boolean == true }
            setLinks(.taxRates, of: id, defaults.map(\.id))
        }
        if isNew {
            let stock = TableRow(id: id, json: .object([("item", .reference(id))]))
            change(.itemStocks) { $0.put(stock) }
        }
        body.remove("itemStock")
    }

    /// Sets the associations of an item.
    mutating func setLinks(_ association: Association, of item: String, _ others: [String]) {
        var links = view.state.links[association] ?? view.shop.seeds.links(association)
        links[item] = others
        view.state.links[association] = links
    }

    /// Derives dependent members of a record.
    private mutating func complete(_ table: Table, _ row: inout TableRow, _ body: JSONValue, isNew: Bool) {
        switch table {
        case .shifts where isNew && row.json["inTime"] == nil: row.json.append("inTime", .integer(now))
        case .employees:
            guard isNew || body["role"] != nil || body["roles"] != nil else { break }
            let wanted = body["roles"]?.elements.first?.id
            let role = view.rows(.roles).list.first { role in
                wanted.map { role.id == $0 } ?? (role.json["systemRole"]?.text == row.json["role"]?.text)
            }
            row.json.remove("roles")
            if let role { row.fields["role.id"] = .text(role.id) }
            if isNew {
                let address = view.shop.catalogue.webAddress("employees/\(row.id)/orders")
                row.json.append("orders", .object([("href", .string(address))]))
            }
        default: break
        }
    }

    /// Refreshes the encoded records that orders show, which are found by index.
    private mutating func refreshPieces(_ table: Table, _ row: TableRow) {
        guard view.state.pieces[table] != nil, let place = view.shop.seeds.rows(table).ids.firstIndex(of: row.id) else {
            return
        }
        view.state.pieces[table]?[place] = row.json.encoded
    }

    /// Updates the group's `modifierIds`.
    mutating func listModifiers(of group: String?) {
        guard let group, var row = view.row(.modifierGroups, group) else { return }
        let ids = view.belonging(.modifiers, to: group, through: "modifierGroup").map(\.id)
        row.json.set("modifierIds", .string(ids.joined(separator: ",")))
        row.fields["modifiedTime"] = .integer(now)
        let finished = row
        change(.modifierGroups) { $0.put(finished) }
    }

    /// Removes a record and its dependents.
    mutating func delete(_ table: Table, _ id: String) {
        let group = table == .modifiers ? view.row(table, id)?.json[path: "modifierGroup", "id"]?.text : nil
        change(table) { $0.remove(id) }
        switch table {
        case .items: change(.itemStocks) { $0.remove(id) }
        case .modifierGroups: deleteAll(.modifiers, of: id, through: "modifierGroup")
        case .attributes: deleteAll(.options, of: id, through: "attribute")
        case .modifiers: listModifiers(of: group)
        default: break
        }
    }

    private mutating func deleteAll(_ table: Table, of owner: String, through member: String) {
        let ids = view.belonging(table, to: owner, through: member).map(\.id)
        guard !ids.isEmpty else { return }
        change(table) { rows in ids.forEach { rows.remove($0) } }
    }
}
