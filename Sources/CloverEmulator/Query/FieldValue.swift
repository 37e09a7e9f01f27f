/// The value of a record's field, for filters and sorting.
package enum FieldValue: Sendable, Equatable {
    /// The record does not have the field.
    case absent
    case integer(Int)
    case text(String)
    case boolean(Bool)
    /// A field of nested records, such as the last four digits of all cards of an order: a filter matches when one of
    /// the values does.
    case many([FieldValue])
}
