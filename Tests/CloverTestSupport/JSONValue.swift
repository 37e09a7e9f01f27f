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
        var reader = JSONReader(text)
        do {
            self = try reader.document()
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
