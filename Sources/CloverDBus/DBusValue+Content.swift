/// Making the usual dictionaries, and looking into a reply. What has another type is nil, never a guess; variants are
/// looked through, as interfaces wrap every property in one.
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

    /// What is inside a variant, or inside a variant in it; the value itself when it is none.
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

    /// Any of the integer types; nil too when it is beyond Int64.
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

    /// The elements of an array that is not one of bytes.
    package var elements: [DBusValue]? {
        if case .array(_, let elements) = unwrapped { elements } else { nil }
    }

    package var fields: [DBusValue]? {
        if case .structure(let fields) = unwrapped { fields } else { nil }
    }

    /// A dictionary whose keys are strings, paths or signatures; of repeated keys the last one counts.
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
