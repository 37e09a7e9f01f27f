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
            guard let value = value(&rest) else { return nil }
            values.append(value)
            rest = rest.drop { $0 == " " }
            switch rest.popFirst() {
            case ",": continue
            case ")": return rest.allSatisfy { $0 == " " } ? values : nil
            default: return nil
            }
        }
    }

    private static func value(_ rest: inout Substring) -> String? {
        guard let quote = rest.first, quote == "'" || quote == "\"" else {
            let value = rest.prefix { $0 != "," && $0 != ")" && $0 != " " }
            rest = rest[value.endIndex...]
            return value.isEmpty ? nil : String(value)
        }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            if character == quote {
                guard rest.first == quote else { return value }
                rest.removeFirst()
            }
            value.append(character)
        }
        return nil
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
    let field: Int
    private let comparison: FilterOperator
    private let kind: FilterField.Kind
    private var texts: [String] = []
    private var integers: [Int] = []
    /// The beginning of a name, for a value with a trailing star.
    private var prefix: String?

    /// A lower bound on an integer field, for the history rules.
    init(field: Int, atLeast bound: Int) {
        self.field = field
        comparison = .greaterOrEqual
        kind = .integer
        integers = [bound]
    }

    /// - Throws: `APIError.badFilter` for a field that the endpoint does not filter by (live sandbox notes), `badRequest` for
    ///   an invalid number or boolean.
    package init(_ expression: FilterExpression, fields: [FilterField]) throws(APIError) {
        guard let field = fields.firstIndex(where: { $0.name == expression.field }) else {
            throw .badFilter("Unsupported filter field: \(expression.field)")
        }
        self.field = field
        comparison = expression.comparison
        kind = fields[field].kind
        let isCaseless = kind == .boolean || kind == .caseless
        for value in expression.values {
            let number = Int(value)
            let text = isCaseless ? value.lowercased() : value
            if kind == .integer && number == nil || kind == .boolean && text != "true" && text != "false" {
                throw .badRequest("Invalid value for filter field \(expression.field): \(value)")
            }
            if kind == .integer, let number { integers.append(number) } else { texts.append(text) }
        }
        if kind == .name, comparison == .equal || comparison == .notEqual, let value = texts.first, value.hasSuffix("*")
        {
            prefix = String(value.dropLast())
        }
    }

    /// Whether the value satisfies the condition. An absent value satisfies none, as in SQL.
    package func matches(_ value: FieldValue) -> Bool {
        switch value {
        case .absent: return false
        case .many(let values): return values.contains { matches($0) }
        case .integer(let number): return matches(number, integers)
        case .number(let number):
            return matches(number.isNaN ? 0 : Int(min(max(number.rounded(.down), -9e18), 9e18)), integers)
        case .boolean(let flag): return matches(.text("\(flag)"))
        case .text(let text):
            if let prefix { return text.hasPrefix(prefix) == (comparison == .equal) }
            return matches(kind == .caseless ? text.lowercased() : text, texts)
        }
    }

    private func matches<Value: Comparable>(_ value: Value, _ given: [Value]) -> Bool {
        switch (comparison, given.first) {
        case (.isNotNull, _): true
        case (.oneOf, _): given.contains(value)
        case (_, nil): false
        case (.equal, let bound?): value == bound
        case (.notEqual, let bound?): value != bound
        case (.greater, let bound?): value > bound
        case (.greaterOrEqual, let bound?): value >= bound
        case (.less, let bound?): value < bound
        case (.lessOrEqual, let bound?): value <= bound
        }
    }

    /// The range of integers that the condition allows, for sorted fields; nil if it is not a range.
    var bounds: ClosedRange<Int>? {
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
    var allowedTexts: [String]? {
        (comparison == .equal || comparison == .oneOf) && prefix == nil && kind == .text ? texts : nil
    }
}

/// The value of a record's field, for filters and sorting.
package enum FieldValue: Sendable, Equatable {
    case absent
    case integer(Int)
    /// A number that is not written as a whole one; filters compare its whole part.
    case number(Double)
    case text(String)
    case boolean(Bool)
    /// A field of nested records, such as the last four digits of all cards of an order; a filter matches if one of the
    /// values does.
    case many([FieldValue])

    /// Negative, zero or positive; absent values sort first, like NULL in SQL databases such as MySQL.
    func order(to other: FieldValue) -> Int {
        func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
            first < second ? -1 : first > second ? 1 : 0
        }
        return switch (self, other) {
        case (.absent, .absent): 0
        case (.absent, _): -1
        case (_, .absent): 1
        case (.integer(let first), .integer(let second)): order(first, second)
        case (.number(let first), .number(let second)): order(first, second)
        case (.integer(let first), .number(let second)): order(Double(first), second)
        case (.number(let first), .integer(let second)): order(first, Double(second))
        case (.text(let first), .text(let second)): order(first, second)
        case (.boolean(let first), .boolean(let second)): first == second ? 0 : second ? -1 : 1
        case (.many(let first), _): (first.first ?? .absent).order(to: other)
        case (_, .many(let second)): self.order(to: second.first ?? .absent)
        default: 0
        }
    }
}

/// A field that an endpoint accepts in filters and in `orderBy`.
package struct FilterField: Sendable {
    /// How a field's values are parsed and compared.
    package enum Kind: Sendable {
        case integer
        case boolean
        case text
        /// Compared exactly; a trailing `*` matches any ending (live sandbox notes, names of items).
        case name
        /// Compared case-insensitively: the service itself returns mixed case (recorded responses, order states).
        case caseless
    }

    package let name: String
    let kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Parses comma-separated names with their kinds, such as `id:t,price:i`: i integer, b boolean, n text with a
    /// trailing star, c text without case, t text.
    static func list(_ text: Substring) -> [FilterField] {
        let kinds: [Substring: Kind] = ["i": .integer, "b": .boolean, "n": .name, "c": .caseless, "t": .text]
        return text.split(separator: ",").compactMap { field in
            let halves = field.split(separator: ":")
            return kinds[halves.last ?? ""].map { FilterField(String(halves[0]), $0) }
        }
    }

    // The fields of the generated lists, in the order of the `X-Clover-Allowed-Filter-Fields` header (Clover REST
    // documentation, applying filters; recorded headers; clients generated from the official description).

    static let orders = list(
        """
        employee.id:t,employee.name:n,note:n,modifiedTime:i,createdTime:i,clientCreatedTime:i,deletedTime:i,\
        orderType:t,touched:b,cardTransaction.last4:t,manualTransaction:b,title:n,device.id:t,externalReferenceId:t,\
        total:i,payType:c,testMode:b,id:t,state:c,customer.id:t
        """)

    static let payments = list(
        """
        modifiedTime:i,createdTime:i,clientCreatedTime:i,device.id:t,externalReferenceId:t,externalPaymentId:t,\
        result:c,offline:b,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c
        """)

    static let customers = list(
        """
        customerSince:i,deletedTime:i,emailAddress:t,firstName:n,fullName:n,id:t,lastName:n,marketingAllowed:b,\
        phoneNumber:t
        """)
}
