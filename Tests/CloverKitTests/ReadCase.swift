import CloverKit
import Testing

/// One typed call of the library.
struct ReadCase: Sendable, CustomTestStringConvertible {
    /// The path of the catalogue.
    let path: String
    let isList: Bool
    /// The catalogue's name of the records' model.
    let model: String
    /// Calls it with ids for the names in braces, other than the merchant's, and returns the JSON of the typed records.
    let read: @Sendable (_ shop: Shop, _ ids: [String]) async throws -> [JSONValue]

    init(
        path: String, isList: Bool, model: String,
        read: @escaping @Sendable (Shop, [String]) async throws -> [JSONValue]
    ) {
        self.path = path
        self.isList = isList
        self.model = model
        self.read = read
    }

    var testDescription: String { path }

    static func collect<Record>(_ records: Records<Record>) async throws -> [JSONValue] {
        try await records.all().map(\.json)
    }
}

/// One model of the library.
struct ModelCase: Sendable, CustomTestStringConvertible {
    /// The catalogue's name.
    let name: String
    /// Each field's name, and the JSON of the typed property; nil if the property is nil, or if the JSON is no object.
    let properties: @Sendable (JSONValue) -> [(name: String, value: JSONValue?)]
    /// What is left of the JSON after decoding and encoding by `Codable`.
    let roundTrip: @Sendable (_ json: [UInt8]) throws -> [UInt8]

    init<Record: CloverRecord>(
        name: String, type: Record.Type, properties: @escaping @Sendable (Record) -> [(String, JSONValue?)]
    ) {
        self.name = name
        self.properties = { json in
            Record(json: json).map { properties($0).map { (name: $0.0, value: $0.1) } } ?? []
        }
        roundTrip = { try Coding.roundTrip($0, as: type) }
    }

    var testDescription: String { name }

    /// Expects the typed properties to equal the JSON of a record.
    func check(_ json: JSONValue, _ comment: Comment) {
        guard case .object(let members) = json else {
            Issue.record("no object: \(comment)")
            return
        }
        for (name, value) in properties(json) {
            let typed = value == .null ? nil : value
            let raw = members[name]
            #expect(typed == raw || typed == raw.flatMap(Self.bare), "\(self.name).\(name): \(comment)")
        }
    }

    /// The entries of a list that Clover writes as an object; nil for null, and for a list that is not expanded.
    private static func bare(_ json: JSONValue) -> JSONValue? {
        guard json != .null else { return nil }
        guard case .object(let members) = json else { return json }
        if case .array(let entries) = members["elements"] { return .array(entries) }
        return members["elements"] == .null || Array(members.keys) == ["href"] ? nil : json
    }
}
