/// One `--field` or `--raw-field`: a place in the body and its value, as in `gh api`, or in dot notation.
package struct FieldArgument: Sendable, Equatable {
    /// One step into the body.
    enum Step: Sendable, Equatable {
        case name(String)
        /// A new entry of a list.
        case entry
    }

    enum Value: Sendable, Equatable {
        /// The type follows from the field, or from the text.
        case typed(String)
        case string(String)
        /// An empty list.
        case emptyList
    }

    let steps: [Step]
    private(set) var value: Value
    /// The field as it was typed.
    let place: String

    /// Parses `name=value`, `employee.id=X`, `employee[id]=X`, `ids[]=X`, `items[].id=X` or `ids[]`.
    ///
    /// - Parameter isRaw: takes the value as a string.
    package init(parsing text: String, isRaw: Bool) throws(BodyError) {
        let mark = text.firstIndex(of: "=")
        place = String(text[..<(mark ?? text.endIndex)])
        steps = try Self.steps(place, of: text)
        if let mark {
            let rest = String(text[text.index(after: mark)...])
            value = isRaw ? .string(rest) : .typed(rest)
        } else {
            guard steps.last == .entry else { throw .malformedField(text, reason: .noValue) }
            value = .emptyList
        }
    }

    /// The file that holds the value, `-` for standard input; nil if the value was given directly.
    package var file: String? {
        guard case .typed(let text) = value, text.first == "@" else { return nil }
        return String(text.dropFirst())
    }

    /// The field with the contents of its file as value.
    ///
    /// A final line break is removed, because it belongs to the file rather than to a number or an id.
    package func holding(_ contents: String) -> FieldArgument {
        var field = self
        let isBroken = contents.utf8.last == UInt8(ascii: "\n")
        var text = contents.unicodeScalars[...]
        if isBroken { text.removeLast() }
        if isBroken, text.last == "\r" { text.removeLast() }
        field.value = .typed(String(String.UnicodeScalarView(text)))
        return field
    }

    private static func steps(_ place: String, of text: String) throws(BodyError) -> [Step] {
        var steps: [Step] = []
        var rest = place[...]
        guard let first = rest.first else { throw .malformedField(text, reason: .noName) }
        guard first != "[", first != "." else { throw .malformedField(text, reason: .emptyName) }
        while let character = rest.first {
            if character == "[" {
                guard let end = rest.firstIndex(of: "]") else { throw .malformedField(text, reason: .openBracket) }
                let name = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
                guard rest.isEmpty || rest.first == "[" || rest.first == "." else {
                    throw .malformedField(text, reason: .openBracket)
                }
                if name.isEmpty {
                    guard steps.last != .entry else { throw .malformedField(text, reason: .nestedList) }
                    steps.append(.entry)
                } else {
                    guard !name.allSatisfy(\.isNumber) else { throw .malformedField(text, reason: .index) }
                    steps.append(.name(String(name)))
                }
                continue
            }
            if character == "." { rest.removeFirst() }
            let name = rest.prefix { $0 != "." && $0 != "[" }
            guard !name.isEmpty else { throw .malformedField(text, reason: .emptyName) }
            guard !name.contains("]") else { throw .malformedField(text, reason: .openBracket) }
            steps.append(.name(String(name)))
            rest = rest[name.endIndex...]
        }
        return steps
    }
}
