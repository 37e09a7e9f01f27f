/// The type of a model's field.
package indirect enum FieldType: Sendable, Equatable {
    case string, boolean, double
    /// A whole number of the given number of bits.
    case integer(bits: Int)
    /// A whole number that is a time.
    case timestamp
    /// Unknown.
    case any
    /// An object with unknown fields.
    case object
    /// Values of unknown type, as a plain array or as `{"elements":[...]}`: the only source for these shows every list
    /// as an array.
    case array
    /// `{"elements":[...]}`; some sources show it as a plain array.
    case list(FieldType)
    /// A plain array.
    case sequence(FieldType)
    /// An object with arbitrary member names and values of one type.
    case map(FieldType)
    /// A case of the named enum.
    case enumeration(String)
    /// An object of the named model.
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
