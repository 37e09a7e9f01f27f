/// A parsed `filter=` parameter: field, operator, values.
package struct FilterExpression: Sendable, Equatable {
    package let field: String
    package let comparison: FilterOperator
    /// One value; several for `in`; none for `IS NOT NULL`.
    package let values: [String]

    package init(field: String, comparison: FilterOperator, values: [String]) {
        self.field = field
        self.comparison = comparison
        self.values = values
    }

    /// Parses an expression after percent-decoding; fails if it is malformed.
    ///
    /// The grammar is field, operator, value without spaces around the operator, and the word operators `in (...)` and
    /// `IS NOT NULL` after a space (Clover REST documentation, applying filters). Spaces are tolerated.
    package init?(_ text: String) {
        let field = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }
        guard !field.isEmpty else { return nil }
        let hasSpace = text[field.endIndex...].first == " "
        let rest = text[field.endIndex...].drop { $0 == " " }
        let symbols: [FilterOperator] = [.greaterOrEqual, .lessOrEqual, .notEqual, .equal, .greater, .less]
        if let symbol = symbols.first(where: { rest.hasPrefix($0.rawValue) }) {
            let value = rest.dropFirst(symbol.rawValue.count)
            self.init(field: String(field), comparison: symbol, values: [String(value)])
            return
        }
        guard hasSpace else { return nil }
        let lowered = rest.lowercased()
        if lowered.split(separator: " ") == ["is", "not", "null"] {
            self.init(field: String(field), comparison: .isNotNull, values: [])
            return
        }
        guard lowered.hasPrefix("in"), let list = Self.list(rest.dropFirst(2)) else { return nil }
        self.init(field: String(field), comparison: .oneOf, values: list)
    }

    /// Parses `('a', 'b')`; values may be unquoted, a doubled quote stands for one. Nil if malformed or empty.
    private static func list(_ text: Substring) -> [String]? {
        var rest = text.drop { $0 == " " }
        guard rest.popFirst() == "(" else { return nil }
        var values: [String] = []
        while true {
            rest = rest.drop { $0 == " " }
            guard let first = rest.first else { return nil }
            var value = ""
            if first == "'" || first == "\"" {
                rest.removeFirst()
                while true {
                    guard let character = rest.popFirst() else { return nil }
                    if character != first {
                        value.append(character)
                    } else if rest.first == first {
                        value.append(first)
                        rest.removeFirst()
                    } else {
                        break
                    }
                }
            } else {
                value = String(rest.prefix { $0 != "," && $0 != ")" && $0 != " " })
                rest = rest.dropFirst(value.count)
                guard !value.isEmpty else { return nil }
            }
            values.append(value)
            rest = rest.drop { $0 == " " }
            switch rest.popFirst() {
            case ",": continue
            case ")": return rest.allSatisfy { $0 == " " } ? values : nil
            default: return nil
            }
        }
    }
}

/// The operators of a filter expression (Clover REST documentation, applying filters).
package enum FilterOperator: String, Sendable, Equatable {
    case equal = "="
    case notEqual = "!="
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    /// `field in ('a','b')`
    case oneOf = "in"
    /// `field IS NOT NULL`
    case isNotNull = "IS NOT NULL"
}

/// A filter validated against an endpoint's fields, ready to be applied to values.
package struct Condition: Sendable {
    /// Index of the field in the endpoint's list of fields.
    package let field: Int
    package let comparison: FilterOperator
    private let kind: FilterField.Kind
    private let texts: [String]
    private let integers: [Int]
    private let prefix: String?

    /// A lower bound on an integer field, for the history rules.
    package init(field: Int, atLeast bound: Int) {
        self.field = field
        comparison = .greaterOrEqual
        kind = .integer
        texts = []
        integers = [bound]
        prefix = nil
    }

    /// - Throws: `APIError.badRequest` for a field that the endpoint does not filter by (live sandbox notes), and for
    ///   an invalid number or boolean.
    package init(_ expression: FilterExpression, fields: [FilterField]) throws(APIError) {
        guard let field = fields.firstIndex(where: { $0.name == expression.field }) else {
            throw .badRequest("Unsupported filter field: \(expression.field)")
        }
        self.field = field
        comparison = expression.comparison
        kind = fields[field].kind
        var integers: [Int] = []
        switch kind {
        case .integer:
            for value in expression.values {
                guard let number = Int(value) else {
                    throw .badRequest("Invalid value for filter field \(expression.field): \(value)")
                }
                integers.append(number)
            }
            texts = []
        case .boolean:
            for value in expression.values where value.lowercased() != "true" && value.lowercased() != "false" {
                throw .badRequest("Invalid value for filter field \(expression.field): \(value)")
            }
            texts = expression.values.map { $0.lowercased() }
        case .caseless: texts = expression.values.map { $0.lowercased() }
        case .text, .name: texts = expression.values
        }
        self.integers = integers
        if kind == .name, comparison == .equal || comparison == .notEqual, let value = texts.first, value.hasSuffix("*")
        {
            prefix = String(value.dropLast())
        } else {
            prefix = nil
        }
    }

    /// Whether the value satisfies the condition. An absent value satisfies none, as in SQL.
    package func matches(_ value: FieldValue) -> Bool {
        switch value {
        case .absent: return false
        case .many(let values): return values.contains { matches($0) }
        case .integer(let number):
            if comparison == .isNotNull { return true }
            if comparison == .oneOf { return integers.contains(number) }
            guard let bound = integers.first else { return false }
            return Self.compare(number, bound, comparison)
        case .boolean(let flag): return matches(text: flag ? "true" : "false")
        case .text(let text): return matches(text: kind == .caseless ? text.lowercased() : text)
        }
    }

    private func matches(text: String) -> Bool {
        if comparison == .isNotNull { return true }
        if comparison == .oneOf { return texts.contains(text) }
        if let prefix { return text.hasPrefix(prefix) == (comparison == .equal) }
        guard let bound = texts.first else { return false }
        return Self.compare(text, bound, comparison)
    }

    private static func compare<Value: Comparable>(_ left: Value, _ right: Value, _ comparison: FilterOperator) -> Bool
    {
        switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .oneOf, .isNotNull: false
        }
    }

    /// The range of integers that the condition allows, for sorted fields; nil if it is not a range.
    package var bounds: ClosedRange<Int>? {
        guard let bound = integers.first else { return nil }
        return switch comparison {
        case .equal: bound...bound
        case .greater where bound < Int.max: (bound + 1)...Int.max
        case .greaterOrEqual: bound...Int.max
        case .less where bound > Int.min: Int.min...(bound - 1)
        case .lessOrEqual: Int.min...bound
        default: nil
        }
    }

    /// The values that an equality or `in` condition allows; nil for other conditions.
    package var allowedTexts: [String]? {
        (comparison == .equal || comparison == .oneOf) && prefix == nil && kind == .text ? texts : nil
    }
}

/// The value of a record's field, for filters and sorting.
package enum FieldValue: Sendable, Equatable {
    /// The record has no such field.
    case absent
    case integer(Int)
    case text(String)
    case boolean(Bool)
    /// A field of nested records, such as the last four digits of all cards of an order; a filter matches if one of the
    /// values does.
    case many([FieldValue])
}
