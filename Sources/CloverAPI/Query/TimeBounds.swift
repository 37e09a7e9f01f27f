/// The part of time that a query's own filters on one field leave, in milliseconds since 1970.
struct TimeBounds: Equatable {
    /// The first instant; nil when the filters give none.
    var from: Int64?
    /// The instant after the last; nil when the filters give none.
    var to: Int64?
    /// The filters that say nothing else, and that `from` and `to` stand for.
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
                // An equality stays a filter of its own.
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
