/// One kind of object that the API sends or accepts, as the catalogue describes it.
package struct Model: Sendable, Equatable {
    /// Group and name, such as `order.Order`.
    package let name: String
    package let api: API
    /// The sources that have the model.
    package let sources: [Source]
    package let fields: [Field]

    package enum API: String, Sendable {
        /// V3.
        case rest
        case ecommerce
        /// Messages between a program and a card reader.
        case device
    }

    /// A description of the API that has the model or field.
    package enum Source: String, Sendable, CaseIterable {
        /// Clover's iOS SDK 0.3 of 2016.
        case sdk03 = "0.3"
        /// Clover's iOS SDK 1.0.
        case sdk10 = "1.0"
        /// Descriptions made from Clover's reference of 2026.
        case openapi
        case docs
        /// A response that was seen (docs/fidelity.md).
        case recorded
    }

    package struct Field: Sendable, Equatable {
        package let name: String
        package let type: FieldType
        package let unit: Unit?
        /// The number is the real value times this factor; nil if it is the value itself.
        package let scale: Int?
        package let isNullable: Bool
        /// True if only the object's id is returned unless it is expanded.
        package let isReference: Bool
        package let isDeprecated: Bool
        /// True for a PIN, a bank or card number, a token or a secret.
        package let isSensitive: Bool
        /// The allowed values of a string without a named enum; empty for any string.
        package let cases: [String]
        package let sources: [Source]

        /// Whether the number is a time since 1970, not a duration such as a `timeToLive` in seconds.
        package var isInstant: Bool {
            guard unit == .milliseconds || unit == .seconds else { return false }
            switch type {
            case .timestamp: return true
            // Some descriptions of the API use plain numbers for times; the name decides.
            case .integer, .any: return FilterExpression.isTimeField(name) || Self.timeNames.contains(name)
            default: return false
            }
        }

        private static let timeNames: Set<String> = ["created", "createdAt", "lastLogin", "updated"]
    }

    package enum Unit: String, Sendable {
        /// Minor units of the merchant's currency.
        case minor
        /// Since 1970, if the field is a time.
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "min"
        case percent
    }

    package func field(named name: some StringProtocol) -> Field? {
        fields.first { $0.name == name }
    }
}

package indirect enum FieldType: Sendable, Equatable {
    case string, boolean, double
    /// A whole number of the given number of bits.
    case integer(bits: Int)
    /// A whole number that is a time.
    case timestamp
    case any
    /// An object with unknown fields.
    case object
    /// Values of unknown type, as a plain array or as `{"elements":[...]}`: the only source for these shows every list
    /// as an array.
    case array
    /// `{"elements":[...]}`; some sources show it as a plain array.
    case list(FieldType)
    case sequence(FieldType)
    /// An object with arbitrary member names and values of one type.
    case map(FieldType)
    case enumeration(String)
    case model(String)

    /// The type as `clover schema` shows it: `int64`, `elements<order.LineItem>`, `enum<order.PayType>`.
    package var name: String {
        switch self {
        case .string: "string"
        case .boolean: "boolean"
        case .double: "double"
        case .integer(let bits): "int\(bits)"
        case .timestamp: "timestamp"
        case .any: "any"
        case .object: "object"
        case .array: "array"
        case .list(let type): "elements<\(type.name)>"
        case .sequence(let type): "array<\(type.name)>"
        case .map(let type): "map<string,\(type.name)>"
        case .enumeration(let name): "enum<\(name)>"
        case .model(let name): name
        }
    }

    /// Whether the field holds a value without fields or entries.
    package var isScalar: Bool {
        switch self {
        case .string, .boolean, .double, .integer, .timestamp, .enumeration: true
        case .any, .object, .array, .list, .sequence, .map, .model: false
        }
    }

    /// Whether the field holds one object.
    package var isObject: Bool {
        switch self {
        case .model, .object, .map: true
        default: false
        }
    }

    /// The model that the field holds, directly or in a list or map; nil for other types.
    package var nestedModel: String? {
        switch self {
        case .model(let name): name
        case .list(let type), .sequence(let type), .map(let type): type.nestedModel
        default: nil
        }
    }

    /// The enum that the field holds, directly or in a list or map; nil for other types.
    package var enumeration: String? {
        switch self {
        case .enumeration(let name): name
        case .list(let type), .sequence(let type), .map(let type): type.enumeration
        default: nil
        }
    }

    /// Parses the table's type code; nil if it is unknown.
    init?(code: Substring) {
        switch code {
        case "s": self = .string
        case "b": self = .boolean
        case "i", "l": self = .integer(bits: 64)
        case "w": self = .integer(bits: 32)
        case "y": self = .integer(bits: 8)
        case "f": self = .double
        case "t": self = .timestamp
        case "a", "v": self = .any
        case "o": self = .object
        case "r": self = .array
        default:
            let rest = code.dropFirst()
            switch code.first {
            case "#": self = .enumeration(String(rest))
            case "*", "[", "{":
                guard let inner = FieldType(code: rest) else { return nil }
                self = code.first == "*" ? .list(inner) : code.first == "[" ? .sequence(inner) : .map(inner)
            default:
                guard code.contains(".") else { return nil }
                self = .model(String(code))
            }
        }
    }
}

/// A named set of strings, one of which a field holds. The service may add values later.
package struct Enumeration: Sendable, Equatable {
    /// Group and name, such as `order.PayType`.
    package let name: String
    package let cases: [String]
    package let sources: [Model.Source]
}
