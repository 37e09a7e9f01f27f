/// A JSON value with ordered members.
package indirect enum JSONValue: Sendable, JSONWritable {
    case string(String)
    case integer(Int)
    /// A number in its exact spelling, such as `12.0`.
    case number(String)
    case boolean(Bool)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])
    case null
    /// Encoded JSON text.
    case ready([UInt8])

    /// `{"id":"..."}`, the service's form of a reference.
    package static func reference(_ identifier: Identifier) -> JSONValue {
        .reference(identifier.description)
    }

    package static func reference(_ id: String) -> JSONValue {
        .object([("id", .string(id))])
    }

    /// `{"elements":[...]}`, the form of a nested collection, silently cut at 100 entries (Clover REST documentation,
    /// paginating elements).
    package static func elements(_ values: some Collection<JSONValue>) -> JSONValue {
        .kept(Array(values.prefix(NestedCollection.cap)))
    }

    /// `{"elements":[...]}` with all values: for storage, not for responses.
    package static func kept(_ values: [JSONValue]) -> JSONValue {
        .object([("elements", .array(values))])
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text)
        case .integer(let value): writer.integer(value)
        case .number(let text): writer.raw(text)
        case .ready(let bytes): writer.raw(bytes)
        case .null: writer.raw("null")
        case .boolean(let flag): flag.write(to: &writer)
        case .array(let values):
            writer.byte(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { writer.byte(UInt8(ascii: ",")) }
                value.write(to: &writer)
            }
            writer.byte(UInt8(ascii: "]"))
        case .object(let members): writer.object { for member in members { $0.put(member.key, member.value) } }
        }
    }
    package var encoded: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        write(to: &writer)
        return writer.bytes()
    }
}

/// Literals, so that a document reads as it is sent: `["id": .string(id), "deleted": false]`.
extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// An object without the members whose value is nil.
    package init(dictionaryLiteral members: (String, JSONValue?)...) {
        self = .object(members.compactMap { key, value in value.map { (key, $0) } })
    }

    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int) { self = .integer(number) }
    package init(booleanLiteral flag: Bool) { self = .boolean(flag) }
    package init(arrayLiteral values: JSONValue...) { self = .array(values) }
}

/// Access to values that come from a request or are stored as documents.
extension JSONValue {
    package var members: [(key: String, value: JSONValue)] {
        if case .object(let members) = self { members } else { [] }
    }

    package subscript(_ key: String) -> JSONValue? {
        members.first { $0.key == key }?.value
    }

    package subscript(path names: String...) -> JSONValue? {
        names.reduce(self) { value, name in value?[name] }
    }

    package var id: String? { self["id"]?.text }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integer: Int? {
        switch self {
        case .integer(let number): number
        case .number(let text): Double(text).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The entries of an array or of `{"elements":[...]}`; nil for other values.
    package var list: [JSONValue]? {
        switch self {
        case .array(let values): values
        case .object: if case .array(let values)? = self["elements"] { values } else { nil }
        default: nil
        }
    }
    package var elements: [JSONValue] { list ?? [] }

    package var fieldValue: FieldValue {
        switch self {
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .number(let text): Double(text).map { .number($0) } ?? .absent
        case .boolean(let flag): .boolean(flag)
        case .array(let values): .many(values.map(\.fieldValue))
        case .object, .ready, .null: .absent
        }
    }

    // MARK: Changes; values that are no objects stay unchanged
    package mutating func append(_ key: String, _ value: JSONValue) {
        change { $0.append((key, value)) }
    }

    /// Replaces the value of a member, or appends the member.
    package mutating func set(_ key: String, _ value: JSONValue) {
        change { members in
            if let place = members.firstIndex(where: { $0.key == key }) {
                members[place].value = value
            } else {
                members.append((key, value))
            }
        }
    }

    package mutating func remove(_ key: String) {
        change { members in members.removeAll { $0.key == key } }
    }

    private mutating func change(_ body: (inout [(key: String, value: JSONValue)]) -> Void) {
        guard case .object(var members) = self else { return }
        body(&members)
        self = .object(members)
    }
}
