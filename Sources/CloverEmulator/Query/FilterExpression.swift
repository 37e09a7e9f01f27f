/// One `filter=` of a request, taken apart: field, operator, values.
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

    /// Reads an expression after percent-decoding; nil when it is malformed.
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

    /// Reads `('a', 'b')`; values may go without quotes, a doubled quote stands for one. Nil when malformed or empty.
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
