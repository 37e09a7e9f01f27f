import Foundation

/// Any JSON value, for comparison and for access to its parts.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Parses one value. Throws ``CommandError/unreadable(_:)``.
    package init(_ text: String) throws {
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw CommandError.unreadable(text)
        }
    }

    /// Parses lines with one value each.
    package static func lines(_ lines: [String]) throws -> [JSONValue] { try lines.map { try JSONValue($0) } }

    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    package var elements: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The names of an object's members, sorted; empty for anything else.
    package var keys: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }
}

extension JSONValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
