import NIOCore

/// Performs one write: changes its own copy of a view; the caller keeps the result if nothing failed.
struct WriteHandler {
    var view: ShopView
    /// The time of the write, in milliseconds since 1970.
    let now: Int

    var finished: ShopState {
        var state = view.state
        state.time = now
        return state
    }

    /// - Throws: the error of a refused request; discard the view then.
    mutating func answer(to request: APIRequest, _ match: RouteTable.Match) throws(APIError) -> EmulatorResponse {
        let call = WriteCall(request: request, match: match)
        let answer = try performed(call)
        return call.method == "DELETE" && answer.body.readableBytes == 0 ? EmulatorResponse(json: [:]) : answer
    }

    private mutating func performed(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        if let answer = try orderAnswer(call) { return answer }
        if let answer = try customerAnswer(call) { return answer }
        if let answer = try inventoryAnswer(call) { return answer }
        if let answer = try shopAnswer(call) { return answer }
        if let answer = try tableAnswer(call) { return answer }
        throw .unknownPath
    }

    // MARK: Common parts

    mutating func newID() -> String {
        view.state.identifiers += 1
        return view.shop.ids.identifier(.written, view.state.identifiers).description
    }

    /// The response to a call without a result. That of a deletion is an empty object (recorded).
    static var nothing: EmulatorResponse {
        EmulatorResponse(status: 200, body: ByteBuffer())
    }

    func shown(_ row: TableRow, _ kind: DocumentKind, _ call: WriteCall) -> EmulatorResponse {
        EmulatorResponse(json: view.shown(row, kind, call.tree))
    }

    mutating func change(_ table: Table, _ body: (inout Rows) -> Void) {
        var rows = view.rows(table)
        body(&rows)
        view.state.tables[table] = rows
    }

    mutating func store(_ row: TableRow, in table: Table) {
        change(table) { $0.put(row) }
    }

    // MARK: Checks

    /// The record that a member refers to.
    ///
    /// - Throws: 400 that names the member if it is missing or invalid.
    @discardableResult
    func referenced(_ json: JSONValue, _ member: String, _ table: Table) throws(APIError) -> TableRow {
        guard let id = json[member]?.id, let row = view.row(table, id) else { throw Self.invalidReference(member) }
        return row
    }

    /// Like `referenced`; a missing or null member is valid.
    func checkReference(_ json: JSONValue, _ member: String, _ table: Table) throws(APIError) {
        guard let value = json[member], !value.isNull else { return }
        try referenced(json, member, table)
    }

    static func invalidReference(_ member: String) -> APIError {
        .badRequest("Invalid reference in field: \(member)")
    }

    /// - Throws: 400 that names the first member with a negative number.
    func checkNotNegative(_ names: String..., in body: JSONValue) throws(APIError) {
        for name in names {
            if let number = body[name]?.integer, number < 0 { throw .badRequest("Invalid value for field: \(name)") }
        }
    }

