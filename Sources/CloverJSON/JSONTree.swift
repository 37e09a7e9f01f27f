import FoundationEssentials

/// A JSON response whose exact shape is not relied on: a field that is missing or of another type reads as nil.
package enum JSONTree: Decodable, Equatable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case null

    /// Returns nil if the bytes are not valid JSON, or are ambiguous.
    package init?(_ bytes: [UInt8]) {
        do {
            self = try JSONDecoder().decode(JSONTree.self, from: Data(bytes))
        } catch {
            return nil
        }
        // After the decoder, which bounds the depth.
        guard !Self.isAmbiguous(bytes) else { return nil }
    }

    /// Whether an object has two members of one name with different values: it says two things at once. For JSON that a
    /// decoder has read: the depth is not bounded here.
    package static func isAmbiguous(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let text = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            return JSONView(UnsafeRawBufferPointer(rebasing: text)).isAmbiguous
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = Self.attempt({ try container.decode(Bool.self) }) {
            self = .boolean(value)
        } else if let value = Self.attempt({ try container.decode(Int64.self) }) {
            self = .integer(value)
        } else if let value = Self.attempt({ try container.decode(Double.self) }) {
            self = .number(value)
        } else if let value = Self.attempt({ try container.decode(String.self) }) {
            self = .text(value)
        } else if let value = Self.attempt({ try container.decode([JSONTree].self) }) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    /// The decoder signals a type mismatch by throwing; the next type is then tried.
    private static func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            return nil
        }
    }

    package subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
        return member
    }

    package var isObject: Bool { if case .object = self { true } else { false } }

    package var string: String? { if case .text(let text) = self { text } else { nil } }

    package var int: Int64? { if case .integer(let number) = self { number } else { nil } }

    package var bool: Bool? { if case .boolean(let value) = self { value } else { nil } }

    package var list: [JSONTree]? { if case .array(let entries) = self { entries } else { nil } }

    /// Digits as text; a whole number is filled up with zeros to `count` digits, because a number has no leading ones.
    package func digits(_ count: Int) -> String? {
        if let string { return string }
        guard let number = int, number >= 0 else { return nil }
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// A reference: the ID itself, or an object with an ID.
    package var identifier: String? { string ?? self["id"]?.string }

    /// The value as JSON on one line, with the members of objects in the order of their names.
    package var text: String {
        switch self {
        case .object(let members):
            var line = JSONLine()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { line.add(name, json: value.text) }
            return line.text
        case .array(let entries): return "[" + entries.map(\.text).joined(separator: ",") + "]"
        case .text(let text): return JSONString.quoted(text)
        case .integer(let number): return "\(number)"
        case .number(let number): return "\(number)"
        case .boolean(let value): return "\(value)"
        case .null: return "null"
        }
    }
}
