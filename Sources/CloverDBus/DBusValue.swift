/// One value of a message, with its D-Bus type.
///
/// It prints as its type only, because a message may carry a secret.
package indirect enum DBusValue: Hashable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An array of bytes, which is not an ``array(of:_:)`` of single values.
    case bytes([UInt8])
    /// The element's signature is needed because an array may be empty.
    case array(of: String, [DBusValue])
    /// Entries in the order of the message; `key` and `value` are signatures.
    case dictionary(key: String, value: String, [Entry])
    case structure([DBusValue])
    case variant(DBusValue)

    /// One entry of a dictionary.
    package struct Entry: Hashable, Sendable {
        package let key: DBusValue
        package let value: DBusValue

        package init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The type as the specification writes it, such as `a{sv}`.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a\(element)"
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(\(fields.map(\.signature).joined()))"
        case .variant: "v"
        }
    }
}

extension DBusValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "D-Bus value of type \(signature)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension DBusValue.Entry: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
