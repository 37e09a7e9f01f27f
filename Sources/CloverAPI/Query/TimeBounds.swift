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
