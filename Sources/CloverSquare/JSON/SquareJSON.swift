/// A JSON value (RFC 8259) with its members in their order and its strings compared as the SDK compares them.
package enum SquareJSON: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// Any number that is not a plain 64-bit integer, in its own spelling.
    case number(String)
    case string(SquareText)
    case array([SquareJSON])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package let name: SquareText
        package let value: SquareJSON

        package init(_ name: SquareText, _ value: SquareJSON) {
            self.name = name
            self.value = value
        }
    }

    /// A string, or null.
    package init(_ text: SquareText?) {
        self = text.map(SquareJSON.string) ?? .null
    }

    /// An object with its members in the order of their names' bytes.
    package static func sorted(_ members: [Member]) -> SquareJSON {
        .object(members.sorted { $0.name.string.utf8.lexicographicallyPrecedes($1.name.string.utf8) })
    }

    /// The member of an object, the last of several with one name; nil when there is none, also for other values.
    package subscript(_ name: SquareText) -> SquareJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var text: SquareText? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Whether every string has a UTF-8 form. Apple's serializer gives no JSON for others.
    package var isWritable: Bool {
        switch self {
        case .null, .boolean, .integer, .number: true
        case .string(let text): text.isWritable
        case .array(let values): values.allSatisfy(\.isWritable)
        case .object(let members): members.allSatisfy { $0.name.isWritable && $0.value.isWritable }
        }
    }

    /// What kind of value it is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
