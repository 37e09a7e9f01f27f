import CloverJSON

/// A JSON value.
///
/// A number is an `integer` if its value is whole and fits, however it is written, so that equal numbers are equal values.
/// Other numbers are rounded to a `Double`, except for those that are too large for one. These keep their text.
///
/// ```swift
/// let body = JSONValue.object(["name": .string("Coffee"), "price": .integer(350), "hidden": .boolean(false)])
/// switch body {
/// case .object(let members): print(members.count)
/// case .array(let entries): print(entries.count)
/// case .string(let text): print(text)
/// case .integer(let number): print(number)
/// case .number(let number): print(number)
/// case .largeNumber(let text): print(text)
/// case .boolean(let isTrue): print(isTrue)
/// case .null: print("null")
/// }
/// ```
public enum JSONValue: Sendable, Hashable {
    /// Members by name. Of members with the same name, the last counts.
    case object([String: JSONValue])
    /// The entries of an array.
    case array([JSONValue])
    /// A string, decoded.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A number that is not an `integer`.
    case number(Double)
    /// A number that is too large for a `Double`, as Clover wrote it, such as `1e400`. A typed property is nil for it. It cannot be
    /// encoded, because no encoder takes it: encoding it throws `EncodingError`. `JSONDecoder` refuses it with `DecodingError`, so
    /// only the library's own reads have it.
    case largeNumber(String)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`, which is not the same as no member.
    case null

    /// The value of a number: an `integer` if it is whole and fits. Beyond 2^53, it is the whole number that has the fewest digits
    /// of those that are rounded to this one, as `JSONEncoder` writes it.
    ///
    /// ```swift
    /// print(JSONValue(3.0) == .integer(3), JSONValue(0.5) == .number(0.5))
    /// ```
    public init(_ number: Double) {
        let whole = number.magnitude >= JSONValueReader.everyInteger ? JSONNumber.whole(number.description) : nil
        self = (whole ?? Int64(exactly: number)).map { .integer($0) } ?? .number(number)
    }
}

extension JSONValue {
    /// Reads JSON; nil if the bytes are anything else.
    init?(bytes: ArraySlice<UInt8>) {
        var reader = JSONValueReader()
        guard let value = bytes.withUnsafeBytes({ reader.value(of: $0) }) else { return nil }
        self = value
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let keyed = Self.attempt({ try decoder.container(keyedBy: Name.self) }) {
            var members: [String: JSONValue] = [:]
            for name in keyed.allKeys { members[name.stringValue] = try keyed.decode(JSONValue.self, forKey: name) }
            self = .object(members)
            return
        }
        if var list = Self.attempt({ try decoder.unkeyedContainer() }) {
            var entries: [JSONValue] = []
            while !list.isAtEnd { entries.append(try list.decode(JSONValue.self)) }
            self = .array(entries)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = Self.attempt({ try container.decode(Bool.self) }) {
            self = .boolean(value)
        } else if let value = Self.attempt({ try container.decode(Int64.self) }) {
            self = .integer(value)
        } else if let value = Self.attempt({ try container.decode(Double.self) }) {
            self = JSONValue(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .array(let entries): try container.encode(entries)
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .largeNumber(let text):
            throw EncodingError.invalidValue(
                text,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "The number \(text) is too large for a Double."))
        case .boolean(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }

    /// A decoder signals another type by throwing; the next type is then tried.
    private static func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            return nil
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
