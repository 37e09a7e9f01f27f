/// Compares field values for sorting.
enum SortKey {
    /// Negative, zero or positive; absent values come first, as NULL does in SQL databases like MySQL.
    static func compare(_ left: FieldValue, _ right: FieldValue) -> Int {
        switch (left, right) {
        case (.absent, .absent): 0
        case (.absent, _): -1
        case (_, .absent): 1
        case (.integer(let first), .integer(let second)): first < second ? -1 : first > second ? 1 : 0
        case (.text(let first), .text(let second)): first < second ? -1 : first > second ? 1 : 0
        case (.boolean(let first), .boolean(let second)): first == second ? 0 : second ? -1 : 1
        case (.many(let first), _): compare(first.first ?? .absent, right)
        case (_, .many(let second)): compare(left, second.first ?? .absent)
        default: 0
        }
    }
}
