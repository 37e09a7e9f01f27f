import NIOCore

/// One change of the shop, with all that is needed to do it again.
package enum JournalEntry: Sendable {
    case request(APIRequest, time: Int)
    /// A row that went by itself.
    case removal(list: String, id: String, time: Int)
    /// A row that came by itself.
    case insertion(list: String, number: Int, time: Int)
    /// What a call about money changed, and the number of ids made by then. The call itself is not kept: it may hold a
    /// card's number.
    case money([MoneyChange], identifiers: Int, time: Int)

    /// When it happened, in milliseconds since 1970.
    var time: Int {
        switch self {
        case .request(_, let time), .removal(_, _, let time), .insertion(_, _, let time), .money(_, _, let time): time
        }
    }

    func at(_ time: Int) -> JournalEntry {
        switch self {
        case .request(let request, _): .request(request, time: time)
        case .removal(let list, let id, _): .removal(list: list, id: id, time: time)
        case .insertion(let list, let number, _): .insertion(list: list, number: number, time: time)
        case .money(let changes, let identifiers, _): .money(changes, identifiers: identifiers, time: time)
        }
    }

    var json: JSONValue {
        switch self {
        case .request(let request, let time):
            var json = JSONValue.object([
                ("at", .integer(time)), ("method", .string(request.method)),
                ("path", .array(request.path.map { .string($0) })),
                (
                    "query",
                    .array(request.query.parameters.map { .array([.string($0.name), .string($0.value)]) })
                ),
                ("type", .string(request.contentType ?? "")), ("body", .string(String(buffer: request.body))),
            ])
            if let account = request.accountID { json.append("account", .string(account)) }
            return json
        case .removal(let list, let id, let time):
            return .object([("at", .integer(time)), ("removedFrom", .string(list)), ("id", .string(id))])
        case .insertion(let list, let number, let time):
            return .object([("at", .integer(time)), ("insertedInto", .string(list)), ("number", .integer(number))])
        case .money(let changes, let identifiers, let time):
            return .object([
                ("at", .integer(time)), ("identifiers", .integer(identifiers)), ("money", .array(changes.map(\.json))),
            ])
        }
    }

    /// Reads what `json` gives; nil for anything else.
    init?(_ json: JSONValue) {
        guard let time = json["at"]?.integer else { return nil }
        if let list = json["removedFrom"]?.text, let id = json.id {
            self = .removal(list: list, id: id, time: time)
        } else if let list = json["insertedInto"]?.text, let number = json["number"]?.integer {
            self = .insertion(list: list, number: number, time: time)
        } else if let list = json["money"]?.list, let identifiers = json["identifiers"]?.integer {
            let changes = list.compactMap { MoneyChange($0) }
            guard changes.count == list.count else { return nil }
            self = .money(changes, identifiers: identifiers, time: time)
        } else if let method = json["method"]?.text, let path = json["path"]?.list, let query = json["query"]?.list,
            let body = json["body"]?.text
        {
            let pairs = query.map { pair in
                QueryString.Parameter(name: pair.elements.first?.text ?? "", value: pair.elements.last?.text ?? "")
            }
            self = .request(
                APIRequest(
                    method: method, path: path.compactMap(\.text), query: QueryString(parameters: pairs),
                    body: ByteBuffer(string: body), contentType: json["type"]?.text,
                    accountID: json["account"]?.text),
                time: time)
        } else {
            return nil
        }
    }
}
