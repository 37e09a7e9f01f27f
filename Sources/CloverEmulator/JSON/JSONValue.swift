/// A JSON value with ordered keys, for the small collections (menu, staff, settings) where convenience matters more
/// than speed.
package indirect enum JSONValue: Sendable {
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
        .object([("id", .string(identifier.description))])
    }

    /// `{"elements":[...]}`, the form of a nested collection, silently cut at 100 entries (Clover REST documentation,
    /// paginating elements).
    package static func elements(_ values: [JSONValue]) -> JSONValue {
        .object([("elements", .array(Array(values.prefix(NestedCollection.cap))))])
    }

    /// Appends a key to an object; other values stay unchanged.
    package mutating func append(_ key: String, _ value: JSONValue) {
        guard case .object(var members) = self else { return }
        members.append((key, value))
        self = .object(members)
    }

    /// Replaces the value of a key, or appends the key.
    package mutating func set(_ key: String, _ value: JSONValue) {
        guard case .object(var members) = self else { return }
        if let place = members.firstIndex(where: { $0.key == key }) {
            members[place].value = value
        } else {
            members.append((key, value))
        }
        self = .object(members)
    }

    /// Writes the value without whitespace.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text)
        case .integer(let value): writer.integer(value)
        case .number(let text): writer.raw(text)
        case .ready(let bytes): writer.raw(bytes)
        case .null: writer.raw("null")
        case .boolean(true): writer.raw("true")
        case .boolean(false): writer.raw("false")
        case .array(let values):
            writer.byte(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { writer.byte(UInt8(ascii: ",")) }
                value.write(to: &writer)
            }
            writer.byte(UInt8(ascii: "]"))
        case .object(let members):
            writer.byte(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { writer.byte(UInt8(ascii: ",")) }
                writer.string(member.key)
                writer.byte(UInt8(ascii: ":"))
                member.value.write(to: &writer)
            }
            writer.byte(UInt8(ascii: "}"))
        }
    }
}

/// Access to values that come from a request or are stored as documents.
extension JSONValue {
    /// The member of an object; nil if it is absent or the value is not an object.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The member at a path of names.
    package subscript(path names: String...) -> JSONValue? {
        var value: JSONValue? = self
        for name in names { value = value?[name] }
        return value
    }

    package var members: [(key: String, value: JSONValue)] {
        if case .object(let members) = self { members } else { [] }
    }

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

    /// The `id` of an object.
    package var id: String? { self["id"]?.text }

    /// The entries of an array or of `{"elements":[...]}`; nil for other values.
    package var list: [JSONValue]? {
        switch self {
        case .array(let values): values
        case .object: if case .array(let values)? = self["elements"] { values } else { nil }
        default: nil
        }
    }

    /// The entries, or an empty array.
    package var elements: [JSONValue] { list ?? [] }

    /// Removes a member.
    package mutating func remove(_ key: String) {
        guard case .object(var members) = self else { return }
        members.removeAll { $0.key == key }
        self = .object(members)
    }

    /// `{"elements":[...]}` with all values: for storage, not for responses.
    package static func kept(_ values: [JSONValue]) -> JSONValue {
        .object([("elements", .array(values))])
    }

    /// `{"id":"..."}`
    package static func reference(_ id: String) -> JSONValue {
        .object([("id", .string(id))])
    }

    /// The value that filters compare.
    package var fieldValue: FieldValue {
        switch self {
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .number(let text): Double(text).map { .integer(Int($0.rounded(.down).clamped)) } ?? .absent
        case .boolean(let flag): .boolean(flag)
        case .array(let values): .many(values.map(\.fieldValue))
        case .object, .ready, .null: .absent
        }
    }

    /// The encoded value.
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
    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int) { self = .integer(number) }
    package init(booleanLiteral flag: Bool) { self = .boolean(flag) }
    package init(arrayLiteral values: JSONValue...) { self = .array(values) }
    /// Keeps the order of the members.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { ($0.0, $0.1) })
    }
}

extension Double {
    /// Limited to the range of an `Int`.
    fileprivate var clamped: Double { isNaN ? 0 : min(max(self, -9e18), 9e18) }
}
