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
    /// An array of bytes, as opposed to an ``array(of:_:)`` of single values.
    case bytes([UInt8])
    /// The element's signature is needed because an array may be empty.
    case array(of: String, [DBusValue])
    /// Entries in the order of the message; `key` and `value` are signatures.
    case dictionary(key: String, value: String, [Entry])
    case structure([DBusValue])
    case variant(DBusValue)

    package struct Entry: Hashable, Sendable {
        package let key: DBusValue
        package let value: DBusValue

        package init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The type in the notation of the specification, such as `a{sv}`.
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

/// Creates common dictionaries, and reads replies. A value of another type is nil, never a guess; variants are
/// unwrapped, because interfaces wrap every property in one.
extension DBusValue {
    /// `a{ss}`, sorted by key.
    package static func strings(_ values: [String: String]) -> DBusValue {
        .dictionary(
            key: "s", value: "s",
            values.sorted { $0.key < $1.key }.map { Entry(key: .string($0.key), value: .string($0.value)) })
    }

    /// `a{sv}`, sorted by key.
    package static func variants(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: "s", value: "v",
            values.sorted { $0.key < $1.key }.map { Entry(key: .string($0.key), value: .variant($0.value)) })
    }

    /// The content of a variant, or of a nested variant; otherwise the value itself.
    package var unwrapped: DBusValue {
        if case .variant(let inner) = self { inner.unwrapped } else { self }
    }

    /// A string, object path or signature.
    package var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    package var objectPath: String? {
        if case .objectPath(let path) = unwrapped { path } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let value) = unwrapped { value } else { nil }
    }

    /// Any of the integer types; nil if it exceeds Int64.
    package var integer: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }

    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = unwrapped { bytes } else { nil }
    }

    /// The elements of an array other than a byte array.
    package var elements: [DBusValue]? {
        if case .array(_, let elements) = unwrapped { elements } else { nil }
    }

    package var fields: [DBusValue]? {
        if case .structure(let fields) = unwrapped { fields } else { nil }
    }

    /// A dictionary whose keys are strings, paths or signatures; the last of repeated keys counts.
    package var members: [String: DBusValue]? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        var members: [String: DBusValue] = [:]
        for entry in entries {
            guard let key = entry.key.text else { return nil }
            members[key] = entry.value
        }
        return members
    }
}
