/// A type that a field of a record can have.
///
/// ```swift
/// // A color, which Clover writes as text.
/// struct Color: FieldValue {
///     var name: String
///     init?(json: JSONValue) {
///         guard let name = String(json: json) else { return nil }
///         self.name = name
///     }
///     var json: JSONValue { name.json }
/// }
/// let item = try await shop.item("ITEM")
/// print(item["color", as: Color.self]?.name ?? "")
/// ```
public protocol FieldValue: Sendable, Hashable {
    /// Nil if the JSON has another type.
    init?(json: JSONValue)

    /// The value as JSON.
    var json: JSONValue { get }
}

/// A value that Clover can compare in a filter.
///
/// ```swift
/// print(Money(minorUnits: 1999).filterText, true.filterText)
/// ```
public protocol FilterValue: FieldValue {
    /// The value as Clover's filters write it: amounts in minor units, times in milliseconds since 1970.
    var filterText: String { get }
}

extension String: FilterValue {
    public init?(json: JSONValue) {
        guard case .string(let text) = json else { return nil }
        self = text
    }

    public var json: JSONValue { .string(self) }
    public var filterText: String { self }
}

extension Bool: FilterValue {
    public init?(json: JSONValue) {
        guard case .boolean(let value) = json else { return nil }
        self = value
    }

    public var json: JSONValue { .boolean(self) }
    public var filterText: String { "\(self)" }
}

extension Int64: FilterValue {
    public init?(json: JSONValue) {
        guard case .integer(let number) = json else { return nil }
        self = number
    }

    public var json: JSONValue { .integer(self) }
    public var filterText: String { "\(self)" }
}

extension Double: FieldValue {
    /// Nil for anything but a number, and for one that is too large. A whole number beyond 2^53 is rounded.
    public init?(json: JSONValue) {
        switch json {
        case .number(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }

    public var json: JSONValue { JSONValue(self) }
}

extension JSONValue: FieldValue {
    public init?(json: JSONValue) { self = json }
    public var json: JSONValue { self }
}

/// A list in a record. Clover writes lists of records as `{"elements": [...]}` and others as plain arrays; both are read.
extension Array: FieldValue where Element: FieldValue {
    public init?(json: JSONValue) {
        let entries: [JSONValue]
        switch json {
        case .array(let plain): entries = plain
        case .object(let members):
            guard case .array(let inner) = members["elements"] else { return nil }
            entries = inner
        default: return nil
        }
        self = []
        reserveCapacity(entries.count)
        for entry in entries {
            guard let value = Element(json: entry) else { return nil }
            append(value)
        }
    }

    public var json: JSONValue { .array(map(\.json)) }
}
