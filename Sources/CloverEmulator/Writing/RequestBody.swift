import NIOCore

/// Reads the bodies of writes: JSON, known fields, right types.
enum RequestBody {
    /// Members a client cannot set.
    private static let fixed: Set<String> = ["id", "href"]

    /// The value of a body.
    ///
    /// - Throws: `unsupportedMediaType` when it is not declared as JSON, `badRequest` when it is none.
    static func value(of request: APIRequest) throws(APIError) -> JSONValue {
        let type = (request.contentType ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
        guard type.split(separator: " ").first == "application/json" else { throw .unsupportedMediaType }
        guard let value = JSONParser.value(of: Array(request.body.readableBytesView)) else {
            throw .badRequest("Malformed JSON")
        }
        return value
    }

    /// The members of a body that its model knows; the others are ignored in silence, as in the live sandbox notes about
    /// customers. Collections are kept as `{"elements":[...]}`, however they came.
    ///
    /// - Throws: `badRequest` that names a field with a value of a wrong type.
    static func object(_ request: APIRequest, _ model: String) throws(APIError) -> JSONValue {
        try object(try value(of: request), model)
    }

    static func object(_ value: JSONValue, _ model: String) throws(APIError) -> JSONValue {
        guard case .object(let members) = value else { throw .badRequest("Expected a JSON object") }
        let fields = ModelFields.fields(of: model)
        var known: [(key: String, value: JSONValue)] = []
        for (name, value) in members where !fixed.contains(name) {
            guard let kind = fields[name] else { continue }
            if value.isNull {
                known.append((name, .null))
            } else if kind == .list {
                // A text in place of a list is ignored too (the same notes).
                if let list = value.list { known.append((name, .kept(list))) }
            } else if fits(value, kind) {
                known.append((name, value))
            } else {
                throw .badRequest("Invalid value for field: \(name)")
            }
        }
        return .object(known)
    }

    /// The entries of a body that brings many objects: a list, or one under any of the names.
    static func list(_ request: APIRequest, _ names: String...) throws(APIError) -> [JSONValue] {
        let value = try value(of: request)
        if let list = value.list { return list }
        for name in names {
            if let list = value[name]?.list { return list }
        }
        throw .badRequest("Expected elements")
    }

    private static func fits(_ value: JSONValue, _ kind: ModelFields.Kind) -> Bool {
        switch (kind, value) {
        case (.anything, _), (.boolean, .boolean), (.text, .string), (.object, .object): true
        case (.integer, _): value.integer != nil
        case (.number, .integer), (.number, .number): true
        default: false
        }
    }
}
