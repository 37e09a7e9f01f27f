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
