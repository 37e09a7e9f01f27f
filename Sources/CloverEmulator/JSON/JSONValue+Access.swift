/// Reading and changing values that came from a request or are kept as documents.
extension JSONValue {
    /// The member of an object; nil when there is none, also for other values.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The member at the end of a path of names.
    package subscript(path names: String...) -> JSONValue? {
        var value: JSONValue? = self
        for name in names { value = value?[name] }
        return value
    }

    package var members: [(key: String, value: JSONValue)] {
        if case .object(let members) = self { members } else { [] }
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integer: Int? {
        switch self {
        case .integer(let number): number
        case .number(let text): Double(text).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The `id` of an object.
    package var id: String? { self["id"]?.text }

    /// The entries of an array or of `{"elements":[...]}`; nil for other values.
    package var list: [JSONValue]? {
        switch self {
        case .array(let values): values
        case .object: if case .array(let values)? = self["elements"] { values } else { nil }
        default: nil
        }
    }

    /// The same, empty when there is none.
    package var elements: [JSONValue] { list ?? [] }

    /// Takes a member away.
    package mutating func remove(_ key: String) {
        guard case .object(var members) = self else { return }
        members.removeAll { $0.key == key }
        self = .object(members)
    }

    /// `{"elements":[...]}` with all values: for what is kept, not for what is shown.
    package static func kept(_ values: [JSONValue]) -> JSONValue {
        .object([("elements", .array(values))])
    }

    /// `{"id":"..."}`
    package static func reference(_ id: String) -> JSONValue {
        .object([("id", .string(id))])
    }

    /// What a filter sees.
    package var fieldValue: FieldValue {
        switch self {
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .number(let text): Double(text).map { .integer(Int($0.rounded(.down).clamped)) } ?? .absent
        case .boolean(let flag): .boolean(flag)
        case .array(let values): .many(values.map(\.fieldValue))
        case .object, .ready, .null: .absent
        }
    }

    /// The text of the value.
    package var encoded: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        write(to: &writer)
        return writer.bytes()
    }
}

extension Double {
    /// Within what an `Int` holds.
    fileprivate var clamped: Double { isNaN ? 0 : min(max(self, -9e18), 9e18) }
}
