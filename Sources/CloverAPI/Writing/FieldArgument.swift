import CloverJSON

/// One `--field` or `--raw-field`: a place in the body and its value, as in `gh api`, or in dot notation.
package struct FieldArgument: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case name(String)
        case entry
    }

    enum Value: Sendable, Equatable {
        /// The type follows from the field, or from the text.
        case typed(String)
        case string(String)
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

    /// The field as a parameter of a query.
    package func parameter() throws(QueryError) -> RecordQuery.Parameter {
        switch value {
        case .typed(let text), .string(let text): try RecordQuery.Parameter(name: place, text: text)
        case .emptyList: try RecordQuery.Parameter(name: place, text: "")
        }
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

/// Converts the text of a field to JSON, by the field's type or by the text itself.
struct FieldValue {
    /// The reference for relative times.
    let times: TimeExpression.Context

    /// Guesses the type as `gh api` does: true, false, null, numbers, and also complete JSON objects and arrays are
    /// taken as such; everything else is a string. Digits are kept.
    static func byLook(_ text: String) -> String {
        if ["true", "false", "null"].contains(text) { return text }
        switch kind(of: text) {
        case .integer, .number, .object, .array: return trimmed(text)
        case .null, .boolean, .string, nil: return JSONString.quoted(text, isShown: false)
        }
    }

    /// Converts the value of a field that is in the catalogue. `null` clears a field of any type.
    ///
    /// - Throws: `wrongValue`.
    func json(_ text: String, _ type: FieldType, _ field: Model.Field?, place: String) throws(BodyError) -> String {
        if text == "null" { return text }
        func refuse(_ expected: BodyError.Expectation) -> BodyError {
            .wrongValue(text, field: place, expected: expected)
        }
        let kind = Self.kind(of: text)
        switch type {
        case .any: return Self.byLook(text)
        case .string: return JSONString.quoted(try checked(text, among: field?.cases ?? [], place), isShown: false)
        case .enumeration(let name):
            let cases = ModelCatalogue.enumeration(named: name)?.cases ?? []
            return JSONString.quoted(try checked(text, among: cases, place), isShown: false)
        case .boolean:
            guard kind == .boolean else { throw refuse(.boolean) }
            return Self.trimmed(text)
        case .double:
            guard kind == .integer || kind == .number else { throw refuse(.number) }
            return Self.trimmed(text)
        case .integer(let bits):
            guard let number = Self.integer(text, bits: bits) else {
                throw refuse(
                    field?.unit == .minor
                        ? .minorUnits(suggestion: kind == nil ? nil : JSONNumber.cents(text)) : .integer(bits: bits))
            }
            return number
        case .timestamp:
            if let number = Self.integer(text, bits: 64) { return number }
            guard field?.unit == .milliseconds, let time = TimeExpression.milliseconds(text, in: times) else {
                throw refuse(.time)
            }
            return "\(time)"
        case .object, .map, .model:
            guard kind == .object else { throw refuse(.object) }
            return try compared(text, type, field, place)
        case .list, .array, .sequence:
            guard kind == .array || kind == .object else { throw refuse(.list) }
            return try compared(text, type, field, place)
        }
    }

    /// Checks a complete object or list like fields that are given one by one.
    private func compared(
        _ text: String, _ type: FieldType, _ field: Model.Field?, _ place: String
    ) throws(BodyError) -> String {
        let problem: BodyError?
        do throws(JSONCheck.Fault) {
            problem = try BodyCheck.problem(in: Array(text.utf8), type, field, place: place)
        } catch {
            problem = .wrongValue(text, field: place, expected: .object)
        }
        if let problem { throw problem }
        return Self.trimmed(text)
    }

    /// Checks against the listed values, ignoring case: the service spells some in either case (reference of order
    /// states).
    private func checked(_ text: String, among cases: [String], _ place: String) throws(BodyError) -> String {
        guard !cases.isEmpty, !cases.contains(where: { $0.lowercased() == text.lowercased() }) else { return text }
        throw .wrongValue(
            text, field: place, expected: .oneOf(cases, suggestions: NearestNames.of(text, among: cases)))
    }

    /// Nil if the text is not JSON.
    private static func kind(of text: String) -> JSONKind? {
        do throws(JSONCheck.Fault) {
            return try JSONCheck.kind(of: Array(text.utf8))
        } catch {
            return nil
        }
    }

    private static func integer(_ text: String, bits: Int) -> String? {
        let text = trimmed(text)
        guard kind(of: text) == .integer, text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) })
        else { return nil }
        return JSONNumber.fits(text, bits: bits) ? text : nil
    }

    /// Removes white space around a JSON value: it would be harmless, but is not intended.
    private static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        var rest = text.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }
}
