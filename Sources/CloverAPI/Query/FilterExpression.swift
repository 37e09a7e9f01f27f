import CloverSystem

/// One `--filter`: a field, an operator and a value, as in Clover's filter grammar (Clover: applying filters).
package struct FilterExpression: Sendable, Equatable {
    package let field: String
    /// The operator and value in the service's form: `>=1700000000000`, ` in ('A','B')`, ` IS NOT NULL`.
    package let condition: String

    /// Parses `field OP value`, `field in (A,B)` or `field is not null`; spaces around an operator are ignored.
    /// A time field takes any time that `TimeExpression` understands.
    package init(parsing text: String, times: TimeExpression.Context) throws(QueryError) {
        let (field, rest) = try Self.splitField(text)
        self.field = field
        if let listed = try Self.readWordOperator(rest, field: field, text: text, times: times) {
            condition = listed
            return
        }
        guard let symbol = Self.symbols.first(where: { rest.hasPrefix($0) }) else {
            throw .malformedFilter(text, reason: .noOperator)
        }
        let value = Self.trimmed(rest.dropFirst(symbol.count))
        guard let first = value.first else { throw .malformedFilter(text, reason: .noValue) }
        // `==`, `=>`, `=<5` and `<>` are operators of other languages, not values; but a text may begin with a tag.
        let isTag = first == "<" && ["=", "!="].contains(symbol) && value.dropFirst().first?.isLetter == true
        guard isTag || !"=<>".contains(first) else { throw .malformedFilter(text, reason: .noOperator) }
        if Self.isTimeField(field), let period = TimeExpression.period(value, in: times) {
            guard let compared = Self.comparison(symbol, with: period) else { throw .daysNotOneRange(text) }
            condition = compared
            return
        }
        condition = symbol + (try Self.serviceValue(value, field: field, filter: text, times: times))
    }

    /// Parses one `--filter` like `init(parsing:times:)`. An equality of a time field with a period, or a list of periods that
    /// adjoin each other, becomes two filters: from its beginning, and before its end.
    package static func parse(
        _ text: String, times: TimeExpression.Context
    ) throws(QueryError) -> [FilterExpression] {
        let (field, rest) = try splitField(text)
        if isTimeField(field), let period = try range(rest, filter: text, times: times) {
            return [
                FilterExpression(field: field, condition: ">=\(period.lowerBound)"),
                FilterExpression(field: field, condition: "<\(period.upperBound)"),
            ]
        }
        return [try FilterExpression(parsing: text, times: times)]
    }

    /// The one range of `=PERIOD` or `in (PERIOD,PERIOD)`; nil where there is no period.
    private static func range(
        _ rest: Substring, filter: String, times: TimeExpression.Context
    ) throws(QueryError) -> Range<Int64>? {
        if rest.first == "=" { return TimeExpression.period(trimmed(rest.dropFirst()), in: times) }
        guard let values = try listValues(rest, filter: filter) else { return nil }
        let periods = values.compactMap { TimeExpression.period($0, in: times) }
            .sorted { $0.lowerBound < $1.lowerBound }
        guard var whole = periods.first else { return nil }
        // All filters must match, so that days with a gap, or days and single times, cannot be selected.
        guard periods.count == values.count else { throw .daysNotOneRange(filter) }
        for period in periods {
            guard period.lowerBound <= whole.upperBound else { throw .daysNotOneRange(filter) }
            whole = whole.lowerBound..<max(whole.upperBound, period.upperBound)
        }
        return whole
    }

    /// - Parameter condition: in the service's form.
    package init(field: String, condition: String) {
        self.field = field
        self.condition = condition
    }

    package var encoded: String {
        PercentCoding.encode(field + condition)
    }

    /// The filter as a parameter of an ecommerce list: `created.gte=1700000000000` for `created>=1700000000000`. Nil for a
    /// condition that these lists do not have: only times have an order.
    var parameter: RecordQuery.Parameter? {
        let symbol = condition.prefix { "!<>=".contains($0) }
        let suffix = [">=": ".gte", ">": ".gt", "<=": ".lte", "<": ".lt", "=": ""][symbol]
        guard let suffix, suffix.isEmpty || Self.isTimeField(field) else { return nil }
        return RecordQuery.Parameter(name: field + suffix, value: String(condition.dropFirst(symbol.count)))
    }

    /// Longer ones first, because `>=` begins with `>`.
    private static let symbols = ["!=", ">=", "<=", "=", ">", "<"]

    private static func splitField(_ text: String) throws(QueryError) -> (String, Substring) {
        let body = trimmed(text[...])
        let field = body.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        guard let first = field.first, first.isLetter else { throw .malformedFilter(text, reason: .noField) }
        return (String(field), trimmed(body[field.endIndex...]))
    }

    /// The condition for ` in (...)` or ` is not null`; nil for other operators.
    private static func readWordOperator(
        _ rest: Substring, field: String, text: String, times: TimeExpression.Context
    ) throws(QueryError) -> String? {
        let words = rest.lowercased().split(whereSeparator: \.isWhitespace)
        if words == ["is", "not", "null"] { return " IS NOT NULL" }
        guard let values = try listValues(rest, filter: text) else { return nil }
        let quoted = try values.map { value throws(QueryError) in
            "'\(try serviceValue(value, field: field, filter: text, times: times))'"
        }
        return " in (\(quoted.joined(separator: ",")))"
    }

    /// The values of `in (A,B)`; nil for another operator.
    private static func listValues(_ rest: Substring, filter: String) throws(QueryError) -> [Substring]? {
        guard rest.lowercased().hasPrefix("in"), let next = rest.dropFirst(2).first, next == "(" || next.isWhitespace
        else { return nil }
        let list = trimmed(rest.dropFirst(2))
        guard list.first == "(", list.last == ")", list.count >= 2 else {
            throw .malformedFilter(filter, reason: .listSyntax)
        }
        let entries = list.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        return try entries.map { entry throws(QueryError) in
            var value = trimmed(entry)
            if value.count >= 2, value.first == "'", value.last == "'" { value = value.dropFirst().dropLast() }
            guard !value.isEmpty else { throw .malformedFilter(filter, reason: .emptyList) }
            guard !value.contains("'") else { throw .malformedFilter(filter, reason: .quoteInList) }
            return value
        }
    }

    /// A comparison with a whole period: `>` begins after it and `<=` includes it. Nil where one condition cannot say it.
    private static func comparison(_ symbol: String, with period: Range<Int64>) -> String? {
        switch symbol {
        case ">=": ">=\(period.lowerBound)"
        case ">": ">=\(period.upperBound)"
        case "<": "<\(period.lowerBound)"
        case "<=": "<\(period.upperBound)"
        default: nil
        }
    }

    private static func serviceValue(
        _ value: Substring, field: String, filter: String, times: TimeExpression.Context
    ) throws(QueryError) -> String {
        guard isTimeField(field) else { return String(value) }
        guard let milliseconds = TimeExpression.milliseconds(value, in: times) else {
            throw .malformedTime(String(value), filter: filter)
        }
        return String(milliseconds)
    }

    /// Whether a field holds milliseconds since 1970: `createdTime`, `order.modifiedTime`, `in_time`, `customerSince`,
    /// ...
    package static func isTimeField(_ field: String) -> Bool {
        let name = field.split(separator: ".").last ?? ""
        // `has_in_time` is a boolean.
        if name.hasPrefix("has_") { return false }
        let lowered = name.lowercased()
        return lowered.hasSuffix("time") || lowered.hasSuffix("timestamp")
            || ["customersince", "created"].contains(lowered)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

/// The time range that a query's filters on one field allow, in milliseconds since 1970.
struct TimeBounds: Equatable {
    /// The first instant; nil if unbounded.
    var from: Int64?
    /// The instant after the last; nil if unbounded.
    var to: Int64?
    /// The filters that `from` and `to` fully replace.
    private(set) var covered: [FilterExpression] = []

    init(of field: String, in filters: [FilterExpression]) {
        for filter in filters where filter.field == field {
            guard let (symbol, value) = Self.comparison(filter.condition), value < .max else { continue }
            switch symbol {
            case ">=": raise(to: value)
            case ">": raise(to: value + 1)
            case "<": lower(to: value)
            case "<=": lower(to: value + 1)
            default:
                // An equality also remains as a filter.
                raise(to: value)
                lower(to: value + 1)
                continue
            }
            covered.append(filter)
        }
    }

    private mutating func raise(to value: Int64) { from = max(from ?? value, value) }

    private mutating func lower(to value: Int64) { to = min(to ?? value, value) }

    private static func comparison(_ condition: String) -> (symbol: Substring, value: Int64)? {
        let symbol = condition.prefix { "<>=".contains($0) }
        guard !symbol.isEmpty, let value = Int64(condition.dropFirst(symbol.count)) else { return nil }
        return (symbol, value)
    }
}
