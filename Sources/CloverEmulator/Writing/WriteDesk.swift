import NIOCore

/// Does one write: takes a view of the shop, changes its own copy, and hands it back when all went well.
struct WriteDesk {
    var view: ShopView
    /// When the write happens, in milliseconds since 1970.
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

    /// - Throws: what the service refuses; the view is of no use then.
    mutating func answer(to request: APIRequest, _ match: RouteTable.Match) throws(APIError) -> Answer {
        let call = WriteCall(request: request, match: match)
        if let answer = try orderAnswer(call) { return answer }
        if let answer = try customerAnswer(call) { return answer }
        if let answer = try inventoryAnswer(call) { return answer }
        if let answer = try shopAnswer(call) { return answer }
        if let answer = try tableAnswer(call) { return answer }
        throw .unknownPath
    }

    // MARK: What all writes need

    /// A new id of the service's form.
    mutating func newID() -> String {
        view.state.identifiers += 1
        return view.shop.ids.identifier(.written, view.state.identifiers).description
    }

    /// The answer to a call that leaves nothing to show. What the service sends was never recorded.
    static var nothing: Answer {
        Answer(status: 200, body: ByteBuffer())
    }

    func shown(_ row: TableRow, _ kind: DocumentKind, _ call: WriteCall) -> Answer {
        Answer(status: 200, json: view.shown(row, kind, call.tree))
    }

    mutating func change(_ table: Table, _ body: (inout Rows) -> Void) {
        var rows = view.rows(table)
        body(&rows)
        view.state.tables[table] = rows
    }

    /// - Throws: 400 that names the member when a reference in a body leads nowhere.
    func checkReference(_ json: JSONValue, _ member: String, _ table: Table) throws(APIError) {
        guard let value = json[member], !value.isNull else { return }
        guard let id = value.id, view.row(table, id) != nil else {
            throw .badRequest("Invalid reference in field: \(member)")
        }
    }

    /// Sets the members of a body in a record; null takes a member away.
    static func merge(_ body: JSONValue, into json: inout JSONValue) {
        for (name, value) in body.members {
            if value.isNull { json.remove(name) } else { json.set(name, value) }
        }
    }
}
