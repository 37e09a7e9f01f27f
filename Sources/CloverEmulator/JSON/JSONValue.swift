/// A JSON value with its keys in a fixed order, for the small collections (menu, staff, settings) where convenience
/// matters more than speed.
package indirect enum JSONValue: Sendable {
    case string(String)
    case integer(Int)
    /// A number in its exact spelling, such as `12.0`.
    case number(String)
    case boolean(Bool)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])
    case null
    /// JSON text that is ready.
    case ready([UInt8])

    /// `{"id":"..."}`, Clover's form of a reference.
    package static func reference(_ identifier: Identifier) -> JSONValue {
        .object([("id", .string(identifier.description))])
    }

    /// `{"elements":[...]}`, the form of a nested collection, cut at 100 entries without a word (Clover REST
    /// documentation, paginating elements).
    package static func elements(_ values: [JSONValue]) -> JSONValue {
        .object([("elements", .array(Array(values.prefix(NestedCollection.cap))))])
    }

    /// Adds a key at the end of an object; other values stay as they are.
    package mutating func append(_ key: String, _ value: JSONValue) {
        guard case .object(var members) = self else { return }
        members.append((key, value))
        self = .object(members)
    }

    /// Puts a value in the place of an existing key, or at the end.
    package mutating func set(_ key: String, _ value: JSONValue) {
        guard case .object(var members) = self else { return }
        if let place = members.firstIndex(where: { $0.key == key }) {
            members[place].value = value
        } else {
            members.append((key, value))
        }
        self = .object(members)
    }

    /// Writes the value without white space.
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
