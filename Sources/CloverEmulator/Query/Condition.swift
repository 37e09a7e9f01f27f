/// A filter checked against an endpoint's fields and ready to be applied to values.
package struct Condition: Sendable {
    /// Place of the field in the endpoint's list.
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

    /// - Throws: `APIError.badRequest` for a field the endpoint does not filter by (live sandbox notes) and for a value
    ///   that is no number or no `true` or `false` where one is needed.
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

    /// True when the value satisfies the condition. An absent value satisfies none, as in SQL.
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

    /// The closed range of integers the condition leaves, for fields records are sorted by; nil when it is none.
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

    /// The texts an equality or `in` condition allows; nil for other conditions.
    package var allowedTexts: [String]? {
        (comparison == .equal || comparison == .oneOf) && prefix == nil && kind == .text ? texts : nil
    }
}