    /// - Throws: 400 that names the first member that is missing or empty.
    func require(_ names: [String], in body: JSONValue) throws(APIError) {
        for name in names {
            guard let value = body[name], !value.isNull, value.text != "" else {
                throw .badRequest("Missing field: \(name)")
            }
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

    func parameter(_ place: Int) -> String {
        match.parameters.indices.contains(place) ? match.parameters[place] : ""
    }

    var tree: ExpandTree { ExpandTree(request.query.values("expand")) }

    /// The comma-separated ids of a query parameter.
    ///
    /// - Throws: 400 if there are none.
    func ids(_ parameter: String) throws(APIError) -> [String] {
        let ids = request.query.values(parameter).flatMap { $0.split(separator: ",").map(String.init) }
        guard !ids.isEmpty else { throw .badRequest("Missing parameter: \(parameter)") }
        return ids
    }

    var isRemoving: Bool { request.query.values("delete").last?.lowercased() == "true" }
}

/// Generic writes of table records.
extension WriteHandler {
    /// Records that belong to another one: the owner's table, and the member that names it.
    private static let owners: [Table: (table: Table, member: String)] = [
        .modifiers: (.modifierGroups, "modifierGroup"), .options: (.attributes, "attribute"),
        .shifts: (.employees, "employee"),
    ]

    /// `POST {table}`, `POST|PUT|DELETE {table}/{}`, and the same behind `{owner}/{}/`; nil for other calls.
    mutating func tableAnswer(_ call: WriteCall) throws(APIError) -> EmulatorResponse? {
        let words = call.match.route.key.split(separator: "/").map(String.init)
        guard let table = Table(rawValue: words.count > 2 ? words[2] : words.first ?? "") else { return nil }
        if words.count <= 2 {
            return words.count == 1 ? try create(table, call) : try change(table, call.parameter(0), call)
        }
        guard let owner = Self.owners[table], owner.table.rawValue == words[0] else { return nil }
        if words.count == 3 {
            let id = try view.existing(owner.table, call.parameter(0)).id
            return try create(table, call, owner: (owner.member, .reference(id)))
        }
        return try change(table, call.parameter(1), call, owner: (owner.member, call.parameter(0)))
    }

    mutating func create(
        _ table: Table, _ call: WriteCall, owner: (key: String, value: JSONValue)? = nil
    ) throws(APIError) -> EmulatorResponse {
        let body = try RequestBody.object(call.request, try TableRules.of(table).model)
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
        let body = try RequestBody.object(call.request, try TableRules.of(table).model)
        // A PUT replaces the record, so it needs the required fields of a new one (live sandbox notes, items).
        if call.method == "PUT" { try require(["name"], in: body) }
        return shown(try update(table, row, body), .table(table), call)
    }

    /// Inserts a new record at the front of its table.
    mutating func insert(
        _ table: Table, _ body: JSONValue, owner: (key: String, value: JSONValue)? = nil, id given: String? = nil
    ) throws(APIError) -> TableRow {
        let rules = try TableRules.of(table)
        var body = body
        if let owner { body.set(owner.key, owner.value) }
        try require(rules.required, in: body)
        let id = given ?? newID()
        var json: JSONValue = [:]
        if table == .employees { json.append("href", .string(view.shop.catalogue.webAddress("employees/\(id)"))) }
        json.append("id", .string(id))
        for (name, value) in rules.defaults.members where body[name] == nil { json.append(name, value) }
        if rules.showsCreated { json.append("createdTime", .integer(now)) }
        return try put(table, TableRow(id: id, json: json), body, isNew: true)
    }

    mutating func update(_ table: Table, _ row: TableRow, _ body: JSONValue) throws(APIError) -> TableRow {
        for name in try TableRules.of(table).required where body[name]?.isNull == true {
            throw .badRequest("Missing field: \(name)")
        }
        return try put(table, row, body, isNew: false)
    }

    private mutating func put(
        _ table: Table, _ row: TableRow, _ body: JSONValue, isNew: Bool
    ) throws(APIError) -> TableRow {
        var row = row
        var body = body
        try check(table, body, isNew: isNew)
        try link(table, row.id, &body, isNew: isNew)
        row.json.merge(body)
        complete(table, &row, body, isNew: isNew)
        if try TableRules.of(table).showsModified { row.json.set("modifiedTime", .integer(now)) }
        row.fields["modifiedTime"] = .integer(now)
        row.fields["modifiedtime"] = .integer(now)
        store(row, in: table)
        refreshPieces(table, row)
        if table == .modifiers { listModifiers(of: row.json[path: "modifierGroup", "id"]?.text) }
        return row
    }

    private func check(_ table: Table, _ body: JSONValue, isNew: Bool) throws(APIError) {
        try checkNotNegative("price", "cost", "rate", in: body)
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
            guard let id = payment.id, view.paymentJSON(id) != nil else { throw Self.invalidReference("payment") }
        case .printEvents:
            guard let id = body["orderRef"]?.id, view.hasOrder(id) else { throw Self.invalidReference("orderRef") }
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
                    throw Self.invalidReference(association.rawValue)
                }
            }
            setLinks(association, of: id, list.compactMap(\.id))
        }
        if isNew, body["defaultTaxRates"]?.boolean ?? true, view.links(.taxRates, of: id).isEmpty {
            let defaults = view.rows(.taxRates).list.filter { $0.json["isDefault"]?.boolean == true }
            setLinks(.taxRates, of: id, defaults.map(\.id))
        }
        if isNew {
            store(TableRow(id: id, json: ["item": .reference(id)]), in: .itemStocks)
        }
        body.remove("itemStock")
    }

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
                row.json.append("orders", ["href": .string(address)])
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

    mutating func listModifiers(of group: String?) {
        guard let group, var row = view.row(.modifierGroups, group) else { return }
        let ids = view.belonging(.modifiers, to: group, through: "modifierGroup").map(\.id)
        row.json.set("modifierIds", .string(ids.joined(separator: ",")))
        row.fields["modifiedTime"] = .integer(now)
        store(row, in: .modifierGroups)
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
