import FoundationEssentials

/// An answer of which the exact shape is not relied on: what is missing or of another type is nil.
enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case null

    /// Nil for bytes that are no JSON.
    init?(_ bytes: [UInt8]) {
        do {
            self = try JSONDecoder().decode(JSONTree.self, from: Data(bytes))
        } catch {
            return nil
        }
    }

    init(from decoder: any Decoder) throws {
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

    /// The decoder tells types apart by failing; the next one is tried then.
    private static func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            return nil
        }
    }

    subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
        return member
    }

    var string: String? { if case .text(let text) = self { text } else { nil } }

    var int: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// An amount in the smallest unit; nil for a number that is no amount of money, with which nothing can be counted.
    var amount: Int64? { int.flatMap(Self.amount) }

    /// The number, where it can be one.
    static func amount(_ number: Int64) -> Int64? {
        (-largestAmount...largestAmount).contains(number) ? number : nil
    }

    private static let largestAmount: Int64 = 1_000_000_000_000_000

    var bool: Bool? { if case .boolean(let value) = self { value } else { nil } }

    var list: [JSONTree]? { if case .array(let entries) = self { entries } else { nil } }

    /// A reference: the id itself, or an object that has it.
    var identifier: String? { string ?? self["id"]?.string }
}
